/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What an owner must change to get rings of another size, in its own words: the
 * option, variable or configuration key that sets the size, and where the
 * owner's command line is known, the whole command to run instead.  The command
 * lines of other owners are kept here, too, to be shown.
 */
#ifndef RBTOP_HOST_TABLE_HOST_REMEDY_H
#define RBTOP_HOST_TABLE_HOST_REMEDY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "ring/ring_row.h"

/*
 * Whether the program @comm (or NULL) sets the size on its command line or in
 * its environment, and not in a file or in its source.
 */
bool host_remedy_is_option(const char *comm, enum ring_kind kind);

/*
 * Write what gives a ring @pages pages of @page_size bytes if its owner is the
 * program @comm ("BPFTRACE_PERF_RB_PAGES=512"); "" if that is not known.
 * @kind: RING_PERF, one of several; RING_BPF, all of it; RING_PACKET, one of
 * frames of @frame bytes.
 */
void host_remedy_setting(const char *comm, enum ring_kind kind, uint64_t pages,
			 uint64_t page_size, uint32_t frame, char *buf,
			 size_t size);

/*
 * The same of the ftrace buffers "ftrace", the kernel's, or "ftrace:INSTANCE":
 * "echo 2048 > /sys/kernel/tracing/buffer_size_kb".  "" if the name of the
 * instance is too long, or not literal in a shell.
 */
void host_remedy_ftrace(const char *event, uint64_t pages, uint64_t page_size,
			char *buf, size_t size);

/*
 * What lets less arrive in the rings of program @comm (NULL: any): a literal,
 * for a sentence.
 */
const char *host_remedy_less(const char *comm);

enum {
	HOST_REMEDY_ARGV = 4096,	/* longer command lines are not used */
	HOST_REMEDY_COMMAND = 1024,
	HOST_REMEDIES = 32,		/* owners with a command at a time; of
					 * these, if more are to be advised: */
	HOST_REMEDIES_ADVISED = 16,
};

/*
 * Write the command that starts the owner of @row with rings of @pages pages:
 * the command line @argv, of @len bytes, arguments with their NUL, with the
 * size changed or added, quoted for the shell.  "" if the owner's setting is no
 * option or variable, if an argument has a byte that a terminal or shell might
 * not take literally, or if @argv or the result is too long.
 */
void host_remedy_command(const struct ring_row *row, const char *argv,
			 size_t len, uint64_t pages, uint64_t page_size,
			 char buf[HOST_REMEDY_COMMAND]);

/* An owner; first of all one whose rings should have another size, or should
 * have had. */
struct host_remedy {
	pid_t pid;		/* 0: unused */
	bool present;		/* a ring of it is */
	bool ended;		/* all of its rings are gone */
	bool reused;		/* an earlier process had the pid: rings that
				 * are gone may be of that one */
	bool known;		/* argv was set */
	size_t len;		/* 0: it could not be read */
	char argv[HOST_REMEDY_ARGV];
	char line[HOST_REMEDY_COMMAND];	/* the same as text, maybe cut */
	uint64_t pages;		/* that command is for; 0: none is needed */
	char command[HOST_REMEDY_COMMAND];
};

/* Zeroed: none. */
struct host_remedies {
	uid_t uid;		/* only owners of this user: it is not safe to
				 * run what others have typed, and theirs to
				 * keep it from logs */
	struct host_remedy list[HOST_REMEDIES];
};

/* An owner whose command line is to be read.  False: there is none. */
bool host_remedies_wants(const struct host_remedies *all, pid_t *pid);
/* Its command line; @len 0: it cannot be read, or is too long. */
void host_remedies_set_cmdline(struct host_remedies *all, pid_t pid,
			       const char *argv, size_t len);
/*
 * Set advice.command and cmdline of all @rows, sizes being in pages of
 * @page_size.  They are valid until the next call.
 */
void host_remedies_set(struct host_remedies *all, struct ring_row *rows,
		       size_t nr, uint64_t page_size);

#endif
