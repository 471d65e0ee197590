//! Secrets, lanes, envelopes, rolls, ledger, register, receipts: Sealed Dice 1 (sd1).
