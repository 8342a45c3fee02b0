# SPDX-License-Identifier: GPL-2.0-or-later

# Tests on a terminal, with tmux.
pty_tests = \
	%D%/clock.sh \
	%D%/ending.sh \
	%D%/host.sh \
	%D%/hot_fields.sh \
	%D%/matrix.sh \
	%D%/keys.sh \
	%D%/pictures.sh \
	%D%/realtime.sh \
	%D%/recording.sh \
	%D%/screen.sh \
	%D%/snapshot.sh \
	%D%/stuck.sh \
	%D%/syscalls.sh

EXTRA_DIST += $(pty_tests) %D%/tmux.bash
