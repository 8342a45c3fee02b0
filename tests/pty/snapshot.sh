#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Snapshots and a recording by key, from overwrite rings, which need no tracing
# hardware.

# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/live/live.bash
. "$(dirname "$0")/../live/live.bash"
# shellcheck source=tests/pty/tmux.bash
. "$(dirname "$0")/tmux.bash"

may --overwrite -m 16 -C 0 -e cpu-clock || skip_all "$(why)"

out=$tmp/out
mkdir "$out"
live() {
	term_start 80x24 "$RBTOP" -m 16 -C 0 -e cpu-clock --output "$out" "$@"
}

# The number of files; all have names of finished ones.
files() {
	[ "$(find "$out" -type f -name 'rbtop-*.data' | wc -l)" = "$1" ] &&
		[ "$(find "$out" -type f | wc -l)" = "$1" ]
}

private() {
	[ "$(find "$out" -type f -perm 600 | wc -l)" = "$(find "$out" -type f |
		wc -l)" ]
}

# perf finds samples of the event in each.
perf_reads() {
	local file

	for file in "$out"/*.data; do
		perf script -f -i "$file" >"$tmp/script" 2>"$tmp/script.err" &&
			grep -q 'cpu-clock' "$tmp/script" && continue
		echo "$file"
		head -n 5 "$tmp/script" "$tmp/script.err"
		return 1
	done
}

live --overwrite
term_keys 4
check 'AUX says that s saves the ring' \
	term_shows 's saves the records of 1 overwrite ring'
term_keys s
check 's takes a snapshot, and its end is told' \
	term_shows 'snapshot 1: .* paused for'
check 'AUX lists it' term_shows '  1 .* key .* done '
kill -USR2 "$(term_flag pane_pid)"
check 'SIGUSR2 takes one' term_shows 'snapshot 2: '
check 'which says so' term_shows '  2 .* SIGUSR2 .* done '
term_keys Right Enter
check 'Enter shows all about it' term_shows 'perf script -i FILE'
check 'and how long it took' term_shows \
	'paused .*s, written .*s after the request'
term_keys Escape
term_keys 1 S
check 'S takes one of the ring under the cursor' term_shows 'snapshot 3: '
check 'there are three files' wait_until files 3
check 'nobody else may read them' private
if command -v perf >/dev/null; then
	check 'perf reads them' perf_reads
else
	skip 'perf reads them' 'perf is not installed'
fi
term_keys q

live
term_keys s
check 'without such rings s says what is missing' term_shows 'overwrite'
sleep 1
check 'and writes nothing' files 3
term_keys w
check 'w says where it would record' \
	term_shows "press w again to record [0-9]* ring.* into /"
check 'and does not yet' term_hides ' REC '
term_keys w
check 'w again starts a recording' term_shows ' REC '
sleep 1
term_keys w
check 'and ends it' term_hides ' REC '
check 'in a file' wait_until files 4
if command -v perf >/dev/null; then
	check 'that perf reads' perf_reads
else
	skip 'that perf reads' 'perf is not installed'
fi
term_keys q

live --overwrite --readonly
term_keys s
check 's is refused with --readonly' term_shows 'read-only'
sleep 1
check 'nothing is written' files 4
# the next key removes the error, which another message would not
term_keys Down
kill -USR2 "$(term_flag pane_pid)"
check 'SIGUSR2 is not a key, and takes one' term_shows 'snapshot 1: '
check 'which is there' wait_until files 5
term_keys q
finish
