/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The rings of the machine as JSON, in the fields that rbtop's own rings have,
 * null where the ring of somebody else does not tell, and some more.  All
 * return NULL when out of memory.
 */
#ifndef RBTOP_EXPORT_JSON_HOST_H
#define RBTOP_EXPORT_JSON_HOST_H

#include <jansson.h>
#include <stddef.h>

struct host;

/* That of row @i. */
json_t *json_host_ring(const struct host *host, size_t i);
json_t *json_host_total(const struct host *host);
json_t *json_host_users(const struct host *host);
json_t *json_host_status(const struct host *host);

#endif
