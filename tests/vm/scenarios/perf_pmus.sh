# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash
# vm: cpus=4 memory=512 seconds=300
#
# The other hardware that the module imitates, as far as perf supports it here.
. /rig/lib.sh

devices=/sys/bus/event_source/devices

has() {
	[ "$(cat "$devices/$1")" = "$2" ] || {
		echo "$1: $(cat "$devices/$1")"
		return 1
	}
}

mimic name=cs_etm form=raw free_running=1
check "cs_etm has sinks" has cs_etm/sinks/tmc_etr0 0x12345678
check "cs_etm has formats" has cs_etm/format/sinkid config2:0-31
check "cs_etm has its trace units" has cs_etm/cpu3/trcidr/trcidr2 0x488
check "and their management" has cs_etm/cpu0/mgmt/trcauthstatus 0xcc
mimic name=arm_spe_0 form=raw addr_filters=0
check "arm_spe_0 has capabilities" has arm_spe_0/caps/min_interval 1024
check "cs_etm is gone" [ ! -e $devices/cs_etm ]
mimic name=intel_pt addr_filters=2
check "address filters are possible" has intel_pt/nr_addr_filters 2
cp /rig/bin/spin $tmp/app
check "perf sets one" perf record -q -B -o filter.data -e intel_pt//u \
	--filter "filter 0x1000/0x2000@$tmp/app" -m,64K -- $tmp/app 1 1
check "the module is told" grep -q '^filter filter 0x.* 0x2000 ' /proc/mimic

mimic name=intel_pt form=pt72 rate=10000000
check "packets that divide no page" perf record -q -B -o pt72.data \
	-e intel_pt// -m,256K -a -- sleep 0.5
intact "each is intact" --gaps pt72.data
mimic name=intel_bts form=bts contiguous=1 rate=10000000
check "branch records" perf record -q -B -o bts.data -e intel_bts//u \
	-m,256K --per-thread -- spin 1 1
intact "each is intact" --gaps bts.data
note "$(tail -n 1 $tmp/trace); dropped $(streams dropped)"
finish
