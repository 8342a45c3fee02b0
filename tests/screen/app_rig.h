/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The front end with a fake source and the test's own clock. */
#ifndef RBTOP_TESTS_APP_RIG_H
#define RBTOP_TESTS_APP_RIG_H

#include "source/source.h"
#include "tests/screen/frames.h"
#include "ui/app/app_state.h"

struct app_rig {
	struct source source;
	struct config config;
	struct front_end_opts opts;
	struct app app;
	struct canvas *canvas;
	int reads, fail_read;	/* fail_read: -errno */
	bool ended;
	uint64_t lost;		/* of each ring */
	uint64_t counted;	/* including pending; 0: unknown */
	const char *other_event;	/* of the other rings; NULL: one event */
	struct request request;	/* the last one */
	int requests, refuse;	/* refuse: -errno, ... */
	size_t refuse_from;	/* ... of this ring and later ones */
	int resets;
	bool drops;		/* of BPF ring buffers are to be counted */
	struct event_rates rates;
	const struct samples *samples;	/* NULL: no samples */
	const struct snapshots *snapshots;	/* NULL: none can be taken */
	struct request_snapshot granted;	/* outcome of a request for
						 * one */
	bool aux;		/* rings have AUX rings, in snapshot mode */
	const struct playback *playback;	/* as -i: of a recording */
	bool host_only;			/* as --host: no own rings */
	const struct host *machine;	/* the host's rings, once watched */
	int watches, fail_watch;	/* started; fail_watch: -errno */
	int written, fail_write;	/* fail_write: -errno */
	char title[128];		/* of the flame view written */
};

/* Seconds, as the front end sees them; 0 at the start. */
extern double rig_clock;

/* Set up and tear down a test; *@state is a struct app_rig, on 80x24. */
int rig_setup(void **state);
/* The same as with --host. */
int rig_setup_host(void **state);
int rig_teardown(void **state);

/* Events; each is followed by a draw. */
void rig_resize(struct app_rig *f, int rows, int cols);
/* Press keys, given by name and separated by blanks. */
void rig_press(struct app_rig *f, const char *names);
void rig_tick(struct app_rig *f);
void rig_click(struct app_rig *f, int row, int col);

/* Checks of what is on the screen. */
bool rig_row_has(struct app_rig *f, int row, const char *text);
bool rig_shows(struct app_rig *f, const char *text);
enum view_id rig_on_top(const struct app_rig *f);

#endif
