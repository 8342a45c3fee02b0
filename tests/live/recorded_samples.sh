#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The samples of recordings: those of perf script, and counted as perf report
# counts them.
. "$(dirname "$0")/../lib.sh"

command -v jq >/dev/null || skip_all 'jq is not installed'
command -v perf >/dev/null || skip_all 'perf is not installed'
export HOME=$tmp TRACEEVENT_PLUGIN_DIR=/nonexistent

# recorded NAME PERF_ARG...
recorded() {
	timeout 60 perf record -q -o "$tmp/$1" "${@:2}" >"$tmp/perf" 2>&1
}

# Whatever else runs on the machine may be gone with its files when its samples
# are listed.  So these have names of their own, and only their samples and those
# of the idle task are compared, without the BPF programs of others.
for of in bash dd ls; do
	ln -s "$(type -P $of)" "$tmp/own-$of"
done
work() {
	own-dd if=/dev/zero of=/dev/null bs=64k count=30000
	for i in 1 2 3 4 5; do own-ls -l /proc /usr/share &>/dev/null; done || :
}
export -f work
export PATH=$tmp:$PATH

# mine FILE: with their callchains
# Compiled BPF programs are left out, functions of the kernel named alike not.
mine() {
	awk -v hex5='[0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f]' '
		/^[^\t]/ { own = /^ ?(own-(bash|dd|ls)|perf-exec|swapper) / }
		own && $0 !~ "bpf_(prog_" hex5 "|trampoline_[0-9]|dispatcher_)"
	' "$1" >"$1.mine"
	[ "$(wc -l <"$1.mine")" -gt 20 ] && mv "$1.mine" "$1"
}

# beside COMMAND...: with a process that has been there before
beside() {
	local pid status=0

	own-dd if=/dev/zero of=/dev/null bs=64k 2>/dev/null &
	pid=$!
	"$@" || status=$?
	kill "$pid"
	wait "$pid" 2>/dev/null
	return $status
}

# listed NAME RBTOP_ARG...: what rbtop prints, with single blanks
listed() {
	timeout 100 "$RBTOP" -b -i "$tmp/$1" --format script "${@:2}" \
		2>"$tmp/err" | tr -s ' ' >"$tmp/ours" || return
	cat "$tmp/err"
	[ ! -s "$tmp/err" ] && mine "$tmp/ours"
}

# perf_lists NAME ARG...
perf_lists() {
	perf script -i "$tmp/$1" "${@:2}" 2>"$tmp/err" | tr -s ' ' \
		>"$tmp/theirs"
	mine "$tmp/theirs"
}

# Functions of a procedure linkage table have more names in rbtop; and perf
# prints what is too late for its order when it comes.  $2: sed's, for both
same_lines() {
	listed "$1" && perf_lists "$1" || return
	for of in ours theirs; do
		sed "s/ [^ ]*@plt/ @plt/; ${2:-}" "$tmp/$of" |
			LC_ALL=C sort >"$tmp/$of.lines"
	done
	diff "$tmp/theirs.lines" "$tmp/ours.lines"
}

# The first line of each sample, and how many functions its callchain has.
same_chains() {
	perf_lists "$1" -F comm,tid,cpu,time,period,event,ip,sym || return
	listed "$1" || return
	for of in ours theirs; do
		awk '/^[^\t ]/ { sub(/ *$/, ""); head = $0; nr = 0; next }
			/^[\t ]/ { nr++; next }
			head { print head, nr; head = "" }' "$tmp/$of" \
			>"$tmp/$of.heads"
	done
	[ -s "$tmp/theirs.heads" ] || return
	diff <(LC_ALL=C sort "$tmp/theirs.heads") \
		<(LC_ALL=C sort "$tmp/ours.heads")
}

# piped NAME: from a pipe and from a file of standard input
piped() {
	local args=(-b -i - --format script)

	listed "$1" && mv "$tmp/ours" "$tmp/whole" &&
		cat "$tmp/$1" | "$RBTOP" "${args[@]}" | tr -s ' ' >"$tmp/ours" &&
		mine "$tmp/ours" && diff "$tmp/whole" "$tmp/ours" &&
		"$RBTOP" "${args[@]}" <"$tmp/$1" | tr -s ' ' >"$tmp/ours" &&
		mine "$tmp/ours" && diff "$tmp/whole" "$tmp/ours"
}

# All but the samples is shown, and it fails.
nowhere() {
	local status=0

	cat "$tmp/$1" | TMPDIR=/nonexistent "$RBTOP" -b --hot 5 -i - \
		>"$tmp/out" 2>"$tmp/err" || status=$?
	cat "$tmp/err"
	[ $status -eq 1 ] && grep -q '^total' "$tmp/out" &&
		grep -q 'could not be copied .*limit 1024 MiB' "$tmp/err"
}

# Its samples, by their first lines
in_order() {
	listed "$1" && awk '/^[^\t ]/' "$tmp/ours" | sed 's/^ *//' |
		grep -o ' [0-9]*\.[0-9]*: ' | sort -c -n
}

# The ticks of a listing make the whole of it.
in_ticks() {
	listed "$1" -d 1000 && mv "$tmp/ours" "$tmp/whole" &&
		listed "$1" -d 0.05 && diff "$tmp/whole" "$tmp/ours"
}

# hot NAME: "COMM FILE FUNCTION SAMPLES"
hot() {
	timeout 100 "$RBTOP" -b -d 1000 -n 1 -i "$tmp/$1" --hot 100000 \
		--format json >"$tmp/json" || return
	jq -r '.hot[] | [.comm, (.dso | split("/") | last), .symbol,
		.samples] | @tsv' "$tmp/json" >"$tmp/hot"
}

report() {
	perf report -i "$tmp/$1" --no-children -g none --stdio -t '|' \
		-F sample,comm,dso,sym 2>/dev/null |
		sed -nE 's/ *\| */|/g; s/^ *([0-9]+\|)/\1/; s/ +$//; /^[0-9]/p' |
		awk -F'|' -v OFS='\t' '{
			sub(/^\[.\] /, "", $4); print $2, $3, $4, $1 }' \
		>"$tmp/report"
	[ -s "$tmp/report" ]
}

# What has no symbol is named by its place, by perf by its address.
by_function() {
	awk -F'\t' -v OFS='\t' '
		$1 !~ /^(own-(bash|dd|ls)|perf-ex.*|swapper)$/ ||
			$3 ~ /^bpf_(prog|trampoline|dispatcher)_/ { next }
		$3 ~ /^(fn@|page@|0x|\[unknown\])/ { $3 = "-" }
		{ sub(/^perf-ex.*/, "perf-ex", $1)	# perf cuts it
		sub(/.*@plt/, "@plt", $3); sum[$1 OFS $2 OFS $3] += $4 }
		END { for (key in sum) print key, sum[key] }' "$1" | sort
}

same_counts() {
	hot "$1" && report "$1" || return
	by_function "$tmp/hot" >"$tmp/ours"
	by_function "$tmp/report" >"$tmp/theirs"
	grep -q '^own-' "$tmp/theirs" || return
	wc -l "$tmp/theirs"
	diff "$tmp/theirs" "$tmp/ours"
}

kernel_names() {
	awk -F'\t' '$2 == "[kernel.kallsyms]" && $3 != "[unknown]"' "$tmp/hot" |
		grep -c .
}

no_kernel_names() {
	hot "$1" || return
	grep -c kernel.kallsyms "$tmp/hot" && ! kernel_names
}

# The folded stacks of a tracepoint that samples each call, by number of frames:
# perf names some functions by another of their names.
same_stacks() {
	timeout 100 "$RBTOP" -i "$tmp/$1" --flame "$tmp/folded" "${@:2}" \
		>"$tmp/out" 2>&1
	[ ! -s "$tmp/out" ] && perf_lists "$1" -F comm,ip,sym "${@:2}" || return
	sed 's/.* //' "$tmp/folded" | awk '{ sum += $1 } END { print sum }'
	awk '{ count = $NF; sub(/ [0-9]*$/, "")
		sum[split($0, frames, ";") - 1] += count }
		END { for (nr in sum) print nr, sum[nr] }' "$tmp/folded" |
		sort >"$tmp/ours.stacks"
	awk 'function add() { if (comm) sum[nr]++; comm = nr = 0 }
		!NF { add(); next }
		!comm { comm = 1; nr = 0; next }
		{ nr++ }
		END { add(); for (nr in sum) print nr, sum[nr] }' \
		"$tmp/theirs" | sort >"$tmp/theirs.stacks"
	diff "$tmp/theirs.stacks" "$tmp/ours.stacks"
}

# The middle of the times of the recording $1, for --time.
middle() {
	perf script -i "$tmp/$1" -F time 2>/dev/null | tr -d ' :' |
		awk '{ time[NR] = $1 }
			END { print time[int(NR / 3)] "," time[int(NR / 2)] }'
}

if ! beside recorded all -F 4999 -a -g -e cpu-clock -- own-bash -c work; then
	skip 'recordings of perf' "$(tail -n 1 "$tmp/perf")"
	finish
fi
check 'system-wide, with callchains: the samples of perf script' \
	same_chains all
check 'system-wide: counts as perf report has them' same_counts all
check 'system-wide: in ticks' in_ticks all
if recorded task -F 4999 -e cpu-clock -- own-bash -c work; then
	check 'a command: the lines of perf script' same_lines task
	check 'a command: counts as perf report has them' same_counts task
else
	skip 'a command' "$(tail -n 1 "$tmp/perf")"
fi
if recorded calls -e raw_syscalls:sys_enter -- own-bash -c work; then
	check 'a tracepoint: the lines of perf script' same_lines calls
	check 'a tracepoint: counts as perf report has them' same_counts calls
else
	skip 'a tracepoint' "$(tail -n 1 "$tmp/perf")"
fi
if recorded stacks -g -c 1 -e raw_syscalls:sys_enter -- own-bash -c work; then
	check '--flame: the stacks of perf script' same_stacks stacks
	check '--flame: of a span' same_stacks stacks --time "$(middle stacks)"
	check '--flame: of a part' same_stacks stacks --time 30%-50%
else
	skip '--flame' "$(tail -n 1 "$tmp/perf")"
fi
if beside recorded both -a -e cpu-clock -e raw_syscalls:sys_enter -- \
	own-bash -c work; then
	check 'two events: the lines of perf script' same_lines both
else
	skip 'two events' "$(tail -n 1 "$tmp/perf")"
fi
if recorded dir --threads=cpu -a -e raw_syscalls:sys_enter -- \
	own-bash -c work; then
	check 'a directory: the lines of perf script' same_lines dir
	check 'a directory: in the order of time' in_order dir
	check 'a directory: its ticks make the whole' in_ticks dir
else
	skip 'a directory' "$(tail -n 1 "$tmp/perf")"
fi
if recorded none -B -N -F 4999 -a -e cpu-clock -- own-bash -c work; then
	check 'without build-ids, the kernel may be another' no_kernel_names none
else
	skip 'without build-ids' "$(tail -n 1 "$tmp/perf")"
fi
if timeout 60 perf record -q -o - -a -e cpu-clock -- \
	own-bash -c 'work >/dev/null' >"$tmp/pipe" 2>"$tmp/perf"; then
	# without build-ids, so without names in the kernel
	check 'a file from a pipe' same_lines pipe \
		's/\( ffff[0-9a-f]\{12\}\) .*/\1/'
	check 'the same from a pipe: listed alike' piped pipe
	check 'the same from a pipe: without a place for its copy' \
		nowhere pipe
else
	skip 'a file from a pipe' "$(tail -n 1 "$tmp/perf")"
fi

finish
