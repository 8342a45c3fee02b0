#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# However rbtop ends, the terminal is restored: keys, signals, crashes; also
# when suspended and resumed.

# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/pty/tmux.bash
. "$(dirname "$0")/tmux.bash"

sim=cpus=2,rate=1000

# ends STATUS COMMAND...: COMMAND ends it, with that exit status.
ends() {
	local want=$1

	shift
	harness --sim "$sim"
	term_shows 'CPU 1' || return
	"$@" || return
	wait_until [ -s "$tmp/status" ] || return
	echo "status $(cat "$tmp/status"), not $want"
	[ "$(cat "$tmp/status")" = "$want" ] && terminal_is_sane
}

send_signal() {
	kill -s "$1" "$(rbtop_pid)"
}

check 'q' ends 0 term_keys q
check 'F10' ends 0 term_keys F10
check 'Ctrl-C' ends 130 term_keys C-c
check 'SIGTERM' ends 143 send_signal TERM
check 'SIGINT' ends 130 send_signal INT
check 'SIGHUP' ends 129 send_signal HUP
check 'SIGQUIT' ends 131 send_signal QUIT
check 'SIGABRT' ends 134 send_signal ABRT
check 'SIGUSR1' ends 138 send_signal USR1
check 'SIGSEGV' ends 139 send_signal SEGV

# Without a key.  It may be over before its screen was seen.
ends_by_itself() {
	harness -n 2 -d 0.5 --sim "$sim"
	wait_until [ -s "$tmp/status" ] || return
	[ "$(cat "$tmp/status")" = 0 ] && terminal_is_sane
}
check '-n 2' ends_by_itself

# A command that prints forever, and one that leaves such a child.
floods() {
	local want=$1

	harness -- sh -c "$2"
	term_shows 'CPU 0' || return
	term_keys 5
	term_shows 'output  *y' && term_shows "$3" || return
	term_keys q
	wait_until [ -s "$tmp/status" ] || return
	[ "$(cat "$tmp/status")" = "$want" ] && terminal_is_sane
}
if "$RBTOP" -b -n 1 -d 0.1 -- true >/dev/null 2>&1; then
	check 'q while the command floods' floods 0 'exec yes' '^TIME'
	check 'the end of one whose child floods' \
		floods 3 'yes & sleep 0.5; exit 3' 'ended, exit status 3'
else
	skip 'commands that flood' 'the kernel allows no events here'
fi

# The terminal is closed.
hang_up() {
	local pid

	term_start 80x24 "$RBTOP" --sim "$sim"
	term_shows 'CPU 1' || return
	pid=$(term_flag pane_pid)
	term_end
	wait_until [ ! -e "/proc/$pid" ]
}
check 'a terminal that is closed ends it' hang_up

# Under a shell with job control.
suspend() {
	term_start 80x24 env PS1='prompt> ' bash --norc --noprofile -i
	term_shows 'prompt>' || return
	term_keys "stty -a >$tmp/modes.before; $RBTOP --sim $sim" Enter
	term_shows 'CPU 1' || return
	term_keys C-z
	term_shows Stopped && [ "$(term_flag alternate_on)" = 0 ] &&
		[ "$(term_flag cursor_flag)" = 1 ] &&
		[ "$(term_flag mouse_any_flag)" = 0 ] &&
		[ "$(term_flag mouse_sgr_flag)" = 0 ]
}
resume() {
	term_keys fg Enter
	term_shows 'CPU 1' && [ "$(term_flag alternate_on)" = 1 ] &&
		[ "$(term_flag mouse_any_flag)" = 1 ] &&
		[ "$(term_flag mouse_sgr_flag)" = 1 ] || return
	term_keys 5
	term_shows '^TIME'
}
# The shell has reported it for the second time.
stopped_again() {
	[ "$(term_screen | grep -c Stopped)" -ge 2 ]
}
resume_resized() {
	term_keys C-z
	wait_until stopped_again || { term_screen; return 1; }
	term_resize 100x30
	term_keys fg Enter
	term_shows '^TIME' && term_shows '^.\{90\}'
}
quit_after_resume() {
	term_keys q
	term_shows 'prompt>' || return
	[ "$(term_flag alternate_on)" = 0 ]
}
check 'Ctrl-Z gives the terminal back' suspend
check 'fg draws again, and keys work' resume
check 'a size changed meanwhile is seen' resume_resized
check 'q afterwards' quit_after_resume

# A terminal without a second screen: the prompt is on a line of its own.
clean_line() {
	term_start 80x24 env PS1='prompt> ' bash --norc --noprofile -i
	term_shows 'prompt>' || return
	term_keys "TERM=vt100 $RBTOP --sim $sim" Enter
	term_shows 'CPU 1' || return
	term_keys q
	term_shows '^prompt> *$'
}
check 'without a second screen, the prompt stands alone' clean_line

# No shell could continue it here, so Ctrl-Z must not stop it.
unstoppable() {
	term_start 80x24 "$RBTOP" --sim "$sim"
	term_shows 'CPU 1' || return
	term_keys C-z
	sleep 0.3
	term_keys 5
	term_shows '^TIME'
}
check 'Ctrl-Z without a shell does nothing' unstoppable

# One line, the exit status, and the terminal unchanged.
refused() {
	local want=$1 text=$2

	shift 2
	"$@" >"$tmp/out" 2>"$tmp/err" </dev/null
	[ $? -eq "$want" ] && [ ! -s "$tmp/out" ] &&
		[ "$(wc -l <"$tmp/err")" = 1 ] && grep -- "$text" "$tmp/err"
}
check 'no terminal: says what to do' refused 1 'use -b' "$RBTOP" --sim "$sim"

on_a_terminal() {
	rm -f "$tmp/line" "$tmp/status"
	term_start 80x24 bash -c "$1 2>$tmp/line; echo \$? >$tmp/status; sleep 9"
	wait_until [ -s "$tmp/status" ] && [ "$(cat "$tmp/status")" = 1 ] &&
		[ "$(wc -l <"$tmp/line")" = 1 ] && grep -- '-b' "$tmp/line"
}
check 'TERM unset' on_a_terminal "env -u TERM '$RBTOP' --sim $sim"
check 'TERM unknown' on_a_terminal "TERM=no-such '$RBTOP' --sim $sim"
check 'TERM=dumb' on_a_terminal "TERM=dumb '$RBTOP' --sim $sim"

finish
