#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Start and idle: from exec to the first frame, and the share of a core that
# rbtop takes on an idle machine with its defaults.
#
#	tests/bench/idle.sh [ROUNDS [SECONDS]]
set -u
rounds=${1:-5} seconds=${2:-10}
rbtop=${RBTOP:-build/rbtop}
tools=${BENCH_DIR:-$(dirname "$rbtop")/tests/bench}

for ((round = 0; round < rounds; round++)); do
	"$tools/ptycost" 24 80 "$seconds" 'CPU 0' "$rbtop"
done | jq -rs 'def median: sort | .[length / 2 | floor];
	"first frame \(map(.first_frame_ms) | median) ms, " +
	"CPU \(map((.main_share + .other_share +
		.resolver_share) * 100) | median) % of a core"'
