#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Run a test for automake's TAP driver: a shell script, a cmocka program, or a
# file with a group of tests of the program "run" of its folder.
#
# The output goes through a file, so that a process left by a test cannot block
# the driver.  Two things are corrected: cmocka writes a skipped test as "not ok
# 3 # SKIP name"; and an exit status that only means that a case failed would be
# counted as another failure.

# A test that hangs is ended after 900 seconds, or $TAP_SECONDS; it has a minute
# to restore what it changed.

# Tracepoints need tracefs, which may not be mounted in a container or a new
# virtual machine.
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
