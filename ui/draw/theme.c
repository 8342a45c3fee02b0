/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ui/draw/theme.h"

#include <math.h>

/* Text of less contrast is shown in black or white. */
#define MIN_CONTRAST	2

enum {
	BRIGHT = 8,		/* of the ANSI colours 0 to 7 */
	ANSI_NONE = -1,
	CUBE = 16,		/* the first of 6 * 6 * 6 colours, */
	GREYS = 232,		/* then 24 greys */
	PALETTE = 256,
};

#define COLOUR(name, rgb, ansi) COLOUR_##name,
enum colour {
#include "ui/draw/theme.def"
	COLOURS
};

#define COLOUR(name, rgb, ansi) { rgb, ANSI(ansi) },
#define ANSI(n) ANSI_##n
enum {
	ANSI_0, ANSI_1, ANSI_2, ANSI_3, ANSI_4, ANSI_5, ANSI_6, ANSI_7,
	ANSI_8, ANSI_9, ANSI_10, ANSI_11, ANSI_12, ANSI_13, ANSI_14, ANSI_15,
};
static const struct {
	uint32_t rgb;
	int ansi;
} colours[COLOURS] = {
#include "ui/draw/theme.def"
};
#undef ANSI

#define ROLE(id, letter, bold, mono, normal, light, blind, contrast) \
	{ (bold) ? THEME_BOLD : THEME_NORMAL, THEME_##mono, \
	  { [CONFIG_SCHEME_DEFAULT] = COLOUR_##normal, \
	    [CONFIG_SCHEME_LIGHT] = COLOUR_##light, \
	    [CONFIG_SCHEME_COLOUR_BLIND] = COLOUR_##blind, \
	    [CONFIG_SCHEME_HIGH_CONTRAST] = COLOUR_##contrast } },
static const struct {
	unsigned int attr, mono;
	enum colour colours[CONFIG_SCHEMES];
} roles[ROLES] = {
#include "ui/draw/theme.def"
};

/* The background of a scheme and the text of a terminal that has it. */
static const struct {
	uint32_t ground, text;
	bool painted;		/* not left to the terminal */
} grounds[CONFIG_SCHEMES] = {
	[CONFIG_SCHEME_DEFAULT] = { 0x000000, 0xe5e5e5, false },
	[CONFIG_SCHEME_LIGHT] = { 0xffffff, 0x000000, false },
	[CONFIG_SCHEME_COLOUR_BLIND] = { 0x000000, 0xe5e5e5, false },
	[CONFIG_SCHEME_HIGH_CONTRAST] = { 0x000000, 0xffffff, true },
	[CONFIG_SCHEME_MONO] = { 0x000000, 0xe5e5e5, false },
};

enum theme_depth theme_depth(int nr)
{
	return nr < 8 ? THEME_NO_COLOURS : nr < 16 ? THEME_8 :
	       nr < PALETTE ? THEME_16 : nr < 1 << 24 ? THEME_256 : THEME_TRUE;
}

/* Light of a channel of sRGB, 0 to 1. */
static double channel_light(uint32_t rgb, int shift)
{
	double c = (rgb >> shift & 0xff) / 255.0;

	return c <= .04045 ? c / 12.92 : pow((c + .055) / 1.055, 2.4);
}

static double luminance(uint32_t rgb)
{
	return .2126 * channel_light(rgb, 16) + .7152 * channel_light(rgb, 8) +
	       .0722 * channel_light(rgb, 0);
}

double theme_contrast(uint32_t a, uint32_t b)
{
	double x = luminance(a), y = luminance(b);

	return (fmax(x, y) + .05) / (fmin(x, y) + .05);
}

/* A colour of xterm's palette. */
static uint32_t palette(int colour)
{
	static const uint32_t ansi[CUBE] = {
		0x000000, 0xcd0000, 0x00cd00, 0xcdcd00, 0x0000ee, 0xcd00cd,
		0x00cdcd, 0xe5e5e5, 0x7f7f7f, 0xff0000, 0x00ff00, 0xffff00,
		0x5c5cff, 0xff00ff, 0x00ffff, 0xffffff,
	};
	static const uint8_t steps[] = { 0, 0x5f, 0x87, 0xaf, 0xd7, 0xff };
	int n = colour - CUBE;

	if (colour < CUBE)
		return ansi[colour];
	if (colour < GREYS)
		return (uint32_t)(steps[n / 36] << 16 | steps[n / 6 % 6] << 8 |
				  steps[n % 6]);
	return (uint32_t)(8 + 10 * (colour - GREYS)) * 0x10101;
}

uint32_t theme_rgb(enum config_scheme scheme, int colour, bool ground,
		   enum theme_depth depth)
{
	if (colour == THEME_OWN)
		return ground ? grounds[scheme].ground : grounds[scheme].text;
	return depth == THEME_TRUE ? (uint32_t)colour : palette(colour);
}

static int square(uint32_t a, uint32_t b, int shift)
{
	int by = (int)(a >> shift & 0xff) - (int)(b >> shift & 0xff);

	return by * by;
}

/* Of the 256 colours, without the first 16, which users change. */
static int nearest(uint32_t rgb)
{
	int best = CUBE, min = -1;

	for (int i = CUBE; i < PALETTE; i++) {
		uint32_t other = palette(i);
		int far = square(rgb, other, 16) + square(rgb, other, 8) +
			  square(rgb, other, 0);

		if (min < 0 || far < min) {
			best = i;
			min = far;
		}
	}
	return best;
}

static int fit(enum colour colour, enum theme_depth depth)
{
	int ansi = colours[colour].ansi;

	if (colour == COLOUR_NONE)
		return THEME_OWN;
	if (depth == THEME_TRUE)
		return (int)colours[colour].rgb;
	if (depth == THEME_256)
		return nearest(colours[colour].rgb);
	return depth == THEME_8 ? ansi % BRIGHT : ansi;
}

/* With 8 colours the bright ones are bold.  Bright black may be shown as black,
 * so it is the terminal's own colour, dimmed. */
static void dull(struct theme_style *style, enum colour colour)
{
	int ansi = colours[colour].ansi;

	if (ansi < BRIGHT)
		return;
	if (ansi == BRIGHT) {
		style->fg = THEME_OWN;
		style->attr |= THEME_DIM;
	} else {
		style->attr |= THEME_BOLD;
	}
}

/* Black or white on @ground, whichever can be read better. */
static int black_or_white(uint32_t ground, enum theme_depth depth)
{
	double black = theme_contrast(0x000000, ground);
	double white = theme_contrast(0xffffff, ground);

	return fit(black > white ? COLOUR_BLACK : COLOUR_WHITE, depth);
}

/* Text in the terminal's own colour is readable on its own background only. */
static void make_readable(struct theme_style *style, enum config_scheme scheme,
			  enum theme_depth depth)
{
	uint32_t text = theme_rgb(scheme, style->fg, false, depth);
	uint32_t ground = theme_rgb(scheme, style->bg, true, depth);

	if (style->bg != THEME_OWN && (style->fg == THEME_OWN ||
	     theme_contrast(text, ground) < MIN_CONTRAST)) {
		style->fg = black_or_white(ground, depth);
		style->attr &= ~(unsigned int)THEME_DIM;
	}
}

static struct theme_style mono_style(enum role role, bool selected)
{
	struct theme_style style = { THEME_OWN, THEME_OWN, roles[role].mono };

	if (selected)
		style.attr |= roles[ROLE_SELECTED].mono | THEME_BOLD;
	return style;
}

struct theme_style theme_style(enum config_scheme scheme, enum role role,
			       bool selected, enum theme_depth depth)
{
	enum colour colour = roles[role].colours[scheme];
	struct theme_style style = { .attr = roles[role].attr };

	if (scheme == CONFIG_SCHEME_MONO || depth == THEME_NO_COLOURS)
		return mono_style(role, selected);
	style.fg = fit(colour, depth);
	if (depth == THEME_8)
		dull(&style, colour);
	if (selected || role == ROLE_SELECTED)
		style.bg = fit(roles[ROLE_SELECTED].colours[scheme], depth);
	else
		style.bg = grounds[scheme].painted ? fit(COLOUR_BLACK, depth) :
						    THEME_OWN;
	make_readable(&style, scheme, depth);
	return style;
}
