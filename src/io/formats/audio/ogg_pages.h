/* Writes Ogg pages with a serial number that depends only on the content of the stream. */
#ifndef GF_FORMATS_OGG_PAGES_H
#define GF_FORMATS_OGG_PAGES_H

#include "base/error.h"
#include "io/output.h"

#include <stddef.h>
#include <stdint.h>

/* All members are zero at first. */
struct gf_ogg_pages {
    unsigned char *held;         /* an incomplete page, and all pages before the first with audio */
    size_t size, room;
    uint32_t serial;
    bool settled;                /* `serial` is set */
};

/* Adds bytes of the stream, and writes the pages that are complete. */
int gf_ogg_write(struct gf_ogg_pages *p, struct gf_output *out, const void *bytes, size_t size,
                 struct gf_error *err) GF_MUST_CHECK;
/* Writes the rest. */
int gf_ogg_finish(struct gf_ogg_pages *p, struct gf_output *out, struct gf_error *err) GF_MUST_CHECK;
void gf_ogg_release(struct gf_ogg_pages *p);

/* Returns the bytes of the page at `b`, or 0 if it is incomplete. */
size_t gf_ogg_page_bytes(const unsigned char *b, size_t size);
/* Returns true for a page with audio, false for headers and for pages on which no packet ends. */
bool gf_ogg_page_has_audio(const unsigned char *page);
/* Returns true if the checksum of a complete page is correct. */
bool gf_ogg_page_is_right(unsigned char *page, size_t size);

#endif
