/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "host/host_names.h"

#include <pthread.h>
#include <pwd.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>

#include "base/caps.h"
#include "base/sys.h"
#include "base/text.h"

/* Seconds to wait for an answer. */
static const double patience = 0.1;

struct host_names {
	host_names_fn *look_up;
	pthread_t thread;
	bool started;		/* used by the requesting thread only */
	pthread_mutex_t lock;	/* of the following */
	pthread_cond_t changed;
	enum { IDLE, ASKED, ANSWERED } state;
	uid_t uid;
	char name[HOST_NAMES_SIZE];
	bool stop;
	bool ended;		/* the thread has ended its work */
	bool left;		/* detached: the thread frees this struct */
};

void host_names_user(uid_t uid, char *buf, size_t size)
{
	struct passwd entry, *found = NULL;
	char text[4096];

	buf[0] = '\0';
	if (!getpwuid_r(uid, &entry, text, sizeof(text), &found) && found)
		text_copy(buf, size, found->pw_name);
}

struct host_names *host_names_new(host_names_fn *look_up)
{
	struct host_names *names = calloc(1, sizeof(*names));

	if (!names)
		return NULL;
	names->look_up = look_up;
	pthread_mutex_init(&names->lock, NULL);
	sys_condition_init(&names->changed);
	return names;
}

static void destroy(struct host_names *names)
{
	pthread_cond_destroy(&names->changed);
	pthread_mutex_destroy(&names->lock);
	free(names);
}

/* Called under the lock, which is released during the lookup. */
static void answer(struct host_names *names)
{
	char name[HOST_NAMES_SIZE];
	uid_t uid = names->uid;

	pthread_mutex_unlock(&names->lock);
	names->look_up(uid, name, sizeof(name));
	pthread_mutex_lock(&names->lock);
	text_copy(names->name, sizeof(names->name), name);
	names->state = ANSWERED;
	pthread_cond_broadcast(&names->changed);
}

static void *names_main(void *arg)
{
	struct host_names *names = arg;
	bool left;

	pthread_setname_np(pthread_self(), "rbtop-names");
	/* code of the user database needs no privileges */
	caps_limit(0, NULL);
	pthread_mutex_lock(&names->lock);
	while (!names->stop) {
		if (names->state == ASKED)
			answer(names);
		else
			pthread_cond_wait(&names->changed, &names->lock);
	}
	names->ended = true;
	left = names->left;
	pthread_cond_broadcast(&names->changed);
	pthread_mutex_unlock(&names->lock);
	if (left)
		destroy(names);
	return NULL;
}

/* Under the lock: wait for @state, or the thread's end; at most @seconds. */
static void wait_for(struct host_names *names, int state, double seconds)
{
	struct timespec until = sys_deadline(seconds);

	while (!names->ended && (int)names->state != state &&
	       pthread_cond_timedwait(&names->changed, &names->lock,
				      &until) == 0)
		;
}

void host_names_free(struct host_names *names)
{
	bool left;

	if (!names)
		return;
	if (!names->started) {
		destroy(names);
		return;
	}
	pthread_mutex_lock(&names->lock);
	names->stop = true;
	pthread_cond_broadcast(&names->changed);
	wait_for(names, -1, HOST_NAMES_PATIENCE);
	left = names->left = !names->ended;
	if (left)
		pthread_detach(names->thread);
	pthread_mutex_unlock(&names->lock);
	if (left)
		return;
	pthread_join(names->thread, NULL);
	destroy(names);
}

static bool start(struct host_names *names)
{
	sigset_t old;

	if (names->started)
		return true;
	/* Signals are handled by the front end. */
	sys_block_signals(&old);
	names->started = pthread_create(&names->thread, NULL, names_main,
					names) == 0;
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return names->started;
}

bool host_names_ask(struct host_names *names, uid_t uid)
{
	bool answered;

	if (!start(names))
		return false;
	pthread_mutex_lock(&names->lock);
	if (names->state == IDLE) {
		names->state = ASKED;
		names->uid = uid;
		pthread_cond_broadcast(&names->changed);
		wait_for(names, ANSWERED, patience);
	}
	answered = names->state == ANSWERED;
	pthread_mutex_unlock(&names->lock);
	return answered;
}

bool host_names_get(struct host_names *names, uid_t *uid,
		    char name[HOST_NAMES_SIZE])
{
	bool answered;

	pthread_mutex_lock(&names->lock);
	answered = names->state == ANSWERED;
	if (answered) {
		*uid = names->uid;
		text_copy(name, HOST_NAMES_SIZE, names->name);
		names->state = IDLE;
	}
	pthread_mutex_unlock(&names->lock);
	return answered;
}
