/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "export/flame/flame_svg.h"

#include <stdbool.h>
#include <string.h>

#include "base/text.h"
#include "export/row.h"

/* Pixels, except the columns of a name. */
#define COLUMN 7.25		/* width of a character */
enum {
	PAD = 10,
	WIDTH = 1180,		/* of the root, until a script runs */
	TOP = 62,		/* position of the root */
	ROW = 17,
	MAX_NAME = 1024,	/* bytes of a name */
};

static const char style[] =
	"text { font: 12px monospace; }\n"
	"#boxes text { pointer-events: none; }\n"
	"#boxes rect { stroke: #fff; stroke-width: 0.7; }\n"
	"#boxes g:hover rect { stroke: #000; }\n"
	"#boxes g.outer { opacity: 0.6; }\n"
	"#boxes g.found rect { fill: #e060e0; }\n"
	"#heading { font-weight: bold; }\n"
	"#reset, #search { cursor: pointer; fill: #03c; }\n";

static const char script[] =
#include "export/flame/flame_svg.js.inc"
	;

/* Escape markup, and replace characters that XML 1.0 forbids. */
static void put_text(FILE *out, const char *text, size_t len)
{
	const char *end = text + len;
	unsigned int c;
	size_t used;

	for (; text < end && *text; text += used) {
		used = text_decode(text, &c);
		if (c == '&')
			fputs("&amp;", out);
		else if (c == '<')
			fputs("&lt;", out);
		else if (c == '>')
			fputs("&gt;", out);
		else if (c < 0x20 || (c >= 0xfffd && c <= 0xffff))
			fputc('?', out);
		else
			fwrite(text, 1, used, out);
	}
}

static void put_whole(FILE *out, const char *text)
{
	char safe[MAX_NAME];

	text_copy(safe, sizeof(safe), text);
	put_text(out, safe, strlen(safe));
}

/* As much as fits into @width; "a_long_na.." if cut. */
static void put_label(FILE *out, const char *text, double width)
{
	char safe[MAX_NAME];
	int columns = (int)((width - 4) / COLUMN);

	text_copy(safe, sizeof(safe), text);
	if (text_width(safe) <= columns) {
		put_text(out, safe, strlen(safe));
	} else if (columns >= 3) {
		put_text(out, safe, text_prefix(safe, columns - 2));
		fputs("..", out);
	}
}

/* Different names mostly have different shades, equal names the same. */
static unsigned int shade(const char *name)
{
	unsigned int hash = 5381;

	while (*name)
		hash = hash * 33 + (unsigned char)*name++;
	return (hash ^ hash >> 15) % 48;
}

struct colour {
	unsigned int red, green, blue;
};

static struct colour colour_of(const struct flame_box *box)
{
	static const struct colour kinds[] = {
		[SYMBOL_UNKNOWN] = { 190, 190, 190 },
		[SYMBOL_KERNEL] = { 230, 130, 30 },
		[SYMBOL_USER] = { 225, 195, 60 },
		[SYMBOL_JIT] = { 85, 185, 85 },
		[SYMBOL_GUEST] = { 120, 150, 215 },
		[SYMBOL_HYPERVISOR] = { 150, 130, 205 },
	};
	struct colour colour = { 200, 205, 210 };
	unsigned int more = shade(box->name);

	if (!box->dso)
		return colour;
	colour = kinds[box->kind];
	if (box->kind == SYMBOL_UNKNOWN)
		return colour;
	colour.green += more / 2;
	colour.blue += more;
	return colour;
}

/* Share of all samples; the root has 1, even without samples. */
static double share_of(const struct flame *flame, const struct flame_box *box)
{
	double all = flame->boxes[0].weight;

	return all > 0 ? box->weight / all : 1;
}

static void put_title(const struct flame *flame, const struct flame_box *box,
		      FILE *out)
{
	fputs("<title>", out);
	put_whole(out, box->name);
	if (box->dso) {
		fputc('\n', out);
		put_whole(out, box->dso);
	}
	fprintf(out, "\n%.0f samples\n%.2f %%</title>\n", box->samples,
		100 * share_of(flame, box));
}

static void put_box(const struct flame *flame, const struct flame_box *box,
		    FILE *out)
{
	struct colour colour = colour_of(box);
	double share = share_of(flame, box);
	double x = PAD + box->start * WIDTH;
	unsigned int y = TOP + box->depth * ROW;

	fprintf(out, "<g data-x=\"%.9f\" data-w=\"%.9f\" data-d=\"%u\">\n",
		box->start, share, box->depth);
	put_title(flame, box, out);
	fprintf(out, "<rect x=\"%.2f\" y=\"%u\" width=\"%.2f\" height=\"%d\" "
		"rx=\"1\" fill=\"rgb(%u,%u,%u)\"/>\n", x, y, share * WIDTH,
		ROW - 1, colour.red, colour.green, colour.blue);
	fprintf(out, "<text x=\"%.2f\" y=\"%u\">", x + 3, y + ROW - 5);
	put_label(out, box->name, share * WIDTH);
	fputs("</text>\n</g>\n", out);
}

static bool is_shown(const struct flame *flame, uint32_t box)
{
	return flame->boxes[box].weight >=
	       FLAME_SVG_LEAST * flame->boxes[0].weight;
}

/* The next box, callers first, from left to right; FLAME_NONE at the end. */
static uint32_t next_box(const struct flame *flame, uint32_t box)
{
	const struct flame_box *boxes = flame->boxes;

	if (is_shown(flame, box) && boxes[box].first != FLAME_NONE)
		return boxes[box].first;
	while (box != FLAME_NONE && boxes[box].next == FLAME_NONE)
		box = boxes[box].parent;
	return box == FLAME_NONE ? FLAME_NONE : boxes[box].next;
}

static unsigned int shown_depth(const struct flame *flame)
{
	unsigned int depth = 0;

	for (uint32_t i = 0; i < flame->nr; i++)
		if (is_shown(flame, i) && flame->boxes[i].depth > depth)
			depth = flame->boxes[i].depth;
	return depth;
}

static void put_head(const struct flame *flame, const char *title, FILE *out)
{
	unsigned int height = TOP + (shown_depth(flame) + 1) * ROW + PAD;

	fprintf(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		"<svg xmlns=\"http://www.w3.org/2000/svg\" version=\"1.1\" "
		"width=\"%d\" height=\"%u\">\n<title>", WIDTH + 2 * PAD,
		height);
	put_whole(out, title);
	fprintf(out, "</title>\n<style>\n%s</style>\n"
		"<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n"
		"<text id=\"heading\" x=\"%d\" y=\"18\">", style, PAD);
	put_whole(out, title);
	fprintf(out, "</text>\n"
		"<text x=\"%d\" y=\"36\"><tspan id=\"search\"></tspan> "
		"<tspan id=\"matched\"></tspan> "
		"<tspan id=\"reset\"></tspan></text>\n"
		"<text id=\"details\" x=\"%d\" y=\"54\"></text>\n", PAD, PAD);
}

int flame_svg_write(const struct flame *flame, const char *title, FILE *out)
{
	uint32_t box;

	put_head(flame, title, out);
	fputs("<g id=\"boxes\">\n", out);
	for (box = 0; box != FLAME_NONE; box = next_box(flame, box))
		if (is_shown(flame, box))
			put_box(flame, &flame->boxes[box], out);
	fprintf(out, "</g>\n<script><![CDATA[\n"
		"const PAD = %d, COLUMN = %.2f;\n%s]]></script>\n</svg>\n",
		PAD, COLUMN, script);
	return row_flush(out);
}
