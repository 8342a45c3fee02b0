#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# pictures.sh DIRECTORY: README's and screens.txt's pictures of rbtop, made
# under tmux from a simulated kernel: DIRECTORY/NAME.svg in colour, at 100
# columns, and DIRECTORY/NAME.txt, at 80.  That of Host is of perf and bpftrace:
# it is left out without BPF, or a perf that records system calls.
#
# pictures.sh --into DIRECTORY FILE...: put the NAME.txt from there into FILEs:
# each picture with the command below it, which begins with "rbtop - " and ends
# before the line that names doc/NAME.svg.
#
# With RBTOP=/path/of/rbtop.  "make pictures" does both.

here=$(cd "$(dirname "$0")" && pwd)

into() {
	local from=$1 file

	shift
	for file; do
		awk -v from="$from" '
			# the picture in the file at path; if there is none, old
			function out(path, old, line, text) {
				while ((getline line <path) > 0)
					text = text line "\n"
				close(path)
				printf "%s", text ? text : old
			}
			/^rbtop - / { inside = 1; old = "" }
			inside && match($0, /doc\/[a-z]*\.svg/) {
				name = substr($0, RSTART + 4, RLENGTH - 8)
				out(from "/" name ".txt", old)
				inside = 0
			}
			inside { old = old $0 "\n" }
			!inside
		' "$file" >"$file.new" && cat "$file.new" >"$file" || return
		rm -f "$file.new"
	done
}

if [ "${1:-}" = --into ]; then
	shift
	into "$@"
	exit
fi
[ $# = 1 ] || { echo "usage: ${0##*/} DIRECTORY" >&2; exit 2; }
out=$(cd "$1" && pwd) || exit
: "${RBTOP:?says which rbtop}"
export LC_ALL=C.UTF-8
unset TMUX NO_COLOR
tmp=$(mktemp -d "${TMPDIR:-/tmp}/rbtop-pictures.XXXXXX") || exit
trap 'terminal kill-server 2>/dev/null; rm -rf "$tmp"' EXIT

terminal() {
	tmux -L "rbtop-pictures-$$" -f "$tmp/tmux.conf" "$@"
}
cat >"$tmp/tmux.conf" <<'TMUX'
set -g remain-on-exit on
set -g default-terminal screen-256color
TMUX

# shows PATTERN: wait until it is on the screen
shows() {
	local end=$((SECONDS + 60))

	until terminal capture-pane -p | grep -q -e "$1"; do
		if [ "$SECONDS" -ge "$end" ]; then
			echo "not on the screen: $1" >&2
			terminal capture-pane -p >&2
			return 1
		fi
		sleep 0.1
	done
}

# begin COMMAND...: in a new terminal, until rbtop has drawn
begin() {
	terminal kill-server 2>/dev/null
	while terminal list-sessions >/dev/null 2>&1; do
		sleep 0.1
	done
	terminal new-session -d -x 100 -y 24 env XDG_CONFIG_HOME="$tmp" \
		TZ=UTC "$@" && shows 'q Quit'
}

# watch SPEC SCREEN PATTERN: rbtop on the simulated kernel, frozen when PATTERN
# is on the screen of key SCREEN
watch() {
	command="$ rbtop --sim $1"
	begin "$RBTOP" --sim "$1" && terminal send-keys "$2" && shows "$3" &&
		terminal send-keys p && shows FROZEN
}

# What the Host screen is made of, in a pid namespace, where there are no other
# perf rings and from which nothing is left: bursts of system calls of a program
# called copy, which are too much for the first perf.
ln -s "$(command -v dd)" "$tmp/copy"
cat >"$tmp/scene" <<'SCENE'
perf record -C 0 -m 1 -e raw_syscalls:sys_enter -c 1 \
	--filter 'comm == "copy"' -o /dev/null &
perf record -C 0 -m 64 -e cpu-clock -F 99 -o /dev/null &
! command -v bpftrace || bpftrace -e '
	tracepoint:raw_syscalls:sys_enter /comm == "copy" && rand % 64 == 0/ {
		printf("%d\n", args->id)
	}' &
while sleep 0.2; do
	taskset -c 0 "${1%/*}/copy" if=/dev/zero of=/dev/null bs=1 count=2000
done &
SCENE

in_namespace() {
	unshare --pid --fork --mount-proc --kill-child "$@"
}

in_no_namespace='there are BPF ring buffers, which are in no namespace'

# Why there can be no picture of them; false if there can.
no_host() {
	local metrics

	metrics=$("$RBTOP" --host -n 1 --format prometheus 2>/dev/null)
	if ! in_namespace true 2>/dev/null; then
		echo 'no pid namespace can be made: needs root'
	elif ! grep -q '^rbtop_host_bpf 1' <<<"$metrics"; then
		echo 'no BPF'
	elif grep -q 'kind="bpf"' <<<"$metrics"; then
		echo "$in_no_namespace"
	elif ! perf record -a -e raw_syscalls:sys_enter -o /dev/null true \
		>/dev/null 2>&1; then
		echo 'no perf that records system calls'
	else
		return 1
	fi
}

# leave_out WHY: of what there can be no picture
leave_out() {
	echo "without the picture of Host: $1" >&2
	exit 0
}

# host: the Host screen of them, frozen some time after it says what is wrong;
# again if that tick has no losses
host() {
	local end=$((SECONDS + 120))

	command='# rbtop --host'
	export -f in_namespace
	while [ "$SECONDS" -lt "$end" ]; do
		# shellcheck disable=SC2016 # for the other shells
		begin bash -c 'in_namespace bash -c '\''
			. "$1" >/dev/null 2>&1
			"$2" --host'\'' bash "$@"' bash "$tmp/scene" "$RBTOP" || return
		! command -v bpftrace >/dev/null || shows ' bpftrace ' || return
		shows '^ too small 1, perf ([0-9]*) needs .*-m' && sleep 12 &&
			terminal send-keys p && shows FROZEN || return
		screen=$(terminal capture-pane -p)
		[[ $screen != *+\?* ]] || leave_out "$in_no_namespace"
		[[ $screen != *'too small 1, perf '*' losing'* ]] || return 0
	done
	echo "$screen" >&2
	return 1
}

# shape COLUMNS ROWS: the terminal has that size, and rbtop has drawn there
shape() {
	local end=$((SECONDS + 60)) before=

	terminal resize-window -x "$1" -y "$2"
	screen=
	until [ -n "$screen" ] && [ "$screen" = "$before" ] &&
		grep -q "^.\{$(($1 - 6))\}q Quit\$" <<<"$screen"; do
		[ "$SECONDS" -lt "$end" ] || return
		sleep 0.2
		before=$screen
		screen=$(terminal capture-pane -p)
	done
}

# Without ftrace's buffers, which somebody may have left: they are in no
# namespace.
no_ftrace() {
	sed '/CPU [0-9].* ftrace /d'
}

# picture NAME TITLE ROWS: of what is on the screen
picture() {
	local name=$1 title=$2 rows=$3

	shape 80 "$rows" || return
	{
		no_ftrace <<<"$screen" | sed 's/ *$//' | cat -s
		printf '\n    %s\n' "$command"
	} >"$out/$name.txt"
	shape 100 "$rows" || return
	terminal capture-pane -p -e | no_ftrace | "$here/ansi_svg.py" 100 \
		"$title: ${command#? }" >"$out/$name.svg"
}

# When tens of thousands are lost all is in full swing.
watch cpus=6,rate=1000,skew=32,reader=slow 1 'lost !\([3-9][0-9]\.\|[1-9][0-9][0-9]k\)' &&
	picture rings 'Rings, three of which lose records' 15 &&
	terminal send-keys Enter && shows '› Ring' &&
	picture ring 'A ring that loses records' 25 &&
	watch cpus=4,events=1,chain=12 3 '±0\.[0-9]* k schedule' &&
	picture hot 'The functions that fill the rings' 16 &&
	terminal send-keys v && shows '› Flame' &&
	picture flame 'The same as a flame view' 16 || exit
! why=$(no_host) || leave_out "$why"
host && picture host 'The rings of other programs' 16
