# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Shared by the tests of the host view, sourced after live.bash:
#
#	owner NAME COMMAND...	start an owner, which answers each command line
#				with one line (host_owner, host_owner_bpf); its
#				pid is in ${owner_pid[NAME]}
#	tell NAME WORD...	send it a command; its answer after "ok" is in
#				$answer; false if it is an error
#	background COMMAND...	start another program; its pid is in $last_pid,
#				its output in $tmp/background.  All are ended at
#				exit
#	background_to FILE COMMAND...
#				the same with the output in FILE and FILE.err
#	stop PID...		end it, and wait for it
#	end_watch PID		end an rbtop so that its last tick is complete
#	look			write one tick of rbtop --host to $tmp/ticks
#	looked			wait until a running rbtop that writes
#				$tmp/ticks has begun, finished and shown a pass
#	row_is PID FILTER	true if FILTER is true for the array of rows of
#				owner PID in the last tick, without those gone
#	needs_bpf		skip all tests without BPF

host_tools=${builddir:-$top/build}/tests/live
host_owner=$host_tools/host_owner
page_size=$(getconf PAGESIZE)
# Amounts that overflow a ring are given for pages of 4 KiB: the factor for this
# page size.
scale=$((page_size / 4096))
declare -A owner_pid owner_in owner_out
last_pid=
background_pids=()

host_end() {
	local status=$?

	stop "${owner_pid[@]}" "${background_pids[@]}"
	(exit "$status")
	tap_exit
}

[ -x "$host_owner" ] || skip_all "$host_owner is not built"
trap host_end EXIT

owner() {
	local name=$1 in out

	shift
	rm -f "$tmp/$name.in" "$tmp/$name.out"
	mkfifo "$tmp/$name.in" "$tmp/$name.out"
	"$@" <"$tmp/$name.in" >"$tmp/$name.out" 2>"$tmp/$name.err" &
	owner_pid[$name]=$!
	exec {in}<>"$tmp/$name.in" {out}<"$tmp/$name.out"
	owner_in[$name]=$in owner_out[$name]=$out
}

tell() {
	local name=$1

	shift
	echo "$@" >&"${owner_in[$name]}"
	hear "$name" "$*"
}

# hear NAME WHAT: read the answer to the command WHAT
hear() {
	local name=$1

	answer=
	read -r -t 200 answer <&"${owner_out[$name]}"
	if [ "${answer%% *}" != ok ]; then
		echo "$name was told '$2' and answered '$answer'"
		cat "$tmp/$name.err"
		return 1
	fi
	answer=${answer#ok}
	answer=${answer# }
}

# End an owner.
dismiss() {
	stop "${owner_pid[$1]}"
	unset "owner_pid[$1]"
}

background() {
	background_to "$tmp/background" "$@"
}

background_to() {
	local file=$1

	shift
	"$@" >"$file" 2>"$file.err" </dev/null &
	last_pid=$!
	background_pids+=("$last_pid")
}

stop() {
	local pid

	for pid in "$@"; do
		# the pid of a job that has ended may be used again
		jobs -p | grep -qx "$pid" || continue
		kill -CONT "$pid"
		kill -KILL "$pid"
		wait "$pid"
	done 2>/dev/null
}

# An rbtop that is killed may leave an incomplete line.
end_watch() {
	kill -TERM "$1"
	wait "$1"
	return 0
}

# On a busy machine the BPF programs may be loaded after the first tick only.
look() {
	local delay

	for delay in 0.1 1 5 60; do
		ticks --host -n 1 -d $delay || return
		! last '.host.ready' >"$tmp/ready" || return 0
	done
	echo "not even one look in $delay s"
	return 1
}

passes() {
	tail -n 1 "$tmp/ticks" | jq .host.passes
}

# The pass in progress when a tick is made may have begun before.
looked() {
	local now

	now=$(date +%s.%N)
	soon holds_for_last ".time > $now" &&
		soon holds_for_last ".host.passes >= $(($(passes) + 2))"
}

row_is() {
	[ -s "$tmp/ticks" ] || { cat "$tmp/err"; return 1; }
	tail -n 1 "$tmp/ticks" | jq -cen "input |
			[.rings[] | select(.owner.pid == $1 and (.gone | not))]
			| if $2 then true else (., false) end" >"$tmp/jq" ||
		{ echo "not so of process $1: $2"; head -n 30 "$tmp/jq"
		  return 1; }
}

needs_bpf() {
	look || skip_all "$(head -n 1 "$tmp/err")"
	jq -e .host.bpf "$tmp/ticks" >/dev/null ||
		skip_all "$(jq -r .host.reason "$tmp/ticks")"
}

# Rings that process $1 maps, by /proc: their sizes in bytes, one per line.
mapped_sizes() {
	awk -v page="$page_size" '
		function hex(text, value, i) {
			for (i = 1; i <= length(text); i++)
				value = value * 16 + index("0123456789abcdef",
					substr(text, i, 1)) - 1
			return value
		}
		/\[perf_event\]$/ && hex($3) == 0 {
			split($1, range, "-")
			print hex(range[2]) - hex(range[1]) - page
		}' "/proc/$1/maps" | sort -n
}
