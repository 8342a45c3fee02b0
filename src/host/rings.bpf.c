// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * BPF iterators over all file descriptors, mappings, BPF maps and BPF programs.
 * They only read, and write a record of the state of each perf event, BPF ring
 * buffer and AF_PACKET ring, and of the programs that use them.  And a program
 * that notes what those perf events have lost when they end.
 *
 * Iterators run in an RCU read-side section (bpf_iter_run_prog() in
 * kernel/bpf/bpf_iter.c): the ring of an event is not freed before they end.
 * That of an AF_PACKET socket may be: then what is read of it is of no meaning,
 * and checked as what comes from outside is.
 */
#include <stdbool.h>

#include "host/kernel.bpf.h"
#include "host/host_records.h"

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

char LICENSE[] SEC("license") = "GPL";

/*
 * Files of perf events, BPF maps, io_uring and sockets are recognized by their
 * operations.  Not all kernels publish their addresses, so they are taken from
 * the first file with the right name in the file system of anonymous inodes,
 * where only the kernel names files, or in that of sockets.
 */
const void *perf_ops, *map_ops, *uring_ops, *socket_ops;

/* Set by user space: io_uring's rings, those of AF_PACKET are read, too. */
bool reads_urings, reads_packets;

/*
 * Set if an AF_PACKET socket is mapped, so that it has a ring, but its type is
 * not known.
 */
bool packets_unknown;

/*
 * Set before the programs are loaded: TRACE_EVENT_FL_TRACEPOINT, which differs
 * between kernels; 0: unknown.  CO-RE cannot find enumerators of an unnamed
 * enum.
 */
const volatile __u32 tracepoint_flag;

/* Of the kernel's page size; also set before the programs are loaded. */
const volatile __u32 page_shift;

/* Number of the pass, set before it; perf event descriptors seen in all. */
__u64 pass;
__u64 files;

/*
 * What events that were written had lost when they ended, by id; before,
 * HOST_NOT_ENDED.  Filled if set, by user space when the program that sees them
 * end is attached.
 */
bool awaits_ends;
__u64 ended;
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, HOST_ENDS);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, __u64);
	__type(value, __u64);
} ends SEC(".maps");

/*
 * Recently written objects, by a hash: of several descriptors of an event in a
 * process, only the first is written.
 */
enum { SEEN = 1024 };
struct seen {
	__u64 thing, pass;
	__s64 tgid;
};
static struct seen seen[SEEN];
/* The same for rings, of any process. */
static struct seen seen_rings[SEEN];

/* MAX_USED_MAPS, linux/bpf.h */
enum { USED_MAPS = 64 };

/* Limit of reads for a ring that is drained continuously. */
enum { TAIL_READS = 4 };

/* Too large for the stack.  Iterators are read by one thread only. */
static struct host_record_event event_record;
static struct host_record_slots slots_record;
static struct host_record_packet packet_record;
static __u64 words[HOST_WORDS];
/* volatile: otherwise the verifier would track each of its values. */
static volatile __u32 words_end, waiting_min, waiting_max;

#define READ(dst, src) bpf_core_read(&(dst), sizeof(dst), &(src))

static __always_inline bool same_name(const char *a, const char *b, int size)
{
	int i;

	for (i = 0; i < size; i++)
		if (a[i] != b[i])
			return false;
	return true;
}

/*
 * Learn the operations from this file, if they are not known yet.  Opened again
 * with O_PATH, which anyone may, it has others.
 */
static __always_inline void learn(struct file *file)
{
	char name[16] = "";
	unsigned long magic;

	if (perf_ops && map_ops && (uring_ops || !reads_urings) &&
	    (socket_ops || !reads_packets))
		return;
	if (file->f_mode & FMODE_PATH)
		return;
	magic = file->f_inode->i_sb->s_magic;
	if (!socket_ops && magic == SOCKFS_MAGIC)
		socket_ops = file->f_op;
	if (magic != ANON_INODE_FS_MAGIC)
		return;
	bpf_probe_read_kernel_str(name, sizeof(name),
				  file->f_path.dentry->d_name.name);
	if (!perf_ops && same_name(name, "[perf_event]", 13))
		perf_ops = file->f_op;
	if (!map_ops && same_name(name, "bpf-map", 8))
		map_ops = file->f_op;
	if (!uring_ops && reads_urings && same_name(name, "[io_uring]", 11))
		uring_ops = file->f_op;
}

static __always_inline struct seen *seen_slot(struct seen *in,
					      const void *thing)
{
	__u64 hash = ((__u64)thing >> 4) * 0x9e3779b97f4a7c15ULL;

	return &in[(hash >> 32) % SEEN];
}

static __always_inline bool was_seen(struct seen *in, const void *thing,
				     int tgid)
{
	struct seen *slot = seen_slot(in, thing);

	return slot->thing == (__u64)thing && slot->pass == pass &&
	       slot->tgid == tgid;
}

static __always_inline void set_seen(struct seen *in, const void *thing,
				     int tgid)
{
	struct seen *slot = seen_slot(in, thing);

	slot->thing = (__u64)thing;
	slot->pass = pass;
	slot->tgid = tgid;
}

/*
 * Write a record.  False if it does not fit: the kernel then returns what it
 * has, and runs the program again for the same object, so nothing may have been
 * counted or marked as seen.
 */
static __always_inline bool write_record(struct bpf_iter_meta *meta,
					 void *record, __u32 size)
{
	return bpf_seq_write(meta->seq, record, size) == 0;
}

/*
 * The id of a task in the reader's pid namespace; -1: it is not in there.  A
 * reaped task has no struct pid.
 */
static __noinline int pid_here(struct task_struct *task)
{
	struct task_struct *me = (void *)bpf_get_current_task();
	struct pid *mine = BPF_CORE_READ(me, thread_pid), *pid = NULL;
	unsigned int level = BPF_CORE_READ(mine, level);
	__u64 offset = level * bpf_core_type_size(struct upid);
	struct upid here, there;
	int nr = -1;

	if (level == 0) {
		READ(nr, task->pid);
		return nr;
	}
	READ(pid, task->thread_pid);
	if (!pid)
		return -1;
	bpf_probe_read_kernel(&here, sizeof(here),
			      (void *)&mine->numbers[0] + offset);
	bpf_probe_read_kernel(&there, sizeof(there),
			      (void *)&pid->numbers[0] + offset);
	return here.ns == there.ns ? there.nr : -1;
}

/* enum task_state of the group leader, as in /proc/PID/status. */
static __always_inline unsigned int state_of(struct task_struct *leader)
{
	struct task_struct___before_5_14 *old = (void *)leader;
	unsigned int state = 0;
	long old_state = 0;

	if (bpf_core_field_exists(leader->__state)) {
		READ(state, leader->__state);
	} else {
		READ(old_state, old->state);
		state = (unsigned int)old_state;
	}
	return state;
}

/*
 * bpf_task_pt_regs(): Linux 5.15.  perf record has a thread for side-band events
 * next to the one that reads; of more threads, any may be the reader.
 */
static __always_inline int sleeps_in(struct task_struct *leader,
				     unsigned int state)
{
	unsigned long number = 0;
	int arm = 0;
	void *regs;

	if (!bpf_core_enum_value_exists(enum bpf_func_id,
					BPF_FUNC_task_pt_regs) ||
	    BPF_CORE_READ(leader, signal, nr_threads) > 2)
		return HOST_SLEEP_UNKNOWN;
	regs = (void *)bpf_task_pt_regs(leader);
	if (bpf_core_field_exists(struct pt_regs___x86, orig_ax)) {
		READ(number, ((struct pt_regs___x86 *)regs)->orig_ax);
	} else if (bpf_core_field_exists(struct pt_regs___arm64, syscallno)) {
		READ(arm, ((struct pt_regs___arm64 *)regs)->syscallno);
		number = (unsigned long)arm;
	} else {
		return HOST_SLEEP_UNKNOWN;
	}
	return state & (TASK_INTERRUPTIBLE | TASK_UNINTERRUPTIBLE) ?
	       (int)number : HOST_SLEEP_NONE;
}

static __always_inline void read_owner(struct host_record_owner *owner,
				       struct task_struct *task, bool maps)
{
	struct task_struct *leader = task->group_leader;
	unsigned int state = state_of(leader);
	int priority = 0;

	READ(priority, leader->normal_prio);
	owner->priority = priority > 0 ? priority : 1;
	owner->pid = pid_here(leader);
	owner->uid = BPF_CORE_READ(leader, cred, uid.val);
	READ(owner->comm, leader->comm);
	owner->maps = maps;
	owner->stopped = (state & (__TASK_STOPPED | __TASK_TRACED)) != 0;
	owner->sleeps_in = sleeps_in(leader, state);
	owner->run_delay = ~0ULL;
	if (bpf_core_field_exists(leader->sched_info.run_delay))
		READ(owner->run_delay, leader->sched_info.run_delay);
	owner->run_time = ~0ULL;
	if (BPF_CORE_READ(leader, signal, nr_threads) == 1)
		READ(owner->run_time, leader->se.sum_exec_runtime);
}

static __noinline void read_user(struct host_record_ring *to,
				 struct perf_buffer *rb)
{
	struct user_struct *user = NULL;
	int mapped = 0;
	long locked = 0;

	to->uid = ~0U;
	READ(mapped, rb->mmap_count);
	READ(user, rb->mmap_user);
	if (!mapped || !user)
		return;
	READ(to->uid, user->uid);
	READ(locked, user->locked_vm);
	to->user_locked = (__u64)locked;
}

/*
 * Heads are read from the kernel's struct, as the owner can write to the user
 * page, from which only the tails are taken.  Tails are read before heads, so
 * that used is never negative, and again if the owner drained in between, so
 * that it is at most the size.
 */
static __always_inline void read_positions(struct host_record_ring *to,
					   struct perf_buffer *rb)
{
	struct perf_event_mmap_page *page = NULL;
	__u64 tail = 0;
	long head = 0;
	int i;

	READ(page, rb->user_page);
	READ(to->aux_tail, page->aux_tail);
	READ(head, rb->aux_head);
	to->aux_head = (__u64)head;
	READ(tail, page->data_tail);
	for (i = 0; i < TAIL_READS; i++) {
		to->data_tail = tail;
		READ(head, rb->head);
		READ(tail, page->data_tail);
		if (tail == to->data_tail)
			break;
	}
	to->data_head = (__u64)head;
}

/* Read all but key and lost, which are set in each event's record. */
static __always_inline void read_ring(struct host_record_ring *to,
				      struct perf_buffer *rb)
{
	read_positions(to, rb);
	READ(to->wakeup, rb->wakeup);
	READ(to->watermark, rb->watermark);
	READ(to->aux_watermark, rb->aux_watermark);
	READ(to->nr_pages, rb->nr_pages);
	to->page_order = 0;
	if (bpf_core_field_exists(rb->page_order))
		READ(to->page_order, rb->page_order);
	READ(to->aux_nr_pages, rb->aux_nr_pages);
	READ(to->overwrite, rb->overwrite);
	READ(to->paused, rb->paused);
	READ(to->poll, rb->poll);
	READ(to->aux_overwrite, rb->aux_overwrite);
	read_user(to, rb);
}

/* The address of position @at in a ring, whose pages never move. */
static __always_inline void *data_at(const struct host_record_ring *ring,
				     struct perf_buffer *rb, __u64 at)
{
	__u32 shift = (page_shift + (__u32)ring->page_order) & 63;
	__u64 page = (at >> shift) & ((__u64)ring->nr_pages - 1);
	void *data = NULL;

	bpf_probe_read_kernel(&data, sizeof(data),
			      (void *)&rb->data_pages + page * sizeof(data));
	return data + (at & ((1ULL << shift) - 1));
}

static __always_inline __u64 word_at(const struct host_record_ring *ring,
				     struct perf_buffer *rb, __u64 at)
{
	__u64 word = 0;

	bpf_probe_read_kernel(&word, sizeof(word), data_at(ring, rb, at));
	return word;
}

static __always_inline struct perf_event_header header_of(__u64 word)
{
	struct perf_event_header header;

	__builtin_memcpy(&header, &word, sizeof(header));
	return header;
}

static __always_inline void add_size(struct host_record_ring *to, __u32 type,
				     __u32 size)
{
	if (type != PERF_RECORD_SAMPLE)
		return;
	to->sizes++;
	to->size_sum += size;
	if (size > to->size_max)
		to->size_max = size;
}

/*
 * The same for an empty ring, from the records drained last and not yet
 * overwritten.  Starts are found backwards: a header contains the distance to
 * the record behind it.
 */
static __noinline int read_drained(struct host_record_ring *to,
				   struct perf_buffer *rb)
{
	__u64 shift = (page_shift + (__u32)to->page_order) & 63;
	struct perf_event_header header;
	int i;

	/* Within a page the words are contiguous. */
	if ((to->data_tail & ((1ULL << shift) - 1)) < sizeof(words))
		return 0;
	bpf_probe_read_kernel(words, sizeof(words),
			      data_at(to, rb, to->data_tail - sizeof(words)));
	words_end = HOST_WORDS;
	for (i = HOST_WORDS - 1; i >= 0; i--) {
		header = header_of(words[i]);
		if (header.size != (words_end - (__u32)i) * 8 ||
		    !header.type || header.type >= PERF_RECORD_BEYOND)
			continue;
		add_size(to, header.type, header.size);
		words_end = (__u32)i;
	}
	return 0;
}

/*
 * The sizes of waiting samples, otherwise unknown if events are sampled by
 * frequency, follow threads or have stacks; and the records lost in one gap
 * between drains, from the LOST record written when there is room again.  Only
 * valid if the tail did not move meanwhile.
 */
static __noinline int read_waiting(struct host_record_ring *to,
				   struct perf_buffer *rb)
{
	__u64 tail = to->data_tail, head = to->data_head, at = tail;
	struct perf_event_mmap_page *page = NULL;
	struct perf_event_header header;
	int i;

	for (i = 0; i < HOST_SIZES && at < head; i++) {
		header = header_of(word_at(to, rb, at));
		if (header.size < sizeof(header) || header.size % 8 ||
		    header.size > head - at)
			break;
		add_size(to, header.type, header.size);
		/* after the header and the id */
		if (header.type == PERF_RECORD_LOST && !to->lost_in_record)
			to->lost_in_record = word_at(to, rb, at + 16);
		at += header.size;
	}
	READ(page, rb->user_page);
	READ(tail, page->data_tail);
	if (tail != to->data_tail) {
		to->sizes = to->size_sum = to->size_max = 0;
		to->lost_in_record = 0;
	}
	return 0;
}

/* @lost: of this event. */
static __always_inline void read_sizes(struct host_record_ring *to,
				       struct perf_buffer *rb, __u64 lost)
{
	to->sizes = to->size_sum = to->size_max = 0;
	to->lost_in_record = 0;
	if (to->overwrite || to->nr_pages <= 0)
		return;
	if (to->data_tail != to->data_head)
		read_waiting(to, rb);
	else if (lost && to->data_tail)
		read_drained(to, rb);
}

/*
 * The attr as passed to perf_event_open(): the kernel replaces the type of
 * clock events by that of their PMU (cpu_clock_event_init() in
 * kernel/events/core.c).
 */
static __always_inline void read_attr(__u8 *to, struct perf_event *event)
{
	__u32 size = bpf_core_field_size(event->attr);

	__builtin_memset(to, 0, HOST_ATTR_SIZE);
	if (size > HOST_ATTR_SIZE)
		size = HOST_ATTR_SIZE;
	bpf_probe_read_kernel(to, size, &event->attr);
	if (bpf_core_field_exists(event->orig_type))
		bpf_core_read(to, sizeof(__u32), &event->orig_type);
}

/* Like trace_event_name(), linux/trace_events.h. */
static __noinline void read_tracepoint(struct host_record_event *to,
				       struct perf_event *event)
{
	struct trace_event_call *call = NULL;
	const char *name;

	READ(call, event->tp_event);
	if (BPF_CORE_READ(call, flags) & tracepoint_flag)
		name = BPF_CORE_READ(call, tp, name);
	else
		name = BPF_CORE_READ(call, name);
	bpf_probe_read_kernel_str(to->system, sizeof(to->system),
				  BPF_CORE_READ(call, class, system));
	bpf_probe_read_kernel_str(to->tracepoint, sizeof(to->tracepoint),
				  name);
}

static __always_inline void read_event(struct host_record_event *to,
				       struct perf_event *event)
{
	struct task_struct *target = NULL;

	READ(to->id, event->id);
	READ(to->count, event->count);
	to->lost = ~0ULL;
	if (bpf_core_field_exists(event->lost_samples))
		READ(to->lost, event->lost_samples);
	READ(to->interrupts, event->hw.interrupts);
	READ(to->state, event->state);
	READ(to->cpu, event->cpu);
	READ(to->maps, event->mmap_count);
	READ(target, event->hw.target);
	/* TASK_TOMBSTONE, kernel/events/core.c, is -1. */
	to->tid = -1;
	if (target && target != (void *)-1)
		to->tid = pid_here(target);
	read_attr(to->attr, event);
	to->system[0] = to->tracepoint[0] = '\0';
	if (bpf_core_field_exists(event->tp_event) && tracepoint_flag &&
	    *(const __u32 *)to->attr == PERF_TYPE_TRACEPOINT)
		read_tracepoint(to, event);
}

/* False: the program must run again. */
static __always_inline bool write_event(struct bpf_iter_meta *meta,
					struct task_struct *task,
					struct perf_event *event, bool maps)
{
	static const __u64 not_ended = HOST_NOT_ENDED;
	struct host_record_event *record = &event_record;
	struct perf_buffer *rb = NULL;
	struct host_record_counter counter = {
		.head = { HOST_RECORD_COUNTER, sizeof(counter) },
	};

	READ(rb, event->rb);
	if (!rb) {
		READ(counter.id, event->id);
		return write_record(meta, &counter, sizeof(counter));
	}
	record->head.type = HOST_RECORD_EVENT;
	record->head.size = sizeof(*record);
	read_owner(&record->owner, task, maps);
	read_event(record, event);
	record->ring.key = (__u64)rb;
	READ(record->ring.lost, rb->lost);
	if (!was_seen(seen_rings, rb, 0)) {
		read_ring(&record->ring, rb);
		read_sizes(&record->ring, rb, record->lost);
	}
	if (!write_record(meta, record, sizeof(*record)))
		return false;
	if (awaits_ends)
		bpf_map_update_elem(&ends, &record->id, &not_ended,
				    BPF_NOEXIST);
	set_seen(seen_rings, rb, 0);
	return true;
}

static __always_inline bool is_ringbuf(enum bpf_map_type type)
{
	return type == BPF_MAP_TYPE_RINGBUF ||
	       type == BPF_MAP_TYPE_USER_RINGBUF;
}

/* Write that a process has a descriptor or a mapping of a BPF map. */
static __always_inline bool write_map_holder(struct bpf_iter_meta *meta,
					     struct task_struct *task,
					     struct bpf_map *map, bool maps)
{
	struct host_record_map_holder record = {
		.head = { HOST_RECORD_MAP_HOLDER, sizeof(record) },
	};
	enum bpf_map_type type = 0;

	READ(type, map->map_type);
	if (!is_ringbuf(type))
		return true;
	READ(record.id, map->id);
	read_owner(&record.owner, task, maps);
	return write_record(meta, &record, sizeof(record));
}

/* As read_positions(). */
static __always_inline void read_uring(struct host_uring *to,
				       struct io_uring *from)
{
	__u32 head = 0;
	int i;

	READ(head, from->head);
	for (i = 0; i < TAIL_READS; i++) {
		to->head = head;
		READ(to->tail, from->tail);
		READ(head, from->head);
		if (head == to->head)
			break;
	}
}

static __always_inline bool write_uring(struct bpf_iter_meta *meta,
					struct task_struct *task,
					struct io_ring_ctx *ctx, bool maps)
{
	struct host_record_uring record = {
		.head = { HOST_RECORD_URING, sizeof(record) },
		.key = (__u64)ctx,
	};
	struct io_rings *rings = NULL;

	if (!bpf_core_field_exists(ctx->rings) ||
	    !bpf_core_field_exists(ctx->flags) ||
	    !bpf_core_field_exists(ctx->sq_entries) ||
	    !bpf_core_field_exists(ctx->cq_entries) ||
	    !bpf_core_field_exists(rings->sq_dropped) ||
	    !bpf_core_field_exists(rings->cq_overflow))
		return true;
	READ(rings, ctx->rings);
	if (!rings)	/* they are being resized */
		return true;
	READ(record.setup, ctx->flags);
	READ(record.sq.entries, ctx->sq_entries);
	READ(record.cq.entries, ctx->cq_entries);
	read_uring(&record.sq, &rings->sq);
	read_uring(&record.cq, &rings->cq);
	READ(record.sq.lost, rings->sq_dropped);
	READ(record.cq.lost, rings->cq_overflow);
	read_owner(&record.owner, task, maps);
	return write_record(meta, &record, sizeof(record));
}

/*
 * Whether the reader has slot @back slots before the one that is written next;
 * @ring is the address of a struct packet_ring_buffer.
 */
static __noinline int packet_waits(const struct host_record_packet *record,
				   __u64 ring, __u32 back)
{
	struct packet_ring_buffer *rb = (void *)ring;
	__u32 slot, frames = 1;
	struct pgv *vector = NULL;
	unsigned long v1 = 0;
	char *buffer = NULL;
	__u32 status = 0;

	slot = record->at + (record->at < back ? record->slots : 0) - back;
	if (record->version < TPACKET_V3)
		READ(frames, rb->frames_per_block);
	if (!frames)
		return false;
	READ(vector, rb->pg_vec);
	bpf_probe_read_kernel(&buffer, sizeof(buffer),
			      (void *)vector +
			      (__u64)(slot / frames) * sizeof(buffer));
	buffer += (__u64)(slot % frames) * record->slot;
	/* linux/if_packet.h: the first member, in a block the third */
	if (record->version == TPACKET_V1) {
		bpf_probe_read_kernel(&v1, sizeof(v1), buffer);
		return v1 & 1;
	}
	if (record->version == TPACKET_V3)
		buffer += 8;
	bpf_probe_read_kernel(&status, sizeof(status), buffer);
	return status & 1;
}

/*
 * Readers return slots in order, so those that wait are the last ones: that
 * many are found by bisection.
 */
static __noinline void count_waiting(struct host_record_packet *record,
				     __u64 ring)
{
	__u32 middle;
	int i;

	waiting_min = 0;
	waiting_max = record->slots;
	for (i = 0; i < 32 && waiting_min < waiting_max; i++) {
		middle = waiting_max - (waiting_max - waiting_min) / 2;
		if (packet_waits(record, ring, middle))
			waiting_min = middle;
		else
			waiting_max = middle - 1;
	}
	record->waiting = waiting_min;
}

/* The block passed last: its header stays until it is filled again. */
static __always_inline void read_block(struct host_record_packet *record,
				       struct packet_ring_buffer *rb)
{
	__u32 last = (record->at ? record->at : record->slots) - 1;
	struct pgv *vector = NULL;
	char *buffer = NULL;
	__u32 header[6] = { 0 };	/* struct tpacket_block_desc */

	READ(vector, rb->pg_vec);
	bpf_probe_read_kernel(&buffer, sizeof(buffer),
			      (void *)vector + (__u64)last * sizeof(buffer));
	bpf_probe_read_kernel(header, sizeof(header), buffer);
	record->block_packets = header[3];
	record->block_bytes = header[5];
}

/*
 * TPACKET_V3: the present block is being filled, or the reader has not returned
 * it yet.  False if a block was passed meanwhile, or is being opened:
 * prb_open_block() in net/packet/af_packet.c.
 */
static __noinline bool try_blocks(struct host_record_packet *record,
				  __u64 ring)
{
	struct packet_ring_buffer *rb = (void *)ring;
	char *start = NULL, *last = NULL, *end = NULL, *again = NULL;
	unsigned char full = 0;
	unsigned short at = 0;
	__u64 opened = 0;

	READ(opened, rb->prb_bdqc.knxt_seq_num);
	READ(full, rb->prb_bdqc.reset_pending_on_curr_blk);
	READ(at, rb->prb_bdqc.kactive_blk_num);
	READ(start, rb->prb_bdqc.pkblk_start);
	READ(last, rb->prb_bdqc.prev);
	READ(end, rb->prb_bdqc.nxt_offset);
	record->blocks = opened - 1 - !full;
	record->open = full || last == end || end - start > record->slot ?
			       0 : end - start;
	record->at = at;
	count_waiting(record, ring);
	READ(opened, rb->prb_bdqc.knxt_seq_num);
	READ(full, rb->prb_bdqc.reset_pending_on_curr_blk);
	READ(again, rb->prb_bdqc.pkblk_start);
	return record->blocks == opened - 1 - !full && again == start;
}

static __always_inline void read_blocks(struct host_record_packet *record,
					struct packet_ring_buffer *rb)
{
	__u64 ring = (__u64)rb;

	READ(record->slot, rb->prb_bdqc.kblk_size);
	READ(record->slots, rb->pg_vec_len);
	/* the back edge of a loop may be one that Linux 6.1 refuses */
	if (!try_blocks(record, ring) && !try_blocks(record, ring) &&
	    !try_blocks(record, ring))
		try_blocks(record, ring);
	read_block(record, rb);
}

/* Without one of them, the program would not be loaded. */
static __always_inline bool knows_packets(void)
{
	struct packet_sock *po = NULL;

	return bpf_core_field_exists(po->rx_ring.pg_vec) &&
	       bpf_core_field_exists(po->rx_ring.head) &&
	       bpf_core_field_exists(po->rx_ring.frames_per_block) &&
	       bpf_core_field_exists(po->rx_ring.frame_size) &&
	       bpf_core_field_exists(po->rx_ring.frame_max) &&
	       bpf_core_field_exists(po->rx_ring.pg_vec_pages) &&
	       bpf_core_field_exists(po->rx_ring.pg_vec_len) &&
	       bpf_core_field_exists(
		       po->rx_ring.prb_bdqc.reset_pending_on_curr_blk) &&
	       bpf_core_field_exists(po->rx_ring.prb_bdqc.kactive_blk_num) &&
	       bpf_core_field_exists(po->rx_ring.prb_bdqc.pkblk_start) &&
	       bpf_core_field_exists(po->rx_ring.prb_bdqc.prev) &&
	       bpf_core_field_exists(po->rx_ring.prb_bdqc.nxt_offset) &&
	       bpf_core_field_exists(po->rx_ring.prb_bdqc.kblk_size) &&
	       bpf_core_field_exists(po->rx_ring.prb_bdqc.knxt_seq_num) &&
	       bpf_core_field_exists(po->stats.stats1.tp_packets) &&
	       bpf_core_field_exists(po->tp_drops) &&
	       bpf_core_field_exists(po->tp_version) &&
	       bpf_core_field_exists(po->ifindex) &&
	       bpf_core_field_exists(po->prot_hook.dev);
}

static __always_inline bool write_packet(struct bpf_iter_meta *meta,
					 struct task_struct *task,
					 struct socket *socket, bool maps)
{
	struct host_record_packet *record = &packet_record;
	struct packet_ring_buffer *rb;
	struct net_device *dev = NULL;
	struct packet_sock *po = NULL;
	struct pgv *vector = NULL;
	struct file *file = NULL;
	struct inode *inode = NULL;
	enum tpacket_versions version = TPACKET_V1;
	__u32 blocks = 0, pages = 0;

	if (!knows_packets()) {
		packets_unknown |= maps;
		return true;
	}
	po = (void *)BPF_CORE_READ(socket, sk);
	rb = &po->rx_ring;
	READ(vector, rb->pg_vec);
	if (!vector)
		return true;
	__builtin_memset(record, 0, sizeof(*record));
	record->head.type = HOST_RECORD_PACKET;
	record->head.size = sizeof(*record);
	record->key = (__u64)po;
	READ(file, socket->file);
	READ(inode, file->f_inode);
	READ(record->inode, inode->i_ino);
	READ(version, po->tp_version);
	record->version = version;
	READ(record->packets, po->stats.stats1.tp_packets);
	READ(record->frames, rb->frame_max);
	record->frames++;
	if (record->version < TPACKET_V3) {
		READ(record->slot, rb->frame_size);
		record->slots = record->frames;
		READ(record->at, rb->head);
		count_waiting(record, (__u64)rb);
	} else {
		read_blocks(record, rb);
	}
	READ(record->drops, po->tp_drops);
	READ(blocks, rb->pg_vec_len);
	READ(pages, rb->pg_vec_pages);
	record->pages = blocks * pages;
	READ(record->ifindex, po->ifindex);
	READ(dev, po->prot_hook.dev);
	if (dev)
		READ(record->dev, dev->name);
	read_owner(&record->owner, task, maps);
	return write_record(meta, record, sizeof(*record));
}

static __always_inline bool is_packet(const struct file *file)
{
	struct socket *socket = file->private_data;
	struct sock *sk = NULL;
	unsigned short family = 0;

	READ(sk, socket->sk);
	READ(family, sk->__sk_common.skc_family);
	return sk && family == AF_PACKET;
}

/* Whether the file is one that write_file() writes a record for. */
static __always_inline bool is_watched(const struct file *file)
{
	const void *ops = file->f_op;

	return ops == perf_ops || ops == map_ops ||
	       (ops == uring_ops && reads_urings) ||
	       (ops == socket_ops && reads_packets && is_packet(file));
}

/* Write a record for @file, which is_watched(); false: run again. */
static __always_inline bool write_file(struct bpf_iter_meta *meta,
				       struct task_struct *task,
				       struct file *file, bool maps)
{
	const void *ops = file->f_op;
	void *thing = NULL;
	bool written;

	READ(thing, file->private_data);
	if (was_seen(seen, thing, task->tgid))
		return true;
	if (ops == perf_ops)
		written = write_event(meta, task, thing, maps);
	else if (ops == uring_ops)
		written = write_uring(meta, task, thing, maps);
	else if (ops == socket_ops)
		written = write_packet(meta, task, thing, maps);
	else
		written = write_map_holder(meta, task, thing, maps);
	if (written)
		set_seen(seen, thing, task->tgid);
	return written;
}

SEC("iter/task_file")
int rbtop_files(struct bpf_iter__task_file *ctx)
{
	struct task_struct *task = ctx->task;
	struct file *file = ctx->file;

	if (!task || !file)
		return 0;
	learn(file);
	if (!is_watched(file))
		return 0;
	if (write_file(ctx->meta, task, file, false))
		files += file->f_op == perf_ops;
	return 0;
}

SEC("iter/task_vma")
int rbtop_mappings(struct bpf_iter__task_vma *ctx)
{
	struct task_struct *task = ctx->task;
	struct vm_area_struct *vma = ctx->vma;
	struct file *file;

	if (!task || !vma)
		return 0;
	file = vma->vm_file;
	if (!file)
		return 0;
	learn(file);
	/* Mappings behind the data are AUX rings. */
	if (is_watched(file) && (file->f_op != perf_ops || vma->vm_pgoff == 0))
		write_file(ctx->meta, task, file, true);
	return 0;
}

static __always_inline void write_ringbuf(struct bpf_iter_meta *meta,
					  struct bpf_map *map)
{
	struct bpf_ringbuf_map *ringbuf = (void *)map;
	struct host_record_ringbuf record = {
		.head = { HOST_RECORD_RINGBUF, sizeof(record) },
	};
	struct bpf_ringbuf *rb = NULL;
	unsigned long position = 0;
	int nr_pages = 0;

	record.id = map->id;
	record.flags = map->map_flags;
	record.by_user = map->map_type == BPF_MAP_TYPE_USER_RINGBUF;
	READ(record.name, map->name);
	READ(rb, ringbuf->rb);
	record.rb = (__u64)rb;
	READ(record.mask, rb->mask);
	READ(nr_pages, rb->nr_pages);
	record.nr_pages = (__u64)nr_pages;
	READ(position, rb->consumer_pos);
	record.consumer = position;
	/* Read before the producer, so that used is never negative. */
	if (bpf_core_field_exists(rb->overwrite_pos)) {
		READ(position, rb->overwrite_pos);
		record.overwrite = position;
	}
	READ(position, rb->producer_pos);
	record.producer = position;
	write_record(meta, &record, sizeof(record));
}

static __always_inline void write_slots(struct bpf_iter_meta *meta,
					struct bpf_map *map)
{
	struct host_record_slots *record = &slots_record;
	struct bpf_array *array = (void *)map;
	__u32 i, size, nr = map->max_entries;

	if (nr > HOST_SLOTS)
		nr = HOST_SLOTS;
	size = __builtin_offsetof(struct host_record_slots, rings) + nr * 8;
	record->head.type = HOST_RECORD_SLOTS;
	record->head.size = size;
	record->id = map->id;
	READ(record->name, map->name);
	for (i = 0; i < nr && i < HOST_SLOTS; i++) {
		struct bpf_event_entry *entry = NULL;

		bpf_probe_read_kernel(&entry, sizeof(entry),
				      (void *)&array->ptrs + i * 8);
		record->rings[i] = (__u64)BPF_CORE_READ(entry, event, rb);
	}
	write_record(meta, record, size);
}

SEC("iter/bpf_map")
int rbtop_maps(struct bpf_iter__bpf_map *ctx)
{
	struct bpf_map *map = ctx->map;

	if (!map)
		return 0;
	if (is_ringbuf(map->map_type))
		write_ringbuf(ctx->meta, map);
	else if (map->map_type == BPF_MAP_TYPE_PERF_EVENT_ARRAY)
		write_slots(ctx->meta, map);
	return 0;
}

SEC("iter/bpf_prog")
int rbtop_programs(struct bpf_iter__bpf_prog *ctx)
{
	struct bpf_prog *prog = ctx->prog;
	struct host_record_program record = {
		.head = { HOST_RECORD_PROGRAM, sizeof(record) },
	};
	enum bpf_map_type type;
	struct bpf_map *map;
	__u32 i;

	if (!prog)
		return 0;
	record.id = prog->aux->id;
	READ(record.name, prog->aux->name);
	for (i = 0; i < USED_MAPS && i < prog->aux->used_map_cnt; i++) {
		map = NULL;
		bpf_probe_read_kernel(&map, sizeof(map),
				      &prog->aux->used_maps[i]);
		type = 0;
		READ(type, map->map_type);
		if (!is_ringbuf(type) && type != BPF_MAP_TYPE_PERF_EVENT_ARRAY)
			continue;
		READ(record.map_id, map->id);
		if (!write_record(ctx->meta, &record, sizeof(record)))
			break;
	}
	return 0;
}

/*
 * int perf_event_release_kernel(struct perf_event *event): its last descriptor
 * and mapping are gone, so it writes to no ring any more, and loses nothing.
 * Only loaded if the kernel counts lost_samples.
 */
SEC("fentry/perf_event_release_kernel")
int rbtop_ends(__u64 *ctx)
{
	struct perf_event *event = (void *)ctx[0];
	__u64 id = 0, lost = HOST_NOT_ENDED, *end;

	READ(id, event->id);
	end = bpf_map_lookup_elem(&ends, &id);
	if (!end)
		return 0;
	READ(lost, event->lost_samples);
	*end = lost;
	__sync_fetch_and_add(&ended, 1);
	return 0;
}
