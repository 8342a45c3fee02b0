# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash
# vm: cpus=4 memory=768 seconds=600
#
# A snapshot has the context switches of its trace, whatever the run had.
. /rig/lib.sh
. /rig/rbtop.sh

# Two processes that wake each other, on CPU 1.
ping_pong() {
	mkfifo $tmp/ping $tmp/pong
	taskset 2 sh -c 'exec 3<>'$tmp/ping' 4<>'$tmp/pong'
		while read -r line <&3; do echo >&4; done' &
	one=$!
	taskset 2 sh -c 'exec 3<>'$tmp/ping' 4<>'$tmp/pong'
		while echo >&3; do read -r line <&4; done' &
	two=$!
}

# switched NUMBER: true if there were that many on CPU 1 by the last tick
switched() {
	[ "$(last_value '.rings[] | select(.cpu == 1) |
		.types.SWITCH_CPU_WIDE')" -ge "$1" ]
}

# Print each switch and each PTWRITE that perf finds: CPU, time and kind.
list_times() {
	perf script -i "$1" --itrace=w --show-switch-events --ns \
		-F cpu,time,event 2>$tmp/script.err |
		sed -n 's/^.*\[0*\([0-9][0-9]*\)\] *\([0-9.]*\):.*\(SWITCH\).*/\1 \2 \3/p
			s/^.*\[0*\([0-9][0-9]*\)\] *\([0-9.]*\):.*ptwrite.*/\1 \2 PTW/p' \
			>$tmp/times
}

# On each CPU, the only switches before the trace are those that show what ran,
# and those of the millisecond before.
few_older() {
	list_times "$1"
	awk '$3 == "PTW" && !($1 in from) { from[$1] = $2 }
	     $3 == "PTW" && $2 < from[$1] { from[$1] = $2 }
	     { cpu[NR] = $1; at[NR] = $2; kind[NR] = $3 }
	     END {
		for (i = 1; i <= NR; i++)
			if (kind[i] == "SWITCH" &&
			    at[i] < from[cpu[i]] - 0.0011)
				older[cpu[i]]++
		for (c in from) {
			print "CPU", c, "from", from[c], "older:", older[c] + 0
			cpus++
			bad += older[c] > 2
		}
		exit bad || cpus != 4
	     }' $tmp/times
}

switches_in_file() {
	grep -c '^1 .*SWITCH' $tmp/times
}

mimic name=intel_pt form=pt rate=1000000
check "rbtop starts" rb_start -e intel_pt// -m 64,64K -a
ping_pong
check "context switches on CPU 1" wait_for switched 3000
check "a snapshot" rb_snapshots 1
check "it knows how far back its trace reaches" soon \
	'.snapshots.last | .reach > 0 and .short_rings == 0'
check "rbtop ends" rb_stop
file=$(snap_files)
check "before the trace there are only the last ones" few_older "$file"
note "$(few_older "$file" | tr '\n' ';')"
check "which is less than there were" \
	[ "$(switches_in_file)" -lt "$(last_value '.rings[] |
		select(.cpu == 1) | .types.SWITCH_CPU_WIDE')" ]
check "but there are some of the trace" [ "$(switches_in_file)" -gt 2 ]
note "$(switches_in_file) of $(last_value '.rings[] | select(.cpu == 1) |
	.types.SWITCH_CPU_WIDE'), $(wc -c <"$file") bytes"
snaps_newest "each packet is intact"
decodes "perf decodes it" "$file"
check "all of it is some task's" sh -c "! perf script -i $file --itrace=w \
	-F tid,event 2>$tmp/script.err | grep -e '-1 '"

check "--switch-events: rbtop starts" rb_start -e intel_pt// -m 64,64K -a \
	--switch-events
check "context switches on CPU 1" wait_for switched 2000
check "a snapshot" rb_snapshots 1
check "rbtop ends" rb_stop
list_times "$(snap_files)"
check "has all there were" [ "$(switches_in_file)" -ge 2000 ]

# An AUX ring that holds all trace, and a history that does not.
mimic name=intel_pt form=pt rate=20000
check "a short history: rbtop starts" rb_start -e intel_pt// -m 16,8M -a \
	--history 64K
check "context switches on CPU 1" wait_for switched 3000
check "a snapshot" rb_snapshots 1
check "the ring is named whose records reach less far" soon \
	'.snapshots.last | .short_rings >= 1'
check "rbtop ends" rb_stop
snaps_newest "each packet is intact"
kill $one $two
finish
