/* Runs the same function on several threads. */
#include "base/threads.h"

#include <pthread.h>
#include <stdlib.h>

struct member {
    pthread_t thread;
    void (*work)(void *argument, int number);
    void *argument;
    int number;
};

static void *start(void *argument)
{
    struct member *m = argument;

    m->work(m->argument, m->number);
    return NULL;
}

void gf_threads_run(int count, void (*work)(void *argument, int number), void *argument)
{
    struct member *members = calloc((size_t)count, sizeof *members);
    int started = 1;

    for (; members != NULL && started < count; started++) {
        members[started] = (struct member) { .work = work, .argument = argument, .number = started };
        if (pthread_create(&members[started].thread, NULL, start, &members[started]) != 0)
            break;
    }
    work(argument, 0);
    for (int i = 1; members != NULL && i < started; i++)
        pthread_join(members[i].thread, NULL);
    free(members);
}
