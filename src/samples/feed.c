/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "samples/feed.h"

#include <ctype.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/*
 * One block of memory: the sample, its frames, its texts.  The count is atomic
 * since feeds of several threads release entries; nothing else changes.
 */
struct feed_entry {
	atomic_uint holders;
	uint64_t serial;
	size_t bytes;
	struct feed_sample sample;
	struct feed_frame frames[];	/* followed by the texts */
};

/* The entry of a serial is at index serial % capacity. */
struct feed {
	size_t capacity, max_bytes;
	uint64_t first, next;		/* serials: the oldest held, the one
					 * that the next entry gets */
	uint64_t skipped;
	size_t bytes;
	struct feed_entry *entries[];
};

/* The length of the name at @at, if '=' follows it; else 0. */
static size_t name_at(const char *at)
{
	size_t len = 0;

	while (isalnum((unsigned char)at[len]) || at[len] == '_')
		len++;
	return at[len] == '=' ? len : 0;
}

bool feed_next_value(const char **values, struct feed_value *out)
{
	const char *at = *values;

	while (*at && !name_at(at))	/* skip what is not a field */
		at += strcspn(at, " ") + (strchr(at, ' ') != NULL);
	out->name = at;
	out->name_len = name_at(at);
	if (!out->name_len)
		return false;
	out->value = at + out->name_len + 1;
	for (at = out->value; *at && !(*at == ' ' && name_at(at + 1)); at++)
		;
	out->value_len = (size_t)(at - out->value);
	*values = at + (*at == ' ');
	return true;
}

const struct feed_sample *feed_entry_sample(const struct feed_entry *entry)
{
	return &entry->sample;
}

uint64_t feed_entry_serial(const struct feed_entry *entry)
{
	return entry->serial;
}

const struct feed_entry *feed_entry_hold(const struct feed_entry *entry)
{
	struct feed_entry *counted = (struct feed_entry *)(uintptr_t)entry;

	atomic_fetch_add_explicit(&counted->holders, 1, memory_order_relaxed);
	return entry;
}

void feed_entry_release(const struct feed_entry *entry)
{
	struct feed_entry *counted = (struct feed_entry *)(uintptr_t)entry;

	/* acq_rel: other threads' reads must precede the free */
	if (entry && atomic_fetch_sub_explicit(&counted->holders, 1,
					       memory_order_acq_rel) == 1)
		free(counted);
}

struct feed *feed_new(size_t entries, size_t bytes)
{
	size_t capacity = entries ? entries : 1;
	struct feed *feed;

	if (capacity > (SIZE_MAX - sizeof(*feed)) / sizeof(void *))
		return NULL;
	feed = calloc(1, sizeof(*feed) + capacity * sizeof(void *));
	if (!feed)
		return NULL;
	feed->capacity = capacity;
	feed->max_bytes = bytes;
	return feed;
}

static struct feed_entry **slot(struct feed *feed, uint64_t serial)
{
	return &feed->entries[serial % feed->capacity];
}

static void drop_oldest(struct feed *feed)
{
	struct feed_entry **oldest = slot(feed, feed->first++);

	feed->bytes -= (*oldest)->bytes;
	feed_entry_release(*oldest);
	*oldest = NULL;
}

static void put(struct feed *feed, struct feed_entry *entry)
{
	*slot(feed, feed->next++) = entry;
	feed->bytes += entry->bytes;
}

void feed_clear(struct feed *feed)
{
	while (feed->first < feed->next)
		drop_oldest(feed);
}

void feed_free(struct feed *feed)
{
	if (!feed)
		return;
	feed_clear(feed);
	free(feed);
}

static const char *copy_text(char **end, const char *text, size_t len)
{
	char *copy = *end;

	memcpy(copy, text, len + 1);
	*end += len + 1;
	return copy;
}

/* NULL if it is larger than @max bytes, or when out of memory. */
static struct feed_entry *new_entry(const struct feed_sample *sample,
				    size_t max)
{
	size_t text = sample->text ? strlen(sample->text) : 0;
	size_t values = sample->values ? strlen(sample->values) : 0;
	size_t frames = sample->nr_frames * sizeof(struct feed_frame);
	size_t bytes = sizeof(struct feed_entry) + frames + text + values + 2;
	struct feed_entry *entry = bytes <= max ? malloc(bytes) : NULL;
	char *end;

	if (!entry)
		return NULL;
	atomic_init(&entry->holders, 1);
	entry->bytes = bytes;
	entry->sample = *sample;
	if (frames)
		memcpy(entry->frames, sample->frames, frames);
	entry->sample.frames = entry->frames;
	end = (char *)entry->frames + frames;
	entry->sample.text = copy_text(&end, text ? sample->text : "", text);
	entry->sample.values = copy_text(&end, values ? sample->values : "",
					 values);
	return entry;
}

int feed_add(struct feed *feed, const struct feed_sample *sample)
{
	struct feed_entry *entry = new_entry(sample, feed->max_bytes);

	if (!entry) {
		feed->skipped++;
		return -ENOMEM;
	}
	while (feed_len(feed) == feed->capacity ||
	       feed->bytes + entry->bytes > feed->max_bytes)
		drop_oldest(feed);
	entry->serial = feed->next;
	put(feed, entry);
	return 0;
}

void feed_skip(struct feed *feed)
{
	feed->skipped++;
}

int feed_copy(const struct feed *feed, struct feed *copy)
{
	if (copy->capacity != feed->capacity ||
	    copy->max_bytes != feed->max_bytes)
		return -EINVAL;
	while (copy->first < copy->next && copy->first < feed->first)
		drop_oldest(copy);
	if (copy->first == copy->next)	/* nothing in common */
		copy->first = copy->next = feed->first;
	while (copy->next < feed->next) {
		const struct feed_entry *entry =
			feed->entries[copy->next % feed->capacity];

		feed_entry_hold(entry);
		put(copy, (struct feed_entry *)(uintptr_t)entry);
	}
	copy->skipped = feed->skipped;
	return 0;
}

struct feed *feed_clone(const struct feed *feed)
{
	struct feed *clone = feed_new(feed->capacity, feed->max_bytes);

	if (clone)
		feed_copy(feed, clone);
	return clone;
}

uint64_t feed_next_serial(const struct feed *feed)
{
	return feed->next;
}

size_t feed_len(const struct feed *feed)
{
	return (size_t)(feed->next - feed->first);
}

const struct feed_entry *feed_at(const struct feed *feed, size_t i)
{
	return feed->entries[(feed->first + i) % feed->capacity];
}

const struct feed_entry *feed_find(const struct feed *feed, uint64_t serial)
{
	if (serial < feed->first || serial >= feed->next)
		return NULL;
	return feed->entries[serial % feed->capacity];
}

uint64_t feed_skipped(const struct feed *feed)
{
	return feed->skipped;
}
