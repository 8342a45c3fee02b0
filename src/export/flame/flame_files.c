/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "export/flame/flame_files.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/err.h"
#include "base/file/new_file.h"
#include "base/sys.h"
#include "base/text.h"
#include "base/units.h"
#include "export/export.h"

enum {
	MAX_NAME = 1024,	/* bytes of a name */
	MAX_SAME = 100,		/* files per second */
};

/* The frames from the root, without it, to @box. */
static void put_path(const struct flame *flame, uint32_t box, FILE *out)
{
	const struct flame_box *b = &flame->boxes[box];
	char name[MAX_NAME];

	if (b->parent == FLAME_NONE)
		return;
	if (b->depth > 1) {
		put_path(flame, b->parent, out);
		fputc(';', out);
	}
	fputs(flame_folded_name(b, name, sizeof(name)), out);
}

int flame_files_folded(const struct flame *flame, FILE *out)
{
	double sum = 0;
	long long count;

	for (uint32_t i = 0; i < flame->nr; i++) {
		/*
		 * Decaying weights are not integers, which readers expect:
		 * remainders are carried over.
		 */
		count = llround(sum + flame->boxes[i].self) - llround(sum);
		sum += flame->boxes[i].self;
		if (count <= 0)
			continue;
		put_path(flame, i, out);
		fprintf(out, " %lld\n", count);
	}
	return row_flush(out);
}

/* The SVG. */

/* Boxes with a smaller share of the total are left out of the SVG. */
#define MIN_SHARE 5e-5
/* Pixels, except the columns of a name. */
#define COLUMN 7.25		/* width of a character */
enum {
	PAD = 10,
	WIDTH = 1180,		/* of the root, until a script runs */
	TOP = 62,		/* position of the root */
	ROW = 17,
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
	return flame->boxes[box].weight >= MIN_SHARE * flame->boxes[0].weight;
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

/* One file. */

static struct new_file *open_file(const char *path, struct err *err)
{
	struct new_file *file = new_file_open(path, NEW_FILE_FOLLOW, err);

	if (!file && err->code == -EEXIST)
		err_set(err, -EEXIST, "%s: not a regular file; - is standard "
			"output", path);
	if (!file)
		err_prefix(err, "--flame");
	return file;
}

int flame_file_check(const char *path, struct err *err)
{
	struct new_file *file;

	if (!strcmp(path, "-"))
		return 0;
	file = open_file(path, err);
	if (!file)
		return err->code;
	new_file_cancel(file);
	return 0;
}

int flame_file_write(const struct flame *flame, const char *title,
		     const char *path, struct err *err)
{
	const char *end = strrchr(path, '.');
	struct new_file *file;
	int ret;

	if (!strcmp(path, "-")) {
		ret = flame_files_folded(flame, stdout);
		return ret < 0 ? err_errno(err, ret, "standard output") : 0;
	}
	file = open_file(path, err);
	if (!file)
		return err->code;
	/* an error is remembered by the stream, and reported below */
	if (end && !strcmp(end, ".svg"))
		flame_svg_write(flame, title, new_file_stream(file));
	else
		flame_files_folded(flame, new_file_stream(file));
	return new_file_publish(file, err) < 0 ? err_prefix(err, "--flame") : 0;
}

/* Both files. */

/* Write DIR/rbtop-TIME[-N] to @base, with space for a suffix.  0 or -errno. */
static int base_name(const char *dir, double time, unsigned int n, char *base,
		     size_t size)
{
	char stamp[32], same[16] = "";
	int len;

	if (!units_clock(stamp, sizeof(stamp), time, UNITS_CLOCK_STAMP))
		return -EOVERFLOW;
	if (n)
		snprintf(same, sizeof(same), "-%u", n);
	len = snprintf(base, size, "%s/rbtop-%s%s", dir, stamp, same);
	return len < 0 || (size_t)len >= size ? -ENAMETOOLONG : 0;
}

/* The two files being written. */
struct files {
	char folded_path[PATH_MAX], svg_path[PATH_MAX];
	struct new_file *folded, *svg;
};

/* Commit both or neither. */
static int commit_files(struct files *f, struct err *err)
{
	int ret;

	new_file_share(f->folded);
	new_file_share(f->svg);
	ret = new_file_commit(f->folded, false, err);
	if (ret < 0) {
		new_file_cancel(f->svg);
		return ret;
	}
	ret = new_file_commit(f->svg, false, err);
	if (ret < 0)
		new_file_remove(f->folded_path);
	return ret;
}

static int write_files(struct files *f, const struct flame *flame,
		       const char *title, struct err *err)
{
	int ret;

	f->folded = new_file_open(f->folded_path, 0, err);
	if (!f->folded)
		return err->code;
	f->svg = new_file_open(f->svg_path, 0, err);
	if (!f->svg) {
		new_file_cancel(f->folded);
		return err->code;
	}
	ret = flame_files_folded(flame, new_file_stream(f->folded));
	if (ret == 0)
		ret = flame_svg_write(flame, title, new_file_stream(f->svg));
	if (ret == 0)
		return commit_files(f, err);
	if (new_file_error(f->folded))
		ret = new_file_error(f->folded);
	else if (new_file_error(f->svg))
		ret = new_file_error(f->svg);
	new_file_cancel(f->folded);
	new_file_cancel(f->svg);
	return err_errno(err, ret, "writing %s", f->svg_path);
}

int flame_files_write(const struct flame *flame, const char *title,
		      const char *dir, double time, char *path, size_t size,
		      struct err *err)
{
	char base[PATH_MAX - sizeof(".folded")];
	struct err own = { 0 };
	struct files f;
	int ret = -EEXIST;

	if (!err)
		err = &own;
	for (unsigned int n = 0; n < MAX_SAME && ret == -EEXIST; n++) {
		ret = base_name(dir, time, n, base, sizeof(base));
		if (ret < 0)
			return err_errno(err, ret, "writing into %s", dir);
		snprintf(f.folded_path, PATH_MAX, "%s.folded", base);
		snprintf(f.svg_path, PATH_MAX, "%s.svg", base);
		ret = -EEXIST;
		/* Another process may use the name: then the commit fails. */
		if (sys_access(f.folded_path, F_OK) != 0 &&
		    sys_access(f.svg_path, F_OK) != 0)
			ret = write_files(&f, flame, title, err);
	}
	if (ret == -EEXIST)
		return err_set(err, ret, "writing %s: there are %d such files",
			       f.svg_path, MAX_SAME);
	if (ret == 0)
		snprintf(path, size, "%s", f.svg_path);
	return ret;
}
