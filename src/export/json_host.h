/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The rings of the machine as JSON, in the fields that rbtop's own rings have,
 * null where the ring of somebody else does not tell, and some more.
 */
#ifndef RBTOP_EXPORT_JSON_HOST_H
#define RBTOP_EXPORT_JSON_HOST_H

struct host;
struct host_row;
struct json_put;

/* An item of the array @in. */
void json_host_ring(struct json_put *in, const struct host_row *row);

/* Fields of @in: "total", "users", "host". */
void json_host_total(struct json_put *in, const struct host *host);
void json_host_users(struct json_put *in, const struct host *host);
void json_host_status(struct json_put *in, const struct host *host);

#endif
