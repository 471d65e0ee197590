//! Mails in and out: what is read of them, who sent them, how they travel.

mod addresses;
mod attributions;
mod bounces;
mod couriers;
mod deliver;
mod errands;
mod loops;
mod outgoing;
mod own_letters;
mod press;
mod programs;
mod reading;
mod servers;
mod seven;
mod transports;
mod trust;
mod words;
mod zones;
