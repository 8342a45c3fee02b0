/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "export/json_host.h"

#include <stdbool.h>
#include <stddef.h>

#include "export/json_put.h"
#include "host/table/host.h"

static void put_uid(struct json_put *o, uid_t uid)
{
	json_put_count(o, "uid", uid == (uid_t)-1 ? UNKNOWN : uid);
}

static void put_user(struct json_put *in, const struct host_user *user)
{
	struct json_put o = json_put_object(in, NULL);

	put_uid(&o, user->uid);
	json_put_text_set(&o, "name", user->name);
	json_put_count(&o, "rings", user->rings);
	json_put_count(&o, "locked", user->locked);
	json_put_count(&o, "limit", user->limit);
	json_put_count(&o, "pinned", user->pinned);
	json_put_count(&o, "memlock", user->memlock);
	json_put_bool(&o, "exempt", user->exempt);
	json_put_bool(&o, "at_limit", user->at_limit);
	json_put_end(&o);
}

void json_host_users(struct json_put *in, const struct host *host)
{
	struct json_put users;

	if (!host) {
		json_put_null(in, "users");
		return;
	}
	users = json_put_array(in, "users");
	for (size_t i = 0; i < host->nr_users; i++)
		put_user(&users, &host->users[i]);
	json_put_end(&users);
}

void json_host_status(struct json_put *in, const struct host *host)
{
	const struct host_status *status;
	struct json_put o;
	bool counted;

	if (!host) {
		json_put_null(in, "host");
		return;
	}
	status = &host->status;
	counted = host_is_counted(host);
	o = json_put_object(in, "host");
	json_put_bool(&o, "ready", status->ready);
	json_put_bool(&o, "bpf", status->bpf);
	json_put_text_set(&o, "reason", status->reason);
	json_put_text_set(&o, "error", status->error);
	json_put_count(&o, "passes", status->passes);
	json_put_number(&o, "interval", status->interval);
	json_put_number(&o, "cost", status->cost);
	json_put_number(&o, "whole_age", status->whole_age);
	json_put_count(&o, "files", counted ? status->files : UNKNOWN);
	json_put_count(&o, "ringless",
		       status->bpf ? status->ringless : UNKNOWN);
	json_put_count(&o, "processes",
		       counted ? status->processes : UNKNOWN);
	json_put_count(&o, "hidden", status->hidden);
	json_put_id(&o, "self", host->self);
	json_put_end(&o);
}
