#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash
#
# scenario.sh NAME SECONDS, started by init, which ends the scenario if it takes
# longer: runs it, ends all processes that it left, and sends /results to the
# host.

name=$1
tap=/results/$name.tap

# complaints: the number of warnings in the kernel's log so far
complaints() {
	dmesg | grep -cE 'BUG:|WARNING:|Oops|stall|general protection'
}

# $left: all processes but init, this one and tee; the kernel's have no
# executable.  No subshell may be used here: it would be one more.
find_left() {
	left=
	for dir in /proc/[0-9]*; do
		case ${dir#/proc/} in
		1 | $$ | "$tee") continue ;;
		esac
		[ ! -e "$dir/exe" ] || left="$left ${dir#/proc/}"
	done
}

# $names: of the processes left, and how many there are
name_left() {
	names=
	count=0
	for pid in $left; do
		read -r comm 2>/dev/null <"/proc/$pid/comm" || continue
		names="$names $comm"
		count=$((count + 1))
	done
}

# Wait up to two seconds for them to end, then kill them.
end_left() {
	rounds=0
	find_left
	while [ -n "$left" ] && [ $rounds -lt 100 ]; do
		if [ $rounds -eq 20 ]; then
			name_left
			notes="# killed $count left-overs of $name:$names"
		fi
		# shellcheck disable=SC2086 # a list of words
		[ $rounds -lt 20 ] || kill -KILL $left 2>/dev/null
		sleep 0.1
		rounds=$((rounds + 1))
		find_left
	done
	[ -n "$left" ] || return
	# they may have the other end open
	kill $tee
	name_left
	notes="# $count left-overs of $name cannot be killed:$names"
}

rm -rf /results/* /run/tap
mkfifo /run/tap
had=$(complaints)
tee "$tap" </run/tap >/dev/console 3>&- &
tee=$!
sh "/rig/scenarios/$name.sh" >/run/tap 2>"/results/$name.err" </dev/null 3>&- &
scenario=$!
read -r now </run/seconds
end=$((now + $2))
echo "$scenario $end" >/run/scenario
wait $scenario
status=$?
rm /run/scenario
read -r now </run/seconds
notes=
end_left
wait $tee
{
	[ -z "$notes" ] || echo "$notes"
	[ "$now" -lt $end ] || echo "# it took longer than $2 s"
	echo "status $status"
	echo "complaints $(($(complaints) - had))"
} >>"$tap"
dmesg >/results/dmesg
tar -C /results -cf /dev/vport0p1 .
echo "ended $name" >&3
