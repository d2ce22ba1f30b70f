/* What tests of PNG share: every kind of it, files of known bytes, and reading them. */
#ifndef GF_PNG_COMMON_H
#define GF_PNG_COMMON_H

#include "io/io.h"
#include "png_encoder.h"
#include "tests/tap.h"

enum { GF_PNG_KINDS = 15 };

/* The pairs of colour and depth that there are. */
struct gf_png_sort {
    int colour, depth;
};
extern const struct gf_png_sort gf_png_kinds[GF_PNG_KINDS];
extern const struct gf_read_options gf_png_usual;
extern bool gf_png_salvage;                      /* read with --salvage */
extern unsigned char gf_png_got[1 << 18];        /* what was read last */

void gf_png_put_file(const char *name, const struct gf_bytes *b);
/* Reads all of it in steps of three rows into gf_png_got; bytes, or -1 with an error of one line in gf_said. `meta` may be NULL. */
int64_t gf_png_read_file(const char *path, struct gf_format *f, struct gf_meta *meta);
/* The same of such bytes, as a file or through a pipe, which has room for them. */
int64_t gf_png_read(const struct gf_bytes *b, bool pipe_it, struct gf_format *f, struct gf_meta *meta);

/* Makes the checksum of every chunk right. */
void gf_png_mend_sums(struct gf_bytes *b);

/* ---- the tests ---- */

typedef void gf_test(void);

gf_test gf_test_damage, gf_test_hostile_headers, gf_test_hostile_chunks, gf_test_hostile_rows, gf_test_mutations, gf_test_animation;

#endif
