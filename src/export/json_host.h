/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is known of the machine with --host alone, in JSON. */
#ifndef RBTOP_EXPORT_JSON_HOST_H
#define RBTOP_EXPORT_JSON_HOST_H

struct host;
struct json_put;

/* The fields "users" and "host" of @in; null where @host is NULL. */
void json_host_users(struct json_put *in, const struct host *host);
void json_host_status(struct json_put *in, const struct host *host);

#endif
