/* SPDX-License-Identifier: GPL-2.0-or-later */
/* JSON of rings and their total, with the same keys for all owners. */
#ifndef RBTOP_EXPORT_JSON_RINGS_H
#define RBTOP_EXPORT_JSON_RINGS_H

#include "export/json_put.h"
#include "ring/ring_row.h"

/* An object of the array @in. */
void json_rings_put(struct json_put *in, const struct ring_row *row);

/*
 * The field "total" of @in.  @counted: the number of rings is known; @foreign:
 * they are other programs' rings.
 */
void json_rings_total(struct json_put *in, const struct ring_total *total,
		      bool counted, bool foreign);

#endif
