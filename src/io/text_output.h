/* Text that is put together before it goes out: kept in memory, or handed on piece by piece; what is lost on the way is told at its end. */
#ifndef GF_IO_TEXT_OUTPUT_H
#define GF_IO_TEXT_OUTPUT_H

#include "io/output.h"

#include <stdio.h>

struct gf_text_output {
    const char *name;                    /* of what it is for, in messages; NULL: none */
    struct gf_output *out;               /* NULL: it is kept */
    char *text;                          /* what was kept, a zero behind it; the caller frees it */
    size_t size, room;
    bool broken;
    struct gf_error error;
};

/* Not open_memstream(): on that, what does not fit in memory is missing, and neither ferror() nor fclose() says so. */
FILE *gf_text_output_open(struct gf_text_output *o, struct gf_output *out, const char *name, struct gf_error *err);

/* Closes it; `result` is that of whoever wrote to it. Where anything was lost, -1. */
int gf_text_output_close(struct gf_text_output *o, FILE *to, int result, struct gf_error *err) GF_MUST_CHECK;

#endif
