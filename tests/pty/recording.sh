#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A recording on the screen: it plays, stands still, and goes to losses and to
# times.

# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/pty/tmux.bash
. "$(dirname "$0")/tmux.bash"

export HOME=$tmp
command -v perf >/dev/null || skip_all 'perf is not installed'
# Without perf's own calls, the rings have room for the names of programs.
timeout 60 perf record -m 1 -a -c 1 -e raw_syscalls:sys_enter --exclude-perf \
	-o "$tmp/storm" -- \
	sh -c 'dd if=/dev/zero of=/dev/null bs=1 count=100000; sleep 0.5' \
	>"$tmp/perf" 2>&1 ||
	skip_all "$(tail -n 1 "$tmp/perf")"

plays() {
	harness -d 0.2 -i "$tmp/storm"
	term_shows 'recording: storm, ' && term_shows '^ *CPU 0 ' &&
		term_shows ' END ' || return
	term_keys '^'
	term_shows '00:00:00.000' || return
	term_keys ')' ')'
	term_shows 'PAUSED' && term_shows '00:00:00.400'
}

to_losses() {
	if "$RBTOP" -i "$tmp/storm" --summary --fail-on lost >/dev/null 2>&1
	then
		term_keys '}'
		term_shows 'nothing was lost'
		return
	fi
	term_keys '^' '}' 5
	term_shows 'lost  *CPU [0-9]* lost [0-9,]* record'
}

# Of a column, by its character, in the third row, as TERM=screen sends it.
click() {
	term_keys -l "$(printf '\033[M %s#\033[M#%s#' "$1" "$1")"
}

# Clicks on the times at the ends of the time line, and in column 40.
time_line() {
	local length

	term_shows '^0s▕.*▏[0-9.]*m*s *$' || return
	click '!'
	term_shows '00:00:00\.000' || return
	click H
	term_shows '^0s▕.\{35,38\}┃' && term_shows PAUSED || return
	click p
	term_shows ' END ' || return
	length=$(term_screen | sed -n '1s/.*:\([0-9.]*\) *$/\1/p')
	term_keys @
	term_shows 'time (now 00:00:' || return
	term_keys 0 : 0 0 . 2 5 Enter
	term_shows '00:00:00\.250' && term_shows PAUSED || return
	term_keys @ 9 9 : 0 0 Enter
	term_shows "00:00:$length" && term_shows ' END '
}

samples() {
	term_keys '^' ')' 2
	term_shows ' dd  .* write(1, ' || return
	term_keys 3
	term_shows 'syscall' && term_shows '^ *[0-9.]* .* write'
}

no_fill() {
	term_keys 1 Enter
	term_shows 'a recording does not say how full'
}

# The stacks have all samples, by their periods.
stacks() {
	local want got

	term_start 80x24 env -C "$tmp" "$RBTOP" -d 0.2 -i "$tmp/chains"
	term_shows ' END ' || return
	term_keys 3
	term_shows ' read_zero ' || return
	term_keys t F
	term_shows '\.svg written' || return
	want=$(perf script -i "$tmp/chains" -F period 2>/dev/null |
		awk '{ sum += $1 } END { print sum }')
	got=$(awk '{ sum += $NF } END { print sum }' "$tmp"/rbtop-*.folded)
	term_keys q
	echo "$got of $want"
	[ "$got" -eq "$want" ]
}

quits() {
	term_keys q
	wait_until [ -s "$tmp/status" ] || return
	[ "$(cat "$tmp/status")" = 0 ] && terminal_is_sane
}

check 'it plays to the end, and from the start in steps' plays
check 'to the losses' to_losses
check 'clicks on the time line, and a typed time' time_line
check 'the samples up to there' samples
check 'what is not known' no_fill
check 'q' quits
if timeout 60 perf record -q -g -F 999 -e cpu-clock -o "$tmp/chains" -- \
	dd if=/dev/zero of=/dev/null bs=64k count=50000 >"$tmp/perf" 2>&1; then
	check 'folded stacks of all samples' stacks
fi

finish
