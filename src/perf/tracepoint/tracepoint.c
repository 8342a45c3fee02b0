/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "perf/tracepoint/tracepoint.h"

#include <asm/unistd.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <traceevent/event-parse.h>

#include "base/sys.h"
#include "base/text.h"
#include "perf/tracepoint/tracefs.h"
#include "perf/tracepoint/tracepoint_plain.h"

enum {
	/* PERF_SAMPLE_RAW's size is a u32, but a record's is a u16. */
	DATA_MAX = 1 << 16,
	IDS = 1 << 16,		/* common_type is a u16 */
	/*
	 * Zeros behind the data, for a string at the end of it: libtraceevent
	 * reads up to a NUL.
	 */
	PADDING = 1 << 16,
	PRINTK_FORMATS_MAX = 4 << 20,
	SEQ_MAX = 1 << 20,
};

struct tracepoints {
	struct tracepoint_names names;
	struct tep_handle *tep;
	struct trace_seq seq;
	char *data;		/* DATA_MAX + PADDING: a record, then zeros */
	size_t used;		/* size of the record */
	/* IDS of them, by event id; NULL: not a plain print format */
	struct tracepoint_plain **plain;
	bool has_printk_formats;
};

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define LEAKS_ARE_LOOKED_FOR
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(LEAKS_ARE_LOOKED_FOR)
#include <sanitizer/lsan_interface.h>

/*
 * libtraceevent (1.7) loses a few bytes of some print formats while it parses
 * them, once per event, and we cannot free them: leaks of the library are not
 * reported.
 */
const char *__lsan_default_suppressions(void)
{
	return "leak:libtraceevent.so\n";
}
#endif

/* %ps, %pS. */
static char *resolve_function(void *ctx, unsigned long long *addr, char **mod)
{
	struct tracepoints *t = ctx;
	uint64_t start = *addr;
	const char *name = t->names.function(t->names.ctx, *addr, &start);

	(void)mod;
	if (name)
		*addr = start;
	/* libtraceevent does not write to it */
	return (char *)(uintptr_t)name;
}

static void set_up(struct tracepoints *t)
{
	enum tep_endian endian = tep_is_bigendian() ? TEP_BIG_ENDIAN :
						      TEP_LITTLE_ENDIAN;

	/* no messages about formats that it does not understand */
	tep_set_loglevel(TEP_LOG_NONE);
	tep_set_local_bigendian(t->tep, endian);
	tep_set_file_bigendian(t->tep, endian);
	tep_set_long_size(t->tep, sizeof(long));
	tep_set_page_size(t->tep, (int)sys_page_size());
	if (t->names.function)
		tep_set_function_resolver(t->tep, resolve_function, t);
	/*
	 * No plugins: their texts are not those of the event's print format,
	 * and tep_load_plugins() executes anything in ~/.traceevent.
	 */
}

struct tracepoints *tracepoints_new(const struct tracepoint_names *names)
{
	struct tracepoints *t = calloc(1, sizeof(*t));

	if (!t)
		return NULL;
	if (names)
		t->names = *names;
	trace_seq_init(&t->seq);
	t->data = calloc(1, DATA_MAX + PADDING);
	t->plain = calloc(IDS, sizeof(struct tracepoint_plain *));
	t->tep = tep_alloc();
	if (!t->data || !t->plain || !t->tep) {
		tracepoints_free(t);
		return NULL;
	}
	set_up(t);
	return t;
}

void tracepoints_free(struct tracepoints *t)
{
	if (!t)
		return;
	if (t->tep)
		tep_free(t->tep);
	if (t->seq.state == TRACE_SEQ__GOOD)
		trace_seq_destroy(&t->seq);
	for (size_t i = 0; t->plain && i < IDS; i++)
		tracepoint_plain_free(t->plain[i]);
	free(t->plain);
	free(t->data);
	free(t);
}

static bool begins(const char *line, size_t len, const char *with)
{
	return len >= strlen(with) && !memcmp(line, with, strlen(with));
}

static bool is_field(const char *line, size_t len)
{
	static const char offset[] = ";\toffset:", size[] = ";\tsize:";

	return begins(line, len, "\tfield:") && line[len - 1] == ';' &&
	       memmem(line, len, offset, strlen(offset)) &&
	       memmem(line, len, size, strlen(size));
}

/*
 * Whether the text has the form that the kernel writes, up to the print format
 * (f_show() in kernel/trace/trace_events.c).  libtraceevent crashes if it ends
 * within a field, and needs the first field, the id, in the first event that it
 * reads.
 */
static bool has_form(const char *format, size_t len)
{
	static const char start[] =
		"\nformat:\n"
		"\tfield:unsigned short common_type;\toffset:0;\tsize:2;";
	const char *end = format + len, *next;
	const char *line = memmem(format, len, start, strlen(start));

	if (!line)
		return false;
	line += strlen("\nformat:\n");
	for (; (next = memchr(line, '\n', (size_t)(end - line))) != NULL;
	     line = next + 1) {
		size_t n = (size_t)(next - line);

		if (begins(line, n, "print fmt:"))
			return true;
		if (n && !is_field(line, n))
			return false;
	}
	return false;
}

/* Of several events with an id, only the one that libtraceevent finds. */
static void set_plain(struct tracepoints *t, const struct tep_event *event,
		      struct tracepoint_plain *plain)
{
	if (event->id < 0 || event->id >= IDS ||
	    event != tep_find_event(t->tep, event->id)) {
		tracepoint_plain_free(plain);
		return;
	}
	tracepoint_plain_free(t->plain[event->id]);
	t->plain[event->id] = plain;
}

/* If the print format of a probe cannot be parsed, its fields are printed. */
static void learn(struct tracepoints *t, const char *sys, const char *name,
		  const char *format, size_t len)
{
	char *probe = tracepoint_probe_format(format, len);
	struct tracepoint_plain *plain;
	struct tep_event *event;

	tep_parse_event(t->tep, probe ? probe : format,
			probe ? strlen(probe) : len, sys);
	event = tep_find_event_by_name(t->tep, sys, name);
	if (event) {
		plain = probe ? tracepoint_probe_new(format, len, event) :
				tracepoint_plain_new(event);
		if (probe && !plain)
			event->flags |= (int)TEP_EVENT_FL_FAILED;
		set_plain(t, event, plain);
	}
	free(probe);
}

int tracepoints_parse(struct tracepoints *t, const char *sys,
		      const char *format, size_t len)
{
	char head[NAME_MAX + 8], name[NAME_MAX + 1];

	snprintf(head, sizeof(head), "%.*s",
		 len < sizeof(head) ? (int)len : (int)sizeof(head), format);
	if (sscanf(head, "name: %255s", name) != 1 || !has_form(format, len))
		return -EBADMSG;
	/*
	 * each only once: a second parse adds a duplicate, and leaks as above
	 */
	if (!tep_find_event_by_name(t->tep, sys, name))
		learn(t, sys, name, format, len);
	/* an error only in the print format leaves the fields usable */
	return tep_find_event_by_name(t->tep, sys, name) ? 0 : -EBADMSG;
}

/* The strings that pointers of the kernel point to (%s of a char *). */
static void read_printk_formats(struct tracepoints *t, const char *tracefs)
{
	char path[PATH_MAX], *text;

	if (t->has_printk_formats)
		return;
	t->has_printk_formats = true;
	if (snprintf(path, sizeof(path), "%s/printk_formats", tracefs) >=
	    (int)sizeof(path))
		return;
	/* without them pointers are printed as numbers */
	if (sys_read_file_alloc(path, PRINTK_FORMATS_MAX, &text) < 0)
		return;
	tep_parse_printk_formats(t->tep, text);
	free(text);
}

int tracepoints_add(struct tracepoints *t, const char *tracefs,
		    const char *sys, const char *name)
{
	char *text;
	ssize_t len;
	int ret;

	if (tep_find_event_by_name(t->tep, sys, name))
		return 0;
	len = tracefs_read_format(tracefs, sys, name, &text);
	if (len < 0)
		return (int)len;
	read_printk_formats(t, tracefs);
	ret = tracepoints_parse(t, sys, text, (size_t)len);
	free(text);
	return ret;
}

/* The event of @data; NULL if it is not known. */
static struct tep_event *find_event(struct tracepoints *t, const void *data,
				    size_t size)
{
	uint16_t id;

	if (size < sizeof(id))
		return NULL;
	memcpy(&id, data, sizeof(id));
	return tep_find_event(t->tep, id);
}

bool tracepoints_valid(struct tracepoints *t, const void *data, size_t size)
{
	struct tep_event *event = find_event(t, data, size);

	return event && size <= DATA_MAX &&
	       tracepoint_check(event, data, size);
}

/*
 * Check @data, copy it to t->data, where zeros follow it, and empty the
 * sequence.  0 with *@event, else -errno.  @buf is set to "".
 */
static int begin(struct tracepoints *t, const void *data, size_t size,
		 struct tep_event **event, char *buf)
{
	buf[0] = '\0';
	if (size < sizeof(uint16_t))
		return -EBADMSG;
	*event = find_event(t, data, size);
	if (!*event)
		return -ENOENT;
	if (!tracepoints_valid(t, data, size))
		return -EBADMSG;
	memcpy(t->data, data, size);
	if (t->used > size)
		memset(t->data + size, 0, t->used - size);
	t->used = size;
	trace_seq_reset(&t->seq);
	return 0;
}

/* Copy the sequence's text to @buf, sanitized.  0 or -ENOMEM. */
static int take(struct tracepoints *t, char *buf, size_t len)
{
	if (t->seq.state == TRACE_SEQ__GOOD) {
		trace_seq_terminate(&t->seq);
		text_copy(buf, len, t->seq.buffer);
		if (t->seq.buffer_size <= SEQ_MAX)
			return 0;
		trace_seq_destroy(&t->seq);
		trace_seq_init(&t->seq);
		return 0;
	}
	/* out of memory; its buffer is freed already */
	trace_seq_init(&t->seq);
	return -ENOMEM;
}

/* Write numbers; libtraceevent would write the bytes of wider ones. */
static void put_array(struct tracepoints *t, const struct tep_format_field *f,
		      const struct tracepoint_span *span)
{
	const char *data = t->data + span->start;
	unsigned int size = f->elementsize;

	for (size_t i = 0; i + size <= span->len; i += size)
		trace_seq_printf(&t->seq, "%s0x%llx", i ? "," : "",
				 (unsigned long long)
				 tracepoint_check_number(data + i, size));
}

/* libtraceevent treats arrays of one-byte numbers as strings. */
static bool is_string(const struct tep_format_field *f)
{
	return (f->flags & TEP_FIELD_IS_STRING) && strstr(f->type, "char");
}

static void put_value(struct tracepoints *t, struct tep_format_field *f,
		      size_t size)
{
	struct tracepoint_span span;

	if (!tracepoint_check_span(f, t->data, size, &span))
		return;
	/*
	 * up to the first NUL; if it has unprintable bytes, libtraceevent no
	 * longer treats the field as a string afterwards, which any task could
	 * cause
	 */
	if (is_string(f))
		trace_seq_printf(&t->seq, "%.*s", (int)span.len,
				 t->data + span.start);
	else if ((f->flags & TEP_FIELD_IS_ARRAY) &&
		 tracepoint_check_is_number(f->elementsize))
		put_array(t, f, &span);
	else
		tep_print_field_content(&t->seq, t->data, (int)size, f);
}

static void put_fields(struct tracepoints *t, const struct tep_event *event,
		       size_t size)
{
	struct tep_format_field *f;

	for (f = event->format.fields; f; f = f->next) {
		trace_seq_printf(&t->seq, "%s%s=",
				 f == event->format.fields ? "" : " ", f->name);
		put_value(t, f, size);
	}
}

/* NULL if libtraceevent has to print it. */
static const struct tracepoint_plain *find_plain(const struct tracepoints *t,
						 const void *data, size_t size)
{
	uint16_t id;

	if (size < sizeof(id) || size > DATA_MAX)
		return NULL;
	memcpy(&id, data, sizeof(id));
	return t->plain[id];
}

static int print_event(struct tracepoints *t, const void *data, size_t size,
		       int cpu, uint64_t time, char *buf, size_t len)
{
	struct tep_event *event;
	int ret = begin(t, data, size, &event, buf);
	struct tep_record record = {
		.data = t->data, .size = (int)size, .cpu = cpu, .ts = time,
	};

	if (ret)
		return ret;
	if (tracepoint_check_failed(event)) {
		put_fields(t, event, size);
		return take(t, buf, len);
	}
	tep_print_event(t->tep, &t->seq, &record, "%s", TEP_PRINT_INFO);
	return take(t, buf, len);
}

int tracepoints_text(struct tracepoints *t, const void *data, size_t size,
		     int cpu, uint64_t time, char *buf, size_t len)
{
	const struct tracepoint_plain *plain = find_plain(t, data, size);

	if (!plain)
		return print_event(t, data, size, cpu, time, buf, len);
	return tracepoint_plain_print(plain, data, size, buf, len) ? 0 :
								  -EBADMSG;
}

int tracepoints_fields(struct tracepoints *t, const void *data, size_t size,
		       char *buf, size_t len)
{
	struct tep_event *event;
	int ret = begin(t, data, size, &event, buf);

	if (ret)
		return ret;
	put_fields(t, event, size);
	return take(t, buf, len);
}

int tracepoints_field(struct tracepoints *t, const void *data, size_t size,
		      const char *field, char *buf, size_t len)
{
	struct tep_event *event;
	int ret = begin(t, data, size, &event, buf);
	struct tep_format_field *f;

	if (ret)
		return ret;
	f = tep_find_any_field(event, field);
	if (!f)
		return -ENOENT;
	put_value(t, f, size);
	return take(t, buf, len);
}

bool tracepoints_syscall(struct tracepoints *t, const void *data, size_t size,
			 int64_t *nr)
{
	struct tep_event *event = find_event(t, data, size);
	struct tep_format_field *f;
	unsigned long long number;

	if (!event || strcmp(event->system, "raw_syscalls") != 0 ||
	    !tracepoints_valid(t, data, size))
		return false;
	f = tep_find_field(event, "id");
	if (!f || tep_read_number_field(f, data, &number))
		return false;
	*nr = f->size == sizeof(int32_t) ? (int32_t)number : (int64_t)number;
	return true;
}

/* One SYSCALL(read) for each number that <asm/unistd.h> has: see local.mk. */
#define SYSCALL(name) [__NR_##name] = #name,
static const char *const syscall_names[] = {
#include "perf/tracepoint/syscalls.inc"
};
#undef SYSCALL

const char *syscalls_name(int64_t nr)
{
	const size_t count = sizeof(syscall_names) / sizeof(*syscall_names);

	return nr >= 0 && (uint64_t)nr < count ? syscall_names[nr] : NULL;
}

void syscalls_name_text(char *text, size_t size, const char *name)
{
	static const char before[] = "NR ";
	size_t skip = strlen(before), len;
	char rest[192];

	if (!text_begins(text, before))
		return;
	skip += strspn(text + skip, "0123456789");
	if (strlen(text + skip) >= sizeof(rest) ||
	    (name && strlen(name) >= size))
		return;
	text_copy(rest, sizeof(rest), text + skip);
	text[skip] = '\0';
	if (name)
		text_copy(text, size, name);
	if (!text_begins(rest, " (")) {
		text_append(text, size, "%s", rest);
		return;
	}
	/* no blank between a function and its arguments */
	text_append(text, size, name ? "(" : " (");
	for (const char *arg = rest + 2; *arg; arg += len) {
		size_t digits = strspn(arg, "0123456789abcdef");

		len = strcspn(arg, " ");
		len += strspn(arg + len, " ");
		text_append(text, size, "%s%.*s", digits > 1 ||
			    (digits && *arg >= 'a') ? "0x" : "", (int)len, arg);
	}
}

/*
 * Numbers that have few values in the kernel's tracepoints, the more telling
 * first.
 */
static const char *const kinds[] = {
	"id", "vec", "vector", "irq", "action", "function", "call_site",
	"state", "newstate", "exit_reason", "reason", "error_code", "opcode",
	"cmd", "type", "event", "order", "nr",
};

/*
 * Not the address of a string, which is all that a pointer's value is; nor the
 * name of the task itself.
 */
static const char *first_name(const struct tep_event *event)
{
	for (struct tep_format_field *f = event->format.fields; f; f = f->next)
		if (is_string(f) && strcmp(f->name, "prev_comm") != 0 &&
		    strcmp(f->name, "parent_comm") != 0)
			return f->name;
	return NULL;
}

static bool has_number(const struct tep_event *event, const char *name)
{
	struct tep_format_field *f = event->format.fields;

	while (f && strcmp(f->name, name) != 0)
		f = f->next;
	return f && !(f->flags & (TEP_FIELD_IS_ARRAY | TEP_FIELD_IS_STRING));
}

const char *tracepoints_telling(struct tracepoints *t, const char *sys,
				const char *name)
{
	const struct tep_event *event =
		tep_find_event_by_name(t->tep, sys, name);
	const char *field;

	if (!event)
		return NULL;
	if (!strcmp(event->system, "raw_syscalls"))
		return SYSCALLS_FIELD;
	field = first_name(event);
	for (size_t i = 0; !field && i < sizeof(kinds) / sizeof(*kinds); i++)
		field = has_number(event, kinds[i]) ? kinds[i] : NULL;
	return field;
}

int tracepoints_each_field(struct tracepoints *t, const char *sys,
			   const char *name,
			   int (*fn)(void *ctx, const char *field), void *ctx)
{
	const struct tep_event *event =
		tep_find_event_by_name(t->tep, sys, name);
	int ret = 0;

	for (const struct tep_format_field *f = event ? event->format.fields :
							NULL;
	     f && !ret; f = f->next)
		ret = fn(ctx, f->name);
	return ret;
}
