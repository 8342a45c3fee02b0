#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# rbtop without shared libraries, where there are none: alone in a root
# directory, with only /proc and /sys.

. "$(dirname "$0")/lib.sh"

built=${builddir:-$top/build}
makefile=$built/Makefile

# variable NAME: of the makefile
variable() {
	sed -n "s/^$1 = //p" "$makefile"
}

command -v make >/dev/null || skip_all 'no make'
[ -e "$makefile" ] || skip_all "no $makefile"
! grep -q '^RBTOP_LDFLAGS = .*-fsanitize' "$makefile" ||
	skip_all 'the sanitizers are shared libraries'

cc=$(variable CC)
echo 'int main(void) { return 0; }' >"$tmp/empty.c"
lacks=
for library in -lc $(variable STATIC_LIBS) $(variable IBERTY_LIBS); do
	# shellcheck disable=SC2086 # a command with arguments
	$cc -static-pie -o "$tmp/empty" "$tmp/empty.c" "$library" \
		>/dev/null 2>&1 || lacks="$lacks $library"
done
[ -z "$lacks" ] || skip_all "not static:$lacks"

linked() {
	env -u MAKEFLAGS -u MAKELEVEL make -s -C "$built" rbtop-static
}
check 'make rbtop-static' linked
program=$built/rbtop-static

no_libraries() {
	ldd "$program" 2>&1 | grep -E 'statically linked|not a dynamic exec' &&
		! readelf -dl "$program" | grep -E 'NEEDED|INTERP'
}
if command -v ldd >/dev/null && command -v readelf >/dev/null; then
	check 'it needs no shared libraries' no_libraries
else
	skip 'it needs no shared libraries' 'no ldd or readelf'
fi
same_version() {
	diff <("$RBTOP" -V | grep -v '^  [a-z]') \
		<("$program" -V | grep -v '^  [a-z]')
}
check 'it can what rbtop can' same_version

if ! unshare -m true 2>/dev/null || [ "$(id -u)" -ne 0 ]; then
	skip 'alone in a root directory' 'not root, or no unshare'
	finish
fi

mkdir "$tmp/root" "$tmp/root/proc" "$tmp/root/sys"
cp "$program" "$tmp/root/rbtop"

# alone ARGS...: rbtop ARGS in that directory
alone() {
	# shellcheck disable=SC2016 # for the other shell
	timeout --foreground 60 unshare -m sh -ec 'root=$1; shift
		mount --bind /proc "$root/proc"
		mount --rbind /sys "$root/sys"
		exec chroot "$root" /rbtop "$@"' sh "$tmp/root" "$@"
}

# says PATTERN ARGS...: rbtop ARGS succeeds there, and a line is PATTERN
says() {
	local pattern=$1

	shift
	alone "$@" >"$tmp/out" 2>&1 && grep -e "$pattern" "$tmp/out" ||
		{ cat "$tmp/out"; false; }
}

# Of a machine without rings it may say that it saw none (4).
host() {
	local status=0

	alone --host -b -n 2 >"$tmp/out" 2>&1 || status=$?
	{ [ "$status" -eq 0 ] || [ "$status" -eq 4 ]; } &&
		[ "$(grep -c '^every ring of the machine' "$tmp/out")" -eq 2 ] ||
		{ cat "$tmp/out"; false; }
}

# That it does not start here (1) is what it is asked for.
doctor() {
	alone --doctor >"$tmp/out" 2>&1
	[ $? -le 1 ] && grep '^kernel  *ok' "$tmp/out" &&
		grep '^libraries ' "$tmp/out" || { cat "$tmp/out"; false; }
}

check '-h' says '^Usage: rbtop' -h
check '--host' host
check '--sim' says '^total .*M ' --sim cpus=2,rate=50000,reader=slow -b -n 2
check '--doctor' doctor

# Users are those of its /etc/passwd, whatever nsswitch.conf says.
passwd() {
	mkdir -p "$tmp/root/etc" &&
		echo 'someone:x:4242:4242::/:/none' >"$tmp/root/etc/passwd" &&
		echo 'passwd: nothing' >"$tmp/root/etc/nsswitch.conf" || return
	alone -u nobody -b -n 1 >"$tmp/out" 2>&1
	grep "no such user" "$tmp/out" || return
	alone -u someone -b -n 1 >"$tmp/out" 2>&1
	! grep "no such user" "$tmp/out"
}
check 'names of users' passwd

# screen WORDS: what is drawn on a terminal, or printed, has these words
screen() {
	local words=$1

	export -f alone
	export tmp
	SHELL=$BASH timeout 60 script -qec 'stty rows 24 cols 80
		TERM=xterm-256color alone --sim cpus=2 -n 2' /dev/null \
		>"$tmp/out" 2>&1 </dev/null
	grep -qa -e "$words" "$tmp/out" || { cat -v "$tmp/out"; false; }
}
described() (
	TERMINFO=$(infocmp -0qQ2 xterm-256color)
	export TERMINFO
	screen 'simulated: 2 CPUs'
)
if command -v script >/dev/null && infocmp -0qQ2 xterm-256color >/dev/null 2>&1
then
	check 'a terminal that nothing describes there' \
		screen 'terminfo has no screen of that type'
	check 'the description in TERMINFO' described
else
	skip 'its screen' 'no script, or no infocmp'
fi

finish
