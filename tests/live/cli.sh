#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The program from outside: refused command lines and their messages, and its
# standard output.

. "$(dirname "$0")/../lib.sh"

# Only rc files made here.
export HOME=$tmp/home
unset XDG_CONFIG_HOME
mkdir "$HOME"

# STATUS TEXT COMMAND...: it exits with STATUS and prints only one line on
# standard error, which begins with "rbtop: " and contains TEXT.
says() {
	local want=$1 text=$2 status=0

	shift 2
	timeout 100 "$@" >"$tmp/out" 2>"$tmp/err" </dev/null || status=$?
	cat "$tmp/out" "$tmp/err"
	[ "$status" -eq "$want" ] &&
		[ ! -s "$tmp/out" ] &&
		[ "$(wc -l <"$tmp/err")" -eq 1 ] &&
		grep -q '^rbtop: ' "$tmp/err" &&
		grep -qF -- "$text" "$tmp/err"
}

# STATUS TEXT ARGUMENTS...
bad() {
	check "refused: rbtop ${*:3}" says "$1" "$2" "$RBTOP" "${@:3}"
}

# Command lines that cannot be parsed.
bad 2 no-such-event -b -e no-such-event
bad 2 "-e" -b -e
bad 2 "'}'" -b -e '{cpu-clock'
bad 2 --bogus --bogus
bad 2 -x -x
bad 2 DATA -m
bad 2 '-m 0' -b -m 0
bad 2 '-m 3T' -b -m 3T
bad 2 '-F 0' -b -F 0
bad 2 '-c 0' -b -c 0
bad 2 '-F and -c' -b -F 99 -c 1000
bad 2 -n -b -n -1
bad 2 -d -b -d 0
bad 2 -n -n 0
bad 2 -C -b -C 1-0
bad 2 -C -b -C x
bad 2 -p -b -p 12x
bad 2 --watermark -b --watermark 100%
bad 2 'text, json' -b --format xml
bad 2 --filter -b --filter 'x == 1'
bad 2 --filter -b -e cpu-clock --filter 'x == 1'
printf 'PERFILE2%96s' '' >"$tmp/perf.data"
mkdir "$tmp/many"
cp "$tmp/perf.data" "$tmp/many/data"
bad 2 "perf.data is a recording, not a command: use rbtop -i $tmp/perf.data" \
	"$tmp/perf.data"
bad 2 "use rbtop -i $tmp/many" -b "$tmp/many"
bad 2 "use rbtop -i $tmp/perf.data" --summary "$tmp/perf.data"
bad 2 bogus -b --sim bogus=1
bad 2 cpus -b --sim cpus=0
bad 2 rate -b --sim rate=many
bad 2 '-e and --sim' -b --sim cpus=1 -e cpu-clock
bad 2 'up to 64 KiB' -b -g dwarf
bad 2 Intel -b --call-graph lbr
bad 2 "'x'" -b --call-graph x
bad 2 MODE -b --call-graph
bad 2 '-g' -b --max-stack 10
bad 2 '--max-stack 0' -b -g --max-stack 0
bad 2 '--decode 0' -b --hot 5 --decode 0
bad 2 --hot -b --hot x
bad 2 '-g and --sim' -b --sim cpus=1 -g
bad 2 '-m ,AUX' -b -m 4,
bad 2 '-m ,AUX 0' -b -m ,0
bad 2 '-S 0' -b -S0
bad 2 '-S and --full-trace' -b -S --full-trace
bad 2 --snapshot-every -b --snapshot-every 0
bad 2 lust -b --snapshot-on lust
bad 2 --snapshot-on -b --snapshot-cooldown 5
bad 2 '--snapshot-on and --overwrite' -b --overwrite --snapshot-on lost
bad 2 --keep -b --keep -1
bad 2 --history -b --history 0
bad 2 "-o '-'" -b -o -
bad 2 --aux-filter -b --aux-filter main
bad 2 --aux-filter -b -e cpu-clock --aux-filter main
bad 2 '-S and --sim' -b --sim cpus=1 -S
bad 2 '-e and --host' -b --host -e cpu-clock
bad 2 '-t and --host' -b --host -t 1
bad 2 '-m and --host' -b --host -m 4
bad 2 '--host and --sim' -b --host --sim cpus=1
bad 2 '--format script and --host' --host --format script
bad 2 "--textfile '-'" --host --textfile -
bad 2 'add -b' -i -
bad 2 '-m and -i' -b -i perf.data -m 4
bad 2 '--textfile and -i' -i perf.data --textfile x
bad 2 '--summary needs -i' --summary
bad 2 '-b and --summary' -i perf.data --summary -b
bad 2 '-a and -i' -a -i perf.data --summary
bad 2 '--host and -i' -i perf.data --host
bad 2 'runs no command' -i perf.data --summary true
bad 2 '--format csv and --summary' -i perf.data --summary --format csv

# Requests that the machine refuses.
bad 1 "$tmp/none: No such file" -i "$tmp/none" --summary
bad 1 'not a recording' -i /dev/null --summary
bad 1 'not a recording' -b -i /dev/null
bad 1 'not a recording' -i "$0" --summary
bad 1 'without a file "data"' -i "$tmp" --summary
bad 1 999 -b -n 1 -C 999
bad 1 4194304 -b -n 1 -p 4194304
bad 1 4194304 -b -n 1 -t 4194304
bad 1 "$tmp" -b -n 1 --config "$tmp"
bad 1 "no such file" -b -n 1 --config "$tmp/none"
bad 1 'not a regular file' --sim cpus=1 --textfile /dev/null
bad 1 'not a regular file' --sim cpus=1 --textfile /dev/stdout
mkfifo "$tmp/pipe"
bad 1 'not a regular file' --sim cpus=1 --textfile "$tmp/pipe"
bad 1 'Is a directory' --sim cpus=1 --textfile "$tmp/"
bad 1 "$tmp/none/file" --sim cpus=1 --textfile "$tmp/none/file"
check 'refused: standard output closed' \
	says 1 'standard output' sh -c '"$RBTOP" -b -n 1 --sim cpus=1 >&-'
check 'refused: -h, standard output closed' \
	says 1 'standard output' sh -c '"$RBTOP" -h >&-'
check 'refused: standard output full' says 1 'No space left' \
	sh -c '"$RBTOP" -b -d 0.05 --sim cpus=1 >/dev/full'
check 'refused: -V, standard output full' says 1 'No space left' \
	sh -c '"$RBTOP" -V >/dev/full'
check 'refused: no terminal' says 1 terminal "$RBTOP" --sim cpus=1

# On a terminal of its own: one line, and no escape sequence.
refused_on_terminal() {
	local want=$1 status=0

	timeout 100 script -qec "$2" "$tmp/typescript" >"$tmp/tty" \
		</dev/null || status=$?
	cat "$tmp/tty"
	[ "$status" -eq "$want" ] && [ "$(wc -l <"$tmp/tty")" -eq 1 ] &&
		grep -q "^rbtop: .*$3" "$tmp/tty" &&
		! grep -q $'\x1b' "$tmp/tty"
}

if command -v script >/dev/null; then
	check 'refused: TERM unset' refused_on_terminal 1 \
		"env -u TERM $RBTOP --sim cpus=1" TERM
	check 'refused: TERM=nonsense' refused_on_terminal 1 \
		"env TERM=nonsense $RBTOP --sim cpus=1" nonsense
	check 'refused on a terminal: an unknown event' refused_on_terminal 2 \
		"env TERM=xterm $RBTOP -e no-such-event" no-such-event
	check 'refused on a terminal: a dead pid' refused_on_terminal 1 \
		"env TERM=xterm $RBTOP -p 4194304" 4194304
else
	skip 'refused on a terminal' 'no script(1)'
fi

# A missing PMU: one line that says so, and which exist.
status=1
for pmu in intel_pt intel_bts cs_etm arm_spe_0; do
	if [ -e "/sys/bus/event_source/devices/$pmu" ]; then
		skip "refused: $pmu" 'this machine has it'
		status=2
	else
		bad 1 "$pmu" -b -n 1 -e "$pmu//"
	fi
done
bad "$status" 'need an event that traces' -b -n 1 -d 0.05 -e cpu-clock -S -- sleep 1

if "$RBTOP" -b -n 1 -d 0.05 -e cpu-clock -g -- sleep 1 >/dev/null 2>&1; then
	bad 1 kernel.perf_event_max_stack \
		-b -e cpu-clock -g --max-stack 65535 -- true
	bad 1 --branch-any -b -e cpu-clock --branch-any -- true
else
	skip 'refused: what samples hold' 'no event can be opened'
fi

if "$RBTOP" -b -d 10 -- true >/dev/null 2>&1; then
	bad 1 /nonexistent -b -- /nonexistent/command
else
	skip 'refused: a command that is not there' 'no event can be opened'
fi

# A user without privileges, who may not enter the build directory.
unprivileged() {
	says "$1" "$2" setpriv --reuid 65534 --regid 65534 --clear-groups \
		"$tmp/rbtop" -b -n 1 "${@:3}"
}

paranoid=/proc/sys/kernel/perf_event_paranoid
if [ "$(id -u)" -eq 0 ] && [ -w $paranoid ] && command -v setpriv >/dev/null
then
	chmod 711 "$tmp"
	install -m 755 "$RBTOP" "$tmp/rbtop"
	before=$(cat $paranoid)
	trap 'echo "$before" >$paranoid; tap_exit' EXIT
	echo 2 >$paranoid
	check 'refused: no permission, -a' \
		unprivileged 1 CAP_PERFMON -a
	check "refused: no permission, another user's process" \
		unprivileged 1 'thread 1' -p 1
	check 'refused: no permission, a tracepoint' \
		unprivileged 1 tracing -e sched:sched_switch
	check 'refused: no permission, --namespaces' \
		unprivileged 1 --namespaces -e cpu-clock --namespaces -- true
	check 'refused: no permission, --phys-data' \
		unprivileged 1 --phys-data -e cpu-clock --phys-data -- true
	echo "$before" >$paranoid
else
	skip 'refused: no permission' 'needs root and setpriv(1)'
fi

if [ -r /sys/kernel/tracing/events/sched/sched_switch/id ]; then
	bad 2 'prev_pid ==' -b -e sched:sched_switch --filter 'prev_pid =='
	bad 2 no_field -b -e sched:sched_switch --filter 'no_field == 1'
	bad 2 no_such_thing -b -e sched:no_such_thing
else
	skip 'refused: filters' 'no readable tracefs'
fi

# Files written by root where others may put links: a name that keeps changing
# between a file and a link must never lead elsewhere.
swapped() {
	local i

	(
		while [ ! -e "$tmp/over" ]; do
			ln -s "$tmp/secret" "$1/link"
			chown -h 65534 "$1/link"
			mv -f "$1/link" "$1/metrics"
			: >"$1/link"
			mv -f "$1/link" "$1/metrics"
		done
	) &
	for ((i = 0; i < 30; i++)); do
		timeout 100 "$RBTOP" -n 2 -d 0.01 --sim cpus=1 \
			--format openmetrics --textfile "$1/metrics"
	done
	touch "$tmp/over"
	wait
	rm "$tmp/over"
	[ "$(cat "$tmp/secret")" = secret ] &&
		[ "$(stat -c %a:%u "$tmp/secret")" = 600:0 ]
}

if [ "$(id -u)" -eq 0 ]; then
	mkdir -m 1777 "$tmp/sticky"
	mkdir "$tmp/closed"
	install -m 600 /dev/null "$tmp/secret"
	echo secret >"$tmp/secret"
	ln -s "$tmp/secret" "$tmp/sticky/file"
	ln -s "$tmp/closed" "$tmp/sticky/dir"
	ln -s "$tmp/closed" "$tmp/sticky/own"
	chown -h 65534 "$tmp/sticky/file" "$tmp/sticky/dir"
	bad 1 'link of user 65534' --sim cpus=1 --textfile "$tmp/sticky/file"
	bad 1 'link of user 65534' --sim cpus=1 --textfile "$tmp/sticky/dir/f"
	bad 1 'link of user 65534' -b -e cpu-clock -o "$tmp/sticky/dir/f" -- true
	bad 1 'Permission denied' -b -e cpu-clock --overwrite --snapshot-every 1 \
		--output "$tmp/sticky/dir" -- sleep 1
	check 'a link of one'"'"'s own is followed there' timeout 100 "$RBTOP" \
		-n 1 -d 0.05 --sim cpus=1 --textfile "$tmp/sticky/own/f"
	check 'and nothing else was made' \
		[ "$(ls "$tmp/closed" "$tmp/sticky" | tr '\n' ' ')" = \
		"$tmp/closed: f  $tmp/sticky: dir file own " ]
	check 'a name swapped for a link all the time' swapped "$tmp/sticky"
else
	skip 'links in sticky directories' 'needs root'
fi

# The rc file.
warns() {
	local status=0

	timeout 100 "$RBTOP" -b -n 1 -d 0.05 --sim cpus=1 >"$tmp/out" \
		2>"$tmp/err" || status=$?
	cat "$tmp/err"
	[ "$status" -eq 0 ] && [ -s "$tmp/out" ] &&
		[ "$(wc -l <"$tmp/err")" -eq 1 ] &&
		grep -q "^rbtop: warning: .*rbtoprc:2: " "$tmp/err"
}

mkdir -p "$HOME/.config/rbtop"
printf '[screen]\nbogus = 1\n' >"$HOME/.config/rbtop/rbtoprc"
check 'a bad rc file is a warning that names the line' warns
bad 2 rbtoprc:2: -b -n 1 --config "$HOME/.config/rbtop/rbtoprc"
rm "$HOME/.config/rbtop/rbtoprc"

# Help and version.
prints() {
	timeout 100 "$RBTOP" "$2" >"$tmp/out" 2>"$tmp/err" || return
	cat "$tmp/err"
	[ ! -s "$tmp/err" ] && head -n 1 "$tmp/out" | grep -q "$1"
}

check '-h goes to standard output' prints '^Usage: rbtop ' -h
check '-V goes to standard output' prints '^rbtop [0-9]' -V

# SIGTERM ends rbtop even if its reader is blocked.
blocked() {
	local pid status=0 i

	mkfifo "$tmp/fifo"
	exec 3<>"$tmp/fifo"
	"$RBTOP" -b -d 0.01 --sim cpus=64 >"$tmp/fifo" &
	pid=$!
	# until the pipe is full
	while dd if=/dev/zero of="$tmp/fifo" bs=4096 count=1 oflag=nonblock; do
		kill -0 "$pid" || return
		sleep 0.1
	done
	kill -TERM "$pid"
	for i in $(seq 600); do
		kill -0 "$pid" 2>/dev/null || break
		sleep 0.1
	done
	kill -KILL "$pid" 2>/dev/null
	wait "$pid" || status=$?
	exec 3>&-
	[ "$status" -eq 143 ]
}

check 'SIGTERM ends a batch whose output is not read' blocked

interrupted() {
	local status=0

	timeout --preserve-status -s INT 0.5 \
		"$RBTOP" -b -d 30 --sim cpus=1 >"$tmp/out" || status=$?
	[ "$status" -eq 130 ] && [ ! -s "$tmp/out" ]
}

check 'SIGINT ends a batch between two ticks' interrupted

# COMMAND...: wait until it succeeds while rbtop $pid runs, for at most a
# minute.
runs_until() {
	local end=$((SECONDS + 60))

	until "$@"; do
		kill -0 "$pid" && [ "$SECONDS" -lt "$end" ] || return
		sleep 0.05
	done
}

# SIGUSR2 without anything to take a snapshot of: a warning, and rbtop
# continues.
asked_in_vain() {
	local pid status=0 lines

	: >"$tmp/out"
	"$RBTOP" -b -d 0.2 --format json --sim cpus=1 >"$tmp/out" \
		2>"$tmp/err" &
	pid=$!
	runs_until [ -s "$tmp/out" ] && kill -USR2 "$pid" &&
		runs_until [ -s "$tmp/err" ]
	lines=$(wc -l <"$tmp/out")
	runs_until has_lines "$((lines + 2))" "$tmp/out" || status=$?
	kill -TERM "$pid"
	[ "$status" -eq 0 ] || return
	wait "$pid" || status=$?
	cat "$tmp/err"
	[ "$status" -eq 143 ] && [ "$(wc -l <"$tmp/err")" -eq 1 ] &&
		grep -q '^rbtop: warning: no snapshot: .*simulated' "$tmp/err"
}

has_lines() {
	[ "$(wc -l <"$2")" -ge "$1" ]
}

check 'SIGUSR2 without anything to take' asked_in_vain

# SIGUSR2 takes a snapshot: its file is in the directory, and the report names
# it.
asked() {
	local pid status=0 file

	mkdir "$tmp/snapshots"
	: >"$tmp/out"
	"$RBTOP" -b -d 0.25 -e cpu-clock --overwrite \
		--output "$tmp/snapshots" >"$tmp/out" 2>"$tmp/err" &
	pid=$!
	runs_until [ -s "$tmp/out" ] && kill -USR2 "$pid" &&
		runs_until grep -q '^[0-9:]* snapshot .*SIGUSR2.*rbtop-' \
			"$tmp/out"
	kill -TERM "$pid"
	wait "$pid" || status=$?
	cat "$tmp/err" "$tmp/out"
	file=$(ls "$tmp/snapshots")
	[ "$status" -eq 143 ] && [ ! -s "$tmp/err" ] && [ -n "$file" ] &&
		grep -q "^[0-9:]* snapshot .*SIGUSR2.*$file" "$tmp/out" &&
		[ "$(stat -c %a "$tmp/snapshots/$file")" = 600 ]
}

if "$RBTOP" -b -n 1 -d 0.05 -e cpu-clock --overwrite >/dev/null 2>&1; then
	check 'SIGUSR2 takes a snapshot' asked
else
	skip 'SIGUSR2 takes a snapshot' 'CPU-wide events are not allowed'
fi

# The JSON objects, with the documented fields.
cat >"$tmp/fields.jq" <<'JQ'
def has_all(names): . as $o | all(names[]; . as $n | $o | has($n));

def figures: ["size", "used", "fill", "peak", "bytes", "bytes_per_s",
	"records", "records_per_s", "samples", "crossings", "wakeups",
	"wakeups_per_s", "drains", "timer_drains", "wakeup_latency_p50",
	"wakeup_latency_p99", "lost", "lost_reported", "lost_pending",
	"lost_per_s", "drains_per_s",
	"throttled", "types"];

def flags: ["records", "truncated", "overwritten", "partial", "collision",
	"itrace_starts", "hw_ids", "reenabled", "bytes_per_s", "wraps",
	"size"];

def aux: if $aux == "none" then
	. == null
else
	has_all(flags + ["watermark", "overwrite", "stopped", "head",
		"position", "head_age", "read_cost", "tail", "used", "fill",
		"peak", "bytes"])
	and .overwrite == ($aux == "snapshot")
	and if .overwrite then
		.fill == null and .used == null and .tail == null
	else
		.head - .tail == .used and .used <= .size
		and .fill >= 0 and .fill <= 1 and .fill <= .peak
		and .position < .size and .wraps == (.head / .size | floor)
	end
end;

def ring: has_all(figures + ["ring", "cpu", "tid", "owner", "events",
	"watermark", "wakeup_events", "overwrite", "paused", "head", "tail",
	"aux", "advice"])
	and .used <= .size and .fill >= 0 and .fill <= 1 and .peak <= 1
	and .head - .tail == .used
	and .records == ([.types[]] | add // 0)
	and (.aux | aux)
	and (.events | length > 0)
	and .lost == .lost_reported + (.lost_pending // 0)
	and all(.events[]; has_all(["name", "count", "samples", "lost"]));

def hot: if $decode then
	type == "array" and length <= 20
	and all(.[]; has_all(["symbol", "dso", "comm", "share", "samples"])
		and .share > 0 and .share <= 1)
else . == null end;

def tick: has_all(["version", "source", "time", "interval", "rings", "hot",
	"total", "snapshots", "self"])
	and .version == 2 and (.hot | hot)
	and .interval > 0
	and (.total | has_all(figures + ["aux"]))
	and (.total.aux | if $aux == "none" then . == null
	else .rings == $rings and has_all(flags) end)
	and (.snapshots | . == null or has_all(["taken", "failed", "removed",
		"dir", "keep", "every", "armed", "fired", "cooldown_left",
		"history", "recording", "last"]))
	and (.self | has_all(["cpu", "rss", "decode_every", "own_records",
		"samples"]))
	and (.self.samples | if $decode then has_all(["seen", "decoded",
		"dropped", "undecodable", "side_band_lost", "lag"])
	else . == null end)
	and .total.records == ([.rings[].records] | add)
	and (.rings | length == $rings) and all(.rings[]; ring);

# Ticks are due at multiples of the delay: after a late one the next interval is
# shorter, and there may be time between reading the two clocks of a tick.
def apart: (.[2].time - .[0].time) - (.[1].interval + .[2].interval) | fabs;

length == 3 and all(.[]; tick) and apart < 0.4
	and ([.[].time] | . == sort) and ([.[].total.bytes] | . == sort)
	and if $aux == "full" then all(.[2].rings[]; .aux.bytes > 0) else true
	end
	and if $sim then all(.[2].rings[]; .bytes > 0) else true end
JQ

three_ticks() {
	local rings=$1 decode=true aux=none sim=false begin

	shift
	case "$*" in *'--decode 0'*) decode=false ;; esac
	case "$*" in *aux=*) ;; *--sim*) sim=true ;; esac
	case "$*" in *aux=*) aux=full ;; esac
	case "$*" in *snapshot=1*) aux=snapshot ;; esac
	begin=$(date +%s%N)
	timeout 100 "$RBTOP" -b -n 3 --format json -d 0.5 "$@" >"$tmp/json" ||
		return
	[ $(($(date +%s%N) - begin)) -ge 1500000000 ] || return
	[ "$(wc -l <"$tmp/json")" -eq 3 ] || return
	jq -c 'del(.hot)' "$tmp/json"
	jq -es --argjson rings "$rings" --argjson decode "$decode" \
		--argjson sim "$sim" --arg aux "$aux" -f "$tmp/fields.jq" "$tmp/json"
}

# TYPE ARGUMENTS...: records of TYPE arrive.
arrives() {
	"$RBTOP" -b --format json -C "$(cat /sys/devices/system/cpu/online)" \
		-e cpu-clock "${@:2}" -- sh -c 'sleep 0.1; sleep 0.1' \
		>"$tmp/json" || return
	jq -es --arg type "$1" 'last.total.types[$type] > 0' "$tmp/json"
}

# Every field that samples can have, in every event of a ring.
every_field() {
	three_ticks 1 -C 0 -e cpu-clock -g --max-stack 20 --data \
		--phys-data --data-page-size --code-page-size -W \
		--transaction --all-cgroups
}

# Formats of collectors, read by their own libraries.
openmetrics_reader() {
	local python

	for python in python3 /usr/bin/python3; do
		"$python" -c 'import prometheus_client.openmetrics.parser' \
			2>/dev/null && echo "$python" && return
	done
	return 1
}

# FORMAT FILE NAME=TYPE...: read by its own library; everything has a type and a
# text, and the names given have that type.
cat >"$tmp/metrics.py" <<'PY'
import sys
from prometheus_client.openmetrics import parser as openmetrics
from prometheus_client import parser as prometheus

reader = {'openmetrics': openmetrics, 'prometheus': prometheus}[sys.argv[1]]
text = open(sys.argv[2]).read()
types = {}
for family in reader.text_string_to_metric_families(text):
    assert family.name not in types, family.name
    assert family.samples and family.documentation, family.name
    assert family.type in ('counter', 'gauge', 'info'), family
    for sample in family.samples:
        counter = sample.name.endswith('_total')
        assert counter == (family.type == 'counter'), sample
    types[family.name] = family.type
for wanted in sys.argv[3:]:
    name, kind = wanted.split('=')
    assert types[name] == kind, wanted
PY

# FORMAT 'NAME=TYPE ...' ARGUMENTS...
metrics() {
	local format=$1 types

	read -ra types <<<"$2 rbtop_self_cpu_ratio=gauge"
	shift 2
	"$RBTOP" -n 1 -d 0.2 --format "$format" "$@" >"$tmp/metrics" &&
		"$python" "$tmp/metrics.py" "$format" "$tmp/metrics" \
			rbtop_tick_time_seconds=gauge "${types[@]}"
}

if python=$(openmetrics_reader); then
	types='rbtop_ring_written_bytes=counter rbtop_aux_records=counter'
	check 'OpenMetrics of a simulated kernel' metrics openmetrics \
		"$types rbtop_ring=info" --sim cpus=2,aux=64K
	check 'Prometheus metrics of a simulated kernel' metrics prometheus \
		"$types rbtop_ring_info=gauge" --sim cpus=2,aux=64K
	types='rbtop_host_bpf=gauge rbtop_host_passes=counter'
	check 'OpenMetrics of the host' metrics openmetrics "$types" --host
	check 'Prometheus metrics of the host' metrics prometheus "$types" \
		--host
else
	skip 'OpenMetrics' 'no prometheus_client for python3'
fi

# A reader that opens the file while it is written finds a complete tick.
textfile() {
	local file=$tmp/dir/rbtop.prom pid looks=0 status=0

	mkdir "$tmp/dir"
	"$RBTOP" -d 0.01 --sim cpus=20 --textfile "$file" >"$tmp/out" &
	pid=$!
	until [ -e "$file" ]; do
		kill -0 "$pid" || return
		sleep 0.01
	done
	while [ $((looks += 1)) -le 100 ]; do
		cat "$file" >"$tmp/seen"
		head -n 1 "$tmp/seen" | grep -q '^# TYPE rbtop_tick' &&
			tail -n 1 "$tmp/seen" | grep -q '^rbtop_self_res' &&
			[ "$(grep -c '^rbtop_tick_' "$tmp/seen")" -eq 1 ] ||
			break
	done
	kill -TERM "$pid"
	wait "$pid" || status=$?
	echo "look $looks, status $status"
	ls -l "$tmp/dir"
	[ "$looks" -eq 101 ] && [ "$status" -eq 143 ] && [ ! -s "$tmp/out" ] &&
		[ "$(ls "$tmp/dir")" = rbtop.prom ]
}

check '--textfile holds a whole tick at any time' textfile

text_alone() {
	umask 022
	"$RBTOP" -n 2 -d 0.05 --sim cpus=1 --format text \
		--textfile "$tmp/report" || return
	cat "$tmp/report"
	[ "$(stat -c %a "$tmp/report")" = 644 ] &&
		head -n 1 "$tmp/report" | grep -q '  tick '
}

check '--textfile of text is one report, for all to read' text_alone

# In its own mount namespace: a file system that is full for a while.
cat >"$tmp/full" <<'SH'
file=$tmp/disk/rbtop.prom
warning='^rbtop: warning: --textfile: .*No space left on device'

soon() {
	local tries=0

	until "$@" >/dev/null; do
		[ $((tries += 1)) -le 1200 ] || return
		sleep 0.05
	done
}
tick() {
	sed -n 's/^rbtop_tick_time_seconds //p' "$file"
}
newer() {
	[ "$(tick)" != "$before" ]
}
fill() {
	! head -c 2M /dev/zero >>"$tmp/disk/filler" 2>/dev/null
}
warned() {
	fill && grep "$warning" "$tmp/full.err"
}

set -ex
mkdir "$tmp/disk"
mount -t tmpfs -o size=1M none "$tmp/disk"
"$RBTOP" -d 0.05 --sim cpus=20 --textfile "$file" 2>"$tmp/full.err" &
soon test -s "$file"
soon warned
before=$(tick)
sleep 0.3
[ "$(tick)" = "$before" ]
rm "$tmp/disk/filler"
soon newer
kill $!
status=0
wait $! || status=$?
[ "$status" -eq 143 ]
[ "$(grep -c "$warning" "$tmp/full.err")" -eq 1 ]
# full to the end
fill
before=$(tick)
status=0
"$RBTOP" -d 0.05 -n 3 --sim cpus=20 --textfile "$file" 2>"$tmp/full.err" ||
	status=$?
[ "$status" -eq 1 ]
[ "$(tick)" = "$before" ]
[ "$(grep -c "$warning" "$tmp/full.err")" -eq 1 ]
grep '^rbtop: --textfile: .*No space left' "$tmp/full.err"
[ "$(wc -l <"$tmp/full.err")" -eq 2 ]
[ "$(ls "$tmp/disk" | xargs)" = 'filler rbtop.prom' ]
SH

full_disk() {
	tmp=$tmp unshare --mount --propagation private bash "$tmp/full" &&
		return
	cat "$tmp/full.err"
	return 1
}

if unshare --mount true 2>/dev/null; then
	check '--textfile goes on when the disk was full' full_disk
else
	skip '--textfile goes on when the disk was full' 'mounting takes root'
fi

dangling_link() {
	ln -s later.prom "$tmp/link.prom" &&
		"$RBTOP" -n 1 -d 0.05 --sim cpus=1 --textfile "$tmp/link.prom" &&
		[ -L "$tmp/link.prom" ] && [ ! -L "$tmp/later.prom" ] &&
		grep -q '^rbtop_tick_time_seconds [0-9]*\.' "$tmp/later.prom"
}

check '--textfile follows a link to what is not there yet' dangling_link

# If no process may be read, it is not reported that there is no ring, and the
# exit status is not that of a machine without losses.
hidden() {
	chmod 755 "$tmp" && cp "$RBTOP" "$tmp/rbtop" && cd / || return
	setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all \
		--bounding-set=-all "$tmp/rbtop" --host -n 1 -d 0.1 \
		--format prometheus >"$tmp/hidden"
	[ $? -eq 4 ] || return
	grep -E '^rbtop_host_hidden_processes [1-9]' "$tmp/hidden" &&
		! grep -E '^rbtop_host_(perf_rings|owners|bpf_ringbufs) 0' \
			"$tmp/hidden"
}

if [ "$(id -u)" -eq 0 ]; then
	check 'rings that may not be seen are not counted as 0' hidden
else
	skip 'rings that may not be seen' 'only root can become somebody else'
fi

cat >"$tmp/host.jq" <<'JQ'
def has_all(names): . as $o | all(names[]; . as $n | $o | has($n));

length == 2 and all(.[]; .version == 2 and .source == "host"
	and .hot == null and .snapshots == null
	and (.host | has_all(["ready", "bpf", "reason", "error", "passes",
		"interval", "cost", "whole_age", "files", "ringless",
		"processes", "hidden", "self"]))
	and .host.ready and (.host.bpf == (.host.reason == null))
	and (.users | type == "array") and (.rings | type == "array")
	and (.total | has_all(["rings", "ringbufs", "owners", "warned"]))
	and all(.rings[]; .records == null and .types == null
		and .self == false and (.kind | IN("perf", "bpf", "ftrace", "packet"))))
JQ

host_json() {
	timeout 100 "$RBTOP" --host -n 2 -d 0.3 --format json >"$tmp/json" &&
		jq -es -f "$tmp/host.jq" "$tmp/json"
}

if ! command -v jq >/dev/null; then
	skip 'JSON' 'no jq'
else
	check 'JSON of the host' host_json
	check 'JSON of a simulated kernel' \
		three_ticks 3 --sim cpus=3
	check 'JSON of a simulated kernel, no sample decoded' \
		three_ticks 3 --sim cpus=3 --decode 0
	check 'JSON of simulated AUX rings' \
		three_ticks 2 --sim cpus=2,aux=64K
	check 'JSON of simulated AUX rings in snapshot mode' \
		three_ticks 2 --sim cpus=2,aux=64K,snapshot=1
	if "$RBTOP" -b -n 1 -d 0.05 -C 0 >/dev/null 2>&1; then
		check 'JSON of live rings' three_ticks 1 -C 0
		check 'JSON of a thread' three_ticks 1 --per-thread -t $$
		check 'JSON of samples with every field' every_field
		check 'records of context switches' \
			arrives SWITCH_CPU_WIDE --switch-events
		check 'records of namespaces' arrives NAMESPACES --namespaces
	else
		skip 'JSON of live rings' 'CPU-wide events are not allowed'
	fi
fi

finish
