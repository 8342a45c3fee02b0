# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash
# vm: cpus=4 memory=768 seconds=900
#
# Other processes' rings, seen by rbtop --host: every state with a warning,
# changes of a ring, BPF maps, and the permissions needed.
. /rig/lib.sh
. /rig/host.sh

check "rbtop --host starts" host_start
check "it asks the kernel" host '.host.bpf and .host.reason == null'
check "nobody has a ring" host '.rings == []'

owner_start
check "an owner of two rings" tell 'open 0 8' 'open 1 1 watermark=512' \
	'on 0' 'on 1' 'fault 20' 'off 0' 'read 0'
check "one holds what its owner says" host_soon \
	"of(\"host_owner\") | any(.[]; .size == 32768 and
	.watermark == 16384 and .head == $(told 2) and .tail == 0 and
	.used == $(told 2) and (.events | length == 1) and
	.events[0].id == $(told 6) and .events[0].count == $(told 4))"
check "the other has its own watermark" host 'of("host_owner") |
	any(.[]; .size == 4096 and .watermark == 512)'
check "more than fits" tell 'fault 200' 'off 1' 'read 1'
check "what was lost is pending" host_soon "of(\"host_owner\") | any(.[];
	.size == 4096 and .lost == $(told 5) and .lost_reported == 0 and
	.lost_pending == $(told 5) and .lost_pending > 0 and
	warned(\"pending\"))"
check "a drain, and one record more" tell 'drain 1' 'on 1' 'fault 1' 'off 1' \
	'read 1'
check "now the owner was told" host_soon "of(\"host_owner\") |
	any(.[]; .size == 4096 and .lost == $(told 5) and
	.lost_reported == .lost and .lost_pending == 0 and
	(warned(\"pending\") | not))"
check "a ring is paused" tell 'pause 0 1'
check "it is told" host_soon \
	'of("host_owner") | any(.[]; .size == 32768 and warned("paused"))'
check "it goes on" tell 'pause 0 0'
check "it is not told any more" host_soon \
	'of("host_owner") | all(.[]; warned("paused") | not)'
id=$(host_value 'of("host_owner") | .[] | select(.size == 32768) | .ring')
check "it is mapped with another size" tell 'remap 0 16'
check "the row is the same" host_soon "of(\"host_owner\") | any(.[];
	.ring == $id and .size == 65536 and .remapped == 1)"
check "the other event is redirected" tell 'move 1 0'
check "it stands in that row" host_soon "of(\"host_owner\") |
	length == 1 and .[0].ring == $id and (.[0].events | length == 2)"
check "both descriptors are closed" tell 'close 0' 'close 1'
check "the mapping is still seen" host_soon "of(\"host_owner\") | any(.[];
	.ring == $id and .mapped and .size == 65536)"
check "a hundred that come, change and go" tell 'churn 100 2'
check "the owner ends" owner_end
check "its rows go" host_soon 'of("host_owner") == []'

rate=$(cat /proc/sys/kernel/perf_event_max_sample_rate)
echo 1000 >/proc/sys/kernel/perf_event_max_sample_rate
record -e cpu-clock -c 50000 -a
check "an event that is throttled" host_soon \
	'of("perf") | any(.[]; warned("throttled"))'
check "perf ends" record_end
echo "$rate" >/proc/sys/kernel/perf_event_max_sample_rate

record -e sched:sched_switch -m 1 -a
kill -STOP $perf
check "an owner that is stopped: no size would do" host_soon \
	'of("perf") | any(.[]; .advice | tostring | test("owner is stopped"))'
check "perf ends" record_end

mount -t bpf bpf /sys/fs/bpf
maps=/sys/fs/bpf
check "a BPF ring buffer" bpftool map create $maps/ringbuf type ringbuf \
	key 0 value 0 entries 65536 name rig_ringbuf
check "it is there, though nobody holds it" host_soon '.rings | any(.[];
	.kind == "bpf" and .map == "rig_ringbuf" and .size == 65536 and
	.head == 0 and .tail == 0 and .owner == null)'
check "a map for events" bpftool map create $maps/pipe \
	type perf_event_array key 4 value 4 entries 4 name rig_pipe
bpftool map event_pipe pinned $maps/pipe >/dev/null 2>&1 &
pipe=$!
check "its rings, and its name" host_soon 'of("bpftool") | length == 4 and
	all(.[]; .map == "rig_pipe" and (.event | test("^bpf-output")))'
kill $pipe
rm $maps/ringbuf $maps/pipe
check "rbtop --host ends" host_stop

# as_nobody COMMAND...: only to be run in the background
as_nobody() {
	exec su nobody -s /bin/sh -c "exec $*"
}

# allowed CAPABILITIES
allowed() {
	cp /rig/bin/rbtop $tmp/rbtop &&
		{ [ -z "$1" ] || setcap "$1=ep" $tmp/rbtop; }
}

echo nobody:x:65534:65534:nobody:/tmp:/bin/sh >>/etc/passwd
chmod 755 $tmp
rbtop=$tmp/rbtop
tracing=/sys/kernel/tracing
echo 'p:rig/probe do_nanosleep' >$tracing/kprobe_events
record -e cpu-clock -e sched:sched_switch -e syscalls:sys_enter_read \
	-e rig:probe -a
check "with cap_bpf,cap_perfmon" allowed cap_bpf,cap_perfmon
check "nobody may look" host_start as_nobody
check "and sees root's rings" host_soon '.host.bpf and
	(of("perf") | length == 4 and all(.[]; .uid == 0 and .size > 0 and
	.head != null))'
check "whose tracepoints have names, though tracefs is root's alone" \
	host '[of("perf")[].events[].name] as $names | ["rig:probe",
	"sched:sched_switch", "syscalls:sys_enter_read"] - $names == []'
check "tracefs is" su nobody -s /bin/sh -c "! ls $tracing"
check "it ends" host_stop
for caps in '' cap_bpf cap_perfmon; do
	check "with ${caps:-no capability}" allowed "$caps"
	check "nobody may look at /proc alone" host_start as_nobody
	check "and is told what it takes" host '(.host.bpf | not) and
		(.host.reason | test("cap_bpf,cap_perfmon=ep"))'
	note "$(host_value .host.reason)"
	note "$(host_value .host.error)"
	check "it ends" host_stop
done
check "perf ends" sh -c "kill -INT $perf"
wait $perf
finish
