/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel types that the BPF programs read, reduced to the members used:
 * members are found by name in the running kernel (CO-RE), so their order and
 * other members do not matter, and the build needs no BTF.  Members that only
 * some kernels have are checked with bpf_core_field_exists().
 */
#ifndef RBTOP_HOST_KERNEL_BPF_H
#define RBTOP_HOST_KERNEL_BPF_H

/* linux/types.h: distributions have it in different directories for BPF. */
typedef unsigned char __u8;
typedef unsigned short __u16;
typedef unsigned int __u32;
typedef unsigned long long __u64;
typedef signed char __s8;
typedef short __s16;
typedef int __s32;
typedef long long __s64;
typedef __u16 __be16;
typedef __u32 __be32;
typedef __u32 __wsum;

/* linux/magic.h */
#define ANON_INODE_FS_MAGIC 0x09041934
#define SOCKFS_MAGIC 0x534f434b
/* linux/fs.h: opened with O_PATH */
#define FMODE_PATH 0x4000
/* linux/socket.h */
#define AF_PACKET 17
/* linux/bpf.h */
enum bpf_map_type {
	BPF_MAP_TYPE_HASH = 1,
	BPF_MAP_TYPE_PERF_EVENT_ARRAY = 4,
	BPF_MAP_TYPE_RINGBUF = 27,
	BPF_MAP_TYPE_USER_RINGBUF = 31,
};
enum {
	BPF_NOEXIST = 1,
	BPF_F_NO_PREALLOC = 1,	/* of a map */
};
enum bpf_func_id {
	BPF_FUNC_task_pt_regs = 175,
};
/* linux/if_packet.h */
enum tpacket_versions {
	TPACKET_V1,
	TPACKET_V2,
	TPACKET_V3,
};
/* Flags of task_struct.__state: linux/sched.h */
enum task_state {
	TASK_INTERRUPTIBLE = 1,
	TASK_UNINTERRUPTIBLE = 2,
	__TASK_STOPPED = 4,
	__TASK_TRACED = 8,
};
/* linux/perf_event.h */
enum perf_event_type {
	PERF_RECORD_LOST = 2,
	PERF_RECORD_SAMPLE = 9,
	PERF_RECORD_BEYOND = 64,	/* above all types the kernel writes */
};
struct perf_event_header {
	__u32 type;
	__u16 misc;
	__u16 size;
};
enum perf_type_id {
	PERF_TYPE_TRACEPOINT = 2,
};
enum perf_event_state {
	PERF_EVENT_STATE_OFF = -1,
	PERF_EVENT_STATE_INACTIVE,
};

#pragma clang attribute push(__attribute__((preserve_access_index)), \
			     apply_to = record)

/*
 * Counters whose type (atomic_t, refcount_t, local_t, atomic64_t, local64_t)
 * depends on the kernel: only the value at their start is read.
 */
struct int_count {
	int value;
};

struct long_count {
	long value;
};

struct u64_count {
	__u64 value;
};

struct upid {
	int nr;
	void *ns;
};

struct pid {
	unsigned int level;
	struct upid numbers[1];
};

typedef struct {
	__u32 val;
} kuid_t;

struct cred {
	kuid_t uid;
};

struct sched_info {
	unsigned long long run_delay;
};

struct sched_entity {
	__u64 sum_exec_runtime;
};

struct signal_struct {
	int nr_threads;
};

struct task_struct {
	struct sched_entity se;
	struct sched_info sched_info;
	struct signal_struct *signal;
	int pid, tgid;
	int normal_prio;
	struct task_struct *group_leader;
	struct pid *thread_pid;
	const struct cred *cred;
	char comm[16];
	unsigned int __state;	/* Linux 5.14 */
};

struct task_struct___before_5_14 {
	long state;
};

struct pt_regs___x86 {
	unsigned long orig_ax;
};

struct pt_regs___arm64 {
	int syscallno;
};

struct super_block {
	unsigned long s_magic;
};

struct inode {
	struct super_block *i_sb;
	unsigned long i_ino;
};

struct qstr {
	const unsigned char *name;
};

struct dentry {
	struct qstr d_name;
};

struct path {
	struct dentry *dentry;
};

struct file {
	unsigned int f_mode;
	struct path f_path;
	struct inode *f_inode;
	const void *f_op;
	void *private_data;
};

struct vm_area_struct {
	unsigned long vm_pgoff;
	struct file *vm_file;
};

struct user_struct {
	kuid_t uid;
	struct long_count locked_vm;
};

/* Its heads are copies that the owner can overwrite; they are not read. */
struct perf_event_mmap_page {
	__u64 data_tail;
	__u64 aux_tail;
};

/* kernel/events/internal.h */
struct perf_buffer {
	int nr_pages;
	int page_order;		/* if the data is vmalloc()ed */
	int overwrite;
	int paused;
	struct int_count poll;
	struct long_count head;
	struct long_count wakeup;
	struct long_count lost;
	long watermark;
	long aux_watermark;
	struct int_count mmap_count;
	struct user_struct *mmap_user;
	long aux_head;
	int aux_nr_pages;
	int aux_overwrite;
	struct perf_event_mmap_page *user_page;
	void *data_pages[1];	/* nr_pages of them */
};

struct perf_event_attr {
	__u32 type;
};

struct hw_perf_event {
	struct task_struct *target;
	__u64 interrupts;
};

struct tracepoint {
	const char *name;
};

struct trace_event_class {
	const char *system;
};

/* linux/trace_events.h */
struct trace_event_call {
	struct trace_event_class *class;
	const char *name;	/* in a union with tp */
	struct tracepoint *tp;
	int flags;
};

struct perf_event {
	enum perf_event_state state;
	struct u64_count count;
	struct perf_event_attr attr;
	struct hw_perf_event hw;
	int cpu;
	struct int_count mmap_count;
	struct perf_buffer *rb;
	__u64 id;
	struct u64_count lost_samples;	/* Linux 6.0 */
	__u32 orig_type;	/* Linux 6.6 */
	struct trace_event_call *tp_event;	/* CONFIG_EVENT_TRACING */
};

struct bpf_map {
	enum bpf_map_type map_type;
	__u32 max_entries;
	__u32 map_flags;
	__u32 id;
	char name[16];
};

/* kernel/bpf/ringbuf.c */
struct bpf_ringbuf {
	__u64 mask;
	int nr_pages;
	unsigned long consumer_pos;
	unsigned long producer_pos;
	unsigned long overwrite_pos;	/* Linux 6.19 */
};

struct bpf_ringbuf_map {
	struct bpf_ringbuf *rb;
};

/* io_uring/io_uring_types.h */
struct io_uring {
	__u32 head;
	__u32 tail;
};

struct io_rings {
	struct io_uring sq, cq;
	__u32 sq_dropped;
	__u32 cq_overflow;
};

struct io_ring_ctx {
	unsigned int flags;
	struct io_rings *rings;	/* the process can write to them */
	unsigned int sq_entries, cq_entries;
};

struct sock_common {
	unsigned short skc_family;
};

struct sock {
	struct sock_common __sk_common;
};

struct socket {
	struct file *file;
	struct sock *sk;
};

struct net_device {
	char name[16];
};

struct packet_type {
	struct net_device *dev;
};

/* net/packet/internal.h */
struct pgv {
	char *buffer;
};

/* Of TPACKET_V3. */
struct tpacket_kbdq_core {
	unsigned char reset_pending_on_curr_blk;
	unsigned short kactive_blk_num;
	char *pkblk_start;
	char *prev, *nxt_offset;	/* the same if the block is empty */
	int kblk_size;
	__u64 knxt_seq_num;
};

struct packet_ring_buffer {
	struct pgv *pg_vec;
	unsigned int head;
	unsigned int frames_per_block;
	unsigned int frame_size;
	unsigned int frame_max;
	unsigned int pg_vec_pages;
	unsigned int pg_vec_len;
	struct tpacket_kbdq_core prb_bdqc;
};

struct tpacket_stats {
	unsigned int tp_packets;
};

union tpacket_stats_u {
	struct tpacket_stats stats1;
};

struct packet_sock {
	union tpacket_stats_u stats;
	struct packet_ring_buffer rx_ring;
	int ifindex;
	enum tpacket_versions tp_version;
	struct packet_type prot_hook;
	struct int_count tp_drops;	/* Linux 5.3 */
};

/* A slot of a BPF_MAP_TYPE_PERF_EVENT_ARRAY. */
struct bpf_event_entry {
	struct perf_event *event;
};

struct bpf_array {
	void *ptrs[1];
};

struct bpf_prog_aux {
	__u32 used_map_cnt;
	__u32 id;
	struct bpf_map **used_maps;
	char name[16];
};

struct bpf_prog {
	struct bpf_prog_aux *aux;
};

struct bpf_iter_meta {
	struct seq_file *seq;
};

struct bpf_iter__task_file {
	struct bpf_iter_meta *meta;
	struct task_struct *task;
	__u32 fd;
	struct file *file;
};

struct bpf_iter__task_vma {
	struct bpf_iter_meta *meta;
	struct task_struct *task;
	struct vm_area_struct *vma;
};

struct bpf_iter__bpf_map {
	struct bpf_iter_meta *meta;
	struct bpf_map *map;
};

struct bpf_iter__bpf_prog {
	struct bpf_iter_meta *meta;
	struct bpf_prog *prog;
};

#pragma clang attribute pop

#endif
