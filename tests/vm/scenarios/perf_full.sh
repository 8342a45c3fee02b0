# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash
# vm: cpus=4 memory=512 seconds=300
#
# perf's full trace: the figures of the file and of the module agree.
. /rig/lib.sh

# The sum of the AUX records is the head, on each CPU.
aux_adds_up() {
	grep '^aux ' $tmp/trace
	grep '^aux ' $tmp/trace | tr '=' ' ' | awk '
		{ for (i = 2; i < NF; i += 2) v[$i] = $(i + 1)
		  if (v["bytes"] != v["end"] || v["bytes"] == 0) bad = 1 }
		END { exit bad || NR == 0 }'
}

check "the module loads" mimic name=intel_pt form=pt rate=1000000
check "perf record -a runs" perf record -q -B -o all.data -e intel_pt// \
	-m,256K -a -- sleep 1
intact "each packet is intact" --gaps all.data
check "AUX records add up to the head" aux_adds_up
check "all packets are in the file" \
	[ "$(sum packets)" -eq "$(streams packets)" ]
check "the gaps are what the module dropped" gaps_are_drops
note "$(tail -n 1 $tmp/trace); module: $(streams packets)"

check "the module loads" mimic name=intel_pt form=pt rate=1000000
check "perf record --per-thread runs" perf record -q -B -o thread.data \
	-e intel_pt//u -m,256K --per-thread -- spin 1 1
intact "each packet is intact" --gaps thread.data
check "the thread's gaps are what the module dropped" gaps_are_drops
decodes "perf decodes them" thread.data
note "$(tail -n 1 $tmp/trace)"

check "the module loads" mimic name=intel_pt form=pt rate=50000000
check "perf record -a runs at 50 MB/s on each CPU" \
	perf record -q -B -o fast.data -e intel_pt// -m,4M -a -- sleep 1
intact "each packet is intact" --gaps fast.data
note "$(tail -n 1 $tmp/trace); dropped $(streams dropped)," \
	"bytes $(streams bytes), late_ns $(figure cpu late_ns | paste -sd' ')"
finish
