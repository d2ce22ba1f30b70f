/* Starts a thread. */
#include "base/thread.h"

#include <sys/resource.h>

int gf_thread_start(pthread_t *thread, void *(*run)(void *), void *argument)
{
    pthread_attr_t how;
    int result;

    if (pthread_attr_init(&how) != 0)
        return pthread_create(thread, NULL, run, argument);
    pthread_attr_setstacksize(&how, GF_THREAD_STACK_BYTES);
    result = pthread_create(thread, &how, run, argument);
    pthread_attr_destroy(&how);
    return result;
}

bool gf_thread_first_suffices(void)
{
    struct rlimit limit;

    return getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= GF_THREAD_STACK_BYTES;
}
