# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# What the tests of the host view share, sourced after live.bash:
#
#	owner NAME COMMAND...	start an owner that answers each line it is
#				told with one (host_owner, host_owner_bpf); its
#				pid is in ${owner_pid[NAME]}
#	tell NAME WORD...	tell it, what it answers after "ok" is in
#				$answer; false if that is an error
#	background COMMAND...	start what needs no telling; its pid is in
#				$last_pid, what it prints in $tmp/background.
#				All are ended at exit
#	background_to FILE COMMAND...
#				the same, and what it prints is in FILE and
#				FILE.err
#	stop PID...		end it, and wait for it
#	end_watch PID		end an rbtop so that its last tick is whole
#	look			one tick of rbtop --host into $tmp/ticks
#	looked			an rbtop that goes on writing $tmp/ticks has
#				begun, made and shown a look since
#	row_is PID FILTER	in the last tick, the rows of owner PID that
#				have not gone are an array for which FILTER
#				holds
#	needs_bpf		skips all where the kernel cannot be asked

host_tools=${builddir:-$top/build}/tests/live
host_owner=$host_tools/host_owner
page_size=$(getconf PAGESIZE)
# What overflows a ring of pages is said for pages of 4 KiB: times that.
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

# hear NAME WHAT: the answer to what it was told
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

# It has nothing left to say, and ends.
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
		# another may have the number of one that was waited for
		jobs -p | grep -qx "$pid" || continue
		kill -CONT "$pid"
		kill -KILL "$pid"
		wait "$pid"
	done 2>/dev/null
}

# One that is killed may leave a part of a line.
end_watch() {
	kill -TERM "$1"
	wait "$1"
	return 0
}

# On a busy machine the programs may be loaded only after the first tick.
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

# The pass that goes on while a tick is made may have begun before.
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

# Rings that process $1 maps, by /proc: their sizes in bytes, one a line.
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
