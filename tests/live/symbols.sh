#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Programs of all kinds that measure their hot functions: rbtop gives addresses
# the same names as perf, and functions their shares of CPU time.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/live.bash"

CC=${CC:-cc}
CXX=${CXX:-c++}
live=$top/tests/live
command -v perf >/dev/null || skip_all "perf is not installed"
command -v "$CC" "$CXX" >/dev/null || skip_all "no C and C++ compilers"
may -e cpu-clock || skip_all "$(why)"

pids=
stop() {
	local pid

	for pid in $pids; do
		kill "$pid"
		rm -f "/tmp/perf-$pid.map"
	done
	pids=
	wait
}
leave() {
	local status=$?

	stop 2>/dev/null
	(exit $status)
	tap_exit
}
trap leave EXIT

# build NAME COMPILER FLAG... SOURCE
build() {
	"${@:2:$#-2}" -o "$tmp/$1" "$live/${*:$#}" >>"$tmp/built" 2>&1
}

# Put its symbols in a separate file, with a debug link.
strip_apart() {
	objcopy --only-keep-debug "$tmp/$1" "$tmp/$1.debug" &&
		strip "$tmp/$1" &&
		objcopy --add-gnu-debuglink="$tmp/$1.debug" "$tmp/$1"
}

build_all() {
	local c="$CC -O2 -fno-omit-frame-pointer"
	local cxx="$CXX -O2 -fno-omit-frame-pointer"

	# shellcheck disable=SC2086
	build plain $c -fPIE -pie workload.c &&
		build debug $c -g -fPIE -pie workload.c &&
		build fixed $c -fno-pie -no-pie workload.c &&
		build apart $c -g workload.c && strip_apart apart &&
		build plugin.so $c -shared -fPIC workload_plugin.c &&
		build cxx $cxx workload.cc &&
		build cxx_debug $cxx -g workload.cc || return
	cp "$tmp/plain" "$tmp/opens" && cp "$tmp/plain" "$tmp/jit" &&
		cp "$tmp/plain" "$tmp/kernel" || return
	# these take archives, which not every machine has
	# shellcheck disable=SC2086
	build static $c -static workload.c
	# shellcheck disable=SC2086
	build static_pie $c -static-pie workload.c
	return 0
}
build_all || skip_all "cannot build: $(head -n 3 "$tmp/built" | tr '\n' ' ')"

# start NAME [ARG...]; those that could not be built are left out
declare -A started
start() {
	[ -x "$tmp/$1" ] || return 0
	WORKLOAD_TIMES=$tmp/$1.times "$tmp/$1" "${@:2}" &
	pids="$pids $!"
	started[$1]=$!
}

# 4000 Hz, or the limit.
rate=$(cat /proc/sys/kernel/perf_event_max_sample_rate)
[ "$rate" -lt 4000 ] || rate=4000

# run SCRIPT ARG...: collect rbtop's samples until end_run.
run() {
	: >"$1"
	"$RBTOP" -b --format script -e cpu-clock -F "$rate" -d 1 "${@:2}" \
		>"$1" 2>"$tmp/err" &
	run=$!
}

end_run() {
	kill "$run"
	wait "$run"
}

# The CPU time of process $1, in clock ticks.
cpu_time() {
	local stat

	read -r stat <"/proc/$1/stat"
	stat=${stat##*) }
	# shellcheck disable=SC2086
	set -- $stat
	echo $((${12} + ${13}))
}

# Each of $pids has run for that many clock ticks since their times were noted.
have_run() {
	local pid

	for pid in $pids; do
		[ "$(cpu_time "$pid")" -ge $((${noted[$pid]} + $1)) ] || return
	done
}

declare -A noted
note_times() {
	local pid

	for pid in $pids; do
		noted[$pid]=$(cpu_time "$pid")
	done
}

# watch TICKS RECORD SCRIPT RBTOP_ARG...: run both at the same time, on the same
# tasks, until each task has run for TICKS.
watch() {
	local list=${pids# } recorder options=()

	list=${list// /,}
	rm -f "$2"
	case " $* " in *" -g "*) options=(-g) ;; esac
	perf record -q -B -N -e cpu-clock -F "$rate" "${options[@]}" \
		-p "$list" -o "$2" >"$tmp/record" 2>&1 &
	recorder=$!
	run "$3" -p "$list" "${@:4}"
	soon test -s "$2" && soon test -s "$3"
	note_times
	soon have_run "$1"
	end_run
	kill $recorder
	wait $recorder
}

# Each frame as "PID IP OFFSET NAME", separated by tabs, from the output of
# either: "COMM PID [CPU] ..." or "PID" before the address, or, with callchains,
# such a line and then one per address.  OFFSET is "-" if there is none.
frames() {
	sed -nE -e 's/^ *([0-9]+) +([0-9a-f]+ .*)$/\1\t\2/p;t' \
		-e 's/^ *([0-9]+) *$/\1/p;t' \
		-e 's/^.* ([0-9]+) \[[0-9]+\] .*: *$/\1/p;t' \
		-e 's/^.* ([0-9]+) \[[0-9]+\] .*: +([0-9a-f]+ .*)$/\1\t\2/p;t' \
		-e 's/^\t *([0-9a-f]+ .*)$/\t\1/p' "$1" |
		awk -F'\t' '
		$1 != "" { pid = $1 }
		NF < 2 { next }
		{
			ip = $2
			sub(/ .*/, "", ip)
			name = substr($2, length(ip) + 2)
			sub(/ \([^()]*( \(deleted\))?\)$/, "", name)
			offset = "-"
			if (match(name, /\+0x[0-9a-f]+$/)) {
				offset = substr(name, RSTART + 3)
				name = substr(name, 1, RSTART - 1)
			}
			print pid "\t" ip "\t" offset "\t" name
		}'
}

# agree PERF_FRAMES OUR_FRAMES: perf has the same name at the same address of
# the same process, for 99 % of our samples.  If perf has no sample of the
# address, the functions that begin where ours does are compared.  Left out are
# addresses without a name in both, and up to a tenth that have none in perf.
# In callchains perf prints addresses as offsets in the file: then the lower 12
# bits and the offset in the function are compared.
#
# In callchains perf gives addresses as offsets in the file: what is the same of
# them are the lower 12 bits, and how far the address is into the function.
agree() {
	awk -F'\t' -v chains="${3:-}" '
	function hex(s,  i, n) {
		# the upper 16 bits of all addresses of a half are the same
		s = substr(s, length(s) > 12 ? length(s) - 11 : 1)
		for (i = 1; i <= length(s); i++)
			n = n * 16 + index("123456789abcdef", substr(s, i, 1))
		return n
	}
	function address() {
		return $1 " " (chains == "" ? $2 : \
			substr($2, length($2) - 2) " " $3)
	}
	function start() {
		return $3 == "-" || chains != "" ? "-" : \
			$1 " " sprintf("start %.0f", hex($2) - hex($3))
	}
	NR == FNR {
		name[address()] = name[start()] = $4
		has[address() "\t" $4] = has[start() "\t" $4] = 1
		next
	}
	{
		all++
		key = address()
		if (!(key in name))
			key = start()
		if (key == "-" || !(key in name))
			next
		if (name[key] == "[unknown]" && $4 != "[unknown]")
			next
		compared++
		if ((key "\t" $4) in has)
			same++
		else
			others[name[key] " | " $4 " | " $1 " " $2]++
	}
	END {
		printf "%d samples, %d compared, %d the same\n",
			all, compared, same
		for (i in others)
			print others[i], i | "sort -rn | head -n 15"
		exit !(all > 1000 && compared >= .9 * all &&
			same >= .99 * compared)
	}' "$1" "$2"
}

# shares NAME HALF THIRD FIFTH: the shares in our frames, against the CPU time
# that the program itself measured (workload.h).  They differ at most by four
# standard deviations of sampling, and half a percent for the first
# instructions.  Before an object is opened, another function runs.
shares() {
	local times

	read -r -a times < <(od -An -v -tu8 -w24 "$tmp/$1.times")
	awk -F'\t' -v pid="${started[$1]}" -v half="$2" -v third="$3" \
		-v fifth="$4" -v first="${5:-}" -v took="${times[*]}" '
	function off(name, ns,  share, truth, chance) {
		share = nr[name] / known
		truth = ns / (time[1] + time[2] + time[3])
		chance = .005 + 4 * sqrt(truth * (1 - truth) / known)
		printf "%s: %.2f %%, took %.2f %% +- %.2f\n", name,
			100 * share, 100 * truth, 100 * chance
		return share < truth - chance || share > truth + chance
	}
	# user space only: the share of the kernel depends on the machine, as
	# does how long it takes to read a file
	$1 == pid && length($2) < 16 && $4 != "[loading]" &&
			(first == "" || $4 != first) {
		all++
		nr[$4]++
	}
	END {
		known = nr[half] + nr[third] + nr[fifth]
		printf "%d samples, %d of these\n", all, known
		if (split(took, time, " ") != 3 || known < 200 ||
				known < .95 * all) {
			for (name in nr)
				print nr[name], name
			exit 1
		}
		bad = off(half, time[1])
		bad += off(third, time[2])
		bad += off(fifth, time[3])
		exit bad > 0
	}' "$tmp/ours"
}

# compare TICKS RBTOP_ARG...: watch, and split the output of both.
compare() {
	watch "$1" "$tmp/perf.data" "$tmp/script" "${@:2}"
	frames "$tmp/script" >"$tmp/ours"
	perf script -i "$tmp/perf.data" -F pid,ip,sym,symoff,dso \
		>"$tmp/perf" 2>"$tmp/perf.err" || {
		cat "$tmp/perf.err"
		return 1
	}
	frames "$tmp/perf" >"$tmp/theirs"
	agree "$tmp/theirs" "$tmp/ours" "${2:-}"
}

start plain
start debug
start fixed
start apart
start static
start static_pie
start cxx
start cxx_debug
start jit --jit
start opens "$tmp/plugin.so"
start kernel --kernel

check "the same names as perf's" compare 80
for name in plain debug fixed apart static static_pie; do
	if [ -n "${started[$name]}" ]; then
		check "shares: $name" shares $name \
			warm_half warm_third warm_local
	else
		skip "shares: $name" "no library to build it with"
	fi
done
for name in cxx cxx_debug; do
	check "shares: $name" shares $name \
		"work::Half::operator()" "work::Third<unsigned long>::spin" \
		"work::(anonymous namespace)::fifth"
done
check "shares: an object opened later" shares opens \
	plugin_half plugin_third plugin_local warm_half
check "shares: jit" shares jit jit::half "jit third, with blanks" jit_fifth

check "the same names of callers" compare 20 -g
stop 2>/dev/null

# born NAME PROGRAM ARG...: started by rbtop, so known only by records from its
# first instruction on; it runs for half a second.
born() {
	local name=$1

	WORKLOAD_TIMES=$tmp/$name.times run "$tmp/script" -- "${@:2}"
	soon has_samples 2000
	end_run
	frames "$tmp/script" >"$tmp/ours"
	started[$name]=$(awk -F'\t' 'END { print $1 }' "$tmp/ours")
}
has_samples() {
	[ "$(wc -l <"$tmp/script")" -ge "$1" ]
}
born_plain() {
	born born "$tmp/plain"
	shares born warm_half warm_third warm_local
}
check "shares: what rbtop starts" born_plain

# Generated code of a parent is also its child's, with its names.
jit_child() {
	born jit_child "$tmp/jit" --jit-fork
	rm -f "$(grep -om 1 '/tmp/perf-[0-9]*\.map' "$tmp/script")"
	shares jit_child jit::half "jit third, with blanks" jit_fifth
}
check "shares: jit, in a child" jit_child

# jit_names TIME: of a recording that was last written at TIME
jit_names() {
	touch -d "$1" "$tmp/recorded" &&
		"$RBTOP" -b --hot 20 -i "$tmp/recorded" | grep -oE \
			'(jit::half|jit third, with blanks|jit_fifth) \(perf-' |
		sort -u | wc -l
}

# Those of a recording, by a map that was there while it was recorded.
jit_recorded() {
	local now early map

	perf record -q -F 999 -e cpu-clock -o "$tmp/recorded" -- \
		timeout 1 "$tmp/jit" --jit >"$tmp/perf" 2>&1
	now=$(jit_names now) early=$(jit_names yesterday)
	map=$("$RBTOP" -b --hot 20 -i "$tmp/recorded" --format script |
		awk '$1 == "jit" { print $2; exit }')
	rm -f "/tmp/perf-$map.map"
	echo "$now names; of an earlier recording $early"
	cat "$tmp/perf"
	[ "$now" -eq 3 ] && [ "$early" -eq 0 ]
}
check "jit of a recording" jit_recorded

# It starts on CPU $from, and moves to $to.
read -r from to < <(online_cpus | head -n 2 | paste -sd ' ')
is_running() {
	[ "/proc/$1/exe" -ef "$2" ]
}
has_samples_there() {
	[ "$(grep -c " $1 \[$(printf %03d "$to")\]" "$tmp/script")" -ge "$2" ]
}

# The program starts on a CPU that is not watched, and moves to one that is.
unwatched() {
	local pid

	mkfifo "$tmp/go" || return
	# shellcheck disable=SC2016
	WORKLOAD_TIMES=$tmp/unwatched.times taskset -c "$from" \
		bash -c 'read -r <"$1"; exec "$2"' - "$tmp/go" "$tmp/fixed" &
	pid=$!
	pids="$pids $pid"
	started[unwatched]=$pid
	run "$tmp/script" -C "$to"
	soon test -s "$tmp/script"
	echo >"$tmp/go"
	soon is_running "$pid" "$tmp/fixed"
	soon test -s "$tmp/unwatched.times"
	taskset -pc "$to" "$pid" >"$tmp/moved"
	soon has_samples_there "$pid" 1000
	end_run
	stop 2>/dev/null
	frames "$tmp/script" >"$tmp/ours"
	shares unwatched warm_half warm_third warm_local || return
	grep " $pid \[$(printf %03d "$to")\]" "$tmp/script" |
		awk '{ n[$1]++ } END { print NR, n["fixed"]
			exit !(NR > 200 && n["fixed"] >= .98 * NR) }'
}
export -f brief_tasks
export tmp
brief=(taskset -c "$from" bash -c "brief_tasks $from $to")

# Started on a CPU that is not watched, and ended before it could be looked up:
# it has its name and its mappings, on screen and in files.
elsewhere() {
	"$RBTOP" -b --format script -e cpu-clock -F "$rate" -d 1 -C "$to" \
		-o "$tmp/brief.data" -- "${brief[@]}" >"$tmp/script" \
		2>"$tmp/err"
	perf script -i "$tmp/brief.data" -F comm,pid,tid,cpu,ip,sym,dso \
		>"$tmp/theirs" 2>/dev/null
	brief_known "$tmp/script" "$to" && brief_known "$tmp/theirs" "$to"
}

# The same for overwrite rings, with a snapshot at the end.
elsewhere_overwrite() {
	mkdir "$tmp/snapshots"
	"$RBTOP" -b --overwrite -m 16M -e cpu-clock -F "$rate" -d 1 -C "$to" \
		--snapshot-on exit --output "$tmp/snapshots" -- "${brief[@]}" \
		>"$tmp/out" 2>"$tmp/err"
	perf script -i "$tmp"/snapshots/*.data \
		-F comm,pid,tid,cpu,ip,sym,dso >"$tmp/theirs" 2>/dev/null
	brief_known "$tmp/theirs" "$to"
}
if [ "$(nproc)" -ge 2 ] && command -v taskset >/dev/null &&
	may -e cpu-clock -C "$to"; then
	check "shares: begun on a CPU that is not watched" unwatched
	check "names: of what begins there and ends soon" elsewhere
	check "names: of that in a snapshot of overwrite rings" \
		elsewhere_overwrite
else
	skip "shares: begun on a CPU that is not watched" \
		"there is one CPU, or they may not be watched"
fi

# Its functions have names of their own, although it has no symbols; perf's
# format has none.
stripped() {
	cat >"$tmp/stripped.c" <<-EOF
	#include <time.h>
	#define APART __attribute__((noinline)) static unsigned long
	APART one(unsigned long n)
	{
		unsigned long s = 1;

		while (n--)
			s = s * 7 + (s >> n % 9);
		return s;
	}
	APART other(unsigned long n)
	{
		unsigned long s = 3;

		while (n--)
			s = s * 5 ^ n % 7;
		return s;
	}
	int main(void)
	{
		time_t end = time(NULL) + 60;
		unsigned long s = 0;

		while (time(NULL) < end)
			s += one(1000000) + other(1000000);
		return s == 1;
	}
	EOF
	"$CC" -O2 -fasynchronous-unwind-tables -o "$tmp/stripped" \
		"$tmp/stripped.c" && strip "$tmp/stripped" || return
	"$RBTOP" -b -n 2 -d 1 --hot 5 -e cpu-clock:u -- "$tmp/stripped" \
		>"$tmp/out" 2>"$tmp/err"
	cat "$tmp/out" "$tmp/err"
	# of the last table, the rows of at least a tenth
	awk '/^SELF%/ { rows = "" }
		/^ *[1-9][0-9]%.* (fn|page)@0x[0-9a-f]+ \(stripped\)$/ {
			rows = rows $(NF - 1) "\n"
		}
		END { printf "%s", rows }' "$tmp/out" | sort -u >"$tmp/rows"
	if readelf -lW "$tmp/stripped" | grep -q GNU_EH_FRAME; then
		[ "$(grep -c '^fn@' "$tmp/rows")" -eq 2 ] || return
	else
		grep -q '^page@' "$tmp/rows" || return
	fi
	"$RBTOP" -b -n 1 -d 1 --format script -e cpu-clock:u -- \
		"$tmp/stripped" >"$tmp/script" 2>"$tmp/err"
	grep -c '\[unknown\] (.*/stripped)$' "$tmp/script" || return
	! grep '@0x' "$tmp/script"
}
check "functions of a stripped program" stripped

# Replaced while it runs: the running program is not the file of that path any
# more.
replaced() {
	rm -f "$tmp/plain.times"
	start plain
	soon test -s "$tmp/plain.times"
	cp "$tmp/cxx" "$tmp/other" && mv "$tmp/other" "$tmp/plain" || return
	run "$tmp/script" -p "${started[plain]}"
	soon has_samples 2000
	end_run
	frames "$tmp/script" >"$tmp/ours"
	grep -q '/plain (deleted))$' "$tmp/script" || return
	shares plain warm_half warm_third warm_local
}
check "shares: a file replaced since" replaced
finish
