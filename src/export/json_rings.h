/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rings and their total in JSON, whoever owns them: all have the same keys. */
#ifndef RBTOP_EXPORT_JSON_RINGS_H
#define RBTOP_EXPORT_JSON_RINGS_H

#include "export/json_put.h"
#include "ring/ring_row.h"

/* An object of the array @in. */
void json_rings_put(struct json_put *in, const struct ring_row *row);

/*
 * The field "total" of @in.  @counted: it is known how many rings there are;
 * @foreign: they are other programs'.
 */
void json_rings_total(struct json_put *in, const struct ring_total *total,
		      bool counted, bool foreign);

#endif
