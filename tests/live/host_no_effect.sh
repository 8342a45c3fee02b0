#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Watching has no effect on owners: no memory is pinned, no ring is held, no
# wakeup is consumed, and all operations on their rings still work.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/live.bash"
. "$(dirname "$0")/host.bash"

needs_bpf
[ "$(id -u)" -eq 0 ] || skip_all "only root can become somebody else"
command -v setpriv >/dev/null || skip_all "setpriv is not installed"

# A user without other processes, who is not exempt from the limits.
user=54321
paranoid=/proc/sys/kernel/perf_event_paranoid
old_paranoid=$(cat $paranoid)
restore() {
	local status=$?

	echo "$old_paranoid" >$paranoid
	(exit "$status")
	host_end
}
trap restore EXIT
[ "$old_paranoid" -ge 0 ] && [ "$old_paranoid" -le 2 ] ||
	echo 2 2>/dev/null >$paranoid ||
	skip_all "$paranoid cannot be set here"
chmod 711 "$tmp"
cp "$host_owner" "$tmp/owner"

# Run as that user, without RLIMIT_MEMLOCK: only the memory that perf events
# have.
stranger() {
	owner "$1" bash -c "ulimit -l 0 && exec setpriv --reuid=$user \
		--regid=$user --clear-groups --inh-caps=-all \
		--bounding-set=-all '$tmp/owner'"
}

# The data pages of rings that use all that a user may map: 2^n each, plus a
# user page.
mlock_pages=$(($(cat /proc/sys/kernel/perf_event_mlock_kb) * 1024 / page_size))
rest=$((mlock_pages * $(online_cpus | wc -l)))
limit=$rest
sizes=()
half=2
while [ $((2 * (1 + half * 2))) -le "$rest" ]; do
	half=$((half * 2))
done
for ((size = half; rest >= 2; size /= 2)); do
	while [ $((1 + size)) -le "$rest" ]; do
		sizes+=("$size")
		rest=$((rest - 1 - size))
	done
done

# open_all NAME: open all rings that fit; one more does not.
open_all() {
	local i

	for i in "${!sizes[@]}"; do
		tell "$1" open "$i" "${sizes[i]}" watermark=4096 || return
	done
}
close_all() {
	local i

	for i in "${!sizes[@]}"; do
		tell "$1" unmap "$i" && tell "$1" close "$i" || return
	done
}
one_more() {
	! tell "$1" open 63 1 >/dev/null && grep -q 'not permitted' <<<"$answer"
}
pinned() {
	awk '/^VmPin/ { print $2 }' "/proc/$1/status"
}
# Descriptors and mappings of perf events of process $1.
held() {
	find "/proc/$1/fd" -lname '*perf_event*' | wc -l
	grep -c 'perf_event' "/proc/$1/maps"
}

stranger a
check "a user's rings, to the limit" open_all a
check "not one page more" one_more a
owner c "$tmp/owner"
check "a ring of root's, beyond what needs no locked memory" \
	tell c open 0 $((half * 8))
before="$(pinned "${owner_pid[a]}") $(pinned "${owner_pid[c]}")"
background_to "$tmp/watch" "$RBTOP" --host -b -d 0.1 --format json \
	--textfile "$tmp/ticks"
watch=$last_pid
check "are watched" soon row_is "${owner_pid[a]}" "length == ${#sizes[@]}"
check "what they pin is told" soon row_is "${owner_pid[a]}" \
	"(map(.locked) | add) == $((limit - rest)) * $page_size
	 and all(.[]; .uid == $user)"
check "and that the user is at its limit" soon last "any(.users[];
	.uid == $user and .limit == $limit * $page_size and
	.locked == $((limit - rest)) * $page_size and .at_limit and
	(.exempt | not))"
check "with a warning" soon row_is "${owner_pid[a]}" \
	'all(.[]; .warnings | index("mlock"))'
check "the owners' VmPin is what it was" \
	test "$(pinned "${owner_pid[a]}") $(pinned "${owner_pid[c]}")" = "$before"
check "and was not nothing" test "${before#* }" -gt 0
check "the viewer's is nothing" test "$(pinned $watch)" = 0
check "it holds no event and no mapping of one" \
	test "$(held $watch | paste -sd,)" = 0,0

# An extra mapping would be charged to the user forever.
check "unmapped" close_all a
check "as many fit again, while watched" open_all a
check "closed" close_all a
check "and again" open_all a
check "not one page more" one_more a
# A descriptor held by the watcher would keep the event and its pinned memory.
dismiss a
stranger b
# A reader of its mappings may delay the end: so soon, not at once.
check "when the owner is killed, all of it is there for the next" \
	soon open_all b
check "and that one's wakeups" tell b on 0
wakeups() {
	local i

	for ((i = 0; i < 200; i++)); do
		tell b fault 110 && tell b poll 0 2000 || return
		[ "$answer" = 1 ] || { echo "round $i: not woken"; return 1; }
		tell b drain 0
	done
}
check "come, each of 200" wakeups
dismiss b

# Other sizes, redirection, closing: a held mapping or descriptor would make
# them fail.
for pages in 1 4 16; do
	check "200 times mapped, unmapped, mapped otherwise, redirected" \
		tell c churn 200 $pages
done
dismiss c
ends() {
	local i

	for ((i = 0; i < 50; i++)); do
		printf 'open 0 4\non 0\nfault 50\nopen 1 2\nmove 1 0\nclose 0\n' |
			"$tmp/owner" | grep error && return 1
	done
	return 0
}
check "50 owners that come and end" ends
check "the watch goes on" kill -0 $watch
passes=$(tail -n 1 "$tmp/ticks" | jq .host.passes)
check "and goes well" soon last \
	".host.bpf and .host.error == null and .host.passes > $passes"
check "their rings are gone" soon last "all(.rings[]; .gone or
	.owner.comm != \"owner\")"
kill -TERM $watch
check "it ends as it should" eval "wait $watch; [ \$? -eq 143 ]"
check "and has no complaint" test ! -s "$tmp/watch.err"

finish
