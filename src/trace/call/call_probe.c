/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "trace/call/call_probe.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/sys.h"
#include "base/text.h"

enum {
	NAME_SIZE = 56,		/* MAX_EVENT_NAME_LEN of the kernel is 64 */
	LIST_MAX = 16 << 20,
};

struct call_probe {
	int fd;			/* of uprobe_events */
	char group[32];
	char name[NAME_SIZE];
	char event[32 + NAME_SIZE];
};

/* One command of uprobe_events.  0 or -errno. */
static int command(int fd, const char *text)
{
	return write(fd, text, strlen(text)) < 0 ? -errno : 0;
}

static int remove_named(int fd, const char *group, const char *name)
{
	char text[128];

	snprintf(text, sizeof(text), "-:%s/%s\n", group, name);
	return command(fd, text);
}

/*
 * Remove the probes of instances of rbtop that were killed.  A probe that is in
 * use stays: the kernel refuses with EBUSY.
 */
static void remove_stale(int fd, const char *path)
{
	char *text = NULL, *rest, *line;
	ssize_t len = sys_read_file_alloc(path, LIST_MAX, &text);

	rest = len > 0 ? text : NULL;
	while ((line = strsep(&rest, "\n"))) {
		char group[32], name[NAME_SIZE + 8];
		int pid;

		if (sscanf(line, "p:rbtop_%d/%63s", &pid, name) != 2 ||
		    pid <= 0 || !kill(pid, 0) || errno != ESRCH)
			continue;
		snprintf(group, sizeof(group), "rbtop_%d", pid);
		remove_named(fd, group, name);
	}
	free(text);
}

/* The kernel allows only letters, digits and '_' (is_good_name()). */
static void make_names(struct call_probe *p, const char *name)
{
	snprintf(p->group, sizeof(p->group), "rbtop_%d", getpid());
	text_copy(p->name, sizeof(p->name), name);
	for (char *c = p->name; *c; c++)
		if (!isalnum((unsigned char)*c))
			*c = '_';
	snprintf(p->event, sizeof(p->event), "%s:%s", p->group, p->name);
}

static int refused(int code, const char *file, struct err *err)
{
	if (code == -EACCES || code == -EPERM)
		return err_set(err, code,
			       "following children needs a uprobe in tracefs, which only root can add: try sudo rbtop");
	if (code == -EINVAL || code == -ERANGE)
		return err_errno(err, code,
				 "the kernel refuses a uprobe at that offset of %.200s",
				 file);
	return err_errno(err, code, "adding a uprobe in %.200s", file);
}

static int add(struct call_probe *p, const char *file, uint64_t offset,
	       struct err *err)
{
	char text[PATH_MAX + 160];
	int ret;

	/* argv_split(), comments, a reference counter's offset */
	if (file[strcspn(file, " \t\n\v\f\r#(")])
		return err_set(err, -EINVAL,
			       "%.200s: tracefs accepts no path with a space, '#' or '('",
			       file);
	/* a killed instance may have had the same process id */
	remove_named(p->fd, p->group, p->name);
	snprintf(text, sizeof(text), "p:%s/%s %s:0x%llx\n", p->group, p->name,
		 file, (unsigned long long)offset);
	ret = command(p->fd, text);
	return ret ? refused(ret, file, err) : 0;
}

struct call_probe *call_probe_add(const char *tracefs, const char *name,
				  const char *file, uint64_t offset,
				  struct err *err)
{
	struct call_probe *p = calloc(1, sizeof(*p));
	char path[PATH_MAX];
	int ret;

	if (!p) {
		err_set(err, -ENOMEM, "out of memory");
		return NULL;
	}
	make_names(p, name);
	snprintf(path, sizeof(path), "%s/uprobe_events",
		 tracefs ? tracefs : "/sys/kernel/tracing");
	p->fd = sys_open_append(path);
	if (p->fd < 0) {
		ret = refused(p->fd, file, err);
	} else {
		remove_stale(p->fd, path);
		ret = add(p, file, offset, err);
	}
	if (!ret)
		return p;
	sys_close(p->fd);
	free(p);
	return NULL;
}

void call_probe_remove(struct call_probe *p)
{
	if (!p)
		return;
	remove_named(p->fd, p->group, p->name);
	sys_close(p->fd);
	free(p);
}

const char *call_probe_event(const struct call_probe *p)
{
	return p->event;
}
