/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/screen/frames.h"

#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "samples/flame.h"
#include "tests/screen/canvas_dump.h"

enum { KIB = 1024, TICKS = 40 };

/* Four ticks of a sawtooth: a ring that fills and is drained. */
struct ring_histories *frames_histories(void)
{
	struct ring_histories *h = calloc(1, sizeof(*h));

	for (int i = 0; i < TICKS; i++) {
		const struct ring_row row = {
			.peak_tick = .125 * (i % 4 + 1),
			.fill = .0625 * (i % 4 + 1),
			.bytes_per_s = 25 * KIB * (i % 4 + 1),
			.wakeups_per_s = 2.5 * (i % 4 + 1),
		};

		ring_row_push(&row, .4 * (i % 4 + 1), h);
	}
	return h;
}

struct ring_reads *frames_reads(struct ring_row *r)
{
	return (struct ring_reads *)(uintptr_t)r->reads;
}

static struct ring_event event(const char *name, bool side_band,
				uint64_t count, uint64_t samples)
{
	return (struct ring_event){
		.name = name,
		.side_band = side_band,
		.count = count,
		.samples = samples,
		.samples_per_s = (double)samples / 10,
	};
}

static void set_pids(struct ring_row *r)
{
	static const struct ring_pid pids[] = {
		{ 4242, "dd", 12000, 0, .60 },
		{ 977, "kworker/3:1", 5000, 120, .25 },
		{ 1, "systemd", 1000, 120, .05 },
	};

	struct ring_reads *reads = frames_reads(r);

	memcpy(reads->pids, pids, sizeof(pids));
	reads->nr_pids = sizeof(pids) / sizeof(pids[0]);
}

static void set_stats(struct ring_row *r)
{
	struct ring_stats *s = &frames_reads(r)->stats;

	s->types[RECORD_SAMPLE] = 20000;
	s->types[RECORD_MMAP2] = 300;
	s->types[RECORD_COMM] = 60;
	s->types[RECORD_FORK] = 40;
	s->records = 20400;
	s->bytes = r->bytes;
	s->own = 20;
	s->crossings = r->crossings;
	s->wakeups = r->wakeups;
	s->drains = r->drains;
	s->timer_drains = 62;
	s->peak = (uint64_t)(r->peak * (double)r->size);
	s->fill[0] = 5;
	s->fill[1] = 12;
	s->fill[10] = 40;
	s->fill[11] = 8;
	s->fill[12] = 1;
	for (unsigned int i = 0; i < 90; i++)
		latency_add(&s->latency, 12000);
	for (unsigned int i = 0; i < 9; i++)
		latency_add(&s->latency, 100000);
	latency_add(&s->latency, 3400000);
}

static void set_advice(struct ring_row *r)
{
	r->advice = (struct advice){
		.valid = true,
		.pages = 128,
		.need = 268 * KIB,
		.burst_bytes_per_s = 1.2e6,
		.worst_gap = .21,
		.text = "fits: peak 63% of 512K",
		.reason = "nothing lost; the worst gap brought 1.1M/s x 210ms = 268K",
	};
}

static void set_ring(struct ring_row *r, unsigned int i)
{
	*r = (struct ring_row){
		.id = i, .cpu = (int)i, .tid = -1, .pid = -1,
		.enabled = true,
		.size = 512 * KIB, .watermark = 256 * KIB,
		.wakeup_events = UNKNOWN,
		.head = 1114112, .tail = 1048576,
		.used = 64 * KIB, .fill = .125, .peak = .63, .peak_tick = .5,
		.next_crossing = 1310720,
		.bytes = 1048576, .bytes_per_s = 100 * KIB,
		.crossings = 4, .wakeups = 4, .drains = 66,
		.wakeups_per_s = .4, .reads = calloc(1, sizeof(*r->reads)),
	};
	*frames_reads(r) = (struct ring_reads){
		.records_per_s = 2000 + i % 10,
		.latency_p50 = 12e-6, .latency_p99 = 104e-6,
		.counts_age = .4,
		.aux = { .head_age = (double)NAN, .read_cost = (double)NAN,
			 .peak = (double)NAN },
	};
	ring_row_own(r);
	snprintf(r->label, sizeof(r->label), "CPU %u", i);
	r->events = calloc(2, sizeof(*r->events));
	r->events[0] = event("side-band", true, 0, 0);
	r->events[1] = event("cpu-clock", false, 20000, 20000);
	r->nr_events = 2;
	set_pids(r);
	set_stats(r);
	set_advice(r);
	r->histories = frames_histories();
}

static struct log *new_log(void)
{
	struct log *log = log_new(64);
	double t = 1700000000;

	log_add(log, t, LOG_INFO, "watching 8 rings of 512K");
	log_add(log, t + 1, LOG_OUTPUT, "hello from the workload");
	log_add(log, t + 2, LOG_LOST, "CPU 3: lost 12345 records");
	log_add(log, t + 3, LOG_THROTTLE, "CPU 1: cpu-clock throttled");
	log_add(log, t + 3.25, LOG_AUX, "CPU 1: AUX ring ran full, 12 times");
	log_add(log, t + 3.5, LOG_SNAPSHOT, "snapshot 1: 4 rings, 16M");
	log_add(log, t + 4, LOG_HOTPLUG, "CPU 2 is offline");
	log_add(log, t + 5, LOG_ERROR, "CPU 2: cannot open cpu-clock");
	log_add(log, t + 65, LOG_EXIT, "dd (4242) ended with status 0");
	return log;
}

struct frame *frames_new(size_t nr)
{
	struct frame *f = calloc(1, sizeof(*f));

	f->source = "sim";
	f->title = "system-wide: cpu-clock";
	f->notice = "";
	f->tick = 10;
	f->time = 1700000066;
	times_read(&f->times, 5123500000000, 1700000066000000000);
	f->interval = 1;
	f->nr_rings = nr;
	f->rings = calloc(nr ? nr : 1, sizeof(*f->rings));
	for (unsigned int i = 0; i < nr; i++)
		set_ring(&f->rings[i], i);
	f->self = (struct frame_self){ .cpu = .004, .rss = 9 * KIB * KIB,
				       .decode_every = 1, .own_records = 20 };
	f->samples = frames_samples();
	f->log = new_log();
	f->total.row.reads = calloc(1, sizeof(*f->total.row.reads));
	frames_sum(f);
	return f;
}

void frames_free(struct frame *f)
{
	for (size_t i = 0; i < f->nr_rings; i++) {
		struct ring_row *r = &f->rings[i];

		free(r->events);
		free((void *)(uintptr_t)r->histories);
		free((void *)(uintptr_t)r->reads->aux.fill_history);
		free(frames_reads(r));
	}
	free(f->rings);
	free(frames_reads(&f->total.row));
	log_free((struct log *)(uintptr_t)f->log);
	free(f);
}

void frames_fill(struct ring_row *r, double fill, double peak)
{
	r->fill = fill;
	r->peak_tick = r->peak = peak;
	r->used = (uint64_t)(fill * (double)r->size) & ~7ull;
	r->head = r->tail + r->used;
	r->next_crossing = (r->head / r->watermark + 1) * r->watermark;
}

void frames_lossy(struct ring_row *r)
{
	frames_fill(r, .98, 1);
	r->lost = 12345;
	r->lost_reported = 12000;
	r->lost_pending = 345;
	r->lost_per_s = 321;
	frames_reads(r)->stats.lost = 12000;
	frames_reads(r)->stats.types[RECORD_LOST] = 17;
	r->events[1].lost = 12345;
	r->events[1].count += 12345;
	r->advice.pages = 512;
	snprintf(r->advice.text, sizeof(r->advice.text),
		 "grow to -m 512: 8.1M/s x 210ms = 1.7M");
	snprintf(r->advice.reason, sizeof(r->advice.reason),
		 "12345 records were lost: the ring was full for 210ms");
	for (int i = 0; i < 3; i++)
		history_push((struct history *)(uintptr_t)&r->histories->lost,
			     100 * i + 121);
}

void frames_overwrite(struct ring_row *r, bool read)
{
	r->overwrite = true;
	r->watermark = UNKNOWN;
	r->next_crossing = 0;
	r->tail = 0;
	r->used = r->size;
	r->fill = r->peak = r->peak_tick = 1;
	r->crossings = r->wakeups = 0;
	if (!read)
		return;
	frames_reads(r)->overwrite = (struct ring_overwrite){
		.valid = true, .records = 9000,
		.oldest = 4.5, .newest = .001, .paused = .0021, .lost = 37,
	};
	frames_reads(r)->overwrite.types[RECORD_SAMPLE] = 8900;
	frames_reads(r)->overwrite.types[RECORD_COMM] = 100;
}

void frames_thread(struct ring_row *r, int tid, const char *comm)
{
	r->cpu = -1;
	r->tid = tid;
	r->pid = tid;
	snprintf(r->label, sizeof(r->label), "tid %d", tid);
	snprintf(r->comm, sizeof(r->comm), "%s", comm);
}

void frames_unknown(struct ring_row *r)
{
	struct ring_reads *reads = frames_reads(r);

	r->watermark = r->wakeup_events = UNKNOWN;
	r->next_crossing = 0;
	r->lost_pending = UNKNOWN;
	reads->latency_p50 = reads->latency_p99 = reads->counts_age = NAN;
	memset(&reads->stats.latency, 0, sizeof(reads->stats.latency));
	r->events[1].count = r->events[1].lost = UNKNOWN;
	reads->nr_pids = 0;
	r->advice = (struct advice){
		.reason = "too early: no drain has found a record",
	};
}

void frames_sum(struct frame *f)
{
	struct ring_reads *reads = frames_reads(&f->total.row);

	ring_total_own(&f->total, reads, f->rings, f->nr_rings);
	reads->stats.own = f->self.own_records;
	reads->latency_p50 = 12e-6;
	reads->latency_p99 = 104e-6;
}

static struct fake_shell *fake(struct shell *shell)
{
	return (struct fake_shell *)(void *)shell;
}

static bool fake_request(struct shell *shell, const struct request *rq)
{
	struct fake_shell *h = fake(shell);

	/* as the app does */
	for (size_t i = 0; rq->kind != REQUEST_SNAPSHOT && i < rq->nr_rings;
	     i++) {
		const struct request one = { .kind = rq->kind, .on = rq->on,
					     .ring = rq->rings[i] };

		fake_request(shell, &one);
	}
	if (rq->kind != REQUEST_SNAPSHOT && rq->nr_rings)
		return !h->refuses;
	assert_true(h->nr_requests < 16);
	h->requests[h->nr_requests++] = *rq;
	h->nr_rings = rq->nr_rings < 8 ? rq->nr_rings : 8;
	for (size_t i = 0; i < h->nr_rings; i++)
		h->rings[i] = rq->rings[i];
	return !h->refuses;
}

static void fake_message(struct shell *shell, enum role role,
			 const char *text)
{
	snprintf(fake(shell)->message, sizeof(fake(shell)->message), "%s", text);
	fake(shell)->message_role = role;
}

static void fake_show(struct shell *shell, enum view_id view, size_t ring)
{
	fake(shell)->shown = view;
	fake(shell)->shown_ring = ring;
}

static void fake_prompt(struct shell *shell, const char *label,
			const char *initial, bool live,
			void (*done)(struct view *, const char *, bool),
			struct view *view)
{
	struct fake_shell *h = fake(shell);

	snprintf(h->prompt, sizeof(h->prompt), "%s", label);
	snprintf(h->initial, sizeof(h->initial), "%s", initial);
	h->live = live;
	h->done = done;
	h->prompter = view;
}

static void fake_copy(struct shell *shell, const char *text)
{
	snprintf(fake(shell)->copied, sizeof(fake(shell)->copied), "%s", text);
}

static bool fake_save(struct shell *shell)
{
	fake(shell)->saves++;
	return !fake(shell)->unsaved;
}

static void fake_write_flame(struct shell *shell, const struct flame *flame,
			     const char *title)
{
	struct fake_shell *h = fake(shell);

	h->flame_boxes = flame->nr;
	snprintf(h->flame_title, sizeof(h->flame_title), "%s", title);
}

void fake_shell_init(struct fake_shell *h)
{
	/* wcwidth(3), used by the canvas, needs a UTF-8 locale */
	setlocale(LC_CTYPE, "C.UTF-8");
	*h = (struct fake_shell){ .shell = { .request = fake_request,
					     .message = fake_message,
					     .show = fake_show,
					     .prompt = fake_prompt,
					     .save = fake_save,
					     .copy = fake_copy,
					     .write_flame = fake_write_flame } };
	h->shell.config = &h->config;
	h->shell.keys = &h->keys;
	h->shell.visited = VIEW_NO_ROW;
	keys_bind(&h->keys, NULL, NULL, NULL);
	h->config.sort = FIGURES;
	h->config.delay = 1;
	h->config.history = 300;
	for (unsigned int i = 0; i < CONFIG_LISTS; i++)
		config_columns_default((enum config_list)i,
				       &h->config.columns[i]);
}

void fake_shell_answer(struct fake_shell *h, const char *text)
{
	void (*done)(struct view *, const char *, bool) = h->done;
	char part[80];

	assert_non_null(done);
	h->done = NULL;
	for (size_t n = 1; h->live && text && n <= strlen(text); n++) {
		snprintf(part, sizeof(part), "%.*s", (int)n, text);
		done(h->prompter, part, false);
	}
	done(h->prompter, text, true);
}

int frames_utf8(void **state)
{
	(void)state;
	setlocale(LC_CTYPE, "C.UTF-8");
	return 0;
}

void frames_draw(struct view *view, const struct frame *f, struct canvas *c)
{
	canvas_clear(c);
	view->ops->draw(view, f, canvas_area(c));
}

const char *screen_row(const struct canvas *c, int row)
{
	static char buf[1024];
	char *text = NULL, *at;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	canvas_dump(c, false, out);
	fclose(out);
	at = text;
	while (row-- > 0)
		at = strchr(at, '\n') + 1;
	snprintf(buf, sizeof(buf), "%.*s", (int)strcspn(at, "\n"), at);
	free(text);
	return buf;
}

struct screen *screen_new(const struct view_ops *ops)
{
	struct screen *s = calloc(1, sizeof(*s));

	fake_shell_init(&s->shell);
	s->shell.shell.tab = ops->id;
	s->view = view_new(ops, &s->shell.shell);
	assert_non_null(s->view);
	s->shell.shell.lister = s->view;
	return s;
}

static void screen_close(struct screen *s)
{
	if (s->frame) {
		s->frame->nr_rings = s->nr_rings;
		frames_free(s->frame);
	}
	canvas_free(s->canvas);
}

void screen_free(struct screen *s)
{
	view_free(s->view);
	screen_close(s);
	free(s);
}

void screen_open(struct screen *s, int rows, int cols, size_t nr)
{
	screen_close(s);
	s->canvas = canvas_new(rows, cols, false);
	s->frame = frames_new(nr);
	s->nr_rings = nr;
}

void screen_draw(struct screen *s)
{
	frames_draw(s->view, s->frame, s->canvas);
}

void screen_act(struct screen *s, enum action action)
{
	assert_true(s->view->ops->action(s->view, s->frame, action));
	screen_draw(s);
}

void screen_passes_on(struct screen *s, enum action action)
{
	assert_false(s->view->ops->action(s->view, s->frame, action));
	screen_draw(s);
}

bool screen_click(struct screen *s, int row, int col, bool twice)
{
	bool taken = s->view->ops->click(s->view, s->frame, row, col, twice);

	screen_draw(s);
	return taken;
}

int screen_cursor_row(const struct canvas *c)
{
	for (int row = 0; row < c->rows; row++) {
		const struct cell *cell = &c->cells[row * c->cols];

		if (cell->reverse || cell->selected)
			return row;
	}
	return -1;
}

int screen_cursor(const struct screen *s)
{
	return screen_cursor_row(s->canvas);
}

int screen_find(const struct screen *s, const char *text)
{
	for (int row = 0; row < s->canvas->rows; row++) {
		if (strstr(screen_row(s->canvas, row), text))
			return row;
	}
	return -1;
}

bool screen_has(const struct screen *s, const char *text)
{
	return screen_find(s, text) >= 0;
}
