/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include <math.h>
#include <string.h>

#include "tests/screen/expected.h"
#include "tests/screen/frames.h"
#include "ui/views/ring/ring_detail.h"

static int setup(void **state)
{
	*state = screen_new(&view_ring_detail);
	return 0;
}

static int teardown(void **state)
{
	screen_free(*state);
	return 0;
}

/* Draw only the picture, in 40 columns and three rows. */
static void draw_picture(struct screen *s, const struct ring_row *r)
{
	canvas_clear(s->canvas);
	assert_int_equal(ring_picture_draw(canvas_area(s->canvas), 0, r),
			 3);
}

/*
 * Marks are drawn from the tail on, even if the next wakeup is far behind:
 * otherwise this would take hours.
 */
TEST(next_far_behind)
{
	struct screen *s = *state;
	struct ring_row *r;

	screen_open(s, 3, 60, 8);
	r = &s->frame->rings[0];
	r->size = 65536;
	r->watermark = 8192;
	r->head = r->tail = UINT64_C(1) << 60;
	r->used = 0;
	r->fill = 0;
	r->next_crossing = 8192;
	draw_picture(s, r);
	assert_screen(s->canvas, EXPECTED_TEXT, "ring_picture/next_far_behind");
	r->tail = r->head = UINT64_MAX - 8191;
	r->next_crossing = UINT64_MAX;
	draw_picture(s, r);
}

TEST(picture)
{
	struct screen *s = *state;
	struct ring_row *r;

	screen_open(s, 3, 60, 8);
	r = &s->frame->rings[0];
	/* wraps at the end */
	r->tail = 3 * 524288 - 100000;
	r->head = r->tail + 160000;
	r->used = 160000;
	r->fill = .3;
	r->next_crossing = 3 * 524288 + 262144;
	draw_picture(s, r);
	assert_screen(s->canvas, EXPECTED_LOOKS, "ring_picture/picture");
	/* empty, on a multiple of the watermark */
	r->head = r->tail = 262144;
	r->used = 0;
	r->next_crossing = 524288;
	draw_picture(s, r);
	assert_screen(s->canvas, EXPECTED_TEXT, "ring_picture/picture_2");
	/* a small watermark: the next wakeup is bright, later ones are dim */
	r->watermark = 65536;
	r->next_crossing = 327680;
	r->head += 64;
	r->used = 64;
	draw_picture(s, r);
	assert_screen(s->canvas, EXPECTED_LOOKS, "ring_picture/picture_3");
	/* a watermark below a cell: only the next */
	r->watermark = 1024;
	r->next_crossing = 263168;
	draw_picture(s, r);
	assert_screen(s->canvas, EXPECTED_TEXT, "ring_picture/picture_4");
	/* full: the tick is in the filled part */
	r->watermark = 262144;
	r->head = r->tail + r->size;
	r->used = r->size;
	r->fill = 1;
	r->next_crossing = 524288 + 262144;
	draw_picture(s, r);
	assert_screen(s->canvas, EXPECTED_LOOKS, "ring_picture/picture_5");
	/* they change from round to round */
	r->watermark = 300000;
	r->head = r->tail + 64;
	r->used = 64;
	r->next_crossing = 300000;
	draw_picture(s, r);
	assert_screen(s->canvas, EXPECTED_TEXT, "ring_picture/picture_6");
}

TEST(picture_of_overwrite)
{
	struct screen *s = *state;
	struct ring_row *r;

	screen_open(s, 3, 60, 8);
	r = &s->frame->rings[0];
	frames_overwrite(r, false);
	/* not wrapped yet: the part from the head to the end is written */
	r->head = r->used = 131072;
	draw_picture(s, r);
	assert_screen(s->canvas, EXPECTED_LOOKS,
		      "ring_picture/picture_of_overwrite");
}

/* Draw only the AUX ring's picture, below its heading. */
static void draw_aux(struct screen *s, const struct ring_row *r)
{
	canvas_clear(s->canvas);
	assert_int_equal(ring_picture_aux(canvas_area(s->canvas), 0, r), 4);
}

TEST(picture_of_aux)
{
	struct screen *s = *state;
	struct ring_row *r;

	screen_open(s, 4, 60, 8);
	r = &s->frame->rings[0];
	assert_int_equal(ring_picture_aux(canvas_area(s->canvas), 0, r), 0);
	/* the oldest byte is at the head */
	frames_aux(r, false);
	draw_aux(s, r);
	assert_screen(s->canvas, EXPECTED_LOOKS, "ring_picture/picture_of_aux");
	r->aux.wraps = 0;
	draw_aux(s, r);
	assert_screen_rows(s->canvas, 2, 1, EXPECTED_TEXT,
			   "ring_picture/picture_of_aux_2");
	frames_aux(r, true);
	r->aux.tail += 4096;
	draw_aux(s, r);
	assert_screen(s->canvas, EXPECTED_TEXT,
		      "ring_picture/picture_of_aux_3");
}

/* The head is unknown before tracing was stopped. */
TEST(picture_of_unknown_head)
{
	struct screen *s = *state;
	struct ring_row *r;

	screen_open(s, 4, 60, 8);
	r = &s->frame->rings[0];
	frames_aux(r, false);
	frames_reads(r)->aux.head_age = (double)NAN;
	canvas_clear(s->canvas);
	assert_int_equal(ring_picture_aux(canvas_area(s->canvas), 0, r), 3);
	assert_screen(s->canvas, EXPECTED_TEXT,
		      "ring_picture/picture_of_unknown_head");
}

TEST(picture_without_size)
{
	struct screen *s = *state;
	struct ring_row *r;

	screen_open(s, 8, 60, 8);
	r = &s->frame->rings[0];
	r->size = 0;
	assert_int_equal(ring_picture_draw(canvas_area(s->canvas), 0, r),
			 1);
	screen_draw(s);
	assert_true(screen_has(s, "the ring has no size yet"));
}

TEST_GROUP(ring_picture, .each_setup = setup, .each_teardown = teardown);
