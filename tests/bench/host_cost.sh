#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The cost of reading all rings of the host, with 100 of them, then with 30,000
# descriptors of events in addition, of one event and of different ones, and
# with 500 owners of one ring each: idle ones, busy ones, and busy ones with 8
# more events in each ring.  It is the share of a core that rbtop --host uses,
# once per second in batch mode and on a terminal, and the time of one whole
# pass.
#
#	tests/bench/host_cost.sh [ROUNDS [SECONDS [RINGS [FDS [OWNERS]]]]]
#
# The shares are of the whole program, and of the polling thread only.
set -u
rounds=${1:-3} seconds=${2:-10} rings=${3:-100} fds=${4:-30000}
owners=${5:-500}
rbtop=${RBTOP:-build/rbtop}
tools=${BENCH_DIR:-$(dirname "$rbtop")/tests/bench}
owner=
others=()
trap 'owner_end' EXIT

# owner_start OPTION...: start an owner of rings; returns once they are there
owner_start() {
	local ready

	coproc OWNER { exec "$tools/rings" "$@"; }
	owner=$OWNER_PID
	read -r ready <&"${OWNER[0]}" && [ "$ready" = ready ]
}

# owners_start OPTION...: start $owners owners with a ring each; the first is at
# the top of a screen
owners_start() {
	local i ready fd

	owner_start "$@" 1 || return
	for ((i = 1; i < owners; i++)); do
		exec {fd}< <(exec "$tools/rings" "$@" 1)
		others+=($!)
		read -r ready <&"$fd" && [ "$ready" = ready ] || return
		exec {fd}<&-
	done
}

owner_end() {
	[ -z "$owner" ] || { kill "$owner" && wait "$owner"; } 2>/dev/null
	[ ${#others[@]} -eq 0 ] || kill "${others[@]}"
	owner=
	others=()
}

# share NAME ROWS COLUMNS OPTION...: the median of $rounds, from the first
# picture with a row of the owner on, recognized by its pid
share() {
	local name=$1 rows=$2 columns=$3 round

	shift 3
	for ((round = 0; round < rounds; round++)); do
		"$tools/ptycost" "$rows" "$columns" "$seconds" "$owner" \
			"$rbtop" --host "$@" || return
	done | jq -rs --arg name "$name" '
		def median: sort | .[length / 2 | floor];
		def percent(share): map(share * 1e4) | median | round / 100;
		"  \($name): \(percent(.main_share + .other_share)) % of a core, " +
		"\(percent(.other_share)) % of it to look"'
}

shares() {
	share 'text once a second' 24 80 -b -d 1
	share 'JSON once a second' 24 80 -b -d 1 --format json
	share 'OpenMetrics once a second' 24 80 -b -d 1 --format openmetrics
	share 'on 80x24' 24 80
	share 'on 200x60' 60 200
}

looks() {
	"$tools/host_pass" | jq -r '"  a look at \(.of): \(.ms) ms, at most " +
		"\(.max_ms) ms (\(.files) descriptors, \(.rings) rings)"'
}

# case_of NAME COMMAND...: measure with the owner that COMMAND starts
case_of() {
	echo "$1"
	shift
	"$@" || exit
	looks
	shares
	owner_end
}

case_of "$rings rings" owner_start "$rings"
case_of "$rings rings and $fds descriptors" owner_start -f "$fds" "$rings"
case_of "$rings rings and $fds different events" owner_start -d "$fds" "$rings"
case_of "$owners owners of a ring each" owners_start
case_of "$owners busy owners" owners_start -b
case_of "$owners busy owners, 9 events in each ring" owners_start -b -e 8
