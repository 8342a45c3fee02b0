#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Realtime readers that use too much CPU time drop their priority, so that keys
# are answered; a rate that high has to be confirmed.

# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/live/live.bash
. "$(dirname "$0")/../live/live.bash"
# shellcheck source=tests/pty/tmux.bash
. "$(dirname "$0")/tmux.bash"

may -a -e cpu-clock || skip_all "$(why)"
chrt -f 1 true 2>/dev/null || skip_all "no real-time scheduling is allowed here"

limit=$(cat /proc/sys/kernel/perf_event_max_sample_rate)

# classes PID: the scheduling class of each of its readers
classes() {
	ps -L -o comm=,cls= -p "$1" | awk '$1 == "rbtop-reader" { print $2 }' |
		sort -u | tr '\n' ' '
}

# A wakeup for each sample of busy CPUs, at the highest rate that needs no
# confirmation: the worst case for a reader.
short=$((1000000000 / limit))
[ "$short" -lt 20000 ] && short=20000
loads=()
for _ in $(online_cpus); do
	timeout 250 bash -c 'while :; do :; done' &
	loads+=($!)
done
term_start 80x24 "$RBTOP" -a -e cpu-clock -c 1000000 --wakeup-events 1
check 'it starts' term_shows 'CPU 0'
rbtop=$(term_flag pane_pid)
check 'readers are realtime' [ "$(classes "$rbtop")" = "FF " ]
term_keys f c10 Enter
check 'a period over the limit is asked about' \
	term_shows "perf_event_max_sample_rate, $limit per"
term_keys Escape
check 'and Esc leaves it' term_hides 'Enter again'
term_keys f "c$short" Enter
check 'readers that take too much are no longer realtime' \
	term_shows 'over 30% of a CPU: not realtime'
check 'which is so' [ "$(classes "$rbtop")" != "FF " ]
term_keys 5
check 'a key is answered' term_shows '^TIME'
check 'the log has it' term_shows 'over 30% of a CPU'
term_keys q
term_hides 'TIME' >/dev/null
kill "${loads[@]}"
wait

# If interrupts may use up the CPU, whatever the readers do, this is shown all
# the time.  A sleeping task has none.
term_start 80x24 "$RBTOP" -e cpu-clock -c 1000000 -- sleep 250
check 'it starts' term_shows 'CPU 0'
term_keys f c10 Enter
check 'a period over the limit is asked about' \
	term_shows "perf_event_max_sample_rate, $limit per"
term_keys Enter
check 'confirmed, the screen says what it may do' \
	term_shows 'a sample every 10 ns exceeds .*interrupts may fill the CPUs'
term_keys f c1000000 Enter
check 'until there is another period' term_hides 'interrupts may fill'
term_keys q
term_hides 'CPU 0' >/dev/null

# On the command line it is on purpose: a notice, and it starts.
# shellcheck disable=SC2016
check 'over the limit on the command line is said' \
	bash -c '"$0" -b -n 1 -d 0.2 -C 0 -e cpu-clock -c 10 |
		 grep "a sample every 10 ns exceeds"' "$RBTOP"

finish
