#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What rbtop may do while it runs, by thread.

. "$(dirname "$0")/../lib.sh"

[ "$(id -u)" -eq 0 ] || skip_all "only root can give capabilities away"
command -v setpriv >/dev/null || skip_all "setpriv is not installed"
chmod 755 "$tmp"
export HOME=$tmp/home
unset XDG_CONFIG_HOME
mkdir "$HOME"

# The numbers of capability.h.
chown=1 override=2 read_search=4 ipc_lock=$((1 << 14)) ptrace=$((1 << 19))
perfmon=$((1 << 38)) bpf=$((1 << 39)) restore=$((1 << 40))
sys_admin=$((1 << 21))

events=$((perfmon | sys_admin | ptrace | ipc_lock))
host=$((bpf | perfmon | sys_admin | ptrace | read_search | restore))
symbols=$((ptrace | read_search | restore))
files=$((override | chown))

# THREAD: sets $may, in effect, and $may_raise.  CAP_SYS_ADMIN counts only
# where the kernel asks for it, see caps.h.
may_hold() {
	may_raise=0
	case $1 in
	rbtop)
		may=$main
		may_raise=$files
		;;
	rbtop-watch) may=$events ;;
	rbtop-resolver) may=$symbols ;;
	rbtop-host) may=$host ;;
	rbtop-snapshots)
		may=$symbols
		may_raise=$files
		;;
	*) may=0 ;;
	esac
}

# FIELD FILE
field() {
	sed -n "s/^$1:[[:space:]]*//p" "$2"
}

# PID: every thread of it holds no more than it may.
threads_hold() {
	local task name effective permitted bad=0

	for task in "/proc/$1/task"/*; do
		[ -e "$task/status" ] || continue
		name=$(cat "$task/comm")
		cat "$task/status" >"$tmp/status"
		effective=$((16#$(field CapEff "$tmp/status")))
		permitted=$((16#$(field CapPrm "$tmp/status")))
		may_hold "$name"
		if [ $((effective & ~may)) -ne 0 ] ||
		   [ $((permitted & ~(may | may_raise))) -ne 0 ] ||
		   [ "$(field CapInh "$tmp/status")" != 0000000000000000 ] ||
		   [ "$(field CapBnd "$tmp/status")" != 0000000000000000 ] ||
		   [ "$(field NoNewPrivs "$tmp/status")" != 1 ]; then
			echo "$name:"
			grep -E '^(Cap|NoNew)' "$tmp/status"
			bad=1
		fi
	done
	return $bad
}

# ARGUMENTS...: a live one, until its threads have settled.
held_by() {
	local pid n status=1

	"$RBTOP" -b -d 0.2 "$@" >"$tmp/out" 2>"$tmp/err" &
	pid=$!
	for ((n = 0; n < 100 && status; n++)); do
		sleep 0.1
		[ -s "$tmp/out" ] && threads_hold $pid >"$tmp/held" && status=0
		[ $n -lt 30 ] || break
	done
	[ -s "$tmp/out" ] || status=1
	cat "$tmp/held" "$tmp/err"
	ls "/proc/$pid/task" | wc -l
	kill $pid
	wait $pid
	return $status
}

main=$((events | host))
if "$RBTOP" -b -n 1 -d 0.05 >/dev/null 2>&1; then
	check 'system-wide, each thread keeps what it needs' held_by
	check 'with every sample' held_by --format script -C 0 -e cpu-clock
	check 'recording' held_by -e cpu-clock -o "$tmp/rec.data"
	check 'around a command' held_by -- sleep 20
	check 'per thread' held_by --per-thread -t $$
else
	skip 'threads of live rings' 'no event can be opened'
fi
main=$host
check 'a simulated kernel' held_by --sim cpus=2
main=0
check 'the host view' held_by --host

# The command gets what the user has.
same_rights() {
	"$@" grep -E '^(Cap|NoNew|[UG]id)' /proc/self/status >"$tmp/plain"
	"$@" "$rbtop" -b -d 30 -e cpu-clock -- sh -c 'exec grep -E \
		"^(Cap|NoNew|[UG]id)" /proc/self/status >'"$tmp/under" \
		>"$tmp/out" 2>"$tmp/err" || cat "$tmp/err"
	diff "$tmp/plain" "$tmp/under"
}

: >"$tmp/under"
chmod 666 "$tmp/under"
rbtop=$RBTOP
check "root's command has root's rights" same_rights env
finish
