/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ui/kit/tags.h"

#include <stdlib.h>
#include <string.h>

bool tags_reserve(struct tags *t, size_t nr)
{
	size_t *targets;
	bool *on;

	if (nr <= t->capacity)
		return true;
	on = reallocarray(t->on, nr, sizeof(*on));
	if (on)
		t->on = on;
	targets = reallocarray(t->targets, nr, sizeof(*targets));
	if (targets)
		t->targets = targets;
	if (!on || !targets)
		return false;
	memset(on + t->capacity, 0, nr - t->capacity);
	t->capacity = nr;
	return true;
}

void tags_free(struct tags *t)
{
	free(t->on);
	free(t->targets);
	*t = (struct tags){ 0 };
}

bool tags_has(const struct tags *t, size_t ring)
{
	return ring < t->capacity && t->on[ring];
}

bool tags_toggle(struct tags *t, size_t ring)
{
	if (ring >= t->capacity)
		return false;
	t->on[ring] = !t->on[ring];
	if (t->on[ring])
		t->nr++;
	else
		t->nr--;
	return true;
}

void tags_clear(struct tags *t)
{
	if (t->capacity)
		memset(t->on, 0, t->capacity);
	t->nr = 0;
}

size_t tags_targets(struct tags *t, size_t nr, size_t current,
		    bool (*wanted)(const void *ctx, size_t ring),
		    const void *ctx)
{
	size_t found = 0;

	for (size_t i = 0; i < t->capacity && i < nr; i++) {
		if (t->on[i] && (!wanted || wanted(ctx, i)))
			t->targets[found++] = i;
	}
	if (!found && current < nr && current < t->capacity)
		t->targets[found++] = current;
	return found;
}
