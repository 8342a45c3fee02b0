#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Programs that measure their hot functions, in all the ways that programs come:
# rbtop gives addresses the names that perf gives them, and functions the
# shares of the CPU time that they took.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/live.bash"

CC=${CC:-cc}
CXX=${CXX:-c++}
live=$top/tests/live
seconds=6
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

# Where its names are: beside it, in a file that it names.
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

# watch RECORD SCRIPT RBTOP_ARG...: both at the same time, on the same tasks
watch() {
	local list=${pids# } recorder options=()

	list=${list// /,}
	case " $* " in *" -g "*) options=(-g) ;; esac
	perf record -q -B -N -e cpu-clock -F 4000 "${options[@]}" -p "$list" \
		-o "$1" -- sleep $((seconds + 1)) >"$tmp/record" 2>&1 &
	recorder=$!
	sleep 0.5
	"$RBTOP" -b --format script -e cpu-clock -F 4000 -n $seconds -d 1 \
		-p "$list" "${@:3}" >"$2" 2>"$tmp/err"
	wait $recorder
}

# Each frame as "PID IP OFFSET NAME", tabs between, of what either prints:
# "COMM PID [CPU] ..." or "PID" before the address, or, with callchains, a line
# of that and then a line for each address.  OFFSET is "-" where there is none.
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

# agree PERF_FRAMES OUR_FRAMES: at the same address of the same process perf
# has the same name, for 99 % of our samples.  Where perf has no sample of that
# very address, the functions that begin where ours does are compared.  What
# neither gives is left out, and what perf has no name for, but no more than a
# tenth.
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

# shares NAME HALF THIRD FIFTH: what our frames of it say, against the CPU time
# that the program itself measured (workload.h).  Off by no more than samples
# are by chance: four standard deviations, and half a percent for the first
# instructions.  The object that is opened while the program runs has the time
# from then on.
shares() {
	local least=95 times

	[ "$1" = opens ] && least=40
	read -r -a times < <(od -An -v -tu8 -w24 "$tmp/$1.times")
	awk -F'\t' -v pid="${started[$1]}" -v half="$2" -v third="$3" \
		-v fifth="$4" -v least=$least -v took="${times[*]}" '
	function off(name, ns,  share, truth, chance) {
		share = nr[name] / known
		truth = ns / (time[1] + time[2] + time[3])
		chance = .005 + 4 * sqrt(truth * (1 - truth) / known)
		printf "%s: %.2f %%, took %.2f %% +- %.2f\n", name,
			100 * share, 100 * truth, 100 * chance
		return share < truth - chance || share > truth + chance
	}
	# user space only: the share of the kernel depends on the machine
	$1 == pid && length($2) < 16 { all++; nr[$4]++ }
	END {
		known = nr[half] + nr[third] + nr[fifth]
		printf "%d samples, %d of these\n", all, known
		if (split(took, time, " ") != 3 || known < 200 ||
				known < least / 100 * all) {
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

# compare RBTOP_ARG...: watch, and take apart what both say
compare() {
	watch "$tmp/perf.data" "$tmp/script" "$@"
	frames "$tmp/script" >"$tmp/ours"
	perf script -i "$tmp/perf.data" -F pid,ip,sym,symoff,dso \
		>"$tmp/perf" 2>"$tmp/perf.err" || {
		cat "$tmp/perf.err"
		return 1
	}
	frames "$tmp/perf" >"$tmp/theirs"
	agree "$tmp/theirs" "$tmp/ours" "${1:-}"
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

check "the same names as perf's" compare
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
	plugin_half plugin_third plugin_local
check "shares: jit" shares jit jit::half "jit third, with blanks" jit_fifth

seconds=2
check "the same names of callers" compare -g
stop 2>/dev/null

# Started by rbtop, so known by records alone from its first instruction on.
born() {
	WORKLOAD_TIMES=$tmp/born.times \
		"$RBTOP" -b --format script -e cpu-clock -F 4000 -n 2 -d 1 -- \
		"$tmp/plain" >"$tmp/script" 2>"$tmp/err"
	frames "$tmp/script" >"$tmp/ours"
	started[born]=$(awk -F'\t' 'NR == 1 { print $1 }' "$tmp/ours")
	shares born warm_half warm_third warm_local
}
check "shares: what rbtop starts" born

# Code that a parent made is its child's too, and so are the names.
jit_child() {
	WORKLOAD_TIMES=$tmp/jit_child.times \
		"$RBTOP" -b --format script -e cpu-clock -F 4000 -n 2 -d 1 -- \
		"$tmp/jit" --jit-fork >"$tmp/script" 2>"$tmp/err"
	frames "$tmp/script" >"$tmp/ours"
	started[jit_child]=$(awk -F'\t' 'END { print $1 }' "$tmp/ours")
	rm -f "$(grep -om 1 '/tmp/perf-[0-9]*\.map' "$tmp/script")"
	shares jit_child jit::half "jit third, with blanks" jit_fifth
}
check "shares: jit, in a child" jit_child

# The program begins where nobody watches, and moves to where somebody does.
unwatched() {
	local watcher

	mkfifo "$tmp/go" || return
	WORKLOAD_TIMES=$tmp/unwatched.times taskset -c 0 \
		bash -c 'read -r <"$1"; exec "$2"' - "$tmp/go" "$tmp/fixed" &
	pids="$pids $!"
	started[unwatched]=$!
	"$RBTOP" -b --format script -e cpu-clock -F 4000 -n 3 -d 1 -C 1 \
		>"$tmp/script" 2>"$tmp/err" &
	watcher=$!
	sleep 1
	echo >"$tmp/go"
	sleep 0.3
	taskset -pc 1 "${started[unwatched]}" >"$tmp/moved"
	wait $watcher
	stop 2>/dev/null
	frames "$tmp/script" >"$tmp/ours"
	shares unwatched warm_half warm_third warm_local || return
	grep " ${started[unwatched]} \[001\]" "$tmp/script" |
		awk '{ n[$1]++ } END { print NR, n["fixed"]
			exit !(NR > 200 && n["fixed"] >= .98 * NR) }'
}
# Born where nobody watches, and gone before anybody could look it up: on screen
# as in a file it has its name and its mappings.
elsewhere() {
	local watcher

	"$RBTOP" -b --format script -e cpu-clock -F 4000 -n 3 -d 1 -C 1 \
		-o "$tmp/brief.data" >"$tmp/script" 2>"$tmp/err" &
	watcher=$!
	sleep 1
	brief_tasks 0 1
	wait $watcher
	perf script -i "$tmp/brief.data" -F comm,pid,tid,cpu,ip,sym,dso \
		>"$tmp/theirs" 2>/dev/null
	brief_known "$tmp/script" 1 && brief_known "$tmp/theirs" 1
}

# The same of overwrite rings, of which a snapshot is taken at the end.
elsewhere_overwrite() {
	local taker

	mkdir "$tmp/snapshots"
	"$RBTOP" -b --overwrite -m 4M -e cpu-clock -F 4000 -n 3 -d 1 -C 1 \
		--snapshot-on exit --output "$tmp/snapshots" >"$tmp/out" \
		2>"$tmp/err" &
	taker=$!
	sleep 1
	brief_tasks 0 1
	wait $taker
	perf script -i "$tmp"/snapshots/*.data \
		-F comm,pid,tid,cpu,ip,sym,dso >"$tmp/theirs" 2>/dev/null
	brief_known "$tmp/theirs" 1
}
if [ "$(nproc)" -ge 2 ] && command -v taskset >/dev/null &&
	may -e cpu-clock -C 1; then
	check "shares: begun on a CPU that is not watched" unwatched
	check "names: of what begins there and ends soon" elsewhere
	check "names: of that in a snapshot of overwrite rings" \
		elsewhere_overwrite
else
	skip "shares: begun on a CPU that is not watched" \
		"there is one CPU, or they may not be watched"
fi

# Replaced while it runs: what it runs is not what lies there.
replaced() {
	start plain
	sleep 0.2
	cp "$tmp/cxx" "$tmp/other" && mv "$tmp/other" "$tmp/plain" || return
	"$RBTOP" -b --format script -e cpu-clock -F 4000 -n 2 -d 1 \
		-p "${started[plain]}" >"$tmp/script" 2>"$tmp/err"
	frames "$tmp/script" >"$tmp/ours"
	grep -q '/plain (deleted))$' "$tmp/script" || return
	shares plain warm_half warm_third warm_local
}
check "shares: a file replaced since" replaced
finish
