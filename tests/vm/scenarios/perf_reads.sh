# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash
# vm: cpus=4 memory=512 seconds=600
#
# perf reads rbtop's snapshots as it reads its own.
. /rig/lib.sh
. /rig/rbtop.sh

# AUXTRACE records as printed by perf, in the format of check_trace.
spans_of_perf() {
	perf script -D -i "$1" 2>/dev/null |
		sed -n 's/.*PERF_RECORD_AUXTRACE size: //p' |
		while read -r size _ offset _ _ _ idx _ tid _ cpu _; do
			echo "idx=$idx cpu=$cpu tid=$tid" \
				"offset=$((offset)) size=$((size))"
		done
}

same_spans() {
	spans_of_perf "$1" >$tmp/of_perf
	check_trace "$1" | sed -n 's/^span \(.*\) stream=.*/\1/p' >$tmp/of_check
	[ -s $tmp/of_check ] && diff $tmp/of_check $tmp/of_perf
}

# What a decoder uses, except for the times, which differ.
info_of() {
	perf script -D -i "$1" 2>/dev/null |
		sed -n '/PERF_RECORD_AUXTRACE_INFO/,/^$/p' |
		grep '^  ' | grep -vE 'Time (Shift|Multiplier|Zero)'
}

attr_of() {
	perf evlist -v -i "$1" 2>/dev/null | grep '^intel_pt' | tr ',' '\n' |
		grep -E 'type|config|sample_type|sample_id_all|aux'
}

perf_snapshot() {
	rm -f ctl ack
	mkfifo ctl ack
	exec 8<>ctl 9<>ack
	perf record -q -B -o perf.data --control=fifo:ctl,ack \
		-e intel_pt// -e cpu-clock -S0x10000 -m,64K -a 2>perf.err &
	perf=$!
	echo enable >&8
	read -r -t 200 answer <&9
	sleep 0.5
	kill -USR2 $perf
	# the answer comes after the snapshot
	echo ping >&8
	read -r -t 200 answer <&9
	kill -INT $perf
	wait $perf
	exec 8>&- 9>&-
	[ -s perf.data ]
}

mimic name=intel_pt form=pt rate=1000000
check "rbtop starts, with samples beside the trace" \
	rb_start -e intel_pt// -e cpu-clock -m 64,64K -a
check "it takes a snapshot" rb_snapshots 1
check "it ends" rb_stop
snaps_newest "each packet is intact"
file=$(snap_files)

check "perf sees the same AUXTRACE records" same_spans "$file"
decodes "perf decodes each packet" "$file"
check "perf report shows the samples" sh -c \
	"perf report -i $file --stdio --itrace=w 2>/dev/null | grep -q '%'"
check "perf script shows the samples" sh -c \
	"perf script -i $file -F comm,event 2>/dev/null | grep -q cpu-clock"
check "perf finds no error in it" sh -c \
	"! perf script -i $file --itrace=we 2>&1 | grep -iE 'trace error|warning:'"

check "perf takes one of its own" perf_snapshot
info_of perf.data >perf.info
info_of "$file" >rbtop.info
check "there is an AUXTRACE_INFO" [ -s perf.info ]
check "rbtop's says the same" diff perf.info rbtop.info
attr_of perf.data >perf.attr
attr_of "$file" >rbtop.attr
check "the event is the same" diff perf.attr rbtop.attr
finish
