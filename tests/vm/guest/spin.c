/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * spin THREADS SECONDS: that many threads, including the first, compute for
 * that long, since only running threads are traced.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double end;

static double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

static void *spin(void *unused)
{
	while (now() < end)
		;
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t thread;
	int n;

	if (argc != 3) {
		fputs("usage: spin THREADS SECONDS\n", stderr);
		return 2;
	}
	end = now() + atof(argv[2]);
	for (n = 1; n < atoi(argv[1]); n++)
		if (pthread_create(&thread, NULL, spin, NULL))
			return 1;
	spin(NULL);
	return 0;
}
