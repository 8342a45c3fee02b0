#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Run a test, for automake's TAP driver: a shell script, a cmocka program, or a
# file that is a group of tests of the program "run" of its folder.
#
# What it prints goes through a file, so that nothing a test left running can
# hold the driver up.  Two things are put right: cmocka writes a skipped test
# as "not ok 3 # SKIP name"; and a status that only says that some case failed
# would be counted as one failure more.

# A test that hangs is ended after 900 seconds, or $TAP_SECONDS; it has a minute
# to put right what it changed.

# Tracepoints stand in tracefs; a container or a fresh virtual machine may not
# have it mounted.
if [ "$(id -u)" -eq 0 ] && [ ! -e /sys/kernel/tracing/events ]; then
	mount -t tracefs tracefs /sys/kernel/tracing 2>/dev/null || true
fi

case $1 in
*.sh) set -- bash "$@" ;;
*.c)
	group=${1##*/test_}
	folder=tests/${1##*tests/}
	set -- "$builddir/${folder%/*}/run" "${group%.c}"
	;;
esac

out=$(mktemp) || exit 99
CMOCKA_MESSAGE_OUTPUT=TAP timeout -k 60 \
	"${TAP_SECONDS:-900}" "$@" >"$out" </dev/null
status=$?
sed -i 's/^not ok \([0-9]*\) # SKIP \(.*\)$/ok \1 - \2 # SKIP/' "$out"
cat "$out"
[ "$status" -ge 99 ] || ! grep -q '^not ok' "$out" || status=0
rm -f "$out"
exit "$status"
