/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/screen/app_rig.h"

#include <errno.h>
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "base/err.h"
#include "host/host_watch.h"
#include "samples/flame.h"
#include "ui/term/term_curses.h"

enum { RINGS = 3, SIZE = 512 * 1024 };

double rig_clock;

static double fake_now(void)
{
	return rig_clock;
}

static struct app_rig *rig_of(struct source *s)
{
	return (struct app_rig *)s;
}

static int fake_read(struct source *s, struct reading *r, struct err *err)
{
	struct app_rig *f = rig_of(s);

	if (f->fail_read)
		return err_set(err, f->fail_read, "reading: no memory");
	if (!f->host_only && reading_reserve(r, RINGS) < 0)
		return -ENOMEM;
	f->reads++;
	r->mono = f->reads;
	r->wall = 1700000000 + f->reads;
	r->kernel = (uint64_t)(5000 + f->reads) * 1000000000;
	r->ended = f->ended;
	r->rss = 3 << 20;
	r->rates = f->rates;
	r->samples = f->samples;
	r->snapshots = f->snapshots;
	r->playback = f->playback;
	r->start = f->playback ? (uint64_t)5000 * 1000000000 : 0;
	if (f->playback)
		r->wall = f->reads;
	if (f->playback && f->lost)
		reading_fold(r, 1, LOG_LOST, 1, "CPU 0 lost 7 records");
	for (int i = 0; i < RINGS && !f->host_only; i++) {
		struct reading_ring *ring = &r->rings[i];

		ring->row.cpu = i;
		ring->row.enabled = true;
		ring->row.size = SIZE;
		ring->row.watermark = SIZE / 2;
		ring->row.tail = (uint64_t)f->reads * 4096;
		ring->row.head = ring->row.tail + 1024;
		ring->stats.bytes = (uint64_t)f->reads * 4096;
		ring->stats.records = (uint64_t)f->reads * 100;
		ring->stats.types[RECORD_SAMPLE] = ring->stats.records;
		ring->stats.lost = f->lost;
		if (f->aux)
			ring->row.aux = (struct ring_aux){
				.size = SIZE, .overwrite = true, .head = 4096,
			};
		if (f->aux)
			ring->aux = (struct reading_aux){
				.head_age = 2, .read_cost = 25e-6,
			};
		if (f->playback) {
			ring->row.size = UNKNOWN;
			ring->row.watermark = 0;
			ring->row.head = ring->row.tail = 0;
		}
		if (!f->counted)
			continue;
		if (reading_reserve_events(ring, 1) < 0)
			return -ENOMEM;
		ring->row.events[0] = (struct ring_event){
			.name = i && f->other_event ? f->other_event :
						      "cpu-clock",
			.lost = f->counted,
		};
	}
	return 0;
}

static int fake_request(struct source *s, const struct request *rq,
			struct err *err)
{
	struct app_rig *f = rig_of(s);

	f->request = *rq;
	f->requests++;
	if (rq->snapshot)
		*rq->snapshot = f->granted;
	return f->refuse && rq->ring >= f->refuse_from ?
		       err_set(err, f->refuse, "over perf_event_mlock_kb") :
		       0;
}

static void fake_close(struct source *s)
{
	(void)s;
}

static const struct source_ops fake_ops = {
	.name = "fake",
	.read = fake_read,
	.request = fake_request,
	.close = fake_close,
};

static int fake_save(const struct config *config, const char *path,
		     struct err *err)
{
	(void)config;
	return err_set(err, -EACCES, "writing %s: permission denied", path);
}

static struct app_rig *rig;	/* of the running test */

/* In place of the thread that reads the host's rings. */

struct host_watch *host_watch_start(const struct host_watch_opts *opts,
				    struct err *err)
{
	(void)opts;
	if (rig->fail_watch) {
		err_set(err, rig->fail_watch, "no thread can be started");
		return NULL;
	}
	rig->watches++;
	return (struct host_watch *)(void *)rig;
}

void host_watch_free(struct host_watch *watch)
{
	(void)watch;
}

void host_watch_reset(struct host_watch *watch)
{
	(void)watch;
	rig->resets++;
}

void host_watch_drops(struct host_watch *watch, bool on)
{
	(void)watch;
	rig->drops = on;
}

const struct host *host_watch_frame(struct host_watch *watch,
				    host_note_fn *note, void *ctx)
{
	static const struct host none;

	(void)watch;
	(void)note;
	(void)ctx;
	return rig->machine ? rig->machine : &none;
}

static int fake_write(const struct flame *flame, const char *title,
		      const char *dir, double time, char *path, size_t size,
		      struct err *err)
{
	assert_string_equal(dir, "/flames");
	assert_true(flame->nr > 1);
	if (rig->fail_write)
		return err_set(err, rig->fail_write, "writing in %s: full",
			       dir);
	rig->written++;
	snprintf(rig->title, sizeof(rig->title), "%s", title);
	snprintf(path, size, "%s/rbtop-%.0f.svg", dir, time);
	return 0;
}

static int setup(void **state, bool host)
{
	struct app_rig *f = calloc(1, sizeof(*f));
	struct err err = { 0 };

	setlocale(LC_CTYPE, "C.UTF-8");
	setenv("TZ", "UTC0", 1);
	tzset();
	rig = f;
	if (!f || source_init(&f->source, &fake_ops) < 0)
		return -1;
	snprintf(f->source.title, sizeof(f->source.title),
		 "system-wide: cpu-clock");
	config_default(&f->config);
	f->opts = (struct front_end_opts){
		.config = &f->config,
		.config_path = "/nowhere/rbtoprc",
		.save = fake_save,
		.write_flame = fake_write,
		.flame_dir = "/flames",
		.host = host,
	};
	f->host_only = host;
	if (host && source_watch_host(&f->source, NULL, &err) < 0)
		return -1;
	f->canvas = canvas_new(24, 80, false);
	*state = f;
	if (app_init(&f->app, &f->source, &f->opts, &err) < 0)
		return -1;
	f->app.now = fake_now;
	f->app.started = rig_clock = 0;
	app_draw(&f->app, f->canvas);
	return 0;
}

int rig_setup(void **state)
{
	return setup(state, false);
}

int rig_setup_host(void **state)
{
	return setup(state, true);
}

int rig_teardown(void **state)
{
	struct app_rig *f = *state;

	app_free(&f->app);
	source_close(&f->source);
	canvas_free(f->canvas);
	free(f);
	return 0;
}

void rig_resize(struct app_rig *f, int rows, int cols)
{
	canvas_free(f->canvas);
	f->canvas = canvas_new(rows, cols, false);
	app_draw(&f->app, f->canvas);
}

void rig_press(struct app_rig *f, const char *names)
{
	char copy[128], *rest = copy, *name;
	struct term_event ev = { .kind = TERM_KEY };

	snprintf(copy, sizeof(copy), "%s", names);
	while ((name = strsep(&rest, " ")) != NULL) {
		ev.code = keys_parse(name);
		assert_int_not_equal(ev.code, -1);
		app_event(&f->app, &ev);
	}
	app_draw(&f->app, f->canvas);
}

void rig_tick(struct app_rig *f)
{
	app_tick(&f->app);
	app_draw(&f->app, f->canvas);
}

void rig_click(struct app_rig *f, int row, int col)
{
	struct term_event ev = { .kind = TERM_CLICK, .row = row, .col = col };

	app_event(&f->app, &ev);
	app_draw(&f->app, f->canvas);
}

bool rig_row_has(struct app_rig *f, int row, const char *text)
{
	return strstr(screen_row(f->canvas, row), text) != NULL;
}

bool rig_shows(struct app_rig *f, const char *text)
{
	for (int row = 0; row < f->canvas->rows; row++) {
		if (rig_row_has(f, row, text))
			return true;
	}
	return false;
}

enum view_id rig_on_top(const struct app_rig *f)
{
	return app_view(&f->app)->ops->id;
}
