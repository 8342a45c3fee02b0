#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Hot groups tracepoints by their most telling field; its shares are those of
# the samples that --format script lists.

# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/live/live.bash
. "$(dirname "$0")/../live/live.bash"
# shellcheck source=tests/pty/tmux.bash
. "$(dirname "$0")/tmux.bash"

event=raw_syscalls:sys_enter
may -e "$event" || skip_all "$(why)"

# All samples are decoded, so that shares are exact.
all=(--decode 1000000)
copy=(dd if=/dev/zero of=/dev/null bs=1 count=300 status=none)

"$RBTOP" -b -d 30 "${all[@]}" --format script -e "$event" -- "${copy[@]}" \
	>"$tmp/script"
# The number of write(2), of which there are more than of any other but read.
share=$(awk '/: NR / { n[$7]++; all++ }
	END {
		for (i in n)
			if (n[i] == 300)
				printf "%.2f%%", 100 * n[i] / all
	}' "$tmp/script")

term_start 120x50 "$RBTOP" "${all[@]}" -e "$event" -- "${copy[@]}"
term_shows 'ended, exit status 0' >/dev/null
term_keys 3
check 'one event is grouped by its field' \
	term_shows 'by .*\.syscall .*of the run'
check 'the samples that are listed have a share' [ -n "$share" ]
check 'which is that of Hot' term_shows " $share .*write\$"
check 'of which none is left out' term_hides '\[unknown\]'
term_keys b
check 'b has the fields' term_shows "$event.syscall"
term_keys Escape
term_end

term_start 120x50 "$RBTOP" "${all[@]}" -e "$event" -e sched:sched_process_exec \
	-- "${copy[@]}"
term_shows 'ended, exit status 0' >/dev/null
term_keys 3
check 'several by event and field' term_shows "$event .*syscall=write\$"
check 'each by its own' term_shows 'sched_process_exec .*filename=.*dd$'
term_end

term_start 120x50 "$RBTOP" "${all[@]}" -g -e "$event" -- "${copy[@]}"
term_shows 'ended, exit status 0' >/dev/null
term_keys 3
check 'with callchains by symbol' term_shows 'by symbol'
finish
