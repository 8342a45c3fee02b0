#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The cost of many rings: a simulated kernel with 1,000 records per second in
# each of 64 to 512 rings, drawn on a 200x60 terminal once per second.
#
#	tests/bench/scale.sh [ROUNDS [SECONDS]]
#
# Shares of one core: drawing (main thread), decoding (resolver thread),
# collecting (the others), their sum, the simulated kernel; and the time a frame
# takes to build and draw.
set -u
rounds=${1:-3} seconds=${2:-10}
rbtop=${RBTOP:-build/rbtop}
tools=${BENCH_DIR:-$(dirname "$rbtop")/tests/bench}

printf '%6s %9s %9s %11s %7s %6s %9s %8s\n' rings drawing% decoding% \
	collecting% sum% sim% frame-ms first-ms
for cpus in 64 128 256 512; do
	for ((round = 0; round < rounds; round++)); do
		"$tools/ptycost" 60 200 "$seconds" 'CPU 0' "$rbtop" \
			--sim "cpus=$cpus,rate=1000"
	done | jq -rs --argjson n "$cpus" '
		def median: sort | .[length / 2 | floor];
		[$n, (map(.main_share * 100) | median),
		 (map(.resolver_share * 100) | median),
		 (map(.other_share * 100) | median),
		 (map((.main_share + .resolver_share + .other_share) * 100) |
		  median),
		 (map(.sim_share * 100) | median),
		 (map(.main_share * 1000) | median),
		 (map(.first_frame_ms) | median)] | @tsv' |
		awk '{ printf "%6d %9.2f %9.2f %11.2f %7.2f %6.1f %9.2f %8.1f\n",
			$1, $2, $3, $4, $5, $6, $7, $8 }'
done
