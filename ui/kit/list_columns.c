/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ui/kit/list_columns.h"

#include "base/text.h"
#include "ui/kit/widgets.h"

/* Columns of all that are taken, blanks between them included. */
static int total_width(const struct list_column *columns, size_t nr,
		       const bool *taken)
{
	int width = 0;

	for (size_t i = 0; i < nr; i++)
		width += taken[i] ? list_columns_width(&columns[i]) + 1 : 0;
	return width - 1;
}

/* The one that a person can do without first; @nr: none. */
static size_t dispensable(const struct list_column *columns, size_t nr,
			  const bool *taken)
{
	size_t worst = nr;

	for (size_t i = 1; i < nr; i++) {
		if (taken[i] && (worst == nr ||
				 columns[i].rank >= columns[worst].rank))
			worst = i;
	}
	return worst;
}

void list_columns_fit(const struct list_column *columns, size_t nr,
		      const bool *wanted, int from, int cols,
		      struct list_place *places)
{
	bool taken[LIST_COLUMNS];
	int left;
	size_t i;

	for (i = 0; i < nr; i++)
		taken[i] = !wanted || wanted[i] || i == 0;
	while ((left = cols - from - total_width(columns, nr, taken)) < 0) {
		i = dispensable(columns, nr, taken);
		if (i == nr)
			break;
		taken[i] = false;
	}
	for (i = 0; i < nr; i++) {
		int width = list_columns_width(&columns[i]);
		int extra = columns[i].most - width;

		places[i] = (struct list_place){ .col = from };
		if (!taken[i])
			continue;
		extra = extra < 0 || left < 0 ? 0 : extra < left ? extra : left;
		left -= extra;
		places[i].width = width + extra;
		from += places[i].width + 1;
	}
}

void list_columns_header(struct area a, int row,
			 const struct list_column *columns, size_t nr,
			 const struct list_place *places)
{
	area_fill(a, row, 0, a.cols, ROLE_HEADER, ' ');
	for (size_t i = 0; i < nr; i++)
		list_columns_heading(a, row, &columns[i], &places[i]);
}

int list_columns_width(const struct list_column *column)
{
	int header = column->sort ? text_width(column->header) + 1 : 0;

	return header > column->width ? header : column->width;
}

void list_columns_heading(struct area a, int row,
			  const struct list_column *column,
			  const struct list_place *place)
{
	enum role role = column->sort ? ROLE_SORTED : ROLE_HEADER;
	int width = text_width(column->header);
	int arrow = place->col + (column->left ? width :
						 place->width - width - 1);

	list_columns_cell(a, row, column, place, role, column->header);
	if (place->width > width && column->sort)
		area_put(a, row, arrow, role,
			 widget_glyph(a, column->sort == LIST_FALLING ?
						 GLYPH_DOWN : GLYPH_UP));
}

void list_columns_cell(struct area a, int row, const struct list_column *column,
		       const struct list_place *place, enum role role,
		       const char *text)
{
	struct area cell = area_sub(a, row, place->col, 1, place->width);

	if (!place->width || !cell.rows || cell.cols < 1)
		return;
	if (!column->left)
		area_text_right(cell, 0, cell.cols, role, text);
	else if (area_text(cell, 0, 0, 0, role, text) < text_width(text))
		widget_more(cell, 0);
}
