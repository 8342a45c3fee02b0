/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include <math.h>

#include "tests/screen/expected.h"
#include "tests/screen/frames.h"
#include "ui/draw/chart.h"

enum { VALUES = 400, ROWS = 6 };

static int setup(void **state)
{
	static struct fake_shell shell;	/* for the locale */

	fake_shell_init(&shell);
	*state = &shell;
	return 0;
}

static struct chart chart_of(const double *values, size_t nr, double top)
{
	return (struct chart){
		.values = values, .nr = nr, .top = top, .line = (double)NAN,
		.role = ROLE_SPARK, .top_text = "100%", .name = "fill",
		.none = "not known",
	};
}

static void draw(struct canvas *c, struct chart *chart,
		 enum chart_style style)
{
	chart->style = style;
	chart_draw(canvas_area(c), chart);
}

/* Peaks over means, the watermark, a loss, and a gap of unknown ticks. */
static void draw_full(int cols, bool ascii, enum chart_style style,
		      const char *name)
{
	struct canvas *c = canvas_new(ROWS, cols, ascii);
	double values[VALUES], means[VALUES];
	enum role roles[VALUES];
	struct chart chart = chart_of(values, VALUES, 1);

	for (int i = 0; i < VALUES; i++) {
		values[i] = i % 20 / 20.;
		means[i] = values[i] / 2;
		roles[i] = i % 20 == 19 ? ROLE_BAD : ROLE_SPARK;
	}
	values[VALUES - 4] = values[VALUES - 5] = (double)NAN;
	means[VALUES - 4] = means[VALUES - 5] = (double)NAN;
	chart.means = means;
	chart.roles = roles;
	chart.line = .5;
	draw(c, &chart, style);
	assert_screen(c, EXPECTED_LOOKS, name);
	canvas_free(c);
}

TEST(test_widths)
{
	draw_full(20, false, CHART_BRAILLE, "chart/braille_20");
	draw_full(80, false, CHART_BRAILLE, "chart/braille_80");
	draw_full(200, false, CHART_BRAILLE, "chart/braille_200");
	draw_full(20, false, CHART_BLOCKS, "chart/blocks_20");
	draw_full(80, false, CHART_BLOCKS, "chart/blocks_80");
	draw_full(80, true, CHART_BLOCKS, "chart/ascii_80");
	draw_full(200, true, CHART_BLOCKS, "chart/ascii_200");
}

/* No value, one, all 0, and huge ones. */
TEST(test_few_values)
{
	static const double unknown[] = { NAN, NAN }, one[] = { .5 };
	static const double zero[] = { 0, 0, 0, 0 }, huge[] = { 1, 1e300 };
	struct chart charts[] = {
		chart_of(unknown, 2, 1), chart_of(one, 1, 1),
		chart_of(zero, 4, 0), chart_of(huge, 2, 1e300),
	};
	struct canvas *c = canvas_new(16, 20, false);

	for (int i = 0; i < 4; i++) {
		charts[i].style = CHART_BRAILLE;
		chart_draw(area_sub(canvas_area(c), 4 * i, 0, 3, 20),
			   &charts[i]);
	}
	assert_screen(c, EXPECTED_LOOKS, "chart/few_values");
	canvas_free(c);
}

/* Anything above 0 is higher than 0, however small. */
TEST(test_least)
{
	static const double values[] = { 0, 1e-9 };
	struct canvas *c = canvas_new(1, 2, true);
	struct chart chart = chart_of(values, 2, 1);

	chart.style = CHART_BLOCKS;
	chart_plot(canvas_area(c), &chart);
	assert_string_equal(screen_row(c, 0), "_.");
	canvas_free(c);
}

TEST(test_no_room)
{
	static const double values[] = { 1 };
	struct chart chart = chart_of(values, 1, 1);
	struct canvas *c = canvas_new(1, 5, false);

	draw(c, &chart, CHART_BRAILLE);
	draw(c, &chart, CHART_BLOCKS);
	assert_int_equal(chart_labelled_values(CHART_BRAILLE, 5), 0);
	assert_int_equal(chart_values(CHART_BRAILLE, 4096), CHART_MAX);
	canvas_free(c);
}

TEST_GROUP(chart, .each_setup = setup);
