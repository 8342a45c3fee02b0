/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include <elf.h>
#include <errno.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/sys.h"
#include "perf/abi/side_band.h"
#include "symbols/symbol_loader.h"
#include "trace/file/trace_records.h"
#include "trace/perfdata/machine.h"
#include "tests/unit/fake_tree.h"
#include "tests/unit/perfdata_rig.h"

static struct fake_tree tree;

/* Write a file of any bytes; its directory exists. */
static void write_bytes(const char *path, const void *bytes, size_t size)
{
	char full[512];
	FILE *f;

	fake_tree_write(&tree, path, "");
	snprintf(full, sizeof(full), "%s/%s", tree.root, path);
	f = fopen(full, "w");
	assert_non_null(f);
	assert_int_equal(fwrite(bytes, 1, size, f), size);
	fclose(f);
}

struct note {
	Elf64_Nhdr header;
	char name[4];
	uint8_t desc[20];
};

static const struct note build_id = {
	{ 4, 20, NT_GNU_BUILD_ID }, "GNU",
	{ 0xb1, 0xd0, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18,
	  19, 20 },
};

/* Notes as the kernel has them, with others before the build-id. */
static void write_notes(const char *path)
{
	const struct {
		struct {
			Elf64_Nhdr header;
			char name[8];
			uint32_t desc;
		} other;
		struct note id;
	} notes = { { { 6, 1, 0x100 }, "Linux", 0 }, build_id };

	write_bytes(path, &notes, sizeof(notes));
}

static const char cpuinfo[] =
	"processor\t: 0\n"
	"model name\t: Some   CPU\033 @ 3GHz \n"
	"model name\t: another\n";

static const char kallsyms[] =
	"0000000000000010 A cpu_debug_store\n"
	"ffffffff81000000 T _stext\n"
	"ffffffff81000000 T _text\n"
	"ffffffffc0000000 t _etext\t[mod]\n"
	"ffffffff82209988 T _etext\n"
	"ffffffff83000000 T _text\n";

static const char modules[] =
	"ext4 831488 1 - Live 0xffffffffc0400000\n"
	"snd_pcm 4096 0 - Live 0xffffffffc0300000 (OE)\n"
	"hidden 4096 0 - Live 0x0000000000000000\n"
	"evil/../x 4096 0 - Live 0xffffffffc0200000\n"
	"wrapped 18446744073709551615 0 - Live 0xffffffffc0200000\n"
	"short\n"
	"nowhere 8192 0 - Live 0xffffffffc0100000\n";

static const char modules_dep[] =
	"kernel/sound/core/snd-pcm.ko.xz: kernel/sound/core/snd.ko.xz\n"
	"kernel/fs/ext4/ext4.ko: kernel/fs/jbd2/jbd2.ko\n"
	"kernel/other/ext4.ko:\n"
	"kernel/fs/no.colon.ko\n"
	":\n";

static int make_tree(void **state)
{
	static const char argv[] = "rbtop\0-e\0\033[31m\0";
	struct utsname name;
	char path[128];

	(void)state;
	fake_tree_init(&tree);
	fake_tree_write(&tree, "proc/cpuinfo", cpuinfo);
	fake_tree_write(&tree, "proc/kallsyms", kallsyms);
	fake_tree_write(&tree, "proc/modules", modules);
	fake_tree_write(&tree, "proc/meminfo",
			"MemTotal:       24731708 kB\nMemFree: 1 kB\n");
	write_bytes("proc/self/cmdline", argv, sizeof(argv) - 1);
	write_notes("sys/kernel/notes");
	write_notes("sys/module/ext4/notes/.note.gnu.build-id");
	fake_tree_write(&tree, "sys/bus/event_source/devices/software/type",
			"1\n");
	fake_tree_write(&tree, "sys/bus/event_source/devices/intel_pt/type",
			"8\n");
	uname(&name);
	snprintf(path, sizeof(path), "lib/modules/%s/modules.dep",
		 name.release);
	fake_tree_write(&tree, path, modules_dep);
	return 0;
}

static int drop_tree(void **state)
{
	(void)state;
	fake_tree_free(&tree);
	return 0;
}

TEST(names_and_sizes)
{
	struct perfdata_machine m;
	struct utsname name;

	assert_int_equal(perfdata_machine_read_at(&m, tree.root, NULL, NULL, 0,
						  NULL),
			 0);
	uname(&name);
	assert_string_equal(m.release, name.release);
	assert_string_equal(m.arch, name.machine);
	assert_true(m.hostname[0]);
	assert_in_range(m.cpus_online, 1, m.cpus_available);
	assert_int_equal(m.memory_kb, 24731708);
	assert_string_equal(m.cpu_desc, "Some CPU? @ 3GHz ");
	assert_int_equal(m.argc, 3);
	assert_string_equal(m.argv[1], "-e");
	assert_string_equal(m.argv[2], "?[31m");
	assert_int_equal(m.nr_pmus, 2);
	assert_string_equal(m.pmus[0].name, "intel_pt");
	assert_int_equal(m.pmus[0].type, 8);
	assert_null(m.tracing_data);
	perfdata_machine_free(&m);
	assert_int_equal(m.argc, 0);
}

TEST(kernel)
{
	struct perfdata_machine m;

	assert_int_equal(perfdata_machine_read_at(&m, tree.root, NULL, NULL, 0,
						  NULL),
			 0);
	assert_true(m.kernel_start == 0xffffffff81000000);
	assert_true(m.kernel_end == 0xffffffff82209988);
	assert_true(m.kernel_ref == 0xffffffff81000000);
	assert_int_equal(m.kernel_build_id.len, 20);
	assert_memory_equal(m.kernel_build_id.bytes, build_id.desc, 20);
	perfdata_machine_free(&m);
}

TEST(modules_with_paths)
{
	struct perfdata_machine m;
	char path[256];

	assert_int_equal(perfdata_machine_read_at(&m, tree.root, NULL, NULL, 0,
						  NULL),
			 0);
	assert_int_equal(m.nr_modules, 3);
	assert_string_equal(m.modules[0].name, "[ext4]");
	assert_true(m.modules[0].start == 0xffffffffc0400000);
	assert_int_equal(m.modules[0].len, 831488);
	assert_int_equal(m.modules[0].build_id.len, 20);
	assert_memory_equal(m.modules[0].build_id.bytes, build_id.desc, 20);
	snprintf(path, sizeof(path), "/lib/modules/%s/kernel/fs/ext4/ext4.ko",
		 m.release);
	assert_string_equal(m.modules[0].path, path);
	assert_string_equal(m.modules[1].name, "[nowhere]");
	assert_null(m.modules[1].path);
	assert_int_equal(m.modules[1].build_id.len, 0);
	snprintf(path, sizeof(path),
		 "/lib/modules/%s/kernel/sound/core/snd-pcm.ko.xz", m.release);
	assert_string_equal(m.modules[2].path, path);
	perfdata_machine_free(&m);
}

TEST(hidden_addresses)
{
	struct perfdata_machine m;

	fake_tree_write(&tree, "proc/kallsyms",
			"0000000000000000 T _text\n"
			"0000000000000000 T _etext\n");
	assert_int_equal(perfdata_machine_read_at(&m, tree.root, NULL, NULL, 0,
						  NULL),
			 0);
	assert_int_equal(m.kernel_start, 0);
	assert_int_equal(m.kernel_end, 0);
	perfdata_machine_free(&m);
	fake_tree_write(&tree, "proc/kallsyms", kallsyms);
}

TEST(hostile_notes)
{
	const Elf64_Nhdr lies[] = {
		{ UINT32_MAX, 20, NT_GNU_BUILD_ID },
		{ 4, UINT32_MAX, NT_GNU_BUILD_ID },
		{ UINT32_MAX - 3, UINT32_MAX - 3, 1 },
		{ 4, 20, NT_GNU_BUILD_ID },	/* its content is missing */
	};
	struct perfdata_machine m;

	for (size_t i = 0; i < 4; i++) {
		write_bytes("sys/kernel/notes", &lies[i], sizeof(lies[i]));
		assert_int_equal(perfdata_machine_read_at(&m, tree.root, NULL,
							  NULL, 0, NULL),
				 0);
		assert_int_equal(m.kernel_build_id.len, 0);
		perfdata_machine_free(&m);
	}
	write_notes("sys/kernel/notes");
}

TEST(nothing_to_read)
{
	struct perfdata_machine m;

	assert_int_equal(perfdata_machine_read_at(&m, "/nonexistent",
						  "/nonexistent",
						  (const char *[]){ "a:b" }, 1,
						  NULL),
			 0);
	assert_int_equal(m.nr_modules, 0);
	assert_int_equal(m.nr_pmus, 0);
	assert_int_equal(m.argc, 0);
	assert_int_equal(m.memory_kb, 0);
	perfdata_machine_free(&m);
}

/* Decoders need the kind of core: variant and revision are left out. */
TEST(arm_cpu)
{
	struct perfdata_machine m;

	fake_tree_write(&tree,
			"sys/devices/system/cpu/cpu1/regs/identification/"
			"midr_el1",
			"0x00000000413fd0c1\n");
	assert_int_equal(perfdata_machine_read_at(&m, tree.root, NULL, NULL, 0,
						  NULL),
			 0);
	assert_string_equal(m.cpu_id, "0x00000000410fd0c0");
	perfdata_machine_free(&m);
}

#define FORMAT(id)                                                             \
	"name: e\nID: " id "\nformat:\n"                                       \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n" \
	"\n\tfield:int x;\toffset:4;\tsize:4;\tsigned:1;\n\n"                  \
	"print fmt: \"x=%d\", REC->x\n"

struct cursor {
	const uint8_t *at, *end;
};

static const void *take(struct cursor *c, size_t size)
{
	const void *at = c->at;

	assert_in_range(size, 0, (size_t)(c->end - c->at));
	c->at += size;
	return at;
}

static uint32_t take_u32(struct cursor *c)
{
	return rig_u32(take(c, 4));
}

static void take_text(struct cursor *c, const char *text)
{
	uint64_t len = rig_u64(take(c, 8));

	assert_int_equal(len, strlen(text));
	assert_memory_equal(take(c, len), text, len);
}

/* Everything in its place, each system once, and nothing after it. */
TEST(tracing_data)
{
	const char *names[] = {
		"sched:b:u", "net:x", "sched:a", "ftrace:f", "sched:missing",
		"net:x", "nocolon", "sched:../escape", "net:x:k",
	};
	struct cursor c;
	void *data;
	size_t size;

	fake_tree_write(&tree, "tracing/events/header_page", "PAGE");
	fake_tree_write(&tree, "tracing/events/header_event", "EVENT");
	fake_tree_write(&tree, "tracing/events/sched/a/format", FORMAT("1"));
	fake_tree_write(&tree, "tracing/events/sched/b/format", FORMAT("2"));
	fake_tree_write(&tree, "tracing/events/net/x/format", FORMAT("33"));
	fake_tree_write(&tree, "tracing/events/ftrace/f/format", FORMAT("4"));
	fake_tree_write(&tree, "tracing/printk_formats", "0x1 : \"hi\"\n");
	assert_int_equal(chdir(tree.root), 0);
	assert_int_equal(perfdata_tracing_data("tracing", names, 9, &data,
					       &size),
			 0);
	c = (struct cursor){ data, (uint8_t *)data + size };
	assert_memory_equal(take(&c, 10), "\027\010\104tracing", 10);
	assert_string_equal(take(&c, 4), "0.6");
	assert_int_equal(*(const uint8_t *)take(&c, 1),
			 __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	assert_int_equal(*(const uint8_t *)take(&c, 1), sizeof(long));
	assert_int_equal(take_u32(&c), sys_page_size());
	assert_string_equal(take(&c, 12), "header_page");
	take_text(&c, "PAGE");
	assert_string_equal(take(&c, 13), "header_event");
	take_text(&c, "EVENT");
	assert_int_equal(take_u32(&c), 1);
	take_text(&c, FORMAT("4"));
	assert_int_equal(take_u32(&c), 2);
	assert_string_equal(take(&c, 4), "net");
	assert_int_equal(take_u32(&c), 1);
	take_text(&c, FORMAT("33"));
	assert_string_equal(take(&c, 6), "sched");
	assert_int_equal(take_u32(&c), 2);
	take_text(&c, FORMAT("1"));
	take_text(&c, FORMAT("2"));
	assert_int_equal(take_u32(&c), 0);
	assert_int_equal(take_u32(&c), strlen("0x1 : \"hi\"\n"));
	take(&c, strlen("0x1 : \"hi\"\n"));
	assert_int_equal(rig_u64(take(&c, 8)), 0);
	assert_ptr_equal(c.at, c.end);
	free(data);
	assert_int_equal(chdir("/"), 0);
}

TEST(no_tracepoints)
{
	void *data = &tree;
	size_t size = 1;

	assert_int_equal(perfdata_tracing_data(tree.root, NULL, 0, &data,
					       &size),
			 0);
	assert_null(data);
	assert_int_equal(size, 0);
}

/* Write a program with only a build-id. */
static void write_elf(const char *path)
{
	const struct {
		Elf64_Ehdr header;
		Elf64_Phdr notes;
		struct note id;
	} elf = {
		.header = {
			.e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64,
				     __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ?
					     ELFDATA2MSB :
					     ELFDATA2LSB,
				     EV_CURRENT },
			.e_type = ET_EXEC,
			.e_machine = EM_X86_64,
			.e_version = EV_CURRENT,
			.e_phoff = sizeof(elf.header),
			.e_ehsize = sizeof(elf.header),
			.e_phentsize = sizeof(elf.notes),
			.e_phnum = 1,
		},
		.notes = {
			.p_type = PT_NOTE,
			.p_offset = sizeof(elf.header) + sizeof(elf.notes),
			.p_filesz = sizeof(elf.id),
			.p_align = 4,
		},
		.id = build_id,
	};

	write_bytes(path, &elf, sizeof(elf));
}

static void tell_map(struct build_ids *b, struct side_band_map map)
{
	_Alignas(8) uint8_t record[SIDE_BAND_MADE];
	size_t size;

	map.pid = map.tid = 42;
	map.len = 0x1000;
	size = side_band_make_mmap2(record, &map, map.executable ? 5 : 3, 2);
	assert_int_equal(build_ids_record(b, record, size), 0);
}

/* Only executable files, each once, from the root of their own process. */
TEST(build_ids_of_records)
{
	_Alignas(8) uint8_t record[SIDE_BAND_MADE];
	char proc[512];
	struct symbol_loader *loader;
	struct build_ids *b;
	struct perfdata_rig rig;
	struct stat st;
	const uint8_t *at;
	size_t size;

	write_elf("proc/42/root/bin/tool");
	fake_tree_write(&tree, "proc/42/root/bin/script", "#!/bin/sh\n");
	/* which have build-ids, but are not read */
	write_elf("proc/42/root/data");
	write_elf("proc/42/root/kernel");
	write_elf("proc/42/root[vdso]");
	snprintf(proc, sizeof(proc), "%s/proc/42/root/bin/tool", tree.root);
	assert_int_equal(stat(proc, &st), 0);
	snprintf(proc, sizeof(proc), "%s/proc", tree.root);
	loader = build_ids_loader(proc, 0);
	b = build_ids_new(loader);
	tell_map(b, (struct side_band_map){ .name = "/bin/tool",
					    .executable = true,
					    .has_inode = true,
					    .inode = st.st_ino });
	tell_map(b, (struct side_band_map){ .name = "/bin/tool",
					    .executable = true });
	tell_map(b, (struct side_band_map){ .name = "/bin/script",
					    .executable = true });
	tell_map(b, (struct side_band_map){ .name = "/bin/gone",
					    .executable = true });
	tell_map(b, (struct side_band_map){ .name = "/data" });
	tell_map(b, (struct side_band_map){ .name = "//anon\n" });
	tell_map(b, (struct side_band_map){ .name = "[vdso]",
					    .executable = true });
	tell_map(b, (struct side_band_map){ .name = "/kernel",
					    .executable = true,
					    .kernel = true });
	size = side_band_make_comm(record, 1, 1, "x");
	assert_int_equal(build_ids_record(b, record, size), 0);
	assert_int_equal(build_ids_record(b, record, 4), 0);

	rig_begin(&rig, NULL, 0);
	assert_int_equal(build_ids_read(b, 1), 0);
	assert_int_equal(build_ids_write(b, rig.w), 0);
	rig_finish(&rig, NULL);
	at = rig_feature(&rig, PERFDATA_BUILD_IDS, &size);
	assert_non_null(at);
	assert_int_equal(size, 36 + 64);
	assert_memory_equal(at + 12, build_id.desc, 20);
	assert_string_equal((const char *)at + 36, "/bin/tool");
	rig_free(&rig);
	build_ids_free(b);
	symbol_loader_free(loader);
}

/* Another file has replaced the one that was mapped. */
TEST(build_id_of_another)
{
	struct perfdata_rig rig;
	struct symbol_loader *loader;
	struct build_ids *b;
	char proc[512];
	size_t size;

	write_elf("proc/42/root/bin/tool");
	snprintf(proc, sizeof(proc), "%s/proc", tree.root);
	loader = build_ids_loader(proc, 0);
	b = build_ids_new(loader);
	tell_map(b, (struct side_band_map){ .name = "/bin/tool",
					    .executable = true,
					    .has_inode = true,
					    .inode = UINT64_MAX });
	rig_begin(&rig, NULL, 0);
	assert_int_equal(build_ids_read(b, 1), 0);
	assert_int_equal(build_ids_write(b, rig.w), 0);
	rig_finish(&rig, NULL);
	assert_null(rig_feature(&rig, PERFDATA_BUILD_IDS, &size));
	rig_free(&rig);
	build_ids_free(b);
	symbol_loader_free(loader);
}

TEST_GROUP(machine, .setup = make_tree, .teardown = drop_tree);
