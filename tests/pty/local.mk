# SPDX-License-Identifier: GPL-2.0-or-later

# On a terminal, under tmux.
pty_tests = \
	%D%/ending.sh \
	%D%/host.sh \
	%D%/realtime.sh \
	%D%/screen.sh \
	%D%/snapshot.sh \
	%D%/stuck.sh

EXTRA_DIST += $(pty_tests) %D%/tmux.bash
