/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The machine's rings over time: made from passes, shown as frames.  A ring
 * keeps its row while it is remapped, redirected, or held only by its mapping,
 * and for a while after its owner has ended.
 *
 * A row is identified by its ring's key together with the id of one of its
 * events; after a remap, which makes a new ring, by the id of the event that
 * maps it; for a BPF ring buffer by its map's id.
 */
#ifndef RBTOP_HOST_TABLE_HOST_TABLE_H
#define RBTOP_HOST_TABLE_HOST_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "host/table/host.h"
#include "ring/log.h"

struct host_table;

struct host_table_opts {
	pid_t self;		/* rbtop's pid */
	uid_t uid;		/* of the user who is shown commands */
	uint64_t page_size;
	double linger;		/* seconds that the row of a gone ring is
				 * kept */
	bool keeps_lost;	/* or longer, if it lost records since the last
				 * reset: as long as there is room */
	struct host_filter filter; /* borrowed; must outlive the table */
};
#define HOST_TABLE_LINGER 60.0

/* Writes a line to the log; @fold as for log_fold(). */
typedef void host_note_fn(void *ctx, enum log_kind kind, uint64_t fold,
			  const char *text);

/* NULL when out of memory. */
struct host_table *host_table_new(const struct host_table_opts *opts);
void host_table_free(struct host_table *table);

/*
 * Store in *@uid a user whose name was not requested yet; false: there is none.
 * Until host_table_name_user() sets the name ("": it has none), the number is
 * shown.
 */
bool host_table_unnamed(const struct host_table *table, uid_t *uid);
void host_table_name_user(struct host_table *table, uid_t uid,
			  const char *name);

/*
 * Store in *@pid an owner whose command line was not read yet: to be shown, and
 * to say how its rings get another size; false: there is none.  Its arguments, with
 * their NUL, are taken by host_table_command(); @len 0: they cannot be read.
 */
bool host_table_uncommanded(const struct host_table *table, pid_t *pid);
void host_table_command(struct host_table *table, pid_t pid, const char *argv,
			size_t len);

/*
 * Add a pass.  A missing ring is gone if the pass covered files and mappings of
 * all processes; a BPF ring buffer, if it covered maps.  0 or -ENOMEM: then
 * some rows are not up to date.
 */
int host_table_add(struct host_table *table, const struct host_pass *pass);

/*
 * The parts that the next pass must read, besides HOST_FILES | HOST_MAPS:
 * HOST_MAPPINGS if a ring is only known by its mapping or was not found again.
 */
unsigned int host_table_wants(const struct host_table *table);

/* Show only rings of these owners.  @pids is borrowed, until the next call. */
void host_table_show_only(struct host_table *table, const pid_t *pids,
			  size_t nr);

/*
 * Store the processes that hold rings, sorted, in @pids.  Returns their number,
 * which may exceed @max.
 */
size_t host_table_pids(const struct host_table *table, pid_t *pids,
		       size_t max);

/*
 * Make the frame.  Rates are over the passes since the last call (at first:
 * since the first pass; without new passes they stay), NAN before there are two
 * passes.  If an owner opens and closes one ring repeatedly, only the latest
 * gone row is shown.  The frame belongs to @table and is valid until the next
 * call.  @status is copied into it; ringless and processes are set here.  New
 * warnings, losses and gone rows are reported to @note (may be NULL).  NULL
 * when out of memory.
 */
const struct host *host_table_frame(struct host_table *table, double mono,
				    double wall,
				    const struct host_status *status,
				    host_note_fn *note, void *ctx);

/* Reset peaks, gaps, histories and the basis of advice. */
void host_table_reset(struct host_table *table);

#endif
