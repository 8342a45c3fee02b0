/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "perf/tracepoint/tracefs.h"

#include <errno.h>
#include <fnmatch.h>
#include <limits.h>
#include <linux/magic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <traceevent/event-parse.h>
#include <unistd.h>

#include "base/err.h"
#include "base/sys.h"
#include "perf/tracepoint/tracepoint_plain.h"
#include "base/text.h"

#define TRACEFS_DIR "/sys/kernel/tracing"
#define TRACEFS_DEBUG_DIR "/sys/kernel/debug/tracing"
#define TRACEFS_MOUNT "mount -t tracefs nodev " TRACEFS_DIR

/* The longest format file seen is some 10 KiB. */
enum { FORMAT_MAX = 1 << 20 };

static bool is_tracefs(const char *path)
{
	long magic;

	return !sys_fs_type(path, &magic) && magic == TRACEFS_MAGIC;
}

/* Since Linux 5.17 gid= reaches the files below as well, mode= only the top. */
static int unreadable(const char *tracefs, struct err *err)
{
	err_set(err, -EACCES,
		"tracepoints need read access to %s, and root or "
		"CAP_PERFMON: try sudo rbtop, or with that capability: "
		"sudo mount -o remount,mode=750,gid=%u %s",
		tracefs, (unsigned int)getgid(), tracefs);
	return err_doctor(err, -EACCES, "tracefs");
}

const char *tracefs_mounted(void)
{
	if (is_tracefs(TRACEFS_DIR))
		return TRACEFS_DIR;
	if (is_tracefs(TRACEFS_DEBUG_DIR))
		return TRACEFS_DEBUG_DIR;
	return NULL;
}

const char *tracefs_path(struct err *err)
{
	const char *path = tracefs_mounted();
	int ret = 0;

	if (!path) {
		path = TRACEFS_DIR;
		ret = sys_mount("tracefs", path);
	}
	if (ret == -ENOENT || ret == -ENODEV) {
		err_set(err, ret,
			"this kernel has no tracepoints "
			"(CONFIG_TRACING, CONFIG_FTRACE)");
		err_doctor(err, ret, "config");
		return NULL;
	}
	if (ret) {
		err_set(err, ret,
			"tracepoints need tracefs, which is not "
			"mounted; as root: " TRACEFS_MOUNT);
		err_doctor(err, ret, "tracefs");
		return NULL;
	}
	if (sys_access(path, R_OK | X_OK)) {
		unreadable(path, err);
		return NULL;
	}
	return path;
}

/* "TRACEFS/events/SYS/NAME/FILE" into @path.  False if not a proper name. */
static bool event_path(char path[PATH_MAX], const char *tracefs,
		       const char *sys, const char *name, const char *file)
{
	int n;

	if (!text_is_file_name(sys) || !text_is_file_name(name))
		return false;
	n = snprintf(path, PATH_MAX, "%s/events/%s/%s/%s", tracefs, sys, name,
		     file);
	return n > 0 && n < PATH_MAX;
}

/* A wrong name is a usage error, not a failure of the system. */
static int unknown(const char *sys, const char *name, struct err *err)
{
	err_usage(err, "unknown tracepoint '%.60s:%.60s'", sys, name);
	if (err)
		err->code = -ENOENT;
	return -ENOENT;
}

/* Explain the error @code of reading below @tracefs.  Returns it, with @err. */
static int refused(const char *tracefs, const char *sys, const char *name,
		   int code, struct err *err)
{
	switch (code) {
	case -ENOENT:
	case -ENOTDIR:
		return unknown(sys, name, err);
	case -EACCES:
	case -EPERM:
		return unreadable(tracefs, err);
	default:
		return err_errno(err, code, "tracepoint '%.60s:%.60s' in %s",
				 sys, name, tracefs);
	}
}

int tracefs_event_id(const char *tracefs, const char *sys, const char *name,
		     uint64_t *id, struct err *err)
{
	char path[PATH_MAX];
	long long value;
	int ret;

	if (!event_path(path, tracefs, sys, name, "id"))
		return unknown(sys, name, err);
	ret = sys_read_number(path, &value);
	if (!ret && value < 0)
		ret = -EIO;
	if (ret)
		return refused(tracefs, sys, name, ret, err);
	*id = (uint64_t)value;
	return 0;
}

static int is_dir(const struct dirent *d)
{
	return d->d_name[0] != '.' &&
	       (d->d_type == DT_DIR || d->d_type == DT_UNKNOWN);
}

struct each_event {
	const char *tracefs;
	const char *name; /* the glob */
	tracefs_event_fn *fn;
	void *ctx;
	bool found;
};

static int each_of_system(struct each_event *e, const char *sys)
{
	char path[PATH_MAX];
	struct dirent **names;
	int nr, ret = 0;

	if (snprintf(path, sizeof(path), "%s/events/%s", e->tracefs, sys) >=
	    (int)sizeof(path))
		return 0;
	nr = sys_scandir(path, is_dir, &names);
	if (nr < 0)
		return 0;
	for (int i = 0; i < nr && !ret; i++) {
		if (fnmatch(e->name, names[i]->d_name, 0))
			continue;
		e->found = true;
		ret = e->fn(e->ctx, sys, names[i]->d_name);
	}
	sys_free_entries(names, nr);
	return ret;
}

int tracefs_each_event(const char *tracefs, const char *sys, const char *name,
		       tracefs_event_fn *fn, void *ctx, struct err *err)
{
	struct each_event e = { tracefs, name, fn, ctx, false };
	char path[PATH_MAX];
	struct dirent **systems;
	int nr, ret = 0;

	if (snprintf(path, sizeof(path), "%s/events", tracefs) >=
	    (int)sizeof(path))
		return unknown(sys, name, err);
	nr = sys_scandir(path, is_dir, &systems);
	if (nr == -ENOENT)
		return err_set(err, -ENOENT,
			       "no tracepoints in %s: is tracefs "
			       "mounted? as root: " TRACEFS_MOUNT,
			       tracefs);
	if (nr < 0)
		return refused(tracefs, sys, name, nr, err);
	for (int i = 0; i < nr && !ret; i++) {
		if (!fnmatch(sys, systems[i]->d_name, 0))
			ret = each_of_system(&e, systems[i]->d_name);
	}
	sys_free_entries(systems, nr);
	return e.found ? ret : unknown(sys, name, err);
}

ssize_t tracefs_read_format(const char *tracefs, const char *sys,
			    const char *name, char **text)
{
	char path[PATH_MAX];

	if (!event_path(path, tracefs, sys, name, "format"))
		return -ENOENT;
	return sys_read_file_alloc(path, FORMAT_MAX, text);
}

/* The end of the last field. */
static uint32_t fields_end(const struct tep_format_field *f, uint32_t end)
{
	for (; f; f = f->next) {
		uint64_t this_end =
			(uint64_t)(uint32_t)f->offset + (uint32_t)f->size;

		if (f->offset >= 0 && f->size >= 0 && this_end > end &&
		    this_end <= UINT16_MAX)
			end = (uint32_t)this_end;
	}
	return end;
}

static void join_fields(const struct tep_format_field *f, char *buf,
			size_t size)
{
	size_t len = 0;

	buf[0] = '\0';
	for (; f; f = f->next) {
		int n = snprintf(buf + len, size - len, "%s%s", len ? "," : "",
				 f->name);

		if (n < 0 || (size_t)n >= size - len) {
			buf[len] = '\0'; /* whole names only */
			return;
		}
		len += (size_t)n;
	}
}

/*
 * Only the fields are needed: with an empty print format, libtraceevent does
 * not parse it, which is slow and, in 1.7, leaks memory.
 */
static void drop_print_format(char *text)
{
	static const char empty[] = "\nprint fmt: \"\"";
	char *fmt = strstr(text, "\nprint fmt:");

	if (fmt && strlen(fmt) >= strlen(empty))
		strcpy(fmt, empty);
}

int tracefs_event_fields(const char *tracefs, const char *sys, const char *name,
			 uint32_t *bytes, char *fields, size_t size)
{
	struct tep_event *event = NULL;
	struct tep_handle *tep;
	char *text, *plain;
	ssize_t n = tracefs_read_format(tracefs, sys, name, &text);

	if (n < 0)
		return (int)n;
	plain = tracepoint_probe_format(text, (size_t)n);
	if (plain) {
		free(text);
		text = plain;
	}
	drop_print_format(text);
	tep_set_loglevel(TEP_LOG_NONE);
	tep = tep_alloc();
	if (tep && !tep_parse_event(tep, text, strlen(text), sys))
		event = tep_find_event_by_name(tep, sys, name);
	free(text);
	if (event) {
		*bytes = fields_end(event->format.common_fields, 0);
		*bytes = fields_end(event->format.fields, *bytes);
		if (fields && size)
			join_fields(event->format.fields, fields, size);
	}
	if (tep)
		tep_free(tep);
	return event ? 0 : tep ? -EBADMSG : -ENOMEM;
}
