/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The list of Hot: which rows, narrowing and widening, columns and cells. */
#include "ui/views/hot/hot.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "ui/draw/widgets.h"

enum {
	SHARE = 7,		/* "100.00%" */
	CHILDREN_SHARE = 8,	/* its header */
	ERROR_WIDTH = 6,	/* "±12.34" */
	MIN_MAIN = 8,		/* the first key is narrowed to this */
	OWN_MAIN = 20,		/* its normal width */
	FAIR_MAIN = 28,		/* its width before there is a bar */
	MIN_BAR = 6, MAX_BAR = 20,
	MIN_DSO = 14, MIN_EVENT = 9,
	WIDE = 120,		/* from which other keys may be twice as wide */
};

/* After narrowing, rows are grouped by the next of these keys. */
static const enum hot_key path[] = {
	HOT_SYMBOL, HOT_COMM, HOT_PID, HOT_CPU, HOT_EVENT,
};

enum { PATH = sizeof(path) / sizeof(path[0]) };

/* Whether rows have a share that includes their callees. */
static bool has_children(const struct hot_view *v, const struct hot *hot)
{
	return hot->chains && v->list.view.shell->query.keys &
			      (1u << HOT_SYMBOL | 1u << HOT_DSO);
}

/* FNV-1a: the values that identify a row take more than 64 bits. */
static uint64_t hash(uint64_t hash, const void *data, size_t size)
{
	const unsigned char *bytes = data;

	for (size_t i = 0; i < size; i++)
		hash = (hash ^ bytes[i]) * 0x100000001b3;
	return hash;
}

/* The id of a row: a hash of its values of @keys.  Equal names are the same
 * pointer as long as samples are decoded, except for values of fields. */
static uint64_t id_of(unsigned int keys, const struct hot_value *value)
{
	const char *field = value->field ? value->field : "";
	const struct {
		const void *data;
		size_t size;
	} parts[HOT_KEYS] = {
		[HOT_SYMBOL] = { &value->name, sizeof(value->name) },
		[HOT_DSO] = { &value->dso, sizeof(value->dso) },
		[HOT_COMM] = { &value->comm, sizeof(value->comm) },
		[HOT_PID] = { &value->pid, sizeof(value->pid) },
		[HOT_CPU] = { &value->cpu, sizeof(value->cpu) },
		[HOT_EVENT] = { &value->event, sizeof(value->event) },
		[HOT_FIELD] = { field, strlen(field) },
	};
	uint64_t id = 0xcbf29ce484222325;

	for (unsigned int key = 0; key < HOT_KEYS; key++) {
		if (keys & 1u << key)
			id = hash(id, parts[key].data, parts[key].size);
	}
	return keys & 1u << HOT_SYMBOL ?
		hash(id, &value->kind, sizeof(value->kind)) : id;
}

static size_t nr_rows(const struct listing *l)
{
	return ((const struct hot_view *)(const void *)l)->rows.nr;
}

static const void *row_at(const struct listing *l, size_t i)
{
	return &((const struct hot_view *)(const void *)l)->rows.rows[i];
}

static uint64_t row_id(const struct listing *l, const void *row)
{
	const struct hot_view *v = (const void *)l;
	const struct hot_row *r = row;

	return id_of(v->shown.query.keys, &r->value);
}

static bool match(const struct listing *l, const void *row, const char *needle)
{
	const struct hot_view *v = (const void *)l;
	const struct hot_row *r = row;

	return hot_key_match(l->frame->samples->hot, v->shown.query.keys,
			     &r->value, needle);
}

/* Takes effect with the next query; the number of all rows is not known. */
static void filter(struct listing *l, const char *text, bool final)
{
	(void)final;
	text_copy(l->filter, sizeof(l->filter), text);
	l->all = LIST_NONE;
}

static void sorted(struct listing *l)
{
	struct hot_query *q = &l->view.shell->query;

	q->by_name = l->sort == HOT_SORT_NAME;
	if (!q->by_name)
		q->by_children = l->sort == HOT_SORT_CHILDREN;
}

static double largest(const struct hot_view *v)
{
	double max = 0;

	for (size_t i = 0; i < v->rows.nr; i++) {
		const struct hot_row *row = &v->rows.rows[i];
		double share = v->shown.query.by_children ? row->children :
							    row->self;

		max = share > max ? share : max;
	}
	return max;
}

/* If out of memory there are no rows until something changes. */
static void make_rows(struct hot_view *v, const struct hot *hot,
		      const struct hot_query *query)
{
	hot_rows_free(&v->rows);
	if (hot_rows_query(hot, query, &v->rows) < 0)
		v->rows = (struct hot_rows){ 0 };
	v->shown.hot = hot;
	v->shown.changes = hot->changes;
	v->shown.query = *query;
	v->max = largest(v);
}

static void update(struct listing *l)
{
	struct hot_view *v = (struct hot_view *)(void *)l;
	const struct hot *hot = l->frame->samples ? l->frame->samples->hot :
						    NULL;
	struct hot_query q = l->view.shell->query;

	if (!hot) {
		hot_rows_free(&v->rows);
		v->shown.hot = NULL;
		return;
	}
	q.by_children = q.by_children && has_children(v, hot);
	l->sort = q.by_name ? HOT_SORT_NAME :
		  q.by_children ? HOT_SORT_CHILDREN : HOT_SORT_SELF;
	text_copy(q.filter, sizeof(q.filter), l->filter);
	if (!hot_shown_is(&v->shown, hot, &q))
		make_rows(v, hot, &q);
}

void hot_list_group(struct hot_view *v, unsigned int keys)
{
	v->list.view.shell->query.keys = keys;
	v->list.text_scroll = 0;
	listing_leave(&v->list);
}

/* The next keys of path[] that are neither in @now nor narrowed to; 0: none. */
static unsigned int next_keys(const struct hot_query *q, unsigned int now)
{
	for (unsigned int i = 0; i < q->nr_where; i++)
		now |= 1u << q->where[i].key;
	for (int i = 0; i < PATH; i++) {
		if (now & 1u << path[i])
			continue;
		return path[i] == HOT_SYMBOL ? 1u << HOT_SYMBOL |
					       1u << HOT_DSO : 1u << path[i];
	}
	return 0;
}

/* Narrow to the samples of a row.  NULL, or why that is not possible. */
static const char *narrow_to(struct hot_view *v, const struct hot *hot,
			     const struct hot_row *row)
{
	struct hot_query *q = &v->list.view.shell->query;
	const struct hot_value *value = &row->value;
	struct hot_step step = { .keys = q->keys, .nr_where = q->nr_where,
				 .id = id_of(q->keys, value) };
	const struct samples *samples = v->list.frame->samples;
	/* of tracepoints without callchains the symbol is always the same */
	unsigned int useless = samples->group ? 1u << HOT_SYMBOL : 0;
	unsigned int next = next_keys(q, q->keys | useless);
	bool anywhere = q->by_children && has_children(v, hot);

	if (!next)
		return "nothing is left to narrow to";
	if (v->nr_steps == HOT_WHERES ||
	    !narrow_add(q, hot, q->keys, value, anywhere))
		return "cannot be narrowed any further";
	v->steps[v->nr_steps++] = step;
	*v->list.search = *v->list.filter = *v->list.typed = '\0';
	hot_list_group(v, next);
	return NULL;
}

bool hot_list_widen(struct hot_view *v)
{
	const struct hot_step *step;

	if (!v->nr_steps)
		return false;
	step = &v->steps[--v->nr_steps];
	v->list.view.shell->query.nr_where = step->nr_where;
	hot_list_group(v, step->keys);
	/* back to the row that was narrowed to */
	listing_go_to(&v->list, step->id);
	return true;
}

/* Ids of columns after those of enum hot_sort; OTHERS + key for other keys. */
enum { BAR = HOT_SORTS, ERROR, KIND, OTHERS };

/* The columns that are no keys. */
static const struct list_column own[CONFIG_HOT_NAME] = {
	[CONFIG_HOT_BAR] = {
		.id = BAR, .header = "", .width = MIN_BAR, .max = MAX_BAR,
		.rank = 9, .rest = true, .fixed = true,
	},
	[CONFIG_HOT_SELF] = {
		.id = HOT_SORT_SELF, .header = "SELF", .width = SHARE,
		.sorts = true, .falls = true, .rank = 1, .fixed = true,
	},
	[CONFIG_HOT_CHILDREN] = {
		.id = HOT_SORT_CHILDREN, .header = "CHILDREN",
		.width = CHILDREN_SHARE,
		.sorts = true, .falls = true, .rank = 2, .fixed = true,
	},
	[CONFIG_HOT_ERROR] = {
		.id = ERROR, .rank = 3, .width = ERROR_WIDTH, .fixed = true,
	},
	[CONFIG_HOT_KIND] = {
		.id = KIND, .header = "", .width = 1, .rank = 1, .fixed = true,
	},
};

/* The first key, whose column takes the remaining room. */
static enum hot_key main_key(unsigned int keys)
{
	return (enum hot_key)__builtin_ctz(keys);
}

static int min_width(enum hot_key key)
{
	if (key == HOT_DSO)
		return MIN_DSO;
	return key == HOT_EVENT ? MIN_EVENT : hot_key_info(key)->width;
}

static int good_width(enum hot_key key, int cols)
{
	int width = hot_key_info(key)->width;

	return cols >= WIDE && width > 8 ? 2 * width : width;
}

/* The column of a field has the field's name. */
static const char *key_header(const struct hot *hot, enum hot_key key)
{
	const char *field = narrow_field_name(hot->field);

	if (key == HOT_FIELD && *field)
		return field;
	return hot_key_info(key)->header;
}

static const char *error_header(bool ascii)
{
	return ascii ? "+-" : "±";
}

static struct list_column key_column(const struct hot *hot,
					enum hot_key key, bool first, int cols)
{
	struct list_column c = {
		.id = OTHERS + (int)key, .header = key_header(hot, key),
		.width = min_width(key), .fair = good_width(key, cols),
		.rank = 5, .left = true, .fixed = true, .marked = true,
		.spare = true, .ends = key == HOT_EVENT,
	};

	if (!first)
		return c;
	c.id = HOT_SORT_NAME;
	c.help = "what it is grouped by";
	c.min = MIN_MAIN;
	c.width = OWN_MAIN;
	c.fair = FAIR_MAIN;
	c.rank = 0;
	c.spare = c.ends = false;
	c.rest = c.scrolls = c.sorts = true;
	return c;
}

/* The width of all columns at their fair widths, including blanks. */
static int sum_of_widths(const struct list_column *columns, size_t nr)
{
	int sum = 0;

	for (size_t i = 0; i < nr; i++) {
		const struct list_column *c = &columns[i];

		if (!c->hidden)
			sum += (c->fair > c->width ? c->fair : c->width) + 1;
	}
	return sum;
}

static struct list_column own_column(const struct listing *l,
				     unsigned int column)
{
	struct list_column c = own[column];

	c.help = config_columns_info(CONFIG_HOT, column).help;
	if (c.id == ERROR) {
		c.header = error_header(l->ascii);
		c.hidden = !l->frame->samples->hot->thinned;
	} else if (c.id == KIND) {
		c.hidden = !(l->view.shell->query.keys & 1u << HOT_SYMBOL);
	}
	return c;
}

/* The columns of all keys.  Returns their number. */
static size_t key_columns(const struct listing *l, int cols,
			  struct list_column *columns)
{
	unsigned int keys = l->view.shell->query.keys;
	size_t nr = 0;

	for (unsigned int key = main_key(keys); key < HOT_KEYS; key++) {
		if (keys & 1u << key)
			columns[nr++] = key_column(l->frame->samples->hot,
						   (enum hot_key)key,
						   key == main_key(keys),
						   cols);
	}
	return nr;
}

/* The chosen columns, then the others, hidden, which can be sorted by; all of
 * them if none is chosen. */
static size_t columns_of(struct listing *l, int cols,
			 struct list_column *columns)
{
	const struct config_columns *chosen =
		&l->view.shell->config->columns[CONFIG_HOT];
	bool children = has_children((struct hot_view *)(void *)l,
					   l->frame->samples->hot);
	unsigned int order[CONFIG_COLUMNS];
	size_t all = config_columns_order(CONFIG_HOT, chosen, order), nr = 0;

	for (size_t i = 0; i < all; i++) {
		size_t from = nr;

		if (order[i] == CONFIG_HOT_NAME)
			nr += key_columns(l, cols, columns + nr);
		else if (order[i] != CONFIG_HOT_CHILDREN || children)
			columns[nr++] = own_column(l, order[i]);
		for (; chosen->nr && i >= chosen->nr && from < nr; from++)
			columns[from].hidden = true;
	}
	/* names are more important than a bar */
	for (size_t i = 0; i < nr; i++) {
		if (columns[i].id == BAR)
			columns[i].hidden |= sum_of_widths(columns, nr) > cols;
	}
	return nr;
}

static void key_text(const struct hot *hot, enum hot_key key,
		     const struct hot_row *row, char *text)
{
	char buf[LISTING_CELL];

	hot_key_text(hot, key, &row->value, buf, sizeof(buf));
	text_copy(text, LISTING_CELL,
		  key == HOT_DSO ? symbol_file_name(buf) : buf);
}

static void draw_bar(const struct hot_view *v, const struct hot_row *row,
		     struct area cell)
{
	bool symbols = v->shown.query.keys & 1u << HOT_SYMBOL;

	widget_hbar(cell, 0, 0, cell.cols,
		    v->shown.query.by_children ? row->children : row->self,
		    v->max,
		    symbols ? widget_kind(row->kind)->role : ROLE_SPARK);
}

static enum role draw_cell(struct listing *l, const void *row,
			   const struct list_column *column, struct area cell,
			   char *text)
{
	const struct hot_view *v = (const void *)l;
	const struct hot_row *r = row;
	enum hot_key key = main_key(v->shown.query.keys);

	switch (column->id) {
	case BAR:
		draw_bar(v, r, cell);
		return ROLE_DEFAULT;
	case HOT_SORT_SELF:
	case HOT_SORT_CHILDREN:
		snprintf(text, LISTING_CELL, "%.2f%%", 100 *
			 (column->id == HOT_SORT_SELF ? r->self :
							r->children));
		return ROLE_VALUE;
	case ERROR:
		snprintf(text, LISTING_CELL, "%s%.*f",
			 error_header(cell.canvas->ascii),
			 r->error < .0995 ? 2 : 1, r->error * 100);
		return ROLE_DIM;
	case KIND:
		snprintf(text, LISTING_CELL, "%c",
			 widget_kind(r->kind)->letter);
		return widget_kind(r->kind)->role;
	default:
		if (column->id != HOT_SORT_NAME)
			key = (enum hot_key)(column->id - OTHERS);
		key_text(l->frame->samples->hot, key, r, text);
		return key == HOT_SYMBOL ? widget_kind(r->kind)->role :
					   ROLE_DEFAULT;
	}
}

/* The file of the row under the cursor, in full. */
static int note_file(const struct hot_view *v, const struct hot *hot,
		     struct area a, int col)
{
	const struct hot_row *row = listing_current(&v->list);
	char file[256];

	if (!v->roomy || !(v->shown.query.keys & 1u << HOT_DSO) || !row)
		return col;
	return widget_note(a, col, ROLE_DIM, "%s",
			   hot_key_text(hot, HOT_DSO, &row->value, file,
					  sizeof(file)));
}

static int add_notes(const struct listing *l, struct area a, int col)
{
	const struct hot_view *v = (const void *)l;
	const struct hot *hot = l->frame->samples->hot;
	const struct samples_status *s = &l->frame->samples->status;
	char text[16];

	if (s->name_limit && s->name_bytes >= s->name_limit)
		col = widget_note(a, col, ROLE_WARN,
				  "memory for names is full");
	if (s->lag >= 2)
		col = widget_note(a, col, ROLE_WARN, "%.0f s behind", s->lag);
	if (hot->merged.sum > 0 && hot->total.sum > 0)
		col = widget_note(a, col, ROLE_DIM, "%.1f%% without detail",
				  hot->merged.sum / hot->total.sum * 100);
	col = note_file(v, hot, a, col);
	if (v->rows.left_out)
		col = widget_note(a, col, ROLE_DIM, "%s light rows left out",
				  units_count(text, sizeof(text),
					      (double)v->rows.left_out));
	return col;
}

static void draw_empty(const struct listing *l, struct area a)
{
	const struct hot_query *q = &l->view.shell->query;
	const char *text = "no samples yet";

	if (*l->filter)
		text = "nothing matches the filter";
	else if (q->part)
		text = "no such samples; press i for others";
	else if (q->nr_where)
		text = "no samples match; Esc goes back";
	else if (narrow_marked(l->frame) &&
		 !(l->frame->samples->hot->total.sum > 0))
		text = "no samples between the mark and the cursor: go on";
	else if (q->keys & 1u << HOT_FIELD)
		text = "no sample has had this field since it was chosen";
	else if (q->recent && l->frame->samples->hot->total.sum > 0)
		text = "no recent samples; t shows all";
	area_text(a, a.rows / 2, 2, 0, ROLE_DIM, text);
}

/* Mark rows that match the search, maybe in a text that is cut. */
static void draw_gutter(const struct listing *l, const void *row, struct area a)
{
	if (listing_found(l, row))
		area_put(a, 0, 0, ROLE_MATCH, '*');
}

static void narrow(struct listing *l, const void *row)
{
	struct hot_view *v = (struct hot_view *)(void *)l;
	const char *why = narrow_to(v, l->frame->samples->hot, row);

	if (why)
		l->view.shell->message(l->view.shell, ROLE_NOTICE, why);
}

const struct listing_ops hot_listing = {
	.update = update,
	.nr = nr_rows,
	.at = row_at,
	.id = row_id,
	.match = match,
	.sorted = sorted,
	.filter = filter,
	.columns = columns_of,
	.cell = draw_cell,
	.gutter = draw_gutter,
	.notes = add_notes,
	.empty = draw_empty,
	.open = narrow,
	.gutter_cols = 1,
	.natural = LISTING_UNSORTED,
};
