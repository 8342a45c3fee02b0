/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "host/host_bpf.h"

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/sys.h"
#include "host/host_bpf_reason.h"
#include "host/host_parse.h"
#include "perf/event/event_label.h"

/* bpftool's code, not ours to keep free of warnings. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wconversion"
#include "host/rings.skel.h"
#pragma GCC diagnostic pop

/*
 * The kernel hands out at most 8 pages at a time (bpf_seq_read() in
 * kernel/bpf/bpf_iter.c); more than one record's worth in any case.
 */
enum { BUFFER = 128 * 1024 };

struct host_bpf {
	struct rings_bpf *skel;
	struct bpf_link *files, *mappings, *maps; /* of all tasks */
	struct host_parse *parse;
	struct event_labels *labels;
	double mono;		/* of the pass that is read */
	bool can_pick;
	uint64_t buffer[BUFFER / sizeof(uint64_t)];
};

bool host_bpf_built_in(void)
{
	return true;
}

static const char *event_name(void *ctx, const struct perf_event_attr *attr,
			      const char *tracepoint)
{
	struct host_bpf *bpf = ctx;

	return event_labels_name(bpf->labels, attr, tracepoint, bpf->mono);
}

/* What libbpf says goes into the reason, and never to the terminal. */
static char said[160];

__attribute__((format(printf, 2, 0)))
static int keep_message(enum libbpf_print_level level, const char *fmt,
			va_list args)
{
	/* The first is the most exact, what follows tells who gave up. */
	if (level == LIBBPF_WARN && !said[0])
		vsnprintf(said, sizeof(said), fmt, args);
	return 0;
}

/* A link that iterates over process @pid alone.  A fd or -errno. */
static int pick_link(const struct bpf_program *prog, pid_t pid)
{
	union bpf_iter_link_info info = { .task.pid = (__u32)pid };
	LIBBPF_OPTS(bpf_link_create_opts, opts, .iter_info = &info,
		    .iter_info_len = sizeof(info));

	return bpf_link_create(bpf_program__fd(prog), 0, BPF_TRACE_ITER, &opts);
}

/* Kernels that cannot pick refuse what they do not know of the link. */
static bool can_pick(const struct host_bpf *bpf)
{
	int fd = pick_link(bpf->skel->progs.rbtop_files, getpid());

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

/* What the kernel's types tell before any program is loaded. */
struct kernel_types {
	bool narrow;		/* its pointers are not of 64 bits */
	bool mappings;		/* has iterators over them: Linux 5.12 */
	__u32 tracepoint_flag;	/* see rings.bpf.c */
};

static const struct btf_enum *enumerator_in(const struct btf *btf,
					    const struct btf_type *type,
					    const char *name)
{
	const struct btf_enum *e = btf_enum(type);

	for (unsigned int left = btf_vlen(type); left--; e++) {
		const char *its = btf__name_by_offset(btf, e->name_off);

		if (its && !strcmp(its, name))
			return e;
	}
	return NULL;
}

/* The value of an enumerator of whatever enum; 0 where there is none. */
static __u32 enumerator(const struct btf *btf, const char *name)
{
	const struct btf_enum *found = NULL;

	for (__u32 id = 1; id < btf__type_cnt(btf) && !found; id++) {
		const struct btf_type *type = btf__type_by_id(btf, id);

		if (btf_is_enum(type))
			found = enumerator_in(btf, type, name);
	}
	return found ? (__u32)found->val : 0;
}

/* Where they are not to be had, loading fails for just that, and says so. */
static struct kernel_types read_types(void)
{
	struct kernel_types types = { .mappings = true };
	struct btf *btf = btf__load_vmlinux_btf();

	if (!btf)
		return types;
	types.narrow = btf__pointer_size(btf) == 4;
	types.mappings = btf__find_by_name_kind(btf, "bpf_iter_task_vma",
						BTF_KIND_FUNC) > 0;
	types.tracepoint_flag = enumerator(btf, "TRACE_EVENT_FL_TRACEPOINT");
	btf__free(btf);
	return types;
}

static int load(struct host_bpf *bpf, const struct kernel_types *types)
{
	said[0] = '\0';
	bpf->skel = rings_bpf__open();
	if (!bpf->skel)
		return -errno;
	bpf_program__set_autoload(bpf->skel->progs.rbtop_mappings,
				  types->mappings);
	bpf->skel->rodata->tracepoint_flag = types->tracepoint_flag;
	bpf->skel->rodata->page_shift = (__u32)__builtin_ctzl(sys_page_size());
	return rings_bpf__load(bpf->skel);
}

static int attach(const struct bpf_program *prog, struct bpf_link **link)
{
	*link = bpf_program__attach_iter(prog, NULL);
	return *link ? 0 : -errno;
}

static int attach_all(struct host_bpf *bpf)
{
	struct bpf_program *mappings = bpf->skel->progs.rbtop_mappings;
	int r = attach(bpf->skel->progs.rbtop_files, &bpf->files);

	if (r == 0)
		r = attach(bpf->skel->progs.rbtop_maps, &bpf->maps);
	if (r == 0 && bpf_program__autoload(mappings))
		r = attach(mappings, &bpf->mappings);
	return r;
}

static int start(struct host_bpf *bpf)
{
	struct kernel_types types = read_types();
	int r;

	if (types.narrow)
		return HOST_BPF_NARROW;
	r = load(bpf, &types);
	return r ? r : attach_all(bpf);
}

struct host_bpf *host_bpf_open(struct event_labels *labels, struct err *err)
{
	struct host_bpf *bpf = calloc(1, sizeof(*bpf));
	int r = -ENOMEM;

	if (!bpf)
		goto fail;
	bpf->labels = labels;
	bpf->parse = host_parse_new(sys_page_size(), event_name, bpf);
	if (!bpf->parse)
		goto fail;
	libbpf_set_print(keep_message);
	r = start(bpf);
	if (r)
		goto fail;
	bpf->can_pick = can_pick(bpf);
	return bpf;
fail:
	host_bpf_free(bpf);
	host_bpf_reason(r, said, err);
	return NULL;
}

void host_bpf_free(struct host_bpf *bpf)
{
	if (!bpf)
		return;
	bpf_link__destroy(bpf->files);
	bpf_link__destroy(bpf->mappings);
	bpf_link__destroy(bpf->maps);
	rings_bpf__destroy(bpf->skel);
	host_parse_free(bpf->parse);
	free(bpf);
}

bool host_bpf_can_pick(const struct host_bpf *bpf)
{
	return bpf->can_pick;
}

const char *host_bpf_misses(const struct host_bpf *bpf)
{
	if (bpf->mappings)
		return NULL;
	return "rings whose descriptors are closed are not seen, nor who maps a ring: that takes Linux 5.12";
}

/*
 * Read an iterator to its end.  It gives -EAGAIN where it looked at very many
 * things in vain, and goes on.
 */
static int read_all(struct host_bpf *bpf, int fd)
{
	char *buffer = (char *)bpf->buffer;
	size_t have = 0;
	ssize_t n, used;

	for (;;) {
		n = read(fd, buffer + have, sizeof(bpf->buffer) - have);
		if (n < 0 && (errno == EAGAIN || errno == EINTR))
			continue;
		if (n <= 0)
			break;
		have += (size_t)n;
		used = host_parse_records(bpf->parse, buffer, have);
		if (used < 0)
			return (int)used;
		have -= (size_t)used;
		memmove(buffer, buffer + used, have);
	}
	if (n < 0)
		return errno == ESRCH ? 0 : -errno;
	return have ? -EBADMSG : 0;
}

static int iterate(struct host_bpf *bpf, int link)
{
	int fd = bpf_iter_create(link), r;

	if (fd < 0)
		return fd == -ESRCH ? 0 : fd;
	bpf->skel->bss->pass++;
	r = read_all(bpf, fd);
	close(fd);
	return r;
}

/* Over the tasks of @pid, or by the link to all of them. */
static int iterate_tasks(struct host_bpf *bpf, const struct bpf_program *prog,
			 const struct bpf_link *link, pid_t pid)
{
	int fd, r;

	if (!link)
		return 0;
	if (pid == 0)
		return iterate(bpf, bpf_link__fd(link));
	fd = pick_link(prog, pid);
	if (fd < 0)
		return fd == -ESRCH ? 0 : fd;
	r = iterate(bpf, fd);
	close(fd);
	return r;
}

static int read_parts(struct host_bpf *bpf, unsigned int parts, pid_t pid)
{
	int r = 0;

	if (parts & HOST_FILES)
		r = iterate_tasks(bpf, bpf->skel->progs.rbtop_files,
				  bpf->files, pid);
	if (r == 0 && parts & HOST_MAPPINGS)
		r = iterate_tasks(bpf, bpf->skel->progs.rbtop_mappings,
				  bpf->mappings, pid);
	if (r == 0 && parts & HOST_MAPS)
		r = iterate(bpf, bpf_link__fd(bpf->maps));
	return r;
}

int host_bpf_read(struct host_bpf *bpf, unsigned int parts, pid_t pid,
		  struct host_pass *pass, struct err *err)
{
	uint64_t files = bpf->skel->bss->files;
	int r = host_parse_begin(bpf->parse, pass);

	bpf->mono = pass->mono;
	if (r == 0)
		r = read_parts(bpf, parts, pid);
	pass->files += bpf->skel->bss->files - files;
	if (r)
		err_set(err, r, "reading rings by BPF iterators: %s",
			strerror(-r));
	return r;
}
