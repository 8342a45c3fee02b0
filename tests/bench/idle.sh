#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Start and idle: the time from exec to the first frame, and to the first symbol
# of the kernel on the Hot screen; and the share of a core that rbtop uses on an
# idle machine, with its defaults and without decoding.
#
#	tests/bench/idle.sh [ROUNDS [SECONDS]]
set -u
rounds=${1:-5} seconds=${2:-10}
rbtop=${RBTOP:-build/rbtop}
tools=${BENCH_DIR:-$(dirname "$rbtop")/tests/bench}

cost() {
	"$tools/ptycost" "$@"
}

for ((round = 0; round < rounds; round++)); do
	cost 24 80 "$seconds" 'CPU 0' "$rbtop" | jq -c '{all: .}'
	cost 24 80 "$seconds" 'CPU 0' "$rbtop" --decode 0 | jq -c '{none: .}'
	cost -k 3 24 80 0 '[kernel' "$rbtop" | jq -c '{hot: .}'
done | jq -rs 'def median: sort | .[length / 2 | floor];
	def of(name): map(.[name] | values);
	def share: map((.main_share + .other_share + .resolver_share) * 100) |
		median;
	"first frame \(of("all") | map(.first_frame_ms) | median) ms, " +
	"first kernel symbol \(of("hot") | map(.first_frame_ms) | median) ms, " +
	"CPU \(of("all") | share) % of a core, " +
	"\(of("none") | share) % with --decode 0"'
