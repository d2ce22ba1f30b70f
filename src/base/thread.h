/* Starts a thread, whose stack has a fixed size. */
#ifndef GF_BASE_THREAD_H
#define GF_BASE_THREAD_H

#include <pthread.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The stack of a thread. Arrays of an operation or a library take a quarter of it at most. */
#define GF_THREAD_STACK_BYTES (2 << 20)

/* Does what pthread_create() does, with a stack of that size, whatever the limit for stacks is (ulimit -s). */
int gf_thread_start(pthread_t *thread, void *(*run)(void *), void *argument);
/* Returns true if the stack of the first thread, which grows up to the limit, may become as large. */
bool gf_thread_first_suffices(void);

#ifdef __cplusplus
}
#endif
#endif
