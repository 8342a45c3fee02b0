/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/array.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

enum { FIRST_ROOM = 16 };

/* A pointer of any type is read and set as its bytes: C11 6.5p7. */
static void *get(const void *items)
{
	void *first;

	memcpy(&first, items, sizeof(first));
	return first;
}

static int resize(void *items, size_t *room, size_t to, size_t size)
{
	void *moved = realloc(get(items), to * size);

	if (!moved)
		return -ENOMEM;
	memcpy(items, &moved, sizeof(moved));
	*room = to;
	return 0;
}

int array_grow(void *items, size_t *room, size_t nr, size_t max, size_t size)
{
	size_t can_be = (size_t)PTRDIFF_MAX / size;
	size_t more = *room + *room / 2 + FIRST_ROOM;

	if (nr > max)
		return -EFBIG;
	if (nr > can_be)
		return -ENOMEM;
	return resize(items, room, MIN(MAX(more, nr), MIN(max, can_be)),
		      size);
}

int array_fit_zero_bytes(void *items, size_t *room, size_t nr, size_t size)
{
	size_t before = *room;
	int ret = array_fit_bytes(items, room, nr, SIZE_MAX, size);

	if (*room > before)
		memset((char *)get(items) + before * size, 0,
		       (*room - before) * size);
	return ret;
}

void *array_insert_bytes(void *items, size_t *nr, size_t *room, size_t at,
			 size_t max, size_t size)
{
	char *item;

	if (*nr == SIZE_MAX ||
	    array_fit_bytes(items, room, *nr + 1, max, size))
		return NULL;
	item = (char *)get(items) + at * size;
	memmove(item + size, item, (*nr - at) * size);
	++*nr;
	return memset(item, 0, size);
}

void array_remove_bytes(void *first, size_t *nr, size_t at, size_t count,
			size_t size)
{
	char *item = (char *)first + at * size;

	if (!count)
		return;
	memmove(item, item + count * size, (*nr - at - count) * size);
	*nr -= count;
}

void array_trim_bytes(void *items, size_t *room, size_t nr, size_t size)
{
	if (nr && nr < *room)
		resize(items, room, nr, size);
}

static int by_number(const void *a, const void *b)
{
	const int *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

size_t array_unique(int *numbers, size_t nr)
{
	size_t n = 0;

	if (nr)
		qsort(numbers, nr, sizeof(*numbers), by_number);
	for (size_t i = 0; i < nr; i++)
		if (!n || numbers[n - 1] != numbers[i])
			numbers[n++] = numbers[i];
	return n;
}
