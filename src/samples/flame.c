/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "samples/flame.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"

/* Beyond this, comms share a box: some programs change theirs all the time. */
enum { MAX_BOXES = 256 * 1024 };

struct building {
	const struct hot *hot;
	const struct hot_query *query;
	struct flame *flame;
	size_t boxes_cap;		/* of the flame */
	uint32_t *cells, nr_cells;	/* those selected, sorted by comm */
	uint32_t *box;			/* by node, of the current comm */
	uint32_t *touched, nr_touched;	/* nodes of the current comm */
};

/* One more than needed, since calloc(0) may return NULL. */
static int building_alloc(struct building *b)
{
	size_t nodes = (size_t)b->hot->nr_nodes + 1;

	b->cells = calloc((size_t)b->hot->nr_cells + 1, sizeof(*b->cells));
	b->box = calloc(nodes, sizeof(*b->box));
	b->touched = calloc(nodes, sizeof(*b->touched));
	if (!b->cells || !b->box || !b->touched)
		return -ENOMEM;
	memset(b->box, 0xff, nodes * sizeof(*b->box));
	return 0;
}

static const char *comm_of(const struct building *b, uint32_t i)
{
	return b->hot->cells[b->cells[i]].comm;
}

static int by_comm(const void *x, const void *y, void *ctx)
{
	const struct hot_cell *cells = ctx;

	return strcmp(cells[*(const uint32_t *)x].comm,
		      cells[*(const uint32_t *)y].comm);
}

static int choose_cells(struct building *b)
{
	const struct hot *hot = b->hot;
	int ret = hot_query_cells(hot, b->query, b->cells, &b->nr_cells,
				  &b->flame->by_events);

	if (b->nr_cells)
		qsort_r(b->cells, b->nr_cells, sizeof(*b->cells), by_comm,
			hot->cells);
	return ret;
}

static int add_box(struct building *b, const struct flame_box *box)
{
	struct flame *flame = b->flame;

	if (array_fit(flame->boxes, b->boxes_cap, (size_t)flame->nr + 1))
		return -ENOMEM;
	flame->boxes[flame->nr] = *box;
	flame->boxes[flame->nr].first = FLAME_NONE;
	flame->boxes[flame->nr].next = FLAME_NONE;
	flame->nr++;
	return 0;
}

/* Add a box for @node below that of its caller or, if outermost, @comm. */
static int add_node(struct building *b, uint32_t node, uint32_t comm)
{
	const struct hot_node *n = &b->hot->nodes[node];
	const struct hot_symbol *symbol = &b->hot->symbols[n->symbol];
	const struct flame_box box = {
		.parent = n->parent == HOT_NONE ? comm : b->box[n->parent],
		.name = symbol->name,
		.dso = symbol->dso,
		.kind = symbol->kind,
	};

	b->box[node] = b->flame->nr;
	return add_box(b, &box);
}

static int ascending(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return x < y ? -1 : x > y;
}

/* List the nodes of the @nr cells at @cells and all callers, callers first. */
static void touch_nodes(struct building *b, const uint32_t *cells, size_t nr)
{
	const struct hot_node *nodes = b->hot->nodes;
	uint32_t node;

	b->nr_touched = 0;
	for (size_t i = 0; i < nr; i++) {
		node = b->hot->cells[cells[i]].node;
		while (node != HOT_NONE && b->box[node] == FLAME_NONE) {
			b->box[node] = 0;
			b->touched[b->nr_touched++] = node;
			node = nodes[node].parent;
		}
	}
	qsort(b->touched, b->nr_touched, sizeof(*b->touched), ascending);
}

/* Add the boxes of the @nr cells at @cells, whose comm is @name. */
static int add_comm(struct building *b, const uint32_t *cells, size_t nr,
		    const char *name)
{
	const struct flame_box box = { .parent = 0, .name = name };
	uint32_t comm = b->flame->nr, i;

	if (add_box(b, &box) < 0)
		return -ENOMEM;
	touch_nodes(b, cells, nr);
	for (i = 0; i < b->nr_touched; i++)
		if (add_node(b, b->touched[i], comm) < 0)
			return -ENOMEM;
	for (i = 0; i < nr; i++) {
		const struct hot_cell *cell = &b->hot->cells[cells[i]];
		const struct hot_weight *weight =
			hot_query_weight(b->query, cell);
		struct flame_box *inner = &b->flame->boxes[b->box[cell->node]];

		inner->self += b->flame->by_events ? weight->events :
						     weight->sum;
		inner->samples += weight->sum;
	}
	for (i = 0; i < b->nr_touched; i++)
		b->box[b->touched[i]] = FLAME_NONE;
	return 0;
}

static int add_boxes(struct building *b)
{
	const struct flame_box root = { .parent = FLAME_NONE, .name = "all" };
	uint32_t first, end;
	const char *name;

	if (add_box(b, &root) < 0)
		return -ENOMEM;
	for (first = 0; first < b->nr_cells; first = end) {
		bool full = b->flame->nr >= MAX_BOXES;

		name = comm_of(b, first);
		for (end = first + 1; end < b->nr_cells; end++)
			if (!full && strcmp(comm_of(b, end), name) != 0)
				break;
		if (add_comm(b, &b->cells[first], end - first,
			     full ? HOT_MERGED : name) < 0)
			return -ENOMEM;
	}
	return 0;
}

/* Add the weight of each box to its parent; children come after parents. */
static void sum_weights(struct flame *flame)
{
	for (uint32_t i = flame->nr; i-- > 0;) {
		struct flame_box *box = &flame->boxes[i], *outer;

		box->weight += box->self;
		if (box->parent == FLAME_NONE)
			continue;
		outer = &flame->boxes[box->parent];
		outer->weight += box->weight;
		outer->samples += box->samples;
	}
}

static int compare_dsos(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "");
}

static int by_caller(const void *a, const void *b, void *ctx)
{
	const struct flame_box *boxes = ctx;
	const struct flame_box *x = &boxes[*(const uint32_t *)a];
	const struct flame_box *y = &boxes[*(const uint32_t *)b];
	int ret;

	if (x->parent != y->parent)
		return x->parent < y->parent ? -1 : 1;
	ret = strcmp(x->name, y->name);
	if (ret == 0)
		ret = compare_dsos(x->dso, y->dso);
	return ret ? ret : ascending(a, b);
}

/* Link siblings into lists, sorted by name. */
static int link_boxes(struct flame *flame)
{
	struct flame_box *boxes = flame->boxes, *parent;
	uint32_t *sorted = malloc(flame->nr * sizeof(*sorted)), i;

	if (!sorted)
		return -ENOMEM;
	for (i = 0; i < flame->nr; i++)
		sorted[i] = i;
	/* All but the root, which is the first. */
	qsort_r(sorted + 1, flame->nr - 1, sizeof(*sorted), by_caller, boxes);
	for (i = flame->nr - 1; i > 0; i--) {
		parent = &boxes[boxes[sorted[i]].parent];
		boxes[sorted[i]].next = parent->first;
		parent->first = sorted[i];
	}
	free(sorted);
	return 0;
}

/* Parents come first, so that the start of a box is set before it is used. */
static void set_positions(struct flame *flame)
{
	struct flame_box *boxes = flame->boxes;
	double all = boxes[0].weight;

	for (uint32_t i = 0; i < flame->nr; i++) {
		double start = boxes[i].start;

		for (uint32_t c = boxes[i].first; c != FLAME_NONE;
		     c = boxes[c].next) {
			boxes[c].start = start;
			start += boxes[c].weight / all;
			boxes[c].depth = boxes[i].depth + 1;
		}
		if (boxes[i].depth > flame->depth)
			flame->depth = boxes[i].depth;
	}
}

int flame_build(const struct hot *hot, const struct hot_query *query,
		struct flame *out)
{
	struct building b = { .hot = hot, .query = query, .flame = out };
	int ret;

	*out = (struct flame){ 0 };
	ret = building_alloc(&b);
	if (ret == 0)
		ret = choose_cells(&b);
	if (ret == 0)
		ret = add_boxes(&b);
	if (ret == 0)
		ret = link_boxes(out);
	free(b.cells);
	free(b.box);
	free(b.touched);
	if (ret < 0) {
		flame_free(out);
		return ret;
	}
	sum_weights(out);
	set_positions(out);
	return 0;
}

void flame_free(struct flame *flame)
{
	free(flame->boxes);
	*flame = (struct flame){ 0 };
}

uint32_t flame_same(const struct flame *flame, const struct flame *from,
		    uint32_t box)
{
	const struct flame_box *wanted = &from->boxes[box];
	uint32_t outer, i;

	if (wanted->parent == FLAME_NONE)
		return 0;
	outer = flame_same(flame, from, wanted->parent);
	if (flame->boxes[outer].depth + 1 != wanted->depth)
		return outer;	/* a caller is gone already */
	for (i = flame->boxes[outer].first; i != FLAME_NONE;
	     i = flame->boxes[i].next)
		if (strcmp(flame->boxes[i].name, wanted->name) == 0 &&
		    compare_dsos(flame->boxes[i].dso, wanted->dso) == 0 &&
		    flame->boxes[i].kind == wanted->kind)
			return i;
	return outer;
}

char *flame_folded_name(const struct flame_box *box, char *buf, size_t size)
{
	const char *mark = "";
	size_t len;

	if (box->dso && box->kind == SYMBOL_KERNEL)
		mark = "_[k]";
	else if (box->dso && box->kind == SYMBOL_JIT)
		mark = "_[j]";
	len = size > strlen(mark) ? size - strlen(mark) : size;
	text_copy(buf, len, *box->name ? box->name : "?");
	for (char *p = buf; *p; p++)
		if (*p == ';')
			*p = ':';
	len = strlen(buf);
	text_copy(buf + len, size - len, mark);
	return buf;
}
