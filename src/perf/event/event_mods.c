/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "perf/event/event_mods.h"

#include <errno.h>
#include <string.h>

#include "base/err.h"

/* perf's letters; rbtop refuses those of the second line. */
#define MODS_TAKEN "ukhGHIpPDe"
#define MODS_REFUSED "SWb"

enum { MAX_PRECISE = 3 };

bool event_mods_are(const char *s, size_t len)
{
	return strspn(s, MODS_TAKEN MODS_REFUSED) >= len;
}

static const char *why_refused(char letter)
{
	switch (letter) {
	case 'S':
		return "rbtop does not read a group's counts with its samples";
	case 'W':
		return "rbtop opens a group whole or not at all";
	default:
		return "rbtop does not count with BPF programs";
	}
}

/* Each letter at most once, except p, as in perf's check_modifier(). */
static int check(const char *mods, struct err *err)
{
	for (const char *m = mods; *m; m++) {
		if (strchr(MODS_REFUSED, *m))
			return err_usage(err, "modifier '%c': %s", *m,
					 why_refused(*m));
		if (!strchr(MODS_TAKEN, *m))
			return err_usage(err,
					 "no modifier '%c'; there are u k "
					 "h G H I p pp ppp P D e",
					 *m);
		if (*m != 'p' && strchr(m + 1, *m))
			return err_usage(err, "modifier '%c' twice", *m);
	}
	return 0;
}

/*
 * The state of perf's get_event_modifier() (tools/perf/util/parse-events.c):
 * the first of u, k, h excludes all three levels, and each then includes its
 * own; likewise G and H.  A p, P or u without G or H excludes guests.
 */
struct mods {
	bool levels; /* one of u, k, h was there */
	bool machines; /* one of G, H was there */
	unsigned int precise;
};

static void level(struct mods *m, struct perf_event_attr *attr)
{
	if (m->levels)
		return;
	m->levels = true;
	attr->exclude_user = attr->exclude_kernel = attr->exclude_hv = 1;
}

static void machine(struct mods *m, struct perf_event_attr *attr)
{
	if (m->machines)
		return;
	m->machines = true;
	attr->exclude_guest = attr->exclude_host = 1;
}

static void no_guests(const struct mods *m, struct perf_event_attr *attr)
{
	if (!m->machines)
		attr->exclude_guest = 1;
}

static void apply_letter(struct mods *m, char letter,
			 struct perf_event_attr *attr, bool *most_precise)
{
	switch (letter) {
	case 'u':
		level(m, attr);
		no_guests(m, attr);
		attr->exclude_user = 0;
		break;
	case 'k':
		level(m, attr);
		attr->exclude_kernel = 0;
		break;
	case 'h':
		level(m, attr);
		attr->exclude_hv = 0;
		break;
	case 'G':
		machine(m, attr);
		attr->exclude_guest = 0;
		break;
	case 'H':
		machine(m, attr);
		attr->exclude_host = 0;
		break;
	case 'I':
		attr->exclude_idle = 1;
		break;
	case 'p':
		m->precise++;
		no_guests(m, attr);
		break;
	case 'P':
		*most_precise = true;
		no_guests(m, attr);
		break;
	case 'D':
		attr->pinned = 1;
		break;
	case 'e':
		attr->exclusive = 1;
		break;
	}
}

int event_mods_apply(const char *own, const char *group,
		     struct perf_event_attr *attr, bool *most_precise,
		     struct err *err)
{
	struct mods m = { 0 };
	int ret;

	*most_precise = false;
	ret = check(own, err);
	if (!ret)
		ret = check(group, err);
	if (ret)
		return ret;
	if (*own) /* perf: modifiers of its own replace the default */
		attr->exclude_guest = 0;
	for (const char *s = own; *s; s++)
		apply_letter(&m, *s, attr, most_precise);
	for (const char *s = group; *s; s++)
		apply_letter(&m, *s, attr, most_precise);
	if (m.precise > MAX_PRECISE)
		return err_usage(err, "modifier 'p' more than three times");
	attr->precise_ip = m.precise & MAX_PRECISE;
	return 0;
}
