/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An owner of an AF_PACKET ring on the loopback interface of a network
 * namespace of its own, where only its own packets arrive, each once.  It
 * executes commands, one per line of standard input, and answers each with one
 * line: "ok" and the values requested, or "error" and why.
 *
 *	open VERSION SLOTS	a ring of TPACKET_V1 to V3: frames of 2 KiB, or
 *				blocks of 4 KiB, which are full or passed to it
 *				after 100 ms; instead of the last one
 *	send N			N packets of 1000 bytes
 *	drain			ok PACKETS, and return their slots
 *	stats			ok PACKETS DROPS, which clears both
 *	path			a socket and a perf event, only as paths
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <linux/perf_event.h>
#include <net/if.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { FRAME = 2048, BLOCK = 4096, PACKET = 1000 };

static struct {
	int fd, version;
	unsigned int slots, at;
	char *data;
} ring = { .fd = -1 };

static int failed(const char *what)
{
	return printf("error %s: %s\n", what, strerror(errno));
}

static size_t slot_size(void)
{
	return ring.version == TPACKET_V3 ? BLOCK : FRAME;
}

static int open_ring(int version, unsigned int slots)
{
	struct sockaddr_ll lo = {
		.sll_family = AF_PACKET,
		.sll_protocol = htons(ETH_P_IP),
		.sll_ifindex = (int)if_nametoindex("lo"),
	};
	struct tpacket_req3 req = {
		.tp_block_size = BLOCK,
		.tp_block_nr = version == TPACKET_V3 ? slots :
						       slots * FRAME / BLOCK,
		.tp_frame_size = FRAME, .tp_retire_blk_tov = 100,
	};

	if (ring.fd >= 0) {
		munmap(ring.data, ring.slots * slot_size());
		close(ring.fd);
	}
	ring.version = version;
	ring.slots = slots;
	ring.at = 0;
	req.tp_frame_nr = req.tp_block_nr * (BLOCK / FRAME);
	ring.fd = socket(AF_PACKET, SOCK_RAW, 0);
	if (ring.fd < 0 ||
	    setsockopt(ring.fd, SOL_PACKET, PACKET_VERSION, &version,
		       sizeof(version)) ||
	    setsockopt(ring.fd, SOL_PACKET, PACKET_RX_RING, &req,
		       version == TPACKET_V3 ? sizeof(req) :
					       sizeof(struct tpacket_req)))
		return failed("PACKET_RX_RING");
	ring.data = mmap(NULL, slots * slot_size(), PROT_READ | PROT_WRITE,
			 MAP_SHARED, ring.fd, 0);
	if (ring.data == MAP_FAILED ||
	    bind(ring.fd, (struct sockaddr *)&lo, sizeof(lo)))
		return failed("bind");
	return puts("ok");
}

static int send_packets(unsigned int nr)
{
	struct sockaddr_in to = { .sin_family = AF_INET, .sin_port = htons(9),
				  .sin_addr = { htonl(INADDR_LOOPBACK) } };
	/* the UDP, IP and Ethernet headers are part of it */
	static const char data[PACKET - 42];
	int fd = socket(AF_INET, SOCK_DGRAM, 0);
	int here = socket(AF_INET, SOCK_DGRAM, 0);

	/* nothing is sent back */
	if (fd < 0 || bind(here, (struct sockaddr *)&to, sizeof(to)))
		return failed("UDP");
	while (nr--)
		if (sendto(fd, data, sizeof(data), 0, (struct sockaddr *)&to,
			   sizeof(to)) < 0)
			return failed("sendto");
	close(fd);
	close(here);
	return puts("ok");
}

static int drain(void)
{
	unsigned int packets = 0, i;

	for (i = 0; i < ring.slots; i++) {
		char *slot = ring.data + ring.at * slot_size();
		struct tpacket_block_desc *block = (void *)slot;
		volatile unsigned long *v1 = (void *)slot;
		volatile unsigned int *status = (void *)slot;

		if (ring.version == TPACKET_V3)
			status = &block->hdr.bh1.block_status;
		if (!((ring.version == TPACKET_V1 ? *v1 : *status) &
		      TP_STATUS_USER))
			break;
		packets += ring.version == TPACKET_V3 ?
			   block->hdr.bh1.num_pkts : 1;
		if (ring.version == TPACKET_V1)
			*v1 = TP_STATUS_KERNEL;
		else
			*status = TP_STATUS_KERNEL;
		ring.at = (ring.at + 1) % ring.slots;
	}
	return printf("ok %u\n", packets);
}

static int stats(void)
{
	struct tpacket_stats_v3 got = { 0 };
	socklen_t size = sizeof(got);

	if (getsockopt(ring.fd, SOL_PACKET, PACKET_STATISTICS, &got, &size))
		return failed("PACKET_STATISTICS");
	return printf("ok %u %u\n", got.tp_packets, got.tp_drops);
}

static int open_paths(void)
{
	struct perf_event_attr dummy = {
		.type = PERF_TYPE_SOFTWARE, .size = sizeof(dummy),
		.config = PERF_COUNT_SW_DUMMY,
	};
	int fds[] = {
		socket(AF_UNIX, SOCK_STREAM, 0),
		(int)syscall(SYS_perf_event_open, &dummy, 0, -1, -1, 0),
	};
	char path[32];

	for (int i = 0; i < 2; i++) {
		snprintf(path, sizeof(path), "/proc/self/fd/%d", fds[i]);
		if (open(path, O_PATH) < 0)
			return failed("open");
		close(fds[i]);
	}
	return printf("ok\n");
}

int main(void)
{
	struct ifreq lo = { .ifr_name = "lo", .ifr_flags = IFF_UP };
	char line[64], word[16];
	unsigned int a, b;
	int fd;

	setvbuf(stdout, NULL, _IOLBF, 0);
	if (unshare(CLONE_NEWNET))
		return 1;
	fd = socket(AF_INET, SOCK_DGRAM, 0);
	if (fd < 0 || ioctl(fd, SIOCSIFFLAGS, &lo))
		return 1;
	close(fd);
	while (fgets(line, sizeof(line), stdin)) {
		a = b = 0;
		if (sscanf(line, "%15s %u %u", word, &a, &b) < 1)
			continue;
		if (!strcmp(word, "open"))
			open_ring((int)a - 1, b);
		else if (!strcmp(word, "send"))
			send_packets(a);
		else if (!strcmp(word, "drain"))
			drain();
		else if (!strcmp(word, "stats"))
			stats();
		else if (!strcmp(word, "path"))
			open_paths();
		else
			printf("error no such word: %s\n", word);
	}
	return 0;
}
