/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The samples of a recording, up to the moment that is shown: read from the
 * file once more, as it is played, sorted by time, and processed like those of
 * live events.
 */
#ifndef RBTOP_SOURCE_RECORDING_SAMPLES_H
#define RBTOP_SOURCE_RECORDING_SAMPLES_H

#include <stdbool.h>
#include <stdint.h>

struct err;
struct perfdata_reader;
struct perfdata_record;
struct recorded;
struct recording_samples;
struct resolver_thread;

struct recording_samples_opts {
	/* that has read all of it; only its file is used later */
	const struct perfdata_reader *reader;
	const struct recorded *recorded;	/* borrowed */
	uint64_t kernel;	/* recording_samples_kernel(), or UNKNOWN */
	bool list_only;		/* see struct resolver_thread_opts */
};

/* The address of the kernel's text if @record has it, else UNKNOWN. */
uint64_t recording_samples_kernel(const struct perfdata_reader *reader,
				  const struct perfdata_record *record);

/*
 * 0 with *@out, whose thread is *@thread; or -errno with @err, as if the file
 * cannot be read a second time.
 */
int recording_samples_open(const struct recording_samples_opts *opts,
			   struct recording_samples **out,
			   struct resolver_thread **thread, struct err *err);
/* After the thread was freed.  NULL is fine. */
void recording_samples_free(struct recording_samples *s);

/*
 * Play from the time @from up to @to, in ns of the recording's clock: continue
 * the previous call, or replace its samples if @from differs or @to is earlier.
 */
void recording_samples_play(struct recording_samples *s, uint64_t from,
			    uint64_t to);
/* Play that again, after a change of the filter or field. */
void recording_samples_again(struct recording_samples *s);
/* Whether reading failed, with @err: there are no samples after that. */
bool recording_samples_failed(struct recording_samples *s, struct err *err);

#endif
