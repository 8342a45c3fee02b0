#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What rbtop uses on a busy machine: its share of a core and its memory, with
# its defaults and with -g, while every CPU computes, and while programs are
# compiled, which starts hundreds of processes.  Its own CPU share is that of a
# whole core (self.cpu of the export).
#
#	tests/bench/busy.sh [ROUNDS [SECONDS]]
set -u
rounds=${1:-3} seconds=${2:-20}
rbtop=${RBTOP:-build/rbtop}
top=$(cd "$(dirname "$0")/../.." && pwd)
cpus=$(nproc)

load_compute() {
	for ((i = 0; i < cpus; i++)); do
		timeout $((seconds + 5)) sh -c 'while :; do :; done' &
	done
}

load_compile() {
	timeout $((seconds + 5)) sh -c '
		while :; do
			find "$1/src" -name "*.c" -print0 |
			xargs -0 -P "$2" -n 1 gcc -std=gnu11 -O2 -w -c \
				-o /dev/null -I"$1/src"
		done' sh "$top" "$cpus" >/dev/null 2>&1 &
}

printf '%-8s %-8s %8s %8s\n' load options cpu% MiB
for load in compute compile; do
	for options in '' -g; do
		for ((round = 0; round < rounds; round++)); do
			"load_$load"
			# shellcheck disable=SC2086
			"$rbtop" -a -b -n 2 -d "$seconds" --format json \
				$options | tail -n 1
			wait
		done | jq -rs --arg load "$load" --arg options "${options:--}" '
			def median: sort | .[length / 2 | floor];
			[$load, $options, (map(.self.cpu * 100) | median),
			 (map(.self.rss / 1048576) | median)] | @tsv' |
			awk '{ printf "%-8s %-8s %8.1f %8.1f\n", $1, $2, $3, $4 }'
	done
done
