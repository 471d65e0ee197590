#!/usr/bin/env bash
# A real IMAP server (Dovecot) and a real SMTP server (Exim) on ports of this machine alone, as an ordinary user, for tests.
#
#   tests/servers.sh have                 exit 0 if the programs are there
#   tests/servers.sh start DIR            both; DIR is new, the ports come from the variables IMAP, IMAPS, LMTP, SMTP,
#                                         SUBMISSION and SMTPS and are kept in DIR/ports
#   tests/servers.sh stop DIR
#   tests/servers.sh start-imap|stop-imap|start-smtp|stop-smtp DIR
#
# Every name can log in to IMAP with the password `secret`; `pbem` with `secret` to SMTP. Mails to example.org and localhost
# are delivered, those to bounce.example.org come back as delivery reports, all others are refused: none leaves the machine.
set -euo pipefail
PATH=$PATH:/usr/sbin:/sbin

have() {
    local program
    for program in dovecot exim4 openssl swaks s-nail mutt; do
        command -v "$program" >/dev/null || { echo "there is no $program"; return 1; }
    done
    # The configuration below is that of Dovecot 2.3.
    case "$(dovecot --version)" in 2.3.*) ;; *) echo "this is Dovecot $(dovecot --version), not 2.3"; return 1 ;; esac
    if [ "$(id -u)" = 0 ]; then command -v setpriv >/dev/null || { echo 'there is no setpriv'; return 1; }; fi
}

if [ "${1:-}" = have ]; then have; exit; fi
action=${1:?} D=${2:?}
if [ "$(id -u)" = 0 ]; then U=nobody; else U=$(id -un); fi
G=$(id -gn "$U")

# As a prefix and not a function, so that the process started is the server itself.
as_user=(env)
if [ "$(id -u)" = 0 ]; then as_user=(setpriv "--reuid=$U" "--regid=$G" --clear-groups); fi

wait_for() {
    local port=$1 try
    for try in $(seq 600); do
        if (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; then return 0; fi
        sleep 0.1
    done
    echo "nobody listens on port $port" >&2
    tail -n 20 "$D"/*.log "$D"/log/* >&2 || true
    return 1
}

certificates() (
    cd "$D"
    openssl req -x509 -newkey rsa:2048 -nodes -keyout ca.key -out ca.pem -days 30 -subj '/CN=test CA'
    openssl req -newkey rsa:2048 -nodes -keyout key.pem -out req.pem -subj /CN=localhost
    printf 'subjectAltName=DNS:localhost,IP:127.0.0.1\nbasicConstraints=CA:FALSE\n' >ext
    openssl x509 -req -in req.pem -CA ca.pem -CAkey ca.key -CAcreateserial -days 30 -out cert.pem -extfile ext
) >/dev/null 2>&1

configure() {
    cat >"$D/dovecot.conf" <<END
base_dir = $D/run
state_dir = $D/state
log_path = $D/dovecot.log
protocols = imap lmtp
listen = 127.0.0.1
default_internal_user = $U
default_internal_group = $G
default_login_user = $U
first_valid_uid = 1
ssl = yes
ssl_cert = <$D/cert.pem
ssl_key = <$D/key.pem
disable_plaintext_auth = no
mail_location = maildir:$D/mail/%n
recipient_delimiter = +
mail_max_userip_connections = 100
passdb {
  driver = static
  args = password=secret
}
userdb {
  driver = static
  args = uid=$U gid=$G home=$D/mail/%n allow_all_users=yes
}
service imap-login {
  chroot =
  inet_listener imap {
    port = $IMAP
  }
  inet_listener imaps {
    port = $IMAPS
    ssl = yes
  }
}
service anvil {
  chroot =
}
service stats {
  chroot =
}
service lmtp {
  inet_listener lmtp {
    address = 127.0.0.1
    port = $LMTP
  }
}
END
    cat >"$D/exim.conf" <<END
exim_path = $(command -v exim4)
primary_hostname = localhost
spool_directory = $D/spool
log_file_path = $D/log/%slog
pid_file_path = $D/exim.pid
exim_user = $U
exim_group = $G
trusted_users = $U
local_interfaces = 127.0.0.1
daemon_smtp_ports = $SMTP : $SUBMISSION : $SMTPS
tls_on_connect_ports = $SMTPS
tls_advertise_hosts = *
tls_certificate = $D/cert.pem
tls_privatekey = $D/key.pem
domainlist local_domains = localhost : example.org : bounce.example.org
acl_smtp_rcpt = acl_rcpt
keep_environment =
rfc1413_query_timeout = 0s
queue_run_max = 2
smtp_accept_max = 100
begin acl
acl_rcpt:
  deny message = 5.1.1 no such mailbox
       local_parts = nobody-at-all
  accept domains = +local_domains
  deny message = relay not permitted
begin routers
bounce:
  driver = redirect
  domains = bounce.example.org
  allow_fail
  data = :fail: no such mailbox
dovecot:
  driver = accept
  domains = +local_domains
  transport = lmtp
begin transports
lmtp:
  driver = smtp
  protocol = lmtp
  hosts = 127.0.0.1
  hosts_override
  port = $LMTP
  allow_localhost
begin retry
* * F,1h,1s
begin authenticators
plain:
  driver = plaintext
  public_name = PLAIN
  server_condition = \${if and {{eq{\$auth2}{pbem}}{eq{\$auth3}{secret}}}}
  server_set_id = \$auth2
END
}

# run NAME COMMAND...: in the background, with nothing of ours open
run() {
    local name=$1
    shift
    cd "$D"
    "${as_user[@]}" "$@" >>"$D/$name.out" 2>&1 </dev/null &
    echo $! >"$D/$name.main"
    cd - >/dev/null
}

start_imap() {
    run dovecot dovecot -F -c "$D/dovecot.conf"
    wait_for "$IMAP"
    wait_for "$LMTP"
}

start_smtp() {
    run exim exim4 -C "$D/exim.conf" -bdf -q1s
    wait_for "$SMTP"
}

stop_one() {
    local pid try
    pid=$(cat "$D/$1" 2>/dev/null) || return 0
    kill "$pid" 2>/dev/null || true
    for try in $(seq 300); do
        kill -0 "$pid" 2>/dev/null || break
        sleep 0.1
    done
    kill -9 "$pid" 2>/dev/null || true
    rm -f "$D/$1"
}

if [ "$action" = start ]; then
    have
    mkdir -p "$D" "$D"/{mail,spool,log,run,state}
    for port in IMAP IMAPS LMTP SMTP SUBMISSION SMTPS; do printf '%s=%s\n' "$port" "${!port}"; done >"$D/ports"
    certificates
    configure
    chmod 600 "$D"/*.key "$D/key.pem"
    chmod 755 "$D"
    if [ "$(id -u)" = 0 ]; then chown -R "$U:$G" "$D"; fi
fi
. "$D/ports"
case $action in
start) start_imap && start_smtp ;;
stop) stop_one exim.main && stop_one dovecot.main ;;
start-imap) start_imap ;;
start-smtp) start_smtp ;;
stop-imap) stop_one dovecot.main ;;
stop-smtp) stop_one exim.main ;;
*) echo "what is $action?" >&2 && exit 2 ;;
esac
