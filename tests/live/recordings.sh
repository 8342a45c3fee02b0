#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# -i FILE --summary, and -i FILE -b: over recordings that other projects publish with their
# tests, against what an independent counter found in them (../shared/fixtures
# beside the checkout); and over new ones of perf's, against perf report.
. "$(dirname "$0")/../lib.sh"

command -v jq >/dev/null || skip_all "jq is not installed"
fixtures=$top/../shared/fixtures

# summary FILE: JSON to $tmp/json, the error to $tmp/err
summary() {
	timeout 100 "$RBTOP" -i "$1" --summary --format json >"$tmp/json" \
		2>"$tmp/err"
}

one_sentence() {
	cat "$tmp/err"
	[ "$(wc -l <"$tmp/err")" -eq 1 ] && grep -q '^rbtop: ' "$tmp/err"
}

# The counts of row $1 of the manifest, with perf's names, against those of
# $tmp/json.  For compressed files the manifest counts only the outer records,
# and for damaged ones those before a damage that may not be one for rbtop.
same_counts() {
	jq -e --argjson want "$1" --arg more "$2" '
		def same($w): if $more == "" then . == $w else . >= $w end;
		. as $got |
		all($want.types | to_entries[]; . as $e |
			$got.types[$e.key] // 0 | same($e.value)) and
		($more != "" or
			($got.types | length) == ($want.types | length)) and
		(.total.lost | same($want.lost)) and
		(.total.advice == null or .what_if == null or
			(.total.advice.pages >= .what_if[-1].pages and
				.what_if[-1].records_lost == 0)) and
		(.total.lost_samples | same($want.lost_samples)) and
		((.total.aux.trace_bytes // 0) | same($want.aux))' \
		"$tmp/json" >/dev/null && return
	echo "wanted $1"
	jq -c '{types, total}' "$tmp/json"
	return 1
}

# as_listed FILE WANT ANOMALIES
as_listed() {
	local status=0 more=

	summary "$1" || status=$?
	case $3 in
	*'"bad"'*)
		[ "$status" -eq 1 ] && [ ! -s "$tmp/json" ] && one_sentence
		return
		;;
	esac
	! jq -e '.types | has("COMPRESSED") or has("COMPRESSED2")' \
		"$tmp/json" >/dev/null || more=compressed
	if [ "$3" != '{}' ]; then
		more=damaged
		[ "$status" -eq 0 ] || {
			[ "$status" -eq 1 ] && one_sentence &&
				jq -e .damage "$tmp/json" >/dev/null
		} || return
	elif [ "$status" -ne 0 ]; then
		cat "$tmp/err"
		return 1
	fi
	same_counts "$2" "$more"
}

# A file that is broken on purpose, of which nothing was counted.
survives() {
	local status=0

	summary "$1" || status=$?
	[ "$status" -eq 0 ] || { [ "$status" -eq 1 ] && one_sentence; }
}

# played FILE [OPTION...]: the last tick of -b has the totals of the summary,
# which also ends with the same status and error.
played() {
	local want=0 status=0 totals='.total |
		[.records, .bytes, .samples, .lost, .throttled,
			.aux.truncated // 0]'

	summary "$1" || want=$?
	mv "$tmp/err" "$tmp/want"
	timeout 100 "$RBTOP" -b -i "$@" --format json >"$tmp/ticks" \
		2>"$tmp/err" || status=$?
	echo "status $status, not $want: $(cat "$tmp/err")"
	[ "$status" -eq "$want" ] || return
	[ "$status" -eq 0 ] ||
		[ "$(tail -n 1 "$tmp/err")" = "$(cat "$tmp/want")" ] || return
	[ -s "$tmp/json" ] || { [ ! -s "$tmp/ticks" ]; return; }
	jq -c "$totals" "$tmp/json" | tee "$tmp/want"
	tail -n 1 "$tmp/ticks" | jq -c "$totals" | tee "$tmp/got"
	diff "$tmp/want" "$tmp/got"
}

# The same as text, and from a pipe: as many records.
same_from_pipe() {
	local records

	summary "$1"
	records=$(jq .records "$tmp/json")
	head -c 100000000 "$1" | timeout 100 "$RBTOP" -i - --summary \
		>"$tmp/out" 2>"$tmp/err"
	grep -qE "^ *$records records\$" "$tmp/out" &&
		! grep -qP '[\x00-\x09\x0b-\x1f\x7f]' "$tmp/out" &&
		tail -n 3 "$tmp/out" | grep -q '^lost: ' || return
	[ "$(jq .compressed_unread "$tmp/json")" != 0 ] ||
		[ "$(jq '.total.lost_samples > 0' "$tmp/json")" = true ] ||
		! grep -q LOSTSAMPLES "$tmp/out"
}

# Of simpleperf, which writes no FINISHED_ROUND.
of_simpleperf() {
	summary "$1"
	jq -c '.duration, .rounds, .what_if, .total' "$tmp/json"
	jq -e '.rounds == null and .what_if == null and .total.lost == 651 and
		.total.lost_chunks == 1 and
		.total.lost_first > 0 and .total.lost_first <= .duration' \
		"$tmp/json" &&
		timeout 100 "$RBTOP" -i "$1" --summary |
			grep '^no table of other sizes: .* drains are unknown'
}

wanted() {
	jq -c --arg lost "$2" --arg samples "$3" --arg aux "$4" '{
		types: with_entries(.key |= ltrimstr("HDR_")),
		lost: ($lost | tonumber? // 0),
		lost_samples: ($samples | tonumber? // 0),
		aux: ($aux | tonumber? // 0)}' <<<"$1"
}

if [ -r "$fixtures/MANIFEST.tsv" ]; then
	# tabs in a row would be one separator to read
	tail -n +2 "$fixtures/MANIFEST.tsv" | tr '\t' '\037' >"$tmp/rows"
	while IFS=$'\037' read -r -u 4 file _ _ kind _ _ aux lost samples \
		counts odd; do
		if [ "$kind" = fuzz ]; then
			check "$file ends in a sentence" survives \
				"$fixtures/$file"
			continue
		fi
		check "$file is as listed" as_listed "$fixtures/$file" \
			"$(wanted "$counts" "$lost" "$samples" "$aux")" \
			"${odd:-{\}}"
		check "$file: the last tick is the summary" played \
			"$fixtures/$file"
		[ "$kind" != file ] && [ "$kind" != pipe ] ||
			[[ $odd == *'"bad"'* ]] ||
			check "$file from a pipe" same_from_pipe \
				"$fixtures/$file"
	done 4<"$tmp/rows"
	file=GrapheneOS+platform_system_extras
	file+=/has_embedded_native_libs_apk_perf.data
	check 'a recording without rounds' of_simpleperf "$fixtures/$file"
else
	skip 'published recordings' "no $fixtures"
fi

if ! command -v perf >/dev/null; then
	skip 'recordings of perf' 'perf is not installed'
	finish
fi
export HOME=$tmp

# recorded NAME ARGS...: perf record of a storm of system calls.
recorded() {
	local name=$1

	shift
	timeout 60 perf record -a -e raw_syscalls:sys_enter \
		-o "$tmp/$name" "$@" -- dd if=/dev/zero of=/dev/null bs=1 \
		count=100000 >"$tmp/perf" 2>&1 && return
	cat "$tmp/perf"
	return 1
}

# Two samples whose time is not where the file says.
odd_records() {
	timeout 60 perf record -a -m 8 -e cpu-clock -o "$tmp/odd" -- \
		dd if=/dev/zero of=/dev/null bs=1 count=1000000 \
		>"$tmp/perf" 2>&1 || { cat "$tmp/perf"; return 1; }
	summary "$tmp/odd" || return
	jq -c '{duration, left_out, types}' "$tmp/json" | tee "$tmp/want"
	perl -e '
		local $/;
		my $f = <STDIN>;
		my ($attr, $at, $len) = unpack "x24Qx8QQ", $f;
		my $fields = unpack "x${attr}x24Q", $f;
		my @samples;
		for (my $i = $at; $i < $at + $len;) {
			my ($type, $misc, $size) = unpack "x${i}LSS", $f;
			push @samples, $i if $type == 9;
			$i += $size;
		}
		die "few samples" if @samples < 20;
		# after the identifier, if any, ip and tid
		my $time = $fields & 1 << 16 ? 32 : 24;
		substr($f, $_ + $time, 8) = "\xd0" x 8
			for $samples[0], $samples[9];
		print $f' <"$tmp/odd" >"$tmp/odder" || return
	summary "$tmp/odder" || return
	jq -c '{duration, left_out, types}' "$tmp/json"
	jq -es '.[0].left_out == 0 and .[1].left_out == 2 and
		.[1].damage == null and .[0].types == .[1].types and
		.[1].duration <= .[0].duration' "$tmp/want" "$tmp/json" &&
		"$RBTOP" -i "$tmp/odder" --summary |
			grep -x '2 records with an impossible CPU or time .*'
}

# perf report's counts, of types and of lost ones, are those of the summary.
same_as_perf() {
	perf report --stats -i "$tmp/$1" 2>/dev/null |
		sed -nE 's/^ +([A-Z_0-9]+) events: +([0-9]+)  \(.*/\1 \2/p' |
		sort >"$tmp/want"
	summary "$tmp/$1" || { cat "$tmp/err"; return 1; }
	jq -r '.types | to_entries[] | "\(.key) \(.value)"' "$tmp/json" |
		sort >"$tmp/got"
	diff "$tmp/want" "$tmp/got" && [ "$(wc -l <"$tmp/got")" -gt 5 ]
}

same_losses() {
	local chunks

	perf script -D -i "$tmp/$1" 2>/dev/null |
		awk '/PERF_RECORD_LOST: |PERF_RECORD_LOST id/ {
			sub(/.*lost: */, ""); sum += $1 }
			END { print sum + 0 }' \
		>"$tmp/want"
	chunks=$(jq '.types.LOST // 0' "$tmp/json")
	jq .total.lost "$tmp/json" >"$tmp/got"
	echo "$chunks LOST records"
	[ "$chunks" -eq 0 ] || ! grep -qx 0 "$tmp/want" || return
	diff "$tmp/want" "$tmp/got"
}

# Times of losses as perf script has them, in text too.
times_of_losses() {
	perf script -D -i "$tmp/$1" 2>/dev/null |
		awk '/PERF_RECORD_LOST: / { n++; match($0, /[0-9]+ 0x[0-9a-f]+ \[/)
			time = substr($0, RSTART) + 0
			if (time < first || !first) first = time
			if (time > last) last = time }
			END { printf "%d %.6f\n", n, (last - first) / 1e9 }' \
		>"$tmp/want"
	summary "$tmp/$1"
	jq -r '.total | "\(.lost_chunks) \((.lost_last // 0) -
		(.lost_first // 0))"' "$tmp/json" |
		awk '{ printf "%d %.6f\n", $1, $2 }' >"$tmp/got"
	diff "$tmp/want" "$tmp/got" || return
	jq -e '. as $r | all((.rings + [.total])[]; if .lost == 0 then
			.lost_first == null and .lost_worst_records == null
		else
			.lost_first >= 0 and .lost_first <= .lost_worst and
			.lost_worst <= .lost_last and
			.lost_last <= $r.duration and
			.lost_worst_records <= .lost and
			.lost_worst_records * .lost_chunks >= .lost
		end)' "$tmp/json" || return
	"$RBTOP" -i "$tmp/$1" --summary >"$tmp/out" || return
	cat "$tmp/out"
	[ "$(grep -c LOSTSAMPLES "$tmp/out")" -eq \
		"$(jq 'if .total.lost_samples > 0 then 1 else 0 end' \
			"$tmp/json")" ] || return
	jq -r '.rings[] | select(.lost > 0) |
		"CPU \(.cpu) \(.lost_chunks) \(.lost_worst_records)"' \
		"$tmp/json" >"$tmp/want"
	sed -n '/^LOSSES .* LARGEST$/,/^lost:/p' "$tmp/out" |
		awk '/^CPU/ { print $1, $2, $3, $7 }' >"$tmp/got"
	diff "$tmp/want" "$tmp/got"
}

# With the rings of the recording, of a page, about what was lost; the less the
# larger, and nothing with the advised size.
what_if() {
	summary "$tmp/$1"
	jq -c '.total.lost, .total.advice, .what_if[]' "$tmp/json"
	jq -e '.total.advice.pages as $advice | .total.lost as $lost |
		.what_if | .[0].pages == 1 and
		($lost < 1000 or (.[0].records_lost > $lost / 2 and
			.[0].records_lost < $lost * 2)) and
		all(range(1; length) as $i | [.[$i - 1], .[$i]];
			.[1].pages == .[0].pages * 2 and
			.[1].records_lost <= .[0].records_lost and
			.[1].rounds <= .[0].rounds) and
		all(.[:-1][]; .rings > 0) and
		($advice == null or
			(last.records_lost == 0 and last.pages <= $advice))' \
		"$tmp/json" || return
	"$RBTOP" -i "$tmp/$1" --summary >"$tmp/out" || return
	grep '^next time' "$tmp/out"
	jq -r 'select(.total.advice and .what_if) |
		.what_if[-1].pages as $enough | .total.advice.pages |
		select($enough < .) | "-m \($enough) would have lost nothing " +
		"here; -m \(.) also holds twice the "' "$tmp/json" >"$tmp/want"
	[ ! -s "$tmp/want" ] ||
		grep -qF "per ring): $(cat "$tmp/want")" "$tmp/out" || return
	sed -n 's/^-m //p' "$tmp/out" |
		awk '{ print $1, $3, $4, $5 }' >"$tmp/got"
	jq -r '.what_if[] | "\(.pages) \(.records_lost | round) " +
		"\(.rings) \(.rounds)"' "$tmp/json" >"$tmp/want"
	diff "$tmp/want" "$tmp/got"
}

# By -m, if the file has that machine's kind; else it is not known.
size_of_rings() {
	jq -c '[.arch, .ring_size, .cmdline]' "$tmp/json"
	jq -e 'if .arch == "x86_64" then .ring_size == 4096 else
		.ring_size == null or .ring_size == 4096 end' "$tmp/json" &&
		"$RBTOP" -b -n 1 -i "$tmp/storm" --format json >"$tmp/ticks" &&
		jq -es '.[0].ring_size as $size |
			all(.[1].rings[]; .size == $size and .used == null)' \
			"$tmp/json" "$tmp/ticks"
}

rings_of_cpus() {
	jq -e '[.rings[] | select(.samples > 0)] | length > 0 and
		all(.[]; .cpu != null and .tid == null)' "$tmp/json" &&
		jq -e '.total.samples == .types.SAMPLE' "$tmp/json"
}

# With rings of a page and FINISHED_ROUND, no round is larger than a ring.
rounds_fit() {
	jq -e '.total.max_round > 0 and .total.max_round <= 4096' "$tmp/json" ||
		{ jq -c '.rings[]' "$tmp/json"; return 1; }
}

# Without losses the advice is how much of a ring was ever used at most, which
# is the largest round.
most_waited() {
	local most

	summary "$1"
	timeout 100 "$RBTOP" -b -i "$1" --format json | tail -n 1 >"$tmp/ticks"
	jq -c '.total | .advice, .verdict, .lost' "$tmp/ticks"
	jq -e '.total.lost > 0' "$tmp/json" && return
	most=$(jq -r '.total.max_round / 1024 | if . >= 1000 then "[0-9.]+M"
		elif . >= 100 then "\(round)K"
		else "\(. * 10 | round / 10)K" end' "$tmp/json")
	echo "most: $most"
	jq -e --arg most "$most" '.total.verdict == "ok" and
		all(.rings[]; .verdict == "ok") and (.total.advice.text |
		test("^nothing lost: at most \($most) of a 16M ring was waiting"))' \
		"$tmp/ticks"
}

if ! recorded storm -m 1; then
	skip 'recordings of perf' "$(tail -n 1 "$tmp/perf")"
	finish
fi
check 'a storm: counts as perf report --stats' same_as_perf storm
check 'a storm: the sum of LOST records' same_losses storm
check 'a storm: when records were lost' times_of_losses storm
if [ "$(getconf PAGESIZE)" -eq 4096 ]; then
	check 'a storm: what other sizes would have lost' what_if storm
fi
check 'a storm: the size of the rings' size_of_rings
check 'a storm: a ring for each CPU' rings_of_cpus

check 'a storm: ticks end with the summary' played "$tmp/storm" -d 0.05

# No rate is negative, and those of all ticks make the totals.
sums_up() {
	jq -es 'all(.[]; .interval > 0 and .total.records_per_s >= 0 and
			.total.fill == null) and
		length > 3 and
		(map(.total.lost_per_s * .interval) | add | round) as $lost |
		(map(.total.bytes_per_s * .interval) | add | round) as $bytes |
		last.total | .lost == $lost and .bytes - $bytes < 4096' \
		"$tmp/ticks"
}
check 'a storm: rates sum up to the totals' sums_up

some_ticks() {
	"$RBTOP" -i "$tmp/storm" -b -n 2 -d 0.05 >"$tmp/out" || return
	[ "$(grep -c '^total' "$tmp/out")" -eq 2 ] &&
		[ "$("$RBTOP" -i - --format csv <"$tmp/storm" | wc -l)" -gt 2 ]
}
check 'a storm: -n, and from a pipe' some_ticks

# records_of SPAN [samples]
records_of() {
	"$RBTOP" -i "$tmp/storm" --summary --format json --time "$1" |
		jq ".total.${2:-records}"
}

# Spans since the start of the recording make the whole of it.
since_start() {
	local all first rest status=0

	all=$(records_of ,9999999999)
	first=$(records_of +0,+0.1)
	rest=$(records_of +0.100000001,)
	echo "$all: $first and $rest"
	[ "$first" -gt 0 ] && [ "$rest" -gt 0 ] &&
		[ $((first + rest)) -eq "$all" ] || return
	"$RBTOP" -i "$tmp/storm" -b -d 0.05 --format json --time +0,+0.1 |
		jq -es 'last.time' || return
	all=$(records_of 0, samples) first=$(records_of 30%/1 samples)
	rest=$(records_of 30%-100% samples)
	echo "$all samples: $first and $rest"
	[ "$first" -gt 0 ] && [ $((first + rest)) -eq "$all" ] || return
	"$RBTOP" -i - --summary --time +0, <"$tmp/storm" 2>"$tmp/err" ||
		status=$?
	cat "$tmp/err"
	[ "$status" -eq 2 ] && grep -q 'cannot be read twice' "$tmp/err"
}
check 'a storm: a span since its start' since_start

# --fail-on of ticks judges the whole file, as that of the summary.
gate_of_ticks() {
	local status=0 want=0

	"$RBTOP" -i "$tmp/storm" --summary --fail-on lost >/dev/null \
		2>"$tmp/want" || want=$?
	"$RBTOP" -i "$tmp/storm" -b -n 1 --fail-on lost >/dev/null \
		2>"$tmp/err" || status=$?
	cat "$tmp/err"
	[ "$status" -eq "$want" ] && diff "$tmp/want" "$tmp/err"
}
check 'a storm: --fail-on lost, of ticks' gate_of_ticks

# --fail-on, and the size to use, which both name if records were lost.
gate() {
	local status=0 setting

	"$RBTOP" -i "$tmp/storm" --summary --fail-on lost --format json \
		>"$tmp/json" 2>"$tmp/err" || status=$?
	setting=$(jq -r '.total.advice.setting' "$tmp/json")
	echo "$status $setting $(cat "$tmp/err")"
	if [ "$(jq .total.lost "$tmp/json")" -eq 0 ]; then
		[ $status -eq 0 ] && [ "$setting" = null ]
		return
	fi
	[ $status -eq 3 ] && grep -qx "rbtop: failed on lost: .*; $setting" \
		"$tmp/err" && [[ $setting = "perf record -m "* ]]
}
check 'a storm: --fail-on lost' gate
if [ "$(getconf PAGESIZE)" -eq 4096 ]; then
	check 'a storm: no round is larger than the ring' rounds_fit
fi
if ! "$RBTOP" -V | grep -q 'Compressed recordings: yes'; then
	skip 'a compressed storm' 'built without libzstd'
elif recorded packed -z -m 4; then
	check 'a compressed storm: counts' same_as_perf packed
	check 'a compressed storm: rings' rings_of_cpus
else
	skip 'a compressed storm' "$(tail -n 1 "$tmp/perf")"
fi
if recorded roomy -m 4096; then
	check 'a recording without losses: the most that waited' \
		most_waited "$tmp/roomy"
fi
if recorded threads --threads=cpu -m 4; then
	check 'a directory of several files: counts' same_as_perf threads
	check 'a directory of several files: rings' rings_of_cpus
else
	skip 'a directory of several files' "$(tail -n 1 "$tmp/perf")"
fi

# Killed while it records: what is there is counted.
killed() {
	perf record -a -m 4 -e cpu-clock -o "$tmp/killed" -- sleep 30 \
		>"$tmp/perf" 2>&1 &
	sleep 2
	kill -KILL $!
	wait $! 2>/dev/null
	summary "$tmp/killed"
	jq -c '{finished, damage, types}' "$tmp/json"
	jq -e '.finished == false and .types.SAMPLE > 0' "$tmp/json"
}
check 'a recording whose perf was killed' killed

# Names with control bytes come out clean.
clean() {
	cp "$tmp/storm" "$tmp/dirty"
	perl -0777 -pi -e 's/raw_sysc(?=alls:sys_enter)/raw\x1b[31m/g' \
		"$tmp/dirty" || return
	"$RBTOP" -i "$tmp/dirty" --summary >"$tmp/out" || return
	grep 'samples of' "$tmp/out"
	! grep -qP '\x1b' "$tmp/out"
}
if command -v perl >/dev/null; then
	check 'control bytes are not printed' clean
else
	skip 'control bytes are not printed' 'no perl'
fi
if ! command -v perl >/dev/null; then
	skip 'records with an impossible time' 'no perl'
else
	check 'records with an impossible time' odd_records
fi

finish
