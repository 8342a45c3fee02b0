/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Calls functions on request, for calls.sh.  Letters on standard input: w calls
 * wanted(), o other(), l the function of the library; f forks a child that
 * calls wanted().  Then it appends the letter to the given file.  Built with
 * -DLIBRARY it is the library.
 */
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#define CALLEE __attribute__((noinline, noclone, visibility("default")))

CALLEE void library_wanted(void);
#ifdef LIBRARY
static volatile int calls;

CALLEE void library_wanted(void)
{
	calls++;
}
#else
CALLEE void wanted(void);
CALLEE void other(void);

static volatile int calls;

CALLEE void wanted(void)
{
	calls++;
}

CALLEE void other(void)
{
	calls += 2;
}

static int fork_and_call(void)
{
	pid_t child = fork();
	int status;

	if (child == 0) {
		wanted();
		_exit(0);
	}
	return child < 0 || waitpid(child, &status, 0) != child || status;
}

static int call(int letter)
{
	switch (letter) {
	case 'w':
		wanted();
		return 0;
	case 'o':
		other();
		return 0;
	case 'l':
		library_wanted();
		return 0;
	default:
		return fork_and_call();
	}
}

int main(int argc, char **argv)
{
	FILE *done = argc > 1 ? fopen(argv[1], "a") : NULL;
	int letter;

	if (!done)
		return 1;
	while ((letter = getchar()) != EOF) {
		if (letter == '\n')
			continue;
		if (call(letter)) {
			perror("callee");
			return 1;
		}
		fprintf(done, "%c\n", letter);
		fflush(done);
	}
	return 0;
}
#endif
