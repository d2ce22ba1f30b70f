/* Ogg pages on their way out: each stream gets a number that its content tells, not the clock. */
#ifndef GF_FORMATS_OGG_PAGES_H
#define GF_FORMATS_OGG_PAGES_H

#include "base/error.h"
#include "io/output.h"

#include <stddef.h>
#include <stdint.h>

/* All zero to begin with. */
struct gf_ogg_pages {
    unsigned char *held;         /* what is not a whole page yet, and the pages before the first with sound */
    size_t size, room;
    uint32_t serial;
    bool settled;                /* `serial` is known */
};

/* Takes bytes in order, and writes the pages that are whole. */
int gf_ogg_write(struct gf_ogg_pages *p, struct gf_output *out, const void *bytes, size_t size, struct gf_error *err) GF_MUST_CHECK;
/* Writes what is left. */
int gf_ogg_finish(struct gf_ogg_pages *p, struct gf_output *out, struct gf_error *err) GF_MUST_CHECK;
void gf_ogg_release(struct gf_ogg_pages *p);

/* Bytes of the page at `b`; 0 if fewer than that are there. */
size_t gf_ogg_page_bytes(const unsigned char *b, size_t size);
/* Compares the checksum of a whole page. */
bool gf_ogg_page_is_right(unsigned char *page, size_t size);

#endif
