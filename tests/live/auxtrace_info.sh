#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# perf reads AUXTRACE_INFO made from sysfs, and prints the values: for a fixed
# example of each kind and, if recordings are beside the checkout, the same as
# for these.

. "$(dirname "$0")/../lib.sh"

program=${builddir:-$top/build}/tests/live/write_auxtrace_info
[ -x "$program" ] || skip_all 'tests/live/write_auxtrace_info is not built'
command -v perf >/dev/null || skip_all 'perf is not installed'
case $(perf --version) in
'perf version '[1-5].*) skip_all 'perf prints all of it from 6.0 on' ;;
esac

# show PATH TEXT: make a file of the tree.
show() {
	mkdir -p "$tmp/sys/$(dirname "$1")"
	echo "$2" >"$tmp/sys/$1"
}

# What perf prints of AUXTRACE_INFO, one value per line, without indentation.
info_of() {
	perf script -D -i "$1" 2>"$tmp/err" | tr -d '\000' |
		awk '/PERF_RECORD_AUXTRACE_INFO/ { on = 1; print $NF; next }
		     on && /^[ \t]+[A-Z]/ { $1 = $1; print; next }
		     on { exit }'
}

# write MODE SYSFS PMU CONFIG [MINOR]
write() {
	"$program" "$1" "$2" "$3" "$4" "$tmp/perf.data" ${5:+"$5"} &&
		info_of "$tmp/perf.data" >"$tmp/got"
}

# Whether this perf is 6.MINOR or newer.
perf_is() {
	local version

	version=$(perf --version)
	version=${version#perf version }
	[ "${version%%.*}" -gt 6 ] && return
	version=${version#6.}
	[ "${version%%[!0-9]*}" -ge "$1" ]
}

# Check that the lines of standard input were printed.
printed() {
	cat >"$tmp/wanted"
	diff -u "$tmp/wanted" "$tmp/got"
}

show cpu/online 0-1

show intel_pt/type 8
show intel_pt/format/pt config:0
show intel_pt/format/cyc config:1
show intel_pt/format/mtc config:9
show intel_pt/format/tsc config:10
show intel_pt/format/noretcomp config:11
show intel_pt/format/branch config:13
show intel_pt/format/mtc_period config:14-17
show intel_pt/max_nonturbo_ratio 12

intel_pt() {
	write cpus "$tmp/sys" intel_pt 0 || return 1
	grep -v '^TSC:CTC' "$tmp/got" >"$tmp/most"
	mv "$tmp/most" "$tmp/got"
	printed <<'END'
1
PMU Type 8
Time Shift 31
Time Muliplier 1789569706
Time Zero 18446744041015200657
Cap Time Zero 1
TSC bit 0x400
NoRETComp bit 0x800
Have sched_switch 3
Snapshot mode 1
Per-cpu maps 1
MTC bit 0x200
MTC freq bits 0x3c000
CYC bit 0x2
Max non-turbo ratio 12
Filter string len. 0
Filter string
Cap Event Trace 0
END
}
check 'perf prints the values of Intel PT' intel_pt

show intel_bts/type 7

intel_bts() {
	write threads "$tmp/sys" intel_bts 0 || return 1
	printed <<'END'
2
PMU Type 7
Time Shift 31
Time Muliplier 1789569706
Time Zero 18446744041015200657
Cap Time Zero 1
Snapshot mode 1
END
}
check 'perf prints the values of Intel BTS' intel_bts

show arm_spe_0/type 9
show arm_spe_0/cpumask 0-1

arm_spe() {
	write cpus "$tmp/sys" arm_spe_0 0 || return 1
	printed <<'END'
4
PMU Type 9
END
}
check 'perf prints the values of Arm SPE' arm_spe

arm_spe_cpus() {
	write cpus "$tmp/sys" arm_spe_0 0 13 || return 1
	grep -q '^Magic' "$tmp/got" && grep -qi '^MIDR' "$tmp/got" &&
		grep -q '^PMU Type 9' "$tmp/got"
}
if perf_is 13; then
	check 'perf 6.13 prints those of each CPU' arm_spe_cpus
else
	skip 'perf 6.13 prints those of each CPU' 'this perf is older'
fi

# An ETMv4 on CPU 0, an ETE on CPU 1.
show cs_etm/type 8
show cs_etm/cpu0/trcidr/trcidr0 0x28000ea1
show cs_etm/cpu0/trcidr/trcidr1 0x4100f422
show cs_etm/cpu0/trcidr/trcidr2 0x20001088
show cs_etm/cpu0/trcidr/trcidr8 0x0
show cs_etm/cpu0/mgmt/trcauthstatus 0x8c
show cs_etm/cpu1/trcidr/trcidr0 0x288006a1
show cs_etm/cpu1/trcidr/trcidr1 0x4100fff0
show cs_etm/cpu1/trcidr/trcidr2 0xc0001088
show cs_etm/cpu1/trcidr/trcidr8 0x0
show cs_etm/cpu1/mgmt/trcauthstatus 0xcc
show cs_etm/cpu1/mgmt/trcdevarch 0x47715a13

cs_etm() {
	write threads "$tmp/sys" cs_etm 0x8000 || return 1
	printed <<'END'
3
Header version 1
PMU type/num cpus 800000002
Snapshot 1
Magic number 4040404040404040
CPU 0
NR_TRC_PARAMS 7
TRCCONFIGR 8080
TRCTRACEIDR 10
TRCIDR0 28000ea1
TRCIDR1 4100f422
TRCIDR2 20001088
TRCIDR8 0
TRCAUTHSTATUS 8c
Magic number 5050505050505050
CPU 1
NR_TRC_PARAMS 8
TRCCONFIGR 8080
TRCTRACEIDR 12
TRCIDR0 288006a1
TRCIDR1 4100fff0
TRCIDR2 c0001088
TRCIDR8 0
TRCAUTHSTATUS cc
TRCDEVARCH 47715a13
END
}
check 'perf prints the values of CoreSight' cs_etm

# For Linux 6.3 and newer.  perf 6.3 and newer name the word TS_SOURCE; 6.1
# prints it as one of an ETE or as unknown, and does not use it for decoding.
cs_etm_ts_source() {
	cp "$tmp/got" "$tmp/before"
	show cs_etm/cpu0/ts_source 1
	show cs_etm/cpu1/ts_source -1
	write threads "$tmp/sys" cs_etm 0x8000 || return 1
	[ "$(wc -l <"$tmp/got")" -eq $(($(wc -l <"$tmp/before") + 2)) ] &&
		grep -v -e TS_SOURCE -e Unknown -e 'TRCDEVARCH 1$' "$tmp/got" |
		sed '/^NR_TRC_PARAMS/d' >"$tmp/got.cmp" &&
		sed '/^NR_TRC_PARAMS/d' "$tmp/before" |
		diff -u - "$tmp/got.cmp"
}
check 'perf takes a word more of each CPU' cs_etm_ts_source

cs_etm_version_2() {
	write threads "$tmp/sys" cs_etm 0x8000 4 || return 1
	grep -q '^Header version 2' "$tmp/got" &&
		grep -q '^TRCTRACEIDR 80000010' "$tmp/got"
}
if perf_is 4; then
	check 'perf 6.4 takes version 2' cs_etm_version_2
else
	skip 'perf 6.4 takes version 2' 'this perf is older'
fi
rm "$tmp"/sys/cs_etm/cpu?/ts_source

# Make the sysfs of the machine of a recording, from perf's output.
tree_of() {
	local name value cpu last=0

	rm -rf "$tmp/recorded"
	mkdir -p "$tmp/recorded/cs_etm" "$tmp/recorded/cpu"
	while read -r name value; do
		local dir=$tmp/recorded/cs_etm/cpu$cpu

		case $name in
		CPU)
			cpu=$((16#$value))
			last=$cpu
			mkdir -p "$tmp/recorded/cs_etm/cpu$cpu/"{trcidr,mgmt}
			;;
		TRCIDR*) echo "0x$value" >"$dir/trcidr/${name,,}" ;;
		TRCAUTHSTATUS | TRCDEVARCH)
			echo "0x$value" >"$dir/mgmt/${name,,}"
			;;
		esac
	done
	echo "0-$last" >"$tmp/recorded/cpu/online"
}

# attr.config of the event of a type.
config_of() {
	perf evlist -v -i "$1" 2>/dev/null |
		sed -n "s/.*[ :]type: $2, .* config: \([0-9a-fx]*\),.*/\1/p" |
		head -n 1
}

# Version 0 has no count of parameters; perf 6.1 writes version 1.
recorded() {
	local type config

	info_of "$1" >"$tmp/info"
	tree_of <"$tmp/info"
	type=$(awk '/^PMU type/ { print substr($4, 1, length($4) - 8) }' \
		"$tmp/info")
	type=$((16#$type))
	echo "$type" >"$tmp/recorded/cs_etm/type"
	config=$(config_of "$1" "$type")
	[ -n "$config" ] || return 1
	write threads-full "$tmp/recorded" cs_etm "$config" || return 1
	for file in "$tmp/info" "$tmp/got"; do
		grep -v -e '^Header version' -e '^NR_TRC_PARAMS' "$file" \
			>"$file.cmp"
	done
	[ "$(wc -l <"$tmp/got.cmp")" -gt 20 ] || return 1
	diff -u "$tmp/info.cmp" "$tmp/got.cmp"
}

fixtures=$top/../shared/fixtures/GrapheneOS+platform_system_extras
for name in perf.data perf_etm.data perf_kernel.data \
	perf_with_unformatted_trace.data; do
	if [ -r "$fixtures/$name" ]; then
		check "perf prints the same of $name" recorded \
			"$fixtures/$name"
	else
		skip "perf prints the same of $name" \
			'the recordings are not beside the checkout'
	fi
done

finish
