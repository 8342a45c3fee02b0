/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "trace/perfdata/machine.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/array.h"
#include "base/err.h"
#include "base/sys.h"
#include "base/text.h"
#include "perf/event/pmu.h"
#include "perf/tracepoint/tracefs.h"
#include "trace/perfdata/machine_cpu.h"
#include "trace/perfdata/machine_kernel.h"

enum {
	CMDLINE_BYTES = 64 << 10,
	ARGS_MAX = 1024,
	PMUS_MAX = 4096,
};

static void read_names(struct perfdata_machine *machine)
{
	struct utsname name;

	if (uname(&name))
		return;
	text_copy(machine->hostname, sizeof(machine->hostname), name.nodename);
	text_copy(machine->release, sizeof(machine->release), name.release);
	text_copy(machine->arch, sizeof(machine->arch), name.machine);
}

static void read_sizes(struct perfdata_machine *machine, const char *root)
{
	long available = sysconf(_SC_NPROCESSORS_CONF);
	long online = sysconf(_SC_NPROCESSORS_ONLN);
	unsigned long long kb;
	char path[PATH_MAX], text[4096];
	const char *at;

	if (online > 0 && available >= online) {
		machine->cpus_available = (uint32_t)available;
		machine->cpus_online = (uint32_t)online;
	}
	snprintf(path, sizeof(path), "%s/proc/meminfo", root);
	if (sys_read_file(path, text, sizeof(text)) < 0)
		return;
	at = strstr(text, "MemTotal:");
	if (at && sscanf(at, "MemTotal: %llu kB", &kb) == 1)
		machine->memory_kb = kb;
}

static int add_arg(struct perfdata_machine *machine, const char *arg)
{
	char **place = array_add(machine->argv, machine->argc,
				 machine->room_argv);

	if (!place)
		return -ENOMEM;
	*place = strdup(arg);
	if (!*place)
		return -ENOMEM;
	text_sanitize(*place);
	return 0;
}

static int read_cmdline(struct perfdata_machine *machine, const char *root)
{
	char path[PATH_MAX], *text;
	ssize_t len;
	int ret = 0;

	snprintf(path, sizeof(path), "%s/proc/self/cmdline", root);
	len = sys_read_file_alloc(path, CMDLINE_BYTES, &text);
	for (ssize_t at = 0; at < len && !ret;) {
		if (machine->argc == ARGS_MAX)
			break;
		ret = add_arg(machine, text + at);
		at += (ssize_t)strlen(text + at) + 1;
	}
	free(text);
	return ret;
}

struct read_pmus {
	struct perfdata_machine *machine;
	const char *pmus;
};

static int add_pmu(void *ctx, const char *name)
{
	const struct read_pmus *from = ctx;
	struct perfdata_machine *machine = from->machine;
	struct perfdata_pmu *pmu;
	uint32_t type;

	if (machine->nr_pmus == PMUS_MAX ||
	    strlen(name) >= sizeof(pmu->name) ||
	    pmu_type(from->pmus, name, &type, NULL))
		return 0;
	pmu = array_add(machine->pmus, machine->nr_pmus, machine->room_pmus);
	if (!pmu)
		return -ENOMEM;
	text_copy(pmu->name, sizeof(pmu->name), name);
	pmu->type = type;
	return 0;
}

static int read_pmus(struct perfdata_machine *machine, const char *root)
{
	char path[PATH_MAX];
	struct read_pmus from = { machine, path };

	snprintf(path, sizeof(path), "%s/sys/bus/event_source/devices", root);
	return pmu_each(path, add_pmu, &from) == -ENOMEM ? -ENOMEM : 0;
}

int perfdata_machine_read_at(struct perfdata_machine *machine,
			     const char *root, const char *tracefs,
			     const char *const *tracepoints, size_t nr,
			     struct err *err)
{
	int ret;

	memset(machine, 0, sizeof(*machine));
	read_names(machine);
	read_sizes(machine, root);
	machine_cpu_read(machine, root);
	ret = read_cmdline(machine, root);
	if (!ret)
		ret = read_pmus(machine, root);
	if (!ret)
		ret = machine_kernel_read(machine, root);
	if (!ret)
		ret = perfdata_tracing_data(tracefs, tracepoints, nr,
					    &machine->tracing_data,
					    &machine->tracing_size);
	if (!ret)
		return 0;
	perfdata_machine_free(machine);
	return err_errno(err, ret, "reading the description of this machine");
}

int perfdata_machine_read(struct perfdata_machine *machine,
			  const char *const *tracepoints, size_t nr,
			  struct err *err)
{
	return perfdata_machine_read_at(machine, "", tracefs_mounted(),
					tracepoints, nr, err);
}

void perfdata_machine_free(struct perfdata_machine *machine)
{
	for (size_t i = 0; i < machine->argc; i++)
		free(machine->argv[i]);
	free(machine->argv);
	for (size_t i = 0; i < machine->nr_modules; i++)
		free(machine->modules[i].path);
	free(machine->modules);
	free(machine->pmus);
	free(machine->tracing_data);
	memset(machine, 0, sizeof(*machine));
}
