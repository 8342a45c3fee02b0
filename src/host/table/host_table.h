/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The machine's rings over time: passes go in, a picture comes out.  Keeps
 * each ring one row while it is remapped, redirected, or held by its mapping
 * alone, and a while after its owner has gone.
 *
 * A row is known again by its ring's key and one of the ids of its events, or
 * (remapped: a new ring) by the id of the event whose mapping it is; a BPF ring
 * buffer by its map's id.
 */
#ifndef RBTOP_HOST_TABLE_HOST_TABLE_H
#define RBTOP_HOST_TABLE_HOST_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "host/table/host.h"
#include "host/table/host_notes.h"
#include "host/table/host_pass.h"

struct host_table;

struct host_table_opts {
	pid_t self;		/* rbtop's own */
	uint64_t page_size;
	double linger;		/* seconds that a row stays when it is gone */
	struct host_filter filter; /* borrowed; has to outlive the table */
};
#define HOST_TABLE_LINGER 60.0

/* NULL when out of memory. */
struct host_table *host_table_new(const struct host_table_opts *opts);
void host_table_free(struct host_table *table);

/*
 * A user of whose name was not asked yet, into *@uid; false: there is none.
 * Until host_table_name_user() is told it ("": it has none), the number stands
 * for it.
 */
bool host_table_unnamed(const struct host_table *table, uid_t *uid);
void host_table_name_user(struct host_table *table, uid_t uid,
			  const char *name);

/*
 * Take in what was seen.  A row whose ring is missing is gone once a pass over
 * all processes, files and mappings, has not found it; a BPF ring buffer's,
 * once one over maps has not.  0 or -ENOMEM: then some rows were not brought up
 * to date.
 */
int host_table_add(struct host_table *table, const struct host_pass *pass);

/*
 * What the next pass has to look at, beside HOST_FILES | HOST_MAPS:
 * HOST_MAPPINGS while a ring is known by its mapping alone or was not found
 * again.
 */
unsigned int host_table_wants(const struct host_table *table);

/* Processes that hold rings now, sorted, into @pids.  How many there are. */
size_t host_table_pids(const struct host_table *table, pid_t *pids,
		       size_t max);

/*
 * The picture as of now: rates are over the passes since the last call (at
 * first: since the first pass; where there was none they stay), NAN before
 * there are two.  Of rows that are gone, an owner that opens and closes one
 * ring again and again leaves only the latest.  It belongs to @table and lives
 * until the next call.  @status is copied into it; ringless and processes are
 * filled in here.
 * Warnings that came, losses, rows that went are told to @note (may be NULL).
 * NULL when out of memory.
 */
const struct host *host_table_frame(struct host_table *table, double mono,
				    double wall,
				    const struct host_status *status,
				    host_note_fn *note, void *ctx);

/* Peaks, gaps, histories and what advice is made of begin anew. */
void host_table_reset(struct host_table *table);

#endif
