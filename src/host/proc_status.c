/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "host/proc_status.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sys.h"
#include "base/text.h"
#include "host/table/host.h"

/* A process may be in 65,536 groups, all of which are listed. */
enum { STATUS_MAX = 1 << 20 };

/* The text after "\nNAME:\t"; NULL if there is no such line. */
static const char *value_of(const char *text, const char *name)
{
	const char *line = strstr(text, name);

	return line ? line + strlen(name) : NULL;
}

/*
 * Newlines and backslashes are escaped as \n and \\, so that a name cannot
 * imitate a line: proc_task_name(), fs/proc/array.c.
 */
static void read_comm(const char *text, char comm[16])
{
	char raw[16];
	size_t n = 0;

	while (*text && *text != '\n' && n < sizeof(raw) - 1) {
		raw[n] = *text++;
		if (raw[n] == '\\' && *text != '\n')
			raw[n] = *text++ == 'n' ? '\n' : '\\';
		n++;
	}
	raw[n] = '\0';
	text_copy(comm, 16, raw);
}

static int parse(const char *text, struct proc_status *status)
{
	const char *name = value_of(text, "Name:\t");
	const char *state = value_of(text, "\nState:\t");
	const char *uid = value_of(text, "\nUid:\t");
	const char *caps = value_of(text, "\nCapEff:\t");
	const char *pinned = value_of(text, "\nVmPin:\t");
	uint64_t kb;

	*status = (struct proc_status){ .pinned = UNKNOWN };
	if (!name || !uid || sscanf(uid, "%u", &status->uid) != 1)
		return -EBADMSG;
	read_comm(name, status->comm);
	status->stopped = state && (*state == 'T' || *state == 't');
	if (caps && sscanf(caps, "%" SCNx64, &status->caps) != 1)
		status->caps = 0;
	if (pinned && sscanf(pinned, " %" SCNu64, &kb) == 1)
		status->pinned = kb * 1024;
	return 0;
}

int proc_status_read(const char *proc, pid_t pid, struct proc_status *status)
{
	char path[PATH_MAX], *text;
	ssize_t n;
	int ret;

	snprintf(path, sizeof(path), "%s/%d/status", proc, pid);
	n = sys_read_file_alloc(path, STATUS_MAX, &text);
	if (n < 0)
		return (int)n;
	ret = parse(text, status);
	free(text);
	return ret;
}
