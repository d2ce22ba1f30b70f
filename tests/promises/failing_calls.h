/* The report of failing_calls.so, in memory that it shares with the test program that preloads it. */
#ifndef GF_TESTS_FAILING_CALLS_H
#define GF_TESTS_FAILING_CALLS_H

#include <stdatomic.h>
#include <stdbool.h>

enum call_kind {
    CALL_MEMORY, CALL_OPEN, CALL_READ, CALL_WRITE, CALL_SIZE, CALL_NAME, CALL_CLOSE, CALL_SYNC, CALL_LOOK, CALL_THREAD,
    CALL_MAP, CALL_LOAD, CALL_GPU, CALL_KINDS
};
#define CALL_KIND_NAMES \
    "memory", "open", "read", "write", "size", "name", "close", "sync", "look", "thread", "map", "load", "gpu"

/*
 * Returns true if a call must fail, and sets errno. Programs that wrap calls of other libraries find this
 * function by dlsym().
 */
bool failing_calls_decide(enum call_kind kind, const char *name, const void *caller);

struct call_report {
    atomic_long made[CALL_KINDS];        /* calls since main() began */
    char failed[256];                    /* the first call that failed, and its caller */
    char crashed[512];                   /* callers of the instruction that crashed, innermost first */
};

#endif
