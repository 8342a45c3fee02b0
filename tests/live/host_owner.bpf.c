/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes to a perf buffer and BPF ring buffers only when host_owner_bpf runs it
 * (BPF_PROG_TEST_RUN), or calls getppid(2) while it is attached to that.
 */
/* linux/types.h, whose directory for the BPF target differs by distribution. */
typedef unsigned int __u32;
typedef unsigned long long __u64;
typedef short __s16;
typedef unsigned short __u16;
typedef int __s32;
typedef long long __s64;
typedef unsigned char __u8;
typedef __u16 __be16;
typedef __u32 __be32;
typedef __u32 __wsum;

/* linux/bpf.h */
enum {
	BPF_MAP_TYPE_PERF_EVENT_ARRAY = 4,
	BPF_MAP_TYPE_RINGBUF = 27,
	BPF_RB_NO_WAKEUP = 1,
};
#define BPF_F_CURRENT_CPU 0xffffffffULL

#include <bpf/bpf_helpers.h>

char LICENSE[] SEC("license") = "GPL";

enum { RECORD_MAX = 256 };

struct {
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
	__uint(key_size, sizeof(int));
	__uint(value_size, sizeof(int));
} owner_perf SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 64 * 1024);
} owner_ring SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 512 * 1024);
} owner_big_ring SEC(".maps");

static char record[RECORD_MAX];
__u64 record_size = 16;		/* bytes of the next record, <= RECORD_MAX */
__u64 refused;			/* refused by a full ring */

static __u64 bounded_size(void)
{
	__u64 size = record_size;

	return size <= RECORD_MAX ? size : RECORD_MAX;
}

SEC("raw_tp/sys_enter")
int owner_perf_emit(void *ctx)
{
	if (bpf_perf_event_output(ctx, &owner_perf, BPF_F_CURRENT_CPU, record,
				  bounded_size()))
		refused++;
	return 0;
}

SEC("raw_tp/sys_enter")
int owner_ring_emit(void *ctx)
{
	(void)ctx;
	if (bpf_ringbuf_output(&owner_ring, record, bounded_size(), 0))
		refused++;
	return 0;
}

__u32 writer;			/* the process that owner_ring_trace is for */

SEC("tp/syscalls/sys_enter_getppid")
int owner_ring_trace(void *ctx)
{
	void *reserved;

	(void)ctx;
	if (bpf_get_current_pid_tgid() >> 32 != writer)
		return 0;
	reserved = bpf_ringbuf_reserve(&owner_ring, 40, 0);
	if (reserved)
		bpf_ringbuf_submit(reserved, 0);
	else
		refused++;
	return 0;
}

SEC("raw_tp/sys_enter")
int owner_big_ring_emit(void *ctx)
{
	(void)ctx;
	if (bpf_ringbuf_output(&owner_big_ring, record, bounded_size(),
			       BPF_RB_NO_WAKEUP))
		refused++;
	return 0;
}
