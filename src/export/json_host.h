/* SPDX-License-Identifier: GPL-2.0-or-later */
/* JSON of what only --host knows of the machine. */
#ifndef RBTOP_EXPORT_JSON_HOST_H
#define RBTOP_EXPORT_JSON_HOST_H

struct host;
struct json_put;

/* The fields "users" and "host" of @in; null if @host is NULL. */
void json_host_users(struct json_put *in, const struct host *host);
void json_host_status(struct json_put *in, const struct host *host);

#endif
