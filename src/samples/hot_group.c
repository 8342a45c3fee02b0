/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "samples/hot_query.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

#define BIT(key) (1u << HOT_##key)
/* Keys of which a sample has a value per frame. */
#define FRAME_KEYS (BIT(SYMBOL) | BIT(DSO))

/* The sort key of a row; see in_order() in hot_query.c. */
struct rank {
	double first, second;
	size_t row;
};

/*
 * Samples are processed by context: those that agree in all keys except symbol
 * and dso.  Within a context a frame's row is found by its unit: its symbol or,
 * if grouped by dso only, the first symbol of that dso.
 */
struct grouping {
	const struct hot *hot;
	const struct hot_query *query;
	uint32_t *cells, nr_cells;	/* those selected, sorted by context */
	uint32_t *unit;			/* by symbol */
	uint32_t *row;			/* by unit; HOT_NONE: none yet */
	struct hot_sums *nodes;
	bool *seen;			/* by node */
	uint32_t *touched, nr_touched;	/* nodes, callees before callers */
	struct hot_groups *out;
	size_t rows_cap, sums_cap;	/* in its arrays */
	struct rank lightest;		/* of the rows kept; later rows below
					 * it are dropped */
};

/* One more than needed, since calloc(0) may return NULL. */
static int grouping_alloc(struct grouping *g)
{
	size_t cells = (size_t)g->hot->nr_cells + 1;
	size_t nodes = (size_t)g->hot->nr_nodes + 1;
	size_t symbols = (size_t)g->hot->nr_symbols + 1;

	g->cells = calloc(cells, sizeof(*g->cells));
	g->unit = calloc(symbols, sizeof(*g->unit));
	g->row = calloc(symbols, sizeof(*g->row));
	g->nodes = calloc(nodes, sizeof(*g->nodes));
	g->seen = calloc(nodes, sizeof(*g->seen));
	g->touched = calloc(nodes, sizeof(*g->touched));
	if (!g->cells || !g->unit || !g->row || !g->nodes || !g->seen ||
	    !g->touched)
		return -ENOMEM;
	memset(g->row, 0xff, symbols * sizeof(*g->row));
	return 0;
}

static int order(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

/* Compare by the keys that are not symbol or dso. */
static int by_context(const void *one, const void *other, void *ctx)
{
	const struct grouping *g = ctx;
	const struct hot_cell *a = &g->hot->cells[*(const uint32_t *)one];
	const struct hot_cell *b = &g->hot->cells[*(const uint32_t *)other];
	unsigned int keys = g->query->keys;
	int ret = 0;

	if (keys & BIT(COMM))
		ret = order((uintptr_t)a->comm, (uintptr_t)b->comm);
	if (ret == 0 && keys & BIT(PID))
		ret = order((uint32_t)a->pid, (uint32_t)b->pid);
	if (ret == 0 && keys & BIT(CPU))
		ret = order((uint32_t)a->cpu, (uint32_t)b->cpu);
	if (ret == 0 && keys & BIT(EVENT))
		ret = order(a->event, b->event);
	if (ret == 0 && keys & BIT(FIELD))
		ret = order((uintptr_t)a->field, (uintptr_t)b->field);
	return ret;
}

/* Select the cells, and sort them by context. */
static int choose_cells(struct grouping *g)
{
	const struct hot *hot = g->hot;
	int ret = hot_query_cells(hot, g->query, g->cells, &g->nr_cells,
				  &g->out->by_events);

	for (uint32_t i = 0; i < g->nr_cells; i++)
		hot_weight_add(&g->out->all,
			       hot_query_weight(g->query,
						&hot->cells[g->cells[i]]));
	if (ret == 0 && g->query->keys & ~FRAME_KEYS)
		qsort_r(g->cells, g->nr_cells, sizeof(*g->cells), by_context,
			g);
	return ret;
}

static int by_dso(const void *a, const void *b, void *ctx)
{
	const struct hot_symbol *symbols = ctx;
	uint32_t i = *(const uint32_t *)a, j = *(const uint32_t *)b;
	int ret = order((uintptr_t)symbols[i].dso, (uintptr_t)symbols[j].dso);

	return ret ? ret : order(i, j);
}

static int choose_units(struct grouping *g)
{
	const struct hot_symbol *symbols = g->hot->symbols;
	uint32_t nr = g->hot->nr_symbols, *sorted;

	for (uint32_t i = 0; i < nr; i++)
		g->unit[i] = i;
	if ((g->query->keys & FRAME_KEYS) != BIT(DSO) || nr == 0)
		return 0;
	sorted = malloc(nr * sizeof(*sorted));
	if (!sorted)
		return -ENOMEM;
	memcpy(sorted, g->unit, nr * sizeof(*sorted));
	qsort_r(sorted, nr, sizeof(*sorted), by_dso, (void *)symbols);
	for (uint32_t i = 1; i < nr; i++)
		if (symbols[sorted[i]].dso == symbols[sorted[i - 1]].dso)
			g->unit[sorted[i]] = g->unit[sorted[i - 1]];
	free(sorted);
	return 0;
}

/* Add an empty row with the values of the context of @cell. */
static int add_row(struct grouping *g, const struct hot_cell *cell)
{
	struct hot_groups *out = g->out;
	unsigned int keys = g->query->keys;

	if (array_fit(out->rows, g->rows_cap, out->nr + 1) ||
	    array_fit(out->sums, g->sums_cap, out->nr + 1))
		return -ENOMEM;
	out->rows[out->nr] = (struct hot_row){
		.value.comm = keys & BIT(COMM) ? cell->comm : NULL,
		.value.pid = keys & BIT(PID) ? cell->pid : 0,
		.value.cpu = keys & BIT(CPU) ? cell->cpu : 0,
		.value.event = keys & BIT(EVENT) ? cell->event : 0,
		.value.field = keys & BIT(FIELD) ? cell->field : NULL,
	};
	out->sums[out->nr++] = (struct hot_sums){ 0 };
	return 0;
}

/* Add a row for frames of @symbol in the context of @cell. */
static int add_frame_row(struct grouping *g, const struct hot_cell *cell,
			 uint32_t symbol)
{
	const struct hot_symbol *s = &g->hot->symbols[symbol];
	struct hot_row *row;

	if (add_row(g, cell) < 0)
		return -ENOMEM;
	row = &g->out->rows[g->out->nr - 1];
	row->value.dso = s->dso;
	row->value.kind = row->kind = s->kind;
	if (g->query->keys & BIT(SYMBOL)) {
		row->value.symbol = symbol;
		row->value.name = s->name;
	}
	return 0;
}

/* Whether a caller of @node has the same row: it must count only once. */
static bool is_repeated(const struct grouping *g, uint32_t node)
{
	const struct hot_node *nodes = g->hot->nodes;
	uint32_t unit = g->unit[nodes[node].symbol];

	if (g->query->keys & BIT(SYMBOL))
		return nodes[node].recursive;
	for (node = nodes[node].parent; node != HOT_NONE;
	     node = nodes[node].parent)
		if (g->unit[nodes[node].symbol] == unit)
			return true;
	return false;
}

static int descending(const void *a, const void *b)
{
	return order(*(const uint32_t *)b, *(const uint32_t *)a);
}

/* Callees before callers: a caller has the lower index. */
static void sort_touched(struct grouping *g)
{
	if (g->nr_touched < g->hot->nr_nodes / 16) {
		qsort(g->touched, g->nr_touched, sizeof(*g->touched),
		      descending);
		return;
	}
	g->nr_touched = 0;
	for (uint32_t i = g->hot->nr_nodes; i-- > 0;)
		if (g->seen[i])
			g->touched[g->nr_touched++] = i;
}

/* Sum the weights of the nodes of the @nr cells at @cells and their callers. */
static void weigh_nodes(struct grouping *g, const uint32_t *cells, size_t nr)
{
	const struct hot_node *nodes = g->hot->nodes;
	uint32_t node;

	g->nr_touched = 0;
	for (size_t i = 0; i < nr; i++) {
		const struct hot_cell *cell = &g->hot->cells[cells[i]];

		hot_weight_add(&g->nodes[cell->node].self,
		       hot_query_weight(g->query, cell));
		for (node = cell->node; node != HOT_NONE && !g->seen[node];
		     node = nodes[node].parent) {
			g->seen[node] = true;
			g->touched[g->nr_touched++] = node;
		}
	}
	sort_touched(g);
	for (uint32_t i = 0; i < g->nr_touched; i++) {
		node = g->touched[i];
		hot_weight_add(&g->nodes[node].children, &g->nodes[node].self);
		if (nodes[node].parent != HOT_NONE)
			hot_weight_add(&g->nodes[nodes[node].parent].children,
			       &g->nodes[node].children);
	}
}

/* Add the weights of @node to its row, and clear them. */
static int add_node(struct grouping *g, const struct hot_cell *cell,
		    uint32_t node)
{
	uint32_t symbol = g->hot->nodes[node].symbol;
	uint32_t unit = g->unit[symbol];
	struct hot_sums *sums = &g->nodes[node], *to;

	if (g->row[unit] == HOT_NONE) {
		if (add_frame_row(g, cell, symbol) < 0)
			return -ENOMEM;
		g->row[unit] = (uint32_t)(g->out->nr - 1);
	}
	to = &g->out->sums[g->row[unit]];
	hot_weight_add(&to->self, &sums->self);
	if (!is_repeated(g, node))
		hot_weight_add(&to->children, &sums->children);
	*sums = (struct hot_sums){ 0 };
	g->seen[node] = false;
	return 0;
}

static int group_frames(struct grouping *g, const uint32_t *cells, size_t nr)
{
	const struct hot_cell *cell = &g->hot->cells[cells[0]];
	uint32_t i;

	weigh_nodes(g, cells, nr);
	for (i = 0; i < g->nr_touched; i++)
		if (add_node(g, cell, g->touched[i]) < 0)
			return -ENOMEM;
	for (i = 0; i < g->nr_touched; i++)
		g->row[g->unit[g->hot->nodes[g->touched[i]].symbol]] =
			HOT_NONE;
	return 0;
}

/* Group the @nr cells at @cells, all those of one context. */
static int group_context(struct grouping *g, const uint32_t *cells, size_t nr)
{
	struct hot_sums *sums;

	if (g->query->keys & FRAME_KEYS)
		return group_frames(g, cells, nr);
	if (add_row(g, &g->hot->cells[cells[0]]) < 0)
		return -ENOMEM;
	sums = &g->out->sums[g->out->nr - 1];
	for (size_t i = 0; i < nr; i++)
		hot_weight_add(&sums->self,
		       hot_query_weight(g->query, &g->hot->cells[cells[i]]));
	sums->children = sums->self;
	return 0;
}

static struct rank rank_of(const struct grouping *g, size_t row)
{
	const struct hot_sums *sums = &g->out->sums[row];
	double self = hot_group_part(g->out, &sums->self);
	double children = hot_group_part(g->out, &sums->children);

	return (struct rank){
		.first = g->query->by_children ? children : self,
		.second = self + children,
		.row = row,
	};
}

/* Heavier rows first. */
static int by_rank(const void *a, const void *b)
{
	const struct rank *x = a, *y = b;

	if (x->first < y->first || x->first > y->first)
		return x->first > y->first ? -1 : 1;
	if (x->second < y->second || x->second > y->second)
		return x->second > y->second ? -1 : 1;
	return x->row < y->row ? -1 : x->row > y->row;
}

/* Drop the rows from @from on that rank after g->lightest. */
static void drop_light(struct grouping *g, size_t from)
{
	struct hot_groups *out = g->out;
	size_t to = from;

	for (size_t i = from; i < out->nr; i++) {
		struct rank rank = rank_of(g, i);

		if (by_rank(&rank, &g->lightest) > 0)
			continue;
		out->rows[to] = out->rows[i];
		out->sums[to++] = out->sums[i];
	}
	out->left_out += out->nr - to;
	out->nr = to;
}

/* Keep the heaviest HOT_MAX_ROWS. */
static int keep_heaviest(struct grouping *g)
{
	size_t nr = g->out->nr;
	struct rank *ranks;

	if (nr <= HOT_MAX_ROWS)
		return 0;
	ranks = calloc(nr, sizeof(*ranks));
	if (!ranks)
		return -ENOMEM;
	for (size_t i = 0; i < nr; i++)
		ranks[i] = rank_of(g, i);
	qsort(ranks, nr, sizeof(*ranks), by_rank);
	g->lightest = ranks[HOT_MAX_ROWS - 1];
	free(ranks);
	drop_light(g, 0);
	/* a later row of the same weight ranks after this one */
	g->lightest.row = 0;
	return 0;
}

/* Drop the rows from @from on that do not match the filter. */
static void filter_rows(struct grouping *g, size_t from)
{
	struct hot_groups *out = g->out;
	size_t to = from;

	for (size_t i = from; i < out->nr; i++) {
		if (!hot_key_match(g->hot, g->query->keys,
				     &out->rows[i].value, g->query->filter))
			continue;
		out->rows[to] = out->rows[i];
		out->sums[to++] = out->sums[i];
	}
	out->nr = to;
}

static int group(struct grouping *g)
{
	uint32_t first = 0, i;
	int ret = choose_cells(g);
	size_t from;

	if (ret == 0)
		ret = choose_units(g);
	for (i = 1; ret == 0 && i <= g->nr_cells; i++) {
		if (i < g->nr_cells &&
		    by_context(&g->cells[first], &g->cells[i], g) == 0)
			continue;
		from = g->out->nr;
		ret = group_context(g, &g->cells[first], i - first);
		if (ret == 0 && *g->query->filter)
			filter_rows(g, from);
		if (ret == 0 && g->out->left_out)
			drop_light(g, from);
		if (ret == 0 && g->out->nr >= 2 * HOT_MAX_ROWS)
			ret = keep_heaviest(g);
		first = i;
	}
	return ret ? ret : keep_heaviest(g);
}

int hot_group(const struct hot *hot, const struct hot_query *query,
	      struct hot_groups *out)
{
	struct grouping g = { .hot = hot, .query = query, .out = out };
	int ret;

	*out = (struct hot_groups){ 0 };
	ret = grouping_alloc(&g);
	if (ret == 0)
		ret = group(&g);
	free(g.cells);
	free(g.unit);
	free(g.row);
	free(g.nodes);
	free(g.seen);
	free(g.touched);
	return ret;
}

void hot_groups_free(struct hot_groups *groups)
{
	free(groups->rows);
	free(groups->sums);
	*groups = (struct hot_groups){ 0 };
}
