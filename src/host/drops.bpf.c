// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Counts the records that BPF ring buffers refuse, per ring buffer: a program
 * at the exit of __bpf_ringbuf_reserve() (kernel/bpf/ringbuf.c), which every
 * helper that writes a record calls.
 *
 * There is no kretprobe for kernels that refuse fexit: while a program of a
 * kprobe, tracepoint or perf event runs, the kernel runs no kprobe's program
 * (trace_call_bpf() in kernel/trace/bpf_trace.c), so all that those programs
 * lose would be missing.
 */
#include "host/kernel.bpf.h"
#include "host/host_records.h"

#include <bpf/bpf_helpers.h>

char LICENSE[] SEC("license") = "GPL";

/*
 * By the address of struct bpf_ringbuf.  Not per CPU: reserving takes a lock of
 * the ring buffer, which costs more than the shared counters.
 */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, HOST_DROPS_RINGS);
	__type(key, __u64);
	__type(value, struct host_drops_count);
} counts SEC(".maps");

/* Records for which the map had no room, or was locked by what an NMI hit. */
__u64 unplaced;

/* As the ring buffer would have stored it: with its header, a multiple of 8. */
static __u64 bytes_of(__u64 size)
{
	return (size + 8 + 7) & ~7ULL;
}

/* void *__bpf_ringbuf_reserve(struct bpf_ringbuf *rb, u64 size) */
SEC("fexit/__bpf_ringbuf_reserve")
int rbtop_drops(__u64 *ctx)
{
	static const struct host_drops_count none;
	__u64 rb = ctx[0], size = ctx[1], record = ctx[2];
	struct host_drops_count *count;

	if (record)
		return 0;
	count = bpf_map_lookup_elem(&counts, &rb);
	if (!count) {
		bpf_map_update_elem(&counts, &rb, &none, BPF_NOEXIST);
		count = bpf_map_lookup_elem(&counts, &rb);
	}
	if (!count) {
		__sync_fetch_and_add(&unplaced, 1);
		return 0;
	}
	__sync_fetch_and_add(&count->records, 1);
	__sync_fetch_and_add(&count->bytes, bytes_of(size));
	return 0;
}
