# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash
# vm: cpus=4 memory=768 seconds=900
#
# What owners lose between the last poll and their end: rbtop is stopped
# meanwhile, so that no poll sees it.
. /rig/lib.sh
. /rig/host.sh

# ended COMM PID FILTER: true for the gone rows of that owner, in time
ended() {
	host_soon "[.rings[] | select(.owner.comm == \"$1\" and .gone)] |
		map(select(.owner.pid == $2)) | $3"
}

# Lose more, not polled; $lost: so far, by the owner's own count.
unseen() {
	kill -STOP $watch
	tell 'on 0' 'fault 300' 'off 0' 'read 0' >/dev/null
	lost=$(told 5)
}

# the owner ends, and then rbtop goes on
end_unseen() {
	had=$owner
	owner_end
	kill -CONT $watch
}

sum=0
check "rbtop --host starts" host_start
for way in "" "close 0"; do
	check "an owner" owner_start
	check "loses ${way:+behind a mapping}" tell 'open 0 1' 'on 0' \
		'fault 200' 'off 0' 'read 0'
	check "and a poll sees that" host_soon \
		"of(\"host_owner\") | length == 1 and .[0].lost == $(told 5)"
	seen=$(told 5)
	unseen
	[ -z "$way" ] || tell "$way" >/dev/null
	end_unseen
	note "lost $seen, then $lost"
	check "it loses more" [ "$lost" -gt "$seen" ]
	sum=$((sum + lost))
	check "which its row has, all of it pending" ended host_owner $had \
		"length == 1 and .[0].lost == $lost and
		(.[0].at_least | not) and .[0].lost_pending + .[0].lost_reported == $lost"
	check "and the total, exactly" host \
		".total.lost == $sum and .total.at_least == false"
done

# Two events of one ring, which end at different times
check "an owner of two events" owner_start
check "which share a ring" tell 'open 0 1' 'open 1 0' 'move 1 0' 'on 0' 'on 1' \
	'fault 200' 'off 0' 'off 1'
check "both are seen" host_soon \
	'of("host_owner") | length == 1 and (.[0].events | length == 2)'
kill -STOP $watch
check "one loses more" tell 'on 1' 'fault 100' 'off 1' 'read 1'
lost=$(told 5)
check "and ends" tell 'close 1'
kill -CONT $watch
check "it is no longer listed" host_soon \
	'of("host_owner") | length == 1 and (.[0].events | length == 1)'
other=$lost
unseen
end_unseen
lost=$((lost + other))
sum=$((sum + lost))
check "the row has what both lost" ended host_owner $had \
	"length == 1 and .[0].lost == $lost"
check "and so has the total" host ".total.lost == $sum and
	.total.at_least == false"

# perf stores in its file what the kernel has counted.
perf_lost() {
	perf report -D -i $tmp/perf.data 2>/dev/null |
		awk 'sub(/.*lost samples :/, "") { n += $1 } END { print n + 0 }'
}

for options in "-m 1 -c 200000" "-m 2 -c 100000" "-m 1 -c 100000 -g"; do
	# shellcheck disable=SC2086 # words
	check "perf record $options" record -e cpu-clock -a $options
	kill -STOP $watch
	kill -STOP $perf
	sleep 2
	kill -INT $perf
	kill -CONT $perf
	wait $perf
	kill -CONT $watch
	lost=$(perf_lost)
	check "its rings go" host_soon 'of("perf") == []'
	sum=$((sum + lost))
	note "perf counts $lost, rbtop $(host_value ".rings | map(select(
		.owner.pid == $perf) | .lost) | add")"
	check "perf loses" [ "$lost" -gt 0 ]
	check "all that it counts is counted" ended perf $perf \
		"(map(.lost) | add) == $lost"
	check "and is in the total" host ".total.lost == $sum and
		.total.at_least == false"
done
check "rbtop ends" host_stop
check "and its program" [ "$(bpftool -j prog |
	jq '[.[] | select(.name == "rbtop_ends")] | length')" -eq 0 ]
finish
