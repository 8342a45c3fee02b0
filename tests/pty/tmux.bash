# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# A terminal to run rbtop in, sourced by the tests here after lib.sh:
#
#	term_start COLSxROWS COMMAND...	run it in a new terminal, with no
#					configuration file
#	term_resize COLSxROWS
#	term_keys KEY...		type keys, as tmux names them
#	term_screen			print the screen
#	term_shows PATTERN		wait until it is on the screen
#	term_hides PATTERN		wait until it is not
#	term_flag NAME			a format of tmux: alternate_on, ...
#	term_end			close it
#	wait_until COMMAND...		wait until COMMAND succeeds; false after
#					a minute
#	press_every_key [KEY...]	press all keys, except those that quit
#					or suspend, on the screen that the KEYs
#					open
#	rbtop_pid			print the pid of the rbtop in it
#
# harness: a command for term_start that runs rbtop in a shell which, unlike an
# interactive one, does not reset the terminal's modes: they are as rbtop left
# them.  They go to $tmp/modes.{before,after}, the exit status to $tmp/status.

command -v tmux >/dev/null || skip_all 'tmux is not installed'

terminals=0
export XDG_CONFIG_HOME=$tmp/config
unset TMUX

# The message of a failed command stays on the screen.
cat >"$tmp/tmux.conf" <<'END'
set -g remain-on-exit on
set -g default-terminal screen
END

term_tmux() {
	tmux -L "rbtop-test-$$-$terminals" -f "$tmp/tmux.conf" "$@" 2>>"$tmp/tmux.err"
}

term_end() {
	term_tmux kill-server || true
}
trap 'status=$?; term_end; (exit "$status"); tap_exit' EXIT

term_start() {
	local size=$1

	shift
	term_end
	# a server that is still ending would get the next session
	terminals=$((terminals + 1))
	rm -rf "$XDG_CONFIG_HOME"
	term_tmux new-session -d -x "${size%x*}" -y "${size#*x}" "$@"
}

term_resize() {
	term_tmux resize-window -x "${1%x*}" -y "${1#*x}"
}

term_keys() {
	term_tmux send-keys "$@"
}

term_screen() {
	term_tmux capture-pane -p
}

wait_until() {
	local end=$((SECONDS + 60))

	until "$@"; do
		[ "$SECONDS" -lt "$end" ] || return
		sleep 0.05
	done
}

screen_has() {
	term_screen | grep -q -e "$1"
}

# False, too, if there is no screen.
screen_lacks() {
	term_screen >"$tmp/screen" && ! grep -q -e "$1" "$tmp/screen"
}

term_shows() {
	wait_until screen_has "$1" || {
		echo "not on the screen: $1"
		term_screen
		false
	}
}

term_hides() {
	wait_until screen_lacks "$1" || {
		echo "on the screen: $1"
		term_screen
		false
	}
}

term_flag() {
	term_tmux display-message -p "#{$1}"
}

press_every_key() {
	local key

	for key in a b c d e f g h i j k l m n o r s t u v w x y z A B C D E F G \
		H I J K L M N O P R S T U V W X Y Z 0 1 2 3 4 5 6 7 8 9 \
		'!' '"' '#' '$' '%' '&' "'" '(' ')' '*' + ',' - . / : '<' '=' \
		'>' '?' @ '[' ']' ^ _ '`' '{' '|' '}' '~' '\' ' ' \
		C-a C-b C-e C-f C-g C-k C-l C-n C-o C-p C-r C-t C-u C-w C-x \
		Enter Tab BTab BSpace Up Down Left Right Home End PPage NPage \
		IC DC F1 F2 F3 F4 F5 F6 F7 F8 F9 F11 F12; do
		# close what the key opened, for the next one
		# shellcheck disable=SC2086
		term_keys -- $1 "$key" Escape
		sleep 0.03
		term_keys Escape
		sleep 0.03
	done
}

rbtop_pid() {
	local pane

	pane=$(term_flag pane_pid)
	pgrep -P "$pane" -x rbtop
}

cat >"$tmp/harness" <<'END'
stty -a >"$tmp/modes.before"
"$RBTOP" "$@"
echo $? >"$tmp/status"
stty -a >"$tmp/modes.after"
echo harness done
exec sleep 1000
END
harness() {
	rm -f "$tmp/status" "$tmp/modes.after"
	term_start 80x24 env tmp="$tmp" RBTOP="$RBTOP" bash "$tmp/harness" "$@"
}

# What has to be restored: modes, cursor, the previous screen, no mouse.
terminal_is_sane() {
	wait_until [ -s "$tmp/modes.after" ] &&
		diff "$tmp/modes.before" "$tmp/modes.after" &&
		term_shows 'harness done' &&
		[ "$(term_flag alternate_on)" = 0 ] &&
		[ "$(term_flag cursor_flag)" = 1 ] &&
		[ "$(term_flag mouse_any_flag)" = 0 ] &&
		[ "$(term_flag mouse_sgr_flag)" = 0 ]
}
