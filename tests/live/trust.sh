#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Capabilities of each thread while rbtop runs; and what a user can get from an
# rbtop with file or ambient capabilities.

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/live.bash"

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

# THREAD: set $may, in effect, and $may_raise.  CAP_SYS_ADMIN counts only if the
# kernel requires it, see caps.h.
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

# PID: it runs, and no thread has more than it may.
threads_hold() {
	local task name effective permitted bad=0

	kill -0 "$1" || return
	for task in "/proc/$1/task"/*; do
		# it may end at any time
		name=$(cat "$task/comm" 2>"$tmp/gone") &&
			cat "$task/status" >"$tmp/status" 2>"$tmp/gone" ||
			continue
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

# PID: it has processes that parse files, all of them with a filter of the calls
# that they may make.
parsers_hold() {
	local status found=0

	for status in $(grep -slE "^PPid:[[:space:]]*$1\$" \
		/proc/[0-9]*/status); do
		cat "$status" >"$tmp/status" 2>"$tmp/gone" &&
			[ "$(field Name "$tmp/status")" = rbtop-symbols ] ||
			continue
		found=1
		if [ "$(field Seccomp "$tmp/status")" != 2 ]; then
			grep -E '^(Name|Pid|Seccomp)' "$tmp/status"
			return 1
		fi
	done
	[ $found -eq 1 ] || ! echo 'no rbtop-symbols'
}

# ARGUMENTS...: start one with live events, and wait until its threads have
# dropped theirs; or until $holds is true for its PID.
held_by() {
	local pid n status=1

	"$RBTOP" -b -d 0.2 "$@" >"$tmp/out" 2>"$tmp/err" &
	pid=$!
	for ((n = 0; n < 600 && status; n++)); do
		sleep 0.1
		[ -s "$tmp/out" ] && "${holds:-threads_hold}" $pid \
			>"$tmp/held" && status=0
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
	# as load_filter.c: not with sanitizers, which need other calls
	if [[ $(uname -m) = @(x86_64|aarch64) ]] &&
	   [ -e /proc/sys/kernel/seccomp/actions_avail ] &&
	   ! grep -qE '__[at]san_init' "$RBTOP"; then
		holds=parsers_hold
		check 'parsers of files make few calls' \
			held_by --format script -C 0 -e cpu-clock
		unset holds
	fi
	check 'recording' held_by -e cpu-clock -o "$tmp/rec.data"
	check 'around a command' held_by -- sleep 200
	check 'per thread' held_by --per-thread -t $$
else
	skip 'threads of live rings' 'no event can be opened'
fi
main=$host
check 'a simulated kernel' held_by --sim cpus=2
main=0
check 'the host view' held_by --host

# The command gets the user's own capabilities.
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

# Threads that have dropped their capabilities share the memory of those that
# have not: no thread can be attached by another process of the same user.
suid_dumpable=/proc/sys/fs/suid_dumpable
old_dumpable=$(cat $suid_dumpable)
trap 'status=$?; echo "$old_dumpable" >$suid_dumpable; (exit "$status")
	tap_exit' EXIT

# PID...: as nobody, open the memory of each thread for writing.
attach() {
	local pid

	for pid; do
		# shellcheck disable=SC2016
		setpriv --reuid=65534 --regid=65534 --clear-groups \
			--inh-caps=-all bash -c 'for task in "$@"; do
				: 2>/dev/null <>"$task/mem" &&
					echo "$(cat "$task/comm") is open"
			done' - "/proc/$pid/task"/*
	done
}

# COMMAND...: an rbtop that COMMAND executes, its processes and its command.
cannot_attach() {
	local pid status=0

	: >"$tmp/out"
	"$@" -b -n 1000 -d 0.2 -e cpu-clock -- sleep 300 >"$tmp/out" \
		2>"$tmp/err" &
	pid=$!
	soon test -s "$tmp/out" || status=1
	cat "$tmp/out" "$tmp/err" >"$tmp/said"
	# shellcheck disable=SC2046
	attach $pid $(pgrep -P $pid -x rbtop-symbols) >"$tmp/attached"
	[ "$(pgrep -c -P $pid -x rbtop-symbols)" -gt 0 ] || status=1
	# entries in /proc belong to root, unless it can be attached
	[ "$(stat -c %u /proc/$pid/maps)" = 0 ] || status=1
	[ "$(stat -c %u "/proc/$(pgrep -P $pid -x sleep)/maps")" = 65534 ] ||
		status=1
	kill $pid
	wait $pid
	cat "$tmp/attached" "$tmp/said"
	[ ! -s "$tmp/attached" ] && [ $status -eq 0 ]
}

# NAME COMMAND...
cannot_attach_ever() {
	local name=$1 mode

	shift
	for mode in 0 1 2; do
		if echo $mode 2>"$tmp/gone" >$suid_dumpable; then
			check "$name, fs.suid_dumpable $mode" \
				cannot_attach "$@"
		else
			skip "$name, fs.suid_dumpable $mode" 'it cannot be set'
		fi
	done
	echo "$old_dumpable" 2>"$tmp/gone" >$suid_dumpable
}

install -m 755 "$RBTOP" "$tmp/ambient"
lent=+perfmon,+bpf,+sys_ptrace,+dac_read_search
ambient=(setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=$lent
	--ambient-caps=$lent "$tmp/ambient")
if "${ambient[@]}" -b -n 1 -d 0.05 >"$tmp/out" 2>&1; then
	cannot_attach_ever "ambient capabilities" "${ambient[@]}"
else
	skip 'ambient capabilities' "$(head -n 1 "$tmp/out")"
fi

# With file capabilities, as in README, and more.
install -m 755 "$RBTOP" "$tmp/rbtop"
rbtop=$tmp/rbtop
all=cap_perfmon,cap_bpf,cap_ipc_lock,cap_sys_ptrace,cap_syslog
all=$all,cap_dac_read_search,cap_dac_override,cap_chown,cap_checkpoint_restore
if ! setcap "$all=ep" "$rbtop" 2>/dev/null; then
	skip 'with file capabilities' 'no setcap, or not on this file system'
	finish
fi
nobody=(setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all)

# STATUS TEXT COMMAND...: the status, TEXT in the messages, and no secret.
says() {
	local want=$1 text=$2 status=0

	shift 2
	(cd "$tmp/mine" && timeout 100 "${nobody[@]}" "$@") >"$tmp/said" \
		2>&1 </dev/null || status=$?
	cat "$tmp/said"
	echo "status $status"
	[ "$status" -eq "$want" ] &&
		{ [ -z "$text" ] || grep -qF -- "$text" "$tmp/said"; } &&
		! grep -q hunter2 "$tmp/said"
}

mkdir -m 700 "$tmp/closed"
mkdir "$tmp/mine"
chown 65534:65534 "$tmp/mine"
printf '[screen]\nhunter2 = secret\n' >"$tmp/closed/rc"
chmod 600 "$tmp/closed/rc"
one=(-b -n 1 -d 0.05 --sim 'cpus=1')

if setpriv --reuid=65534 --regid=65534 --clear-groups "$rbtop" -b -n 1 \
	-d 0.05 >/dev/null 2>&1; then
	check 'lent capabilities open events' \
		says 0 system-wide "$rbtop" -b -n 1 -d 0.05
	check 'and the command has its own rights alone' \
		same_rights "${nobody[@]}"
	cannot_attach_ever 'lent capabilities' "${nobody[@]}" "$rbtop"
else
	skip 'lent capabilities open events' 'not here'
fi
check "--config of a file of root's" says 1 'Permission denied' \
	"$rbtop" "${one[@]}" --config "$tmp/closed/rc"
ln -s "$tmp/closed/rc" "$tmp/mine/link"
check "--config of a link to it" says 1 'Permission denied' \
	"$rbtop" "${one[@]}" --config link
mkdir -p "$tmp/mine/.config/rbtop"
ln -s "$tmp/closed/rc" "$tmp/mine/.config/rbtop/rbtoprc"
check "an rc file that is one" says 0 'CPU 0' \
	env HOME="$tmp/mine" "$rbtop" "${one[@]}"
rm "$tmp/mine/.config/rbtop/rbtoprc"
mkfifo "$tmp/mine/.config/rbtop/rbtoprc"
check "an rc file that is a FIFO" says 0 'not a regular file' \
	env HOME="$tmp/mine" "$rbtop" "${one[@]}"
check "--config of a FIFO" says 1 'not a regular file' \
	"$rbtop" "${one[@]}" --config .config/rbtop/rbtoprc
check "--config of /dev/null" says 0 'CPU 0' \
	"$rbtop" "${one[@]}" --config /dev/null
rm "$tmp/mine/.config/rbtop/rbtoprc"
printf '[screen]\nbogus = 1\n' >"$tmp/mine/.config/rbtop/rbtoprc"
check "an rc file of the user's own is read" says 0 rbtoprc:2: \
	env HOME="$tmp/mine" "$rbtop" "${one[@]}"
silent() {
	says "$@" && ! grep -q rbtoprc: "$tmp/said"
}
check "XDG_CONFIG_HOME is not looked at" silent 0 'CPU 0' env \
	HOME=/nonexistent XDG_CONFIG_HOME="$tmp/mine/.config" "$rbtop" \
	"${one[@]}"
check "but the command has it" says 0 "xdg=/x" env XDG_CONFIG_HOME=/x \
	"$rbtop" -b -d 30 -e cpu-clock -- sh -c 'echo xdg=$XDG_CONFIG_HOME'
check "--textfile in root's directory" says 1 'Permission denied' \
	"$rbtop" --sim cpus=1 --textfile "$tmp/closed/metrics"
check "-o in root's directory" says 1 'Permission denied' \
	"$rbtop" -b -e cpu-clock -o "$tmp/closed/rec" -- true
mkfifo -m 600 "$tmp/closed/ctl" "$tmp/rootctl"
mkfifo -m 600 "$tmp/mine/ctl"
chown 65534:65534 "$tmp/mine/ctl"
control=(-b -n 1 -d 0.05 -e cpu-clock --control)
check "--control of a FIFO in root's directory" says 1 'Permission denied' \
	"$rbtop" "${control[@]}" "fifo:$tmp/closed/ctl" -- true
check "--control of a FIFO of root's" says 1 'Permission denied' \
	"$rbtop" "${control[@]}" "fifo:$tmp/rootctl" -- true
check "--control of one's own" says 0 '' \
	"$rbtop" "${control[@]}" fifo:ctl -- true
check "--control of what is no FIFO" says 1 'not a FIFO' \
	"$rbtop" "${control[@]}" fifo:/dev/null -- true
rm "$tmp/closed/ctl"
check "--textfile in one's own" says 0 '' \
	"$rbtop" -n 1 -d 0.05 --sim cpus=1 --textfile metrics
check "is one's own" [ "$(stat -c %u:%a "$tmp/mine/metrics")" = 65534:644 ]
check "nothing was made in root's" [ "$(ls "$tmp/closed")" = rc ]

# names_by COMMAND...: nobody mounts a file system of their own, puts a debug
# file of mine/app there with COMMAND, and runs that.  0 if its functions have
# names, 1 if not, 2 if no sample of it was seen.
names_by() {
	local pid n

	rm -f "$tmp/mine/runs"
	"${nobody[@]}" unshare -Urm sh -c 'mount -t tmpfs none /usr/lib/debug &&
		mkdir -p "/usr/lib/debug/$0" && "$@" &&
		touch "$0/runs" && exec "$0/app"' "$tmp/mine" "$@" &
	pid=$!
	for ((n = 0; n < 100; n++)); do
		[ -e "$tmp/mine/runs" ] && break
		sleep 0.1
	done
	sleep 0.2
	"${nobody[@]}" "$rbtop" -b -n 4 -d 0.3 --format script -e cpu-clock \
		-p $pid >"$tmp/said" 2>&1
	kill $pid
	wait $pid
	tail -n 3 "$tmp/said"
	grep -qF "$tmp/mine/app" "$tmp/said" || return 2
	grep -q hunter2 "$tmp/said"
}
no_names_by() {
	local status=0

	names_by "$@" || status=$?
	[ $status -eq 1 ]
}

# mine/app has no names of its own, and no build-id; $1 gets its debug file.
build_app() {
	printf 'volatile int n;
		__attribute__((noinline)) void hunter2(void) { for (;;) n++; }
		int main(void) { hunter2(); }\n' >"$tmp/app.c"
	"${CC:-cc}" -O1 -Wl,--build-id=none -o "$tmp/app" "$tmp/app.c" &&
		objcopy --only-keep-debug "$tmp/app" "$1" &&
		strip -o "$tmp/mine/app" "$tmp/app"
}

debug=/usr/lib/debug/$tmp/mine/app.debug
if build_app "$tmp/closed/app.debug" >"$tmp/built" 2>&1 &&
   "${nobody[@]}" unshare -Urm mount -t tmpfs none /usr/lib/debug \
	2>>"$tmp/built"; then
	cp "$tmp/closed/app.debug" "$tmp/mine/debug"
	chmod 644 "$tmp/mine/debug"
	check "a debug file of one's own" names_by cp "$tmp/mine/debug" "$debug"
	chmod 600 "$tmp/closed/app.debug"
	check "but no link to one of root's" \
		no_names_by ln -s "$tmp/closed/app.debug" "$debug"
	chmod 644 "$tmp/closed/app.debug"
	check "nor to one in root's directory" \
		no_names_by ln -s "$tmp/closed/app.debug" "$debug"
	check "nor to that directory" no_names_by sh -c \
		'rmdir "$1" && ln -s "$0" "$1"' "$tmp/closed" "${debug%/*}"
else
	skip "debug files of a user's own mounts" 'no compiler or namespaces'
fi

# Terminal descriptions are read only from the system's directories.
terminfo() {
	local status=0

	timeout 100 script -qec "$(printf '%q ' "${nobody[@]}") env $1 \
		TERM=rbtop-trust $2 --sim cpus=1 -n 1" /dev/null >"$tmp/said" \
		</dev/null || status=$?
	tail -c 300 "$tmp/said" | tr -d '\033'
	grep -qF 'terminfo has no screen' "$tmp/said"
}
not() {
	! "$@"
}

if command -v script >/dev/null && command -v tic >/dev/null &&
   printf 'rbtop-trust|test,\n\tuse=xterm,\n' >"$tmp/terminfo.src" &&
   tic -x -o "$tmp/mine/.terminfo" "$tmp/terminfo.src" 2>/dev/null; then
	install -m 755 "$RBTOP" "$tmp/unlent"
	for env in "TERMINFO=$tmp/mine/.terminfo" "HOME=$tmp/mine" \
		"TERMINFO_DIRS=$tmp/mine/.terminfo"; do
		rm -rf "$tmp/mine/.config"
		check "${env%%=*} is obeyed" not terminfo "$env" "$tmp/unlent"
		check "but not with what was lent" terminfo "$env" "$rbtop"
	done
else
	skip 'TERMINFO' 'no script(1) or tic(1)'
fi
finish
