#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Each command line of README, doc/*.txt, the manual and -h is run.
#
# A command line is, in README and doc/*.txt, a line indented by four blanks or
# more; in the manual, a .Dl or a line of a .Bd -literal; in -h, a line of
# Examples.  Its first word, after "# " or "$ ", sudo and VAR=value, is rbtop,
# perf or jq.  It goes on in the next line after "\" or "|", and ends at two
# blanks, after which is what it does.  (./quickstart is run by CI.)
#
# It is run in a folder of its own, with a Makefile and an a.out, and with these
# replaced:
#
#	4242, 4243, PID		a process that sleeps
#	COMMAND			dd
#	FILE			a file in the folder
#	-C 0-3			the first CPU that is online
#	-d of 10 and more	a fraction of a second, and -n of 10 and more 9
#	count=			a tenth, so that it is brief
#	/var/...		the folder
#	system.slice		the root cgroup
#	rbtop-DATE-TIME-NNN.data	a snapshot of the simulated kernel, as is
#	perf.data
#	"&" at the end		nothing
#
# rbtop in PATH is a script that writes down the exit status and the error.  In
# batch mode it updates often, and gets SIGINT after some seconds: it must have
# printed something.  Without, it runs in a terminal, where its first picture
# must appear, and q must end it.  An event of a PMU that this machine does not
# have must end with the error that names it, and status 1.

# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/live/live.bash
. "$(dirname "$0")/live.bash"
# shellcheck source=tests/pty/tmux.bash
. "$(dirname "$0")/../pty/tmux.bash"

[ "$(id -u)" -eq 0 ] || skip_all 'needs root'
for event in cpu-clock raw_syscalls:sys_enter; do
	may -e "$event" -- true || skip_all "$(why)"
done

only_commands() {
	grep -E '^(sudo +)?([A-Z_]+=[^ ]* +)*(rbtop|perf|jq)( |$)'
	return 0
}

# Rows of tables of figures begin with the name of a program, too.
from_text() {
	awk '
	/^ +(rbtop|perf [a-z]+)  +[0-9.]+( |$)/ { next }
	joined { sub(/^ +/, "") }
	!joined && !/^    / { next }
	{ line = line $0; joined = 0 }
	/(\\|\|)$/ { sub(/\\$/, "", line); joined = 1; next }
	{ print line; line = "" }' |
		sed -E 's/^ +//; s/^[#$] //; s/  .*$//; s/ +$//' | only_commands
}

from_manual() {
	sed -nE '/^\.Bd -literal/,/^\.Ed/{
			/^\./d
			p
			b
		}
		s/^\.Dl +//p' "$@" |
		sed -E 's/\\-/-/g; s/\\\(dq/"/g; s/\\\*\(Am|\\\(am/\&/g
			s/\\\(aq/'\''/g; s/\\\(ti/~/g; s/\\&//g
			s/^[#$] //' | only_commands
}

all_commands() {
	cat "$top"/README "$top"/doc/*.txt | from_text
	from_manual "$top"/man/rbtop*
	"$RBTOP" -h | sed -n '/^Examples:$/,/^$/s/^  rbtop/    rbtop/p' |
		from_text
}

folder=$tmp/folder
mkdir -p "$folder" "$tmp/bin" || exit 99
cd "$folder" || exit 99
printf 'all:\n\t@echo made\n' >Makefile
cp "$(type -P true)" a.out

cat >"$tmp/bin/rbtop" <<'END'
#!/bin/bash
case " $* " in
*' --doctor '* | *' -h '* | *' --summary '*)
	"$RBTOP" "$@" 2>"$tmp/example.err"
	;;
*' -b '* | *' --format '* | *' --textfile '* | *' --fail-on '* | *' --flame '*)
	timeout --preserve-status -k 10 -s INT 3 "$RBTOP" -d 0.2 "$@" \
		2>"$tmp/example.err" | tee "$tmp/example.out"
	(exit "${PIPESTATUS[0]}")
	;;
*)
	"$RBTOP" "$@" 2>"$tmp/example.err"
	;;
esac
echo $? >"$tmp/example.status"
END
cat >"$tmp/bin/sudo" <<'END'
#!/bin/sh
exec "$@"
END
chmod +x "$tmp/bin/rbtop" "$tmp/bin/sudo"
export tmp PATH=$tmp/bin:$PATH

sleep 1000 &
sleeper=$!
trap 'status=$?; kill $sleeper; term_end; (exit "$status"); tap_exit' EXIT

simulated() {
	"$RBTOP" --sim aux=1M,snapshot=1 -b -d 0.2 -n 5 --snapshot-every 0.2 \
		>/dev/null &&
		mv "$(find . -name 'rbtop-*.data' | head -n 1)" sim.data &&
		cp sim.data perf.data
}
check 'a snapshot for perf script' simulated
cpu=$(online_cpus | head -n 1)

replaced() {
	sed -E "s/\\b(4242|4243|PID)\\b/$sleeper/g
		s/\\bCOMMAND\\b/dd if=\\/dev\\/zero of=\\/dev\\/null count=9/g
		s/\\bFILE\\b/file/g; s/-C 0-3/-C $cpu/
		s/-d [1-9][0-9]+/-d 0.3/; s/-n [1-9][0-9]+/-n 9/
		s/(count=[0-9]+)0/\\1/; s,/var/[a-z/-]*,$folder/,g
		s,system\\.slice,/,; s/rbtop-[0-9]+-[0-9]+-[0-9]+\\.data/sim.data/
		s/ &\$//" <<<"$1"
}

# An error about an event hides one about an option.
options_exist() {
	local option

	for option in $(grep -oE -- ' --[a-z-]+' <<<"${1%% -- *}"); do
		"$RBTOP" -h | grep -qE -- "$option( |\[|=|\$)" && continue
		echo "no option $option" >>"$tmp/example.err"
		return 1
	done
}

# Its error names a PMU or an event that this machine does not have.
absent() {
	local pmu

	options_exist "$1" || return
	pmu=$(grep -oE 'intel_pt|arm_spe|cs_etm' <<<"$1" | head -n 1)
	if [ -n "$pmu" ]; then
		[ ! -e "/sys/bus/event_source/devices/$pmu" ] &&
			grep -q "no PMU '$pmu' on this machine" "$tmp/example.err"
	else
		grep -q cycles <<<"$1" &&
			grep -q 'has no such event' "$tmp/example.err"
	fi
}

ended_well() {
	local status

	status=$(cat "$tmp/example.status") || return
	case $status in
	0)
		return ;;
	1)
		absent "$1" && return
		# no ring but rbtop's own is there
		[[ $1 == *--fail-on* ]] &&
			grep -q 'fail-on .*: .*unknown' "$tmp/example.err" &&
			return ;;
	3)
		[[ $1 == *--fail-on* ]] && grep -q '^rbtop: failed on ' \
			"$tmp/example.err" && return ;;
	130)
		[ -s "$tmp/example.out" ] || [[ $1 == *--textfile* ]] && return ;;
	esac
	echo "status $status"
	cat "$tmp/example.err"
	return 1
}

# A pipe may fail only with what it reads from.
run_batch() {
	local status=0

	timeout 30 bash -c "$1" </dev/null || status=$?
	if [ -e "$tmp/example.status" ]; then
		ended_well "$1" || return
		grep -qx 1 "$tmp/example.status" && return
	fi
	return "$status"
}

ended() {
	[ -s "$tmp/example.status" ]
}

has_picture() {
	ended || screen_has 'h Help'
}

run_screen() {
	term_start 100x30 env PATH="$PATH" tmp="$tmp" RBTOP="$RBTOP" \
		bash -c "$1"
	if wait_until has_picture; then
		ended || term_keys q
		wait_until ended && ended_well "$1" && return
	fi
	term_screen
	return 1
}

run() {
	local command

	command=$(replaced "$1")
	echo "$command"
	rm -f "$tmp"/example.*
	case " $command " in
	*' --doctor '* | *' --summary '* | *' -b '* | *' --format '* | \
		*' --textfile '* | *' --fail-on '* | \
		' perf '* | ' jq '*)
		run_batch "$command" ;;
	*)
		run_screen "$command" ;;
	esac
}

fails() {
	! run "$1" && grep -q no-such-option "$tmp/example.err"
}
check 'an unknown option is found' fails 'rbtop --no-such-option'
check 'in batch mode too' fails 'rbtop -b --no-such-option | cat'
check 'and with an event that is missing here' fails \
	'rbtop -e intel_pt// --no-such-option'

all_commands | awk '!seen[$0]++' >"$tmp/commands"
enough() {
	[ "$(wc -l <"$tmp/commands")" -ge 25 ]
}
check 'command lines are found' enough

while read -r -u 4 command; do
	program=$(sed -E "s/^(sudo +)?([A-Z_]+=[^ ]* +)*//; s/ .*//" <<<"$command")
	if command -v "$program" >/dev/null; then
		check "${command//#/}" run "$command"
	else
		skip "${command//#/}" "no $program"
	fi
done 4<"$tmp/commands"

finish
