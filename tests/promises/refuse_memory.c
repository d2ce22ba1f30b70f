/*
 * Memory that runs out, for the program that this is linked into: of all that it asks for, number $SHORT_OF is refused.
 * Where SHORT_OF is "count", it tells at its end on descriptor 3 how often it has asked.
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

/* What libraries ask for before main(), and the parts for a GPU, is no concern of the program's. */
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

/* The program's own main(), by the name that it has here. */
int gf_short_main(int argc, char **argv);

#undef main
int main(int argc, char **argv)
{
    begin();
    return gf_short_main(argc, argv);
}
