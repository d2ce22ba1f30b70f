/* Shared by tests of PNG: all types of images, known files, reading. */
#ifndef GF_PNG_COMMON_H
#define GF_PNG_COMMON_H

#include "io/io.h"
#include "png_encoder.h"
#include "tests/tap.h"

enum { GF_PNG_KINDS = 15 };

/* The valid pairs of color type and depth. */
struct gf_png_sort {
    int colour, depth;
};
extern const struct gf_png_sort gf_png_kinds[GF_PNG_KINDS];
extern const struct gf_read_options gf_png_usual;
extern bool gf_png_salvage;                      /* read with --salvage */
extern unsigned char gf_png_got[1 << 18];        /* the samples that were read last */

void gf_png_put_file(const char *name, const struct gf_bytes *b);
/*
 * Reads a file in steps of three rows into gf_png_got. Returns the bytes, or -1 with a one-line
 * error in gf_said. `meta` may be NULL.
 */
int64_t gf_png_read_file(const char *path, struct gf_format *f, struct gf_meta *meta);
/* Reads these bytes as a file, or from a pipe, which must have room for them. */
int64_t gf_png_read(const struct gf_bytes *b, bool pipe_it, struct gf_format *f, struct gf_meta *meta);

/* Corrects the checksum of every chunk. */
void gf_png_mend_sums(struct gf_bytes *b);

/* ---- the tests ---- */

typedef void gf_test(void);

gf_test gf_test_damage, gf_test_hostile_headers, gf_test_hostile_chunks, gf_test_hostile_rows, gf_test_mutations,
    gf_test_animation;

#endif
