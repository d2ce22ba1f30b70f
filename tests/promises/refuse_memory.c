/*
 * An allocator for the program that makes allocation number $SHORT_OF fail. If SHORT_OF is "count",
 * it prints the number of allocations on descriptor 3 at the end.
 */
#define _GNU_SOURCE
#include "base/sanitizer.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#if defined(__GLIBC__) && !defined(GF_SANITIZER)

extern void *__libc_malloc(size_t bytes);
extern void *__libc_calloc(size_t count, size_t bytes);
extern void *__libc_realloc(void *old, size_t bytes);
extern void *__libc_memalign(size_t align, size_t bytes);

static atomic_long asked;
static long refused;
static atomic_bool counting;

static bool is_refused(void)
{
    return atomic_load(&counting) && atomic_fetch_add(&asked, 1) + 1 == refused;
}

static void *refuse(void)
{
    errno = ENOMEM;
    return NULL;
}

void *malloc(size_t bytes)
{
    return is_refused() ? refuse() : __libc_malloc(bytes);
}

void *calloc(size_t count, size_t bytes)
{
    return is_refused() ? refuse() : __libc_calloc(count, bytes);
}

void *realloc(void *old, size_t bytes)
{
    return is_refused() ? refuse() : __libc_realloc(old, bytes);
}

int posix_memalign(void **memory, size_t align, size_t bytes)
{
    *memory = is_refused() ? NULL : __libc_memalign(align, bytes);
    return *memory != NULL ? 0 : ENOMEM;
}

/* Starts counting in main(): earlier allocations belong to libraries and to the GPU parts. */
static void begin(void)
{
    const char *told = getenv("SHORT_OF");

    refused = told != NULL ? atol(told) : 0;
    atomic_store(&counting, told != NULL);
}

__attribute__((destructor)) static void end(void)
{
    const char *told = getenv("SHORT_OF");
    char text[40];

    atomic_store(&counting, false);
    if (told != NULL && strcmp(told, "count") == 0) {
        const int n = snprintf(text, sizeof text, "%ld\n", atomic_load(&asked));

        if (write(3, text, (size_t)n) != n)
            _exit(99);
    }
}

#else
static void begin(void)
{
}
#endif

/* The program's own main(), renamed for this program. */
int gf_short_main(int argc, char **argv);

#undef main
int main(int argc, char **argv)
{
    begin();
    return gf_short_main(argc, argv);
}
