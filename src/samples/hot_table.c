/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "samples/hot_table.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "samples/hot_store.h"

enum {
	MAX_CELLS = 32768,
	MAX_NODES = 65536,
	MIN_BOUND = 64, /* of either bound */
	MAX_EVENTS = 4096,
	STEPS = 4096, /* of importance() */
};

/* Recent weights below this become 0: denormal numbers are slow. */
#define FADED 1e-9

/* Names are compared by pointer, so there is one copy. */
static const char merged_name[] = HOT_MERGED;

/* Which details of a cell are merged away; each level adds some. */
enum level {
	LEVEL_ALL_KEPT,
	LEVEL_NO_TASK,		/* CPU, pid and field */
	LEVEL_NO_CALLERS,	/* and all frames but the innermost */
	LEVEL_NO_SYMBOL,	/* and symbol and comm */
	LEVEL_NOTHING_KEPT,	/* and the event */
};

struct hot_table {
	struct hot_store now, spare;
	struct hot_fields fields;
	uint32_t *order;	/* of the cells, in merge() */
	struct hot_position *moved; /* the position of each node in @spare */
	const char **events;
	uint32_t nr_events;
	size_t max_depth;
	double half_life;
	char field[sizeof(((struct hot *)NULL)->field)];
	bool chains, thinned;
	struct hot_weight total, recent, merged;
	uint64_t generation, layout, changes;
};

static uint32_t bound(uint32_t asked, uint32_t otherwise)
{
	if (asked == 0)
		return otherwise;
	return asked < MIN_BOUND ? MIN_BOUND : asked;
}

struct hot_table *hot_table_new(const struct hot_table_opts *opts)
{
	uint32_t max_cells = bound(opts->max_cells, MAX_CELLS);
	uint32_t max_nodes = bound(opts->max_nodes, MAX_NODES);
	struct hot_table *t = calloc(1, sizeof(*t));

	if (!t)
		return NULL;
	t->half_life = opts->half_life > 0 ? opts->half_life : HOT_HALF_LIFE;
	t->max_depth = max_nodes / 8 < HOT_MAX_DEPTH ? max_nodes / 8 :
		       HOT_MAX_DEPTH;
	t->layout = 1;
	t->order = calloc(max_cells, sizeof(*t->order));
	t->moved = calloc(max_nodes, sizeof(*t->moved));
	t->events = calloc(MAX_EVENTS, sizeof(*t->events));
	if (hot_store_init(&t->now, max_cells, max_nodes) < 0 ||
	    hot_store_init(&t->spare, max_cells, max_nodes) < 0 ||
	    hot_fields_init(&t->fields) < 0 ||
	    !t->order || !t->moved || !t->events) {
		hot_table_free(t);
		return NULL;
	}
	return t;
}

void hot_table_free(struct hot_table *t)
{
	if (!t)
		return;
	hot_store_free(&t->now);
	hot_store_free(&t->spare);
	hot_fields_free(&t->fields);
	free(t->order);
	free(t->moved);
	free(t->events);
	free(t);
}

/* A linear search, since there are few; beyond MAX_EVENTS they share one. */
static uint32_t event_of(struct hot_table *t, const char *name)
{
	uint32_t i;

	for (i = 0; i < t->nr_events; i++)
		if (t->events[i] == name)
			return i;
	if (i == MAX_EVENTS)
		return MAX_EVENTS - 1;
	t->events[i] = i == MAX_EVENTS - 1 ? merged_name : name;
	t->nr_events++;
	return i;
}

static struct hot_weight weight_of(const struct hot_sample *sample)
{
	double events = sample->weight *
			(sample->period > 0 ? sample->period : 1);

	return (struct hot_weight){
		.sum = sample->weight,
		.squares = sample->weight * sample->weight,
		.events = events,
		.event_squares = events * events,
	};
}

static const char *no_field(const struct hot_table *t)
{
	return t->fields.texts[0].text;
}

/* Copy @node and its callers to the spare store. */
static struct hot_position move_node(struct hot_table *t, uint32_t node)
{
	const struct hot_node *from = &t->now.nodes[node];
	struct hot_position position = HOT_ROOT;

	if (t->moved[node].node != HOT_NONE)
		return t->moved[node];
	if (from->parent != HOT_NONE)
		position = move_node(t, from->parent);
	hot_store_enter(&t->spare, &position, &t->now.symbols[from->symbol]);
	t->moved[node] = position;
	return position;
}

/* The same, with as much of its callchain as @level keeps. */
static uint32_t move_chain(struct hot_table *t, uint32_t node,
			   enum level level)
{
	static const struct hot_symbol gone = { merged_name, merged_name,
						SYMBOL_UNKNOWN };
	const struct hot_node *from = &t->now.nodes[node];
	struct hot_position position = HOT_ROOT;

	if (level < LEVEL_NO_CALLERS ||
	    (level == LEVEL_NO_CALLERS && from->parent == HOT_NONE))
		return move_node(t, node).node;
	hot_store_enter(&t->spare, &position, &gone);
	if (level == LEVEL_NO_CALLERS)
		hot_store_enter(&t->spare, &position,
				&t->now.symbols[from->symbol]);
	return position.node;
}

static void move_cell(struct hot_table *t, const struct hot_cell *cell,
		      enum level level)
{
	struct hot_cell key = *cell, *to;

	key.node = move_chain(t, cell->node, level);
	if (level >= LEVEL_NO_TASK) {
		key.cpu = HOT_MERGED_ID;
		key.pid = HOT_MERGED_ID;
		/* it still counts where samples are grouped by field */
		key.field = *cell->field ?
			    hot_fields_add(&t->fields, HOT_MERGED) :
			    no_field(t);
	}
	if (level >= LEVEL_NO_SYMBOL)
		key.comm = merged_name;
	if (level == LEVEL_NOTHING_KEPT)
		key.event = event_of(t, merged_name);
	to = hot_store_cell(&t->spare, &key);
	hot_weight_add(&to->total, &cell->total);
	hot_weight_add(&to->recent, &cell->recent);
}

static void move_begin(struct hot_table *t)
{
	hot_store_clear(&t->spare);
	for (uint32_t i = 0; i < t->now.nr_nodes; i++)
		t->moved[i] = HOT_ROOT;
}

static void move_end(struct hot_table *t)
{
	struct hot_store was = t->now;

	t->now = t->spare;
	t->spare = was;
	t->layout++;
	t->merged = (struct hot_weight){ 0 };
	for (uint32_t i = 0; i < t->now.nr_cells; i++)
		if (t->now.cells[i].pid == HOT_MERGED_ID)
			hot_weight_add(&t->merged, &t->now.cells[i].total);
}

/* Whether the room for cells of @level is used up. */
static bool is_full(const struct hot_store *s, enum level level)
{
	/*
	 * In sixteenths of the bound.  A callchain takes up to two of them, so
	 * nodes end below 12.  The rest stays free, so that merging, which
	 * takes milliseconds, is rare.
	 */
	static const uint32_t cells[] = { 8, 9, 10, 11 };
	static const uint32_t nodes[] = { 6, 7, 9, 16 };

	return s->nr_cells >= s->max_cells / 16 * cells[level] ||
	       s->nr_nodes >= s->max_nodes / 16 * nodes[level];
}

static double share(double part, double all)
{
	return all > 0 ? part / all : 0;
}

/* The share of the samples or of the events, whichever is larger. */
static double larger_share(const struct hot_weight *part,
			   const struct hot_weight *all)
{
	return fmax(share(part->sum, all->sum),
		    share(part->events, all->events));
}

/*
 * The share of all samples or of the recent ones, whichever is larger, on a
 * logarithmic scale: the exponent and the upper 4 bits of the mantissa of an
 * IEEE 754 float.
 */
static uint32_t importance(const struct hot_table *t,
			   const struct hot_cell *cell)
{
	float value = (float)fmax(larger_share(&cell->total, &t->total),
				  larger_share(&cell->recent, &t->recent));
	uint32_t bits;

	memcpy(&bits, &value, sizeof(bits));
	return bits >> 19 & (STEPS - 1);
}

/* Counting sort of the cells into t->order, the most important first. */
static void sort_cells(struct hot_table *t)
{
	const struct hot_cell *cells = t->now.cells;
	uint32_t first[STEPS] = { 0 }, nr = t->now.nr_cells, before = 0, here;

	for (uint32_t i = 0; i < nr; i++)
		first[importance(t, &cells[i])]++;
	for (uint32_t step = STEPS; step-- > 0; before += here) {
		here = first[step];
		first[step] = before;
	}
	for (uint32_t i = 0; i < nr; i++)
		t->order[first[importance(t, &cells[i])]++] = i;
}

/* Make room: the least important cells lose the most detail. */
static void merge(struct hot_table *t)
{
	enum level level = LEVEL_ALL_KEPT;

	sort_cells(t);
	move_begin(t);
	for (uint32_t i = 0; i < t->now.nr_cells; i++) {
		while (level < LEVEL_NOTHING_KEPT && is_full(&t->spare, level))
			level++;
		move_cell(t, &t->now.cells[t->order[i]], level);
	}
	move_end(t);
}

/* The innermost frame's node; HOT_NONE: no room. */
static uint32_t chain_node(struct hot_table *t,
			   const struct hot_sample *sample)
{
	size_t nr = sample->nr_frames < t->max_depth ? sample->nr_frames :
		    t->max_depth;
	struct hot_position position = HOT_ROOT;

	while (nr-- > 0) {
		const struct symbol *frame = &sample->frames[nr];
		const struct hot_symbol symbol = { frame->name, frame->dso,
						   frame->kind };

		if (!hot_store_enter(&t->now, &position, &symbol))
			return HOT_NONE;
	}
	return position.node;
}

static struct hot_cell *cell_of(struct hot_table *t,
				const struct hot_sample *sample)
{
	const struct hot_cell key = {
		.node = chain_node(t, sample),
		.event = event_of(t, sample->event),
		.cpu = sample->cpu,
		.pid = sample->pid,
		.comm = sample->comm,
		.field = hot_fields_add(&t->fields, sample->field),
	};

	return key.node == HOT_NONE ? NULL : hot_store_cell(&t->now, &key);
}

void hot_table_add(struct hot_table *t, const struct hot_sample *sample)
{
	const struct hot_weight weight = weight_of(sample);
	struct hot_cell *cell = cell_of(t, sample);

	if (!cell) {
		merge(t);
		cell = cell_of(t, sample);
	}
	hot_weight_add(&cell->total, &weight);
	hot_weight_add(&cell->recent, &weight);
	hot_weight_add(&t->total, &weight);
	hot_weight_add(&t->recent, &weight);
	t->thinned |= sample->weight > 1;
	t->changes++;
}

static void fade(struct hot_weight *weight, double factor)
{
	weight->sum *= factor;
	weight->squares *= factor * factor;
	weight->events *= factor;
	weight->event_squares *= factor * factor;
	if (weight->sum < FADED)
		*weight = (struct hot_weight){ 0 };
}

void hot_table_decay(struct hot_table *t, double seconds)
{
	double factor = exp2(-seconds / t->half_life);

	if (seconds <= 0 || t->recent.sum == 0)
		return;
	for (uint32_t i = 0; i < t->now.nr_cells; i++)
		fade(&t->now.cells[i].recent, factor);
	fade(&t->recent, factor);
	t->changes++;
}

void hot_table_reset(struct hot_table *t)
{
	hot_store_clear(&t->now);
	hot_fields_clear(&t->fields);
	t->total = t->recent = t->merged = (struct hot_weight){ 0 };
	t->thinned = false;
	t->generation++;
	t->layout++;
	t->changes++;
}

void hot_table_set_field(struct hot_table *t, const char *field)
{
	char name[sizeof(t->field)];

	text_copy(name, sizeof(name), field);
	if (strcmp(name, t->field) == 0)
		return;
	memcpy(t->field, name, sizeof(name));
	move_begin(t);
	for (uint32_t i = 0; i < t->now.nr_cells; i++) {
		t->now.cells[i].field = no_field(t);
		move_cell(t, &t->now.cells[i], LEVEL_ALL_KEPT);
	}
	move_end(t);
	hot_fields_clear(&t->fields);
	t->changes++;
}

void hot_table_set_chains(struct hot_table *t, bool chains)
{
	t->chains = chains;
	t->changes++;
}

/* Allocate for the bounds: pages that are never written take no memory. */
static int copy_init(const struct hot_table *t, struct hot *copy)
{
	struct hot new = {
		.max_cells = t->now.max_cells,
		.max_nodes = t->now.max_nodes,
	};

	new.symbols = calloc(new.max_nodes, sizeof(*new.symbols));
	new.nodes = calloc(new.max_nodes, sizeof(*new.nodes));
	new.cells = calloc(new.max_cells, sizeof(*new.cells));
	new.events = calloc(MAX_EVENTS, sizeof(*new.events));
	new.fields = calloc(HOT_STORE_FIELDS, sizeof(*new.fields));
	if (!new.symbols || !new.nodes || !new.cells || !new.events ||
	    !new.fields) {
		hot_free(&new);
		return -ENOMEM;
	}
	*copy = new;
	return 0;
}

/* Of the same layout, these lists only grow at the end. */
static void copy_lists(const struct hot_table *t, struct hot *copy)
{
	const struct hot_store *s = &t->now;

	if (copy->layout != t->layout) {
		copy->nr_symbols = 0;
		copy->nr_nodes = 0;
		copy->nr_fields = 0;
		copy->layout = t->layout;
	}
	for (; copy->nr_symbols < s->nr_symbols; copy->nr_symbols++)
		copy->symbols[copy->nr_symbols] = s->symbols[copy->nr_symbols];
	for (; copy->nr_nodes < s->nr_nodes; copy->nr_nodes++)
		copy->nodes[copy->nr_nodes] = s->nodes[copy->nr_nodes];
	for (; copy->nr_events < t->nr_events; copy->nr_events++)
		copy->events[copy->nr_events] = t->events[copy->nr_events];
	for (; copy->nr_fields < t->fields.nr; copy->nr_fields++)
		copy->fields[copy->nr_fields] =
			t->fields.texts[copy->nr_fields];
}

/* Their fields point into the copy, since the table may remove its values. */
static void copy_cells(const struct hot_table *t, struct hot *copy)
{
	const char *from = t->fields.texts[0].text;

	copy->nr_cells = t->now.nr_cells;
	memcpy(copy->cells, t->now.cells,
	       copy->nr_cells * sizeof(*copy->cells));
	for (uint32_t i = 0; i < copy->nr_cells; i++)
		copy->cells[i].field = copy->fields[0].text +
				       (copy->cells[i].field - from);
}

int hot_table_copy(const struct hot_table *t, struct hot *copy)
{
	if (!copy->cells && copy_init(t, copy) < 0)
		return -ENOMEM;
	if (copy->layout == t->layout && copy->changes == t->changes)
		return 0;
	copy_lists(t, copy);
	copy_cells(t, copy);
	memcpy(copy->field, t->field, sizeof(copy->field));
	copy->chains = t->chains;
	copy->thinned = t->thinned;
	copy->total = t->total;
	copy->recent = t->recent;
	copy->merged = t->merged;
	copy->generation = t->generation;
	copy->changes = t->changes;
	copy->bytes = hot_store_bytes(&t->now) +
		      copy->nr_symbols * sizeof(*copy->symbols) +
		      copy->nr_nodes * sizeof(*copy->nodes) +
		      copy->nr_cells * sizeof(*copy->cells) +
		      copy->nr_fields * sizeof(*copy->fields) +
		      t->fields.nr * sizeof(*t->fields.texts);
	if (t->spare.nr_nodes)	/* its pages stay in use once written */
		copy->bytes += hot_store_bytes(&t->spare);
	return 0;
}

void hot_free(struct hot *copy)
{
	free(copy->symbols);
	free(copy->nodes);
	free(copy->cells);
	free(copy->events);
	free(copy->fields);
	*copy = (struct hot){ 0 };
}
