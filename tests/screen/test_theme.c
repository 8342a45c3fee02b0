/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include <math.h>

#include "ui/draw/theme.h"

#define ROLE(id, ...) [ROLE_##id] = #id,
static const char *const role_names[ROLES] = {
#include "ui/draw/theme.def"
};

/* A call for every scheme, depth and role, but not for the background. */
static void for_all(void (*check)(enum config_scheme scheme,
				  enum theme_depth depth, enum role role,
				  bool selected))
{
	for (int s = 0; s < CONFIG_SCHEMES; s++)
		for (int d = 0; d < THEME_DEPTHS; d++)
			for (int r = 0; r < ROLE_SELECTED; r++)
				for (int on = 0; on < 2; on++)
					check((enum config_scheme)s,
					      (enum theme_depth)d,
					      (enum role)r, on);
}

static bool is_mono(enum config_scheme scheme, enum theme_depth depth)
{
	return scheme == CONFIG_SCHEME_MONO || depth == THEME_NO_COLOURS;
}

static double contrast_of(struct theme_style look, enum config_scheme scheme,
			  enum theme_depth depth)
{
	return theme_contrast(theme_rgb(scheme, look.fg, false, depth),
			      theme_rgb(scheme, look.bg, true, depth));
}

/* WCAG 2.1: 4.5 (AA) for text, 7 (AAA) for high contrast, 3 where bold or
 * large; the row of the cursor is one of many.  What 8 and 16 colours look like
 * is up to the terminal: there they only have to differ. */
static double least_contrast(enum config_scheme scheme,
			     enum theme_depth depth, bool selected)
{
	if (depth < THEME_256)
		return selected ? 1.5 : 1.9;
	if (scheme == CONFIG_SCHEME_HIGH_CONTRAST)
		return selected ? 4.5 : 7;
	return selected ? 3 : 4.5;
}

static void check_contrast(enum config_scheme scheme, enum theme_depth depth,
			   enum role role, bool selected)
{
	struct theme_style look = theme_style(scheme, role, selected, depth);
	double contrast = contrast_of(look, scheme, depth);

	if (is_mono(scheme, depth))
		return;
	if (look.fg == look.bg && look.fg != THEME_OWN)
		fail_msg("%s, depth %d: %s has one colour only",
			 config_scheme_name(scheme), depth, role_names[role]);
	if (contrast < least_contrast(scheme, depth, selected))
		fail_msg("%s, depth %d: %s%s has a contrast of %.1f",
			 config_scheme_name(scheme), depth, role_names[role],
			 selected ? " selected" : "", contrast);
}

TEST(contrast_is_enough)
{
	for_all(check_contrast);
}

static void check_mono(enum config_scheme scheme, enum theme_depth depth,
		       enum role role, bool selected)
{
	struct theme_style look = theme_style(scheme, role, selected, depth);

	if (!is_mono(scheme, depth))
		return;
	assert_int_equal(look.fg, THEME_OWN);
	assert_int_equal(look.bg, THEME_OWN);
}

TEST(mono_has_no_colour)
{
	for_all(check_mono);
	assert_int_equal(theme_style(CONFIG_SCHEME_MONO, ROLE_BAD, false,
				     THEME_256).attr, THEME_REVERSE);
	assert_int_equal(theme_style(CONFIG_SCHEME_DEFAULT, ROLE_DIM, true,
				     THEME_NO_COLOURS).attr,
			 THEME_DIM | THEME_UNDERLINE | THEME_BOLD);
}

/* A colour that does not exist would be sent as another one. */
static void check_range(enum config_scheme scheme, enum theme_depth depth,
			enum role role, bool selected)
{
	static const int colours[THEME_DEPTHS] = { 0, 8, 16, 256, 1 << 24 };
	struct theme_style look = theme_style(scheme, role, selected, depth);

	assert_in_range(look.fg + 1, 0, colours[depth]);
	assert_in_range(look.bg + 1, 0, colours[depth]);
}

TEST(colours_exist)
{
	for_all(check_range);
}

/* The background under the cursor differs from that of other rows. */
TEST(cursor_is_seen)
{
	for (int s = 0; s < CONFIG_SCHEME_MONO; s++)
		for (int d = THEME_8; d < THEME_DEPTHS; d++) {
			enum config_scheme scheme = (enum config_scheme)s;
			enum theme_depth depth = (enum theme_depth)d;
			int row = theme_style(scheme, ROLE_DEFAULT, true,
					      depth).bg;
			int other = theme_style(scheme, ROLE_DEFAULT, false,
						depth).bg;

			assert_true(theme_rgb(scheme, row, true, depth) !=
				    theme_rgb(scheme, other, true, depth));
		}
}

/* Colours as CIE 1976 L*a*b*, where distances are differences that are seen. */
struct lab {
	double l, a, b;
};

static double linear(uint32_t rgb, int shift)
{
	double c = (rgb >> shift & 0xff) / 255.0;

	return c <= .04045 ? c / 12.92 : pow((c + .055) / 1.055, 2.4);
}

static double cube_root(double t)
{
	return t > .008856 ? cbrt(t) : 7.787 * t + 16.0 / 116;
}

/* What a deuteranope sees (Vienot, Brettel, Mollon 1999). */
static struct lab seen(uint32_t rgb)
{
	double red = linear(rgb, 16), green = linear(rgb, 8);
	double blue = linear(rgb, 0);
	double both = .29275 * red + .70725 * green;
	double rest = fmin(fmax(.02234 * (green - red) + blue, 0), 1);
	double x = cube_root((.7700 * both + .1805 * rest) / .9505);
	double y = cube_root(.9278 * both + .0722 * rest);
	double z = cube_root((.1385 * both + .9505 * rest) / 1.089);

	return (struct lab){ 116 * y - 16, 500 * (x - y), 200 * (y - z) };
}

static double distance(enum role a, enum role b, enum theme_depth depth)
{
	enum config_scheme scheme = CONFIG_SCHEME_COLOUR_BLIND;
	struct theme_style x = theme_style(scheme, a, false, depth);
	struct theme_style y = theme_style(scheme, b, false, depth);
	struct lab p = seen(theme_rgb(scheme, x.fg, false, depth));
	struct lab q = seen(theme_rgb(scheme, y.fg, false, depth));

	return hypot(hypot(p.l - q.l, p.a - q.a), p.b - q.b);
}

/* 2.3 is a difference that is just seen. */
TEST(colour_blind_see_states)
{
	for (int d = THEME_8; d < THEME_DEPTHS; d++) {
		enum theme_depth depth = (enum theme_depth)d;

		assert_true(distance(ROLE_GOOD, ROLE_WARN, depth) > 30);
		assert_true(distance(ROLE_WARN, ROLE_BAD, depth) > 30);
		assert_true(distance(ROLE_GOOD, ROLE_BAD, depth) > 30);
		assert_true(distance(ROLE_BAR_LOW, ROLE_BAR_MID, depth) > 30);
		assert_true(distance(ROLE_BAR_MID, ROLE_BAR_HIGH, depth) > 30);
		assert_true(distance(ROLE_BAR_LOW, ROLE_BAR_HIGH, depth) > 30);
	}
}

/* In every scheme the three are three, by colour or by attributes. */
static void check_states(enum config_scheme scheme, enum theme_depth depth)
{
	struct theme_style good = theme_style(scheme, ROLE_GOOD, false, depth);
	struct theme_style warn = theme_style(scheme, ROLE_WARN, false, depth);
	struct theme_style bad = theme_style(scheme, ROLE_BAD, false, depth);

	assert_true(good.fg != warn.fg || good.attr != warn.attr);
	assert_true(good.fg != bad.fg || good.attr != bad.attr);
	assert_true(warn.fg != bad.fg || warn.attr != bad.attr);
}

TEST(states_differ)
{
	for (int s = 0; s < CONFIG_SCHEMES; s++)
		for (int d = 0; d < THEME_DEPTHS; d++)
			check_states((enum config_scheme)s,
				     (enum theme_depth)d);
}

TEST(depths)
{
	assert_int_equal(theme_depth(0), THEME_NO_COLOURS);
	assert_int_equal(theme_depth(-1), THEME_NO_COLOURS);
	assert_int_equal(theme_depth(8), THEME_8);
	assert_int_equal(theme_depth(16), THEME_16);
	assert_int_equal(theme_depth(88), THEME_16);
	assert_int_equal(theme_depth(256), THEME_256);
	assert_int_equal(theme_depth(1 << 24), THEME_TRUE);
}

/* The nearest of the fixed colours of each depth. */
TEST(nearest_fits)
{
	const enum config_scheme scheme = CONFIG_SCHEME_DEFAULT;

	assert_int_equal(theme_style(scheme, ROLE_BAD, false, THEME_TRUE).fg,
			 0xff5f5f);
	assert_int_equal(theme_style(scheme, ROLE_BAD, false, THEME_256).fg,
			 203);
	assert_int_equal(theme_style(scheme, ROLE_BAD, false, THEME_16).fg, 9);
	assert_int_equal(theme_style(scheme, ROLE_BAD, false, THEME_8).fg, 1);
	/* grey: 245 is 0x8a8a8a */
	assert_int_equal(theme_style(scheme, ROLE_DIM, false, THEME_256).fg,
			 245);
	/* bright black may be black: the own colour, dimmed */
	assert_int_equal(theme_style(scheme, ROLE_DIM, false, THEME_8).fg,
			 THEME_OWN);
	assert_int_equal(theme_style(scheme, ROLE_DIM, false, THEME_8).attr,
			 THEME_DIM);
}

TEST(wcag_contrast)
{
	assert_true(fabs(theme_contrast(0, 0xffffff) - 21) < .001);
	assert_true(fabs(theme_contrast(0x777777, 0xffffff) - 4.478) < .001);
	assert_true(fabs(theme_contrast(0x777777, 0x777777) - 1) < .001);
}

TEST_GROUP(theme);
