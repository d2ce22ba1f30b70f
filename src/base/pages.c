/* Allocates memory for samples. */
#define _GNU_SOURCE
#include "base/pages.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>

#define HUGE_BYTES  (2u << 20)
#define WASTE       8                                    /* an eighth of the bytes may be added */
#define CODEC_BYTES (4u << 20)                           /* more than an encoder or decoder allocates at once */

int gf_pages_alloc(size_t bytes, void **memory, struct gf_error *err)
{
    const size_t align = bytes >= HUGE_BYTES ? HUGE_BYTES : 512;
    const size_t rest = bytes % HUGE_BYTES;

    if (align == HUGE_BYTES && rest > 0 && HUGE_BYTES - rest <= bytes / WASTE)
        bytes += HUGE_BYTES - rest;                      /* makes the last page a huge one */
    *memory = NULL;
    if (posix_memalign(memory, align, bytes ? bytes : 1) != 0) {
        *memory = NULL;
        return gf_fail_memory_bytes(err, bytes, NULL);
    }
    if (align == HUGE_BYTES)
        madvise(*memory, bytes, MADV_HUGEPAGE);          /* advice only: failure does no harm */
    return 0;
}

bool gf_pages_probe(size_t bytes)
{
    void *volatile probe = malloc(bytes);    /* volatile: compilers remove pairs of malloc() and free() */

    free(probe);
    return probe != NULL;
}

bool gf_pages_ran_out(void)
{
    const bool ran_out = errno == ENOMEM && !gf_pages_probe(CODEC_BYTES);

    if (ran_out)
        errno = ENOMEM;                      /* free() may change it */
    return ran_out;
}
