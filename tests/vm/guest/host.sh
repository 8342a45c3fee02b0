# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash
#
# rbtop --host in the guest, and owners of rings; sourced by scenarios after
# lib.sh:
#
#	host_start [COMMAND...]	start rbtop, run by COMMAND, its ticks (JSON,
#				two per second) in $tmp/host; waits for the
#				first that is ready; with $host_option
#	host_stop		SIGTERM; true if that is what ended it
#	host FILTER		true if jq's FILTER is for the last tick
#	in_time COMMAND...	wait_for it; prints its last output
#	host_soon FILTER	true if jq's FILTER is in time
#	host_value FILTER	print its value
#		in FILTERs:
#		of(COMM)	the rows of owners of that name, without those
#				gone
#		warned(WORD)	the row has that warning
#
#	record OPTION...	start perf, in $perf, with only the rings
#				requested; waits until all its events count
#	record_end		SIGINT; true if its rings disappear with it
#	owner_start [PROGRAM]	start host_owner (see there), or host_owner_bpf,
#				for commands
#	tell COMMAND...		true if all succeeded
#	told N			word N of the last answer
#	owner_end

host_defs='
	def of($comm): [.rings[] |
		select(.owner.comm == $comm and (.gone | not))];
	def warned($word): .warnings | index($word) != null;'

host_ready() {
	[ "$(host_value '.host.ready')" = true ]
}

host_start() {
	: >$tmp/host
	"$@" "${rbtop:-rbtop}" --host ${host_option:-} -b --format json \
		-d 0.5 >$tmp/host 2>$tmp/host.err &
	watch=$!
	in_time host_ready || {
		cat $tmp/host.err
		return 1
	}
}

host_stop() {
	local status

	kill -TERM $watch
	wait $watch
	status=$?
	cat $tmp/host.err
	[ $status -eq 143 ]
}

host_tick() {
	last_line $tmp/host
}

host() {
	host_tick | jq -en "$host_defs input | $1" >$tmp/jq 2>&1 && return
	echo "not so: $1"
	tail -n 3 $tmp/jq
	host_tick | jq -c '.host, (.rings[] | select(.gone | not) |
		{ cpu, warnings, aux } + .)' | cut -c 1-1500
	cat $tmp/host.err
	return 1
}

in_time() {
	wait_for "$@" || "$@"
}

host_soon() {
	in_time host "$1"
}

host_value() {
	host_tick | jq -r "$host_defs $1"
}

# perf writes the file header before it enables the events.
recording() {
	[ -s $tmp/perf.data ] && host 'of("perf") | length > 0 and
		all(.[]; .events | length > 0 and all(.state == "active"))'
}

record() {
	rm -f $tmp/perf.data
	perf record -q -B --no-bpf-event -o $tmp/perf.data "$@" \
		2>$tmp/perf.err &
	perf=$!
	in_time recording
}

record_end() {
	kill -CONT $perf
	kill -INT $perf
	wait $perf
	host_soon 'of("perf") == []'
}

owner_start() {
	rm -f $tmp/orders $tmp/answers
	mkfifo $tmp/orders $tmp/answers
	exec 6<>$tmp/orders 7<>$tmp/answers
	"${1:-host_owner}" <&6 >&7 &
	owner=$!
}

tell() {
	local order

	for order in "$@"; do
		echo "$order" >&6
		read -r -t 200 answer <&7
		echo "$order: ${answer:-no answer}"
		case $answer in
		ok*) ;;
		*) return 1 ;;
		esac
	done
}

told() {
	# shellcheck disable=SC2086 # words
	set -- "$1" $answer
	shift "$1"
	echo "$1"
}

owner_end() {
	kill $owner
	wait $owner
	exec 6>&- 7>&-
}
