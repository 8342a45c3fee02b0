#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The times of samples, of the Log and of the header are those that date(1)
# prints, and with C those of --format script.

# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/live/live.bash
. "$(dirname "$0")/../live/live.bash"
# shellcheck source=tests/pty/tmux.bash
. "$(dirname "$0")/tmux.bash"

event=sched:sched_process_exec
may -e "$event" || skip_all "$(why)"

# It is about noon there: no day ends while this runs.
TZ=HERE$(($(date -u +%-H) - 12))
export TZ tmp
midnight=$(date -d 'today 00:00' +%s)

# Each date is executed after the first time of its line, and before the second.
cat >"$tmp/work" <<'END'
for i in 1 2 3 4 5 6 7 8; do
	bash -c 'printf "%s %s " "$$" "$EPOCHREALTIME"; exec date +%s.%N'
done >"$tmp/dates"
echo all done
exec sleep 1000
END

# The kernel's time of an exec by now, as --format script prints it.
kernel_time() {
	"$RBTOP" -b -d 30 --format script -e "$event" -- true |
		sed -n 's/.*\] *\([0-9.]*\): .*/\1/p'
}

start=$(kernel_time)
term_start 120x50 env TZ="$TZ" tmp="$tmp" "$RBTOP" -e "$event" -- \
	bash "$tmp/work"
term_keys 5
check 'the Log has the line of the program' term_shows 'all done'
term_screen >"$tmp/log"
term_keys 2
check 'Samples has the last exec' term_shows 'filename=[^ ]*sleep'
term_screen >"$tmp/wall"
term_keys C
check 'C switches to seconds' term_shows '^ *[0-9]*\.[0-9]\{6\} .*sleep'
check 'in the header too' term_shows '[0-9]\.[0-9]\{3\}s$'
term_screen >"$tmp/kernel"
term_keys 5
check 'and in the Log' term_shows '^[0-9]*\.[0-9]\{3\} .*all done'
end=$(kernel_time)

# Lines "TID TIME" of the execs of date(1) on a screen.
execs() {
	awk '/ date .*filename=/ { print $3, $1 }' "$1"
}

# Seconds of HH:MM:SS.
of_day='function of_day(t,  p) {
	split(t, p, ":")
	return p[1] * 3600 + p[2] * 60 + p[3]
}'

within_date() {
	execs "$tmp/wall" | awk -v midnight="$midnight" "$of_day"'
		FNR == NR { before[$1] = $2; after[$1] = $3; next }
		{
			at = of_day($2)
			from = before[$1] - midnight
			to = after[$1] - midnight
			print $1, from, at, to
			# a double of seconds since 1970 has 0.24 us
			if (at < from - 2e-6 || at > to + 2e-6)
				wrong++
			n++
		}
		END { exit !(n == 8 && !wrong) }' CONVFMT=%.6f OFMT=%.6f \
		"$tmp/dates" -
}
check 'samples have the time of date(1)' within_date

log_is_later() {
	local last

	last=$(awk 'END { print $3 }' "$tmp/dates")
	awk -v last="$last" -v midnight="$midnight" "$of_day"'
		/all done/ {
			print last - midnight, of_day($1)
			# milliseconds, truncated
			ok = of_day($1) > last - midnight - .001
		}
		/^rbtop/ { head = of_day($NF) }
		/all done/ { ok = ok && of_day($1) < head + 1 }
		END { exit !ok }' "$tmp/log"
}
check 'the line in the Log came after it, and before the tick' log_is_later

as_in_script() {
	execs "$tmp/kernel" | awk -v start="$start" -v end="$end" '
		{ print start, $2, end; n += start < $2 && $2 < end }
		END { exit n != 8 }' OFMT=%.6f
}
check 'times of the kernel are those of --format script' as_in_script

one_difference() {
	paste <(execs "$tmp/wall") <(execs "$tmp/kernel") | awk "$of_day"'
		{
			ahead = of_day($2) - $4
			print ahead
			if (!n++)
				first = ahead
			off += ahead - first > 2e-6 || first - ahead > 2e-6
		}
		END { exit !(n == 8 && !off) }' OFMT=%.6f
}
check 'both clocks advance alike' one_difference

finish
