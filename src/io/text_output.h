/*
 * A stdio stream that keeps its text in memory or passes
 * it to an output. Closing it reports all earlier errors.
 */
#ifndef GF_IO_TEXT_OUTPUT_H
#define GF_IO_TEXT_OUTPUT_H

#include "io/output.h"

#include <stdio.h>

struct gf_text_output {
    const char *name;                    /* for messages; NULL: none */
    struct gf_output *out;               /* NULL: keep the text */
    char *text;                          /* the text, terminated by zero; the caller frees it */
    size_t size, room;
    bool broken;
    struct gf_error error;
};

/*
 * Opens the stream. open_memstream() is no alternative:
 * it loses text without an error when memory runs out.
 */
FILE *gf_text_output_open(struct gf_text_output *o, struct gf_output *out, const char *name, struct gf_error *err);

/* Closes the stream. Returns `result`, the status of the writer, or -1 if text was lost. */
int gf_text_output_close(struct gf_text_output *o, FILE *to, int result, struct gf_error *err) GF_MUST_CHECK;

#endif
