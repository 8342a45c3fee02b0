# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash
# vm: cpus=4 memory=1024 seconds=2000
#
# Full trace keeps what perf record keeps: the same trace, in turns, in the same
# boot.  On an emulator with one core, a CPU may wait for tenths of a second
# while threads run on the others, of which rbtop has more, and a busy host
# makes it worse: the turns of one program differ by more than half.  So the
# best turns are compared, and rbtop's may be up to MARGIN percent below perf's;
# otherwise both have more turns, up to MOST.  The notes have all turns.
. /rig/lib.sh

MARGIN=50
TURNS=3
MOST=8
SECONDS_EACH=2

by_perf() {
	perf record -q -B -o $tmp/turn.data -e intel_pt// -m "64,$1" -a \
		-- sleep $SECONDS_EACH
}

by_rbtop() {
	rbtop -b -d 1 -o $tmp/turn.data -e intel_pt// --full-trace \
		-m "64,$1" -a -- sleep $SECONDS_EACH >$tmp/turn.out
}

# add PROGRAM: add the figures of the module and of the file of a turn
add() {
	intact "$1, $rate bytes/s, $size: each packet is intact" --gaps \
		$tmp/turn.data
	check "$1, $rate bytes/s, $size: all packets are in the file" \
		[ "$(sum packets)" -eq "$(streams packets)" ]
	echo "$(streams packets) $(streams dropped) $(streams truncated)" \
		>>$tmp/"$1"
}

turn() {
	rm -f $tmp/turn.data
	mimic name=intel_pt form=pt rate="$rate"
	check "$1, $rate bytes/s, $size: it runs" by_"$1" "$size"
	add "$1"
}

# column PROGRAM N: the sum of column N over all turns
column() {
	awk -v n="$2" '{ sum += $n } END { printf "%.0f\n", sum }' $tmp/"$1"
}

# best PROGRAM: packets of the turn with most
best() {
	sort -n $tmp/"$1" | tail -n 1 | cut -d' ' -f 1
}

# Compare the packets kept, and those that the module dropped.
keeps_as_much() {
	echo "perf $(best perf), rbtop $(best rbtop)"
	[ "$(best rbtop)" -ge $(($(best perf) * (100 - MARGIN) / 100)) ]
}

drops_no_more() {
	local most

	most=$(($(column perf 2) + $(column perf 1) * MARGIN / 100))
	echo "perf $(column perf 2), rbtop $(column rbtop 2)"
	[ "$(column rbtop 2)" -le $most ]
}

# compare RATE SIZE [CONDITION]
compare() {
	rate=$1
	size=$2
	rm -f $tmp/perf $tmp/rbtop
	for n in $(seq $MOST); do
		turn perf
		turn rbtop
		[ "$n" -lt $TURNS ] || ! { keeps_as_much && drops_no_more &&
			${3:-true}; } >/dev/null || break
	done
	check "$rate bytes/s, $size: as many packets as with perf" \
		keeps_as_much
	check "$rate bytes/s, $size: no more dropped than with perf" \
		drops_no_more
	for program in perf rbtop; do
		note "$program, $rate bytes/s, $size (packets, dropped," \
			"truncations): $(paste -sd, $tmp/$program)"
	done
}

# A ring holds a quarter of a second: a start that does something else first
# would let all rings fill up, in every turn.
begins_at_once() {
	sort -n -k 3 $tmp/rbtop | head -n 1 | grep ' 0$' ||
		[ "$(column perf 3)" -gt 0 ]
}

compare 1000000 256K begins_at_once
check "1000000 bytes/s, 256K: no ring runs full at the start" begins_at_once
compare 8000000 256K
compare 8000000 4M
compare 16000000 4M

mimic name=intel_pt form=pt rate=1000000
SECONDS_EACH=0.3
rm -f $tmp/turn.data
check "CPUs: rbtop runs" by_rbtop 256K
intact "CPUs: each packet is intact" $tmp/turn.data
decodes "CPUs: perf decodes them" $tmp/turn.data
rm -f $tmp/turn.data
check "a thread: rbtop runs" rbtop -b -d 1 -o $tmp/turn.data --per-thread \
	--full-trace -e intel_pt//u -m 64,256K -- spin 1 1
intact "a thread: each packet is intact" $tmp/turn.data
decodes "a thread: perf decodes them" $tmp/turn.data
finish
