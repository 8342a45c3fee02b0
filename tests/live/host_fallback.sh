#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Without BPF the host view shows what /proc has, and says why there is no more:
# without the kernel's types, without capabilities, in a build without libbpf.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/live.bash"
. "$(dirname "$0")/host.bash"

# The same program, linked without libbpf.
bare=$host_tools/rbtop_no_libbpf
real=$RBTOP
pages=16
nobody=(setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all
	--bounding-set=-all)

[ "$(id -u)" -eq 0 ] || skip_all "only root can become somebody else"
command -v perf >/dev/null || skip_all "perf is not installed"

# Not all users may enter the build directory.
chmod 755 "$tmp"
cp "$real" "$tmp/rbtop"
mkdir "$tmp/theirs"
chown 65534 "$tmp/theirs"

# An empty file in all places where libbpf looks for the kernel's types.
cat >"$tmp/without_types" <<-'END'
	#!/bin/sh
	if [ -z "$hidden" ]; then
		export hidden=yes
		exec unshare --mount --propagation private "$0" "$@"
	fi
	r=$(uname -r)
	for file in /sys/kernel/btf/vmlinux "/boot/vmlinux-$r" \
		"/lib/modules/$r/vmlinux-$r" "/lib/modules/$r/build/vmlinux" \
		"/usr/lib/modules/$r/kernel/vmlinux" \
		"/usr/lib/debug/boot/vmlinux-$r" \
		"/usr/lib/debug/boot/vmlinux-$r.debug" \
		"/usr/lib/debug/lib/modules/$r/vmlinux"; do
		[ ! -e "$file" ] || mount --bind "$empty" "$file" || exit
	done
	exec "$real" "$@"
END
cat >"$tmp/as_nobody" <<-END
	#!/bin/sh
	cd / && exec ${nobody[*]} "$tmp/rbtop" "\$@"
END
chmod 755 "$tmp/without_types" "$tmp/as_nobody"
: >"$tmp/empty"
export real empty=$tmp/empty

# The number of rings of process $1 of the size requested.
nr_rings() {
	mapped_sizes "$1" | grep -cx $((pages * page_size))
}

has_rings() {
	[ "$(nr_rings "$1")" -ge "$(online_cpus | wc -l)" ]
}

# One tick in JSON and one as text.
look_twice() {
	look && "$RBTOP" --host -b -n 1 -d 0.1 >"$tmp/text" 2>"$tmp/err"
}

# The reason is one line that matches $1, and the text has the same.
reason() {
	local text

	last '.host.ready and (.host.bpf | not)' || return
	text=$(jq -r .host.reason "$tmp/ticks")
	printf 'the reason: %s\n' "$text"
	[ "$(printf '%s\n' "$text" | wc -l)" -eq 1 ] || return
	grep -qE "$1" <<<"$text" &&
		tr "\n" " " <"$tmp/text" | grep -qF "$text"
}

# Process $1, perf of user $2, is listed with all its rings and their pinned
# memory.
shows_rings() {
	row_is "$1" "map(select(.size == $pages * $page_size)) |
		length == $(nr_rings "$1") and all(.[]; .kind == \"perf\" and
			.locked == .size + $page_size and .mapped and
			.owner.comm == \"perf\" and .user == \"$2\")"
}

# seen COMMAND...: true for the last tick, or in a longer run: a user's name may
# be known after the first tick.
seen() {
	"$@" && return
	ticks --host -n 1 -d 10 && "$@"
}

# Values that /proc does not have are unknown.
shows_no_more() {
	row_is "$1" 'length > 0 and all(.[]; (.known | not) and
		(.head, .tail, .used, .fill, .bytes_per_s, .crossings,
		 .wakeups, .drains, .lost_reported, .lost_pending, .lost,
		 .watermark, .overwrite, .paused) == null)'
}

# falls_back REASON PID USER: the rings of PID are listed nevertheless.
falls_back() {
	check "it runs" look_twice
	check "the reason is said" reason "$1"
	check "sizes and owners are there" seen shows_rings "$2" "$3"
	check "all else is unknown" shows_no_more "$2"
	check "the text has them too" grep -qw "$2" "$tmp/text"
}

background perf record -m $pages -a -e cpu-clock -o "$tmp/perf.data"
ours=$last_pid
check "root's perf record has its rings" soon has_rings "$ours"

if look && [ "$(jq -r .host.bpf "$tmp/ticks")" = true ]; then
	RBTOP=$tmp/without_types
	falls_back '/sys/kernel/btf/vmlinux.*CONFIG_DEBUG_INFO_BTF' "$ours" root
else
	skip "without the kernel's types" \
		"$(jq -r .host.reason "$tmp/ticks")"
fi

if [ -x "$bare" ]; then
	RBTOP=$bare
	falls_back 'built without libbpf' "$ours" root
	check "-V says so" sh -c \
		"$bare -V | grep -qi 'host view.*no.*libbpf'"
else
	skip "a build without libbpf" "$bare is not built"
fi

# BPF ring buffers are found by descriptors; the loader maps all of its own.
ringbufs() {
	row_is "${owner_pid[bpf]}" 'map(select(.kind == "bpf")) |
		(map(.size) | sort) == [65536, 524288] and
		all(.[]; .mapped and .map_id > 0 and .user == "root" and
			.locked > .size and (.known | not) and
			(.head, .used, .fill) == null)'
}
if [ -x "$bare" ] && [ -x "$host_tools/host_owner_bpf" ]; then
	owner bpf "$host_tools/host_owner_bpf" 8
	tell bpf refused
	look
	check "BPF ring buffers are there" seen ringbufs
	check "beside its perf rings" row_is "${owner_pid[bpf]}" \
		"map(select(.kind == \"perf\" and .size == 8 * $page_size)) |
		 length == $(online_cpus | wc -l)"
	dismiss bpf
else
	skip "BPF ring buffers" "$host_tools/host_owner_bpf is not built"
fi

# The user nobody cannot read mappings of other users; the number of those
# processes is shown.
user=$(id -nu 65534 2>/dev/null || echo 65534)
background "${nobody[@]}" sleep infinity
watched=$last_pid
(cd / && exec "${nobody[@]}" perf record -m $pages -e cpu-clock:u \
	-o "$tmp/theirs/perf.data" -p "$watched") >"$tmp/theirs.out" 2>&1 &
theirs=$!
background_pids+=("$theirs")
RBTOP=$tmp/as_nobody
remedy='CAP_BPF and CAP_PERFMON.*setcap cap_bpf,cap_perfmon=ep'
if soon has_rings "$theirs"; then
	falls_back "$remedy|built without libbpf" "$theirs" "$user"
	check "of root's there is nothing" row_is "$ours" 'length == 0'
	check "but that there are others" last '.host.error |
		test("mappings of [0-9]+ process.*CAP_SYS_PTRACE")'
else
	skip "without capabilities" "$(tail -n 1 "$tmp/theirs.out")"
fi
stop "$theirs" "$watched"

# The rings of a process that ends are shown for a while, as with BPF.
RBTOP=$bare
[ -x "$bare" ] || RBTOP=$tmp/without_types
"$RBTOP" --host -b -d 0.5 --format json >"$tmp/ticks" 2>"$tmp/err" &
watch=$!
background_pids+=("$watch")
rows() {
	last "[.rings[] | select(.owner.pid == $ours)] |
		length > 0 and all(.[]; $1)"
}
check "rows come" soon rows '(.gone | not) and .size > 0'
kill "$ours"
wait "$ours" 2>/dev/null
check "and stay a while when their owner has ended" \
	soon rows '.gone and .size > 0'
kill "$watch"
wait "$watch" 2>/dev/null

finish
