/* Facts about a file that its headers state, for --info, and the forms in which they are written. */
#ifndef GF_BATCH_INFO_FACTS_H
#define GF_BATCH_INFO_FACTS_H

#include <stdio.h>

#include "io/io.h"
#include "io/metadata/riff_chunks.h"

struct gf_info_facts {
    const char *name;            /* as it was given; "-" is standard input */
    const char *format, *title;  /* the name of its format for --from, and for people */
    struct gf_format signal;     /* of the first image, or the recording */
    struct gf_meta meta;         /* its metadata */
    int64_t frames;              /* images, or sample frames; GF_UNKNOWN if the headers do not say it */
    double rate;                 /* of them, per second; 0: none */
    double seconds;              /* -1: unknown, or no duration */
    double bit_rate;             /* of a lossy codec of audio; 0: none, or unknown */
    double dots[2];              /* pixels per inch across and down; 0: not stated */
    bool lossy;                  /* audio whose samples have no depth of their own */
    char profile[120];           /* name of the color profile; "": none */
    char blocks[300];            /* kinds of further metadata: "EXIF XMP", "3 markers, cover art" */
    struct gf_riff_markers markers;
};

/* Opens a file and fills in its facts, which gf_info_facts_release() frees, also after a failure. */
int gf_info_facts_find(struct gf_info_facts *f, const char *name, const struct gf_read_options *read,
                       struct gf_error *err) GF_MUST_CHECK;
void gf_info_facts_release(struct gf_info_facts *f);

/* Writes a line for people, and with `texts` a line for each text of the metadata. Controls are escaped. */
void gf_info_put_line(FILE *to, const struct gf_info_facts *f, bool texts);
/* Writes the header of the table, and a row. With `shown`, they go to a terminal, and controls are escaped. */
void gf_info_put_header(FILE *to, char separator);
void gf_info_put_row(FILE *to, const struct gf_info_facts *f, char separator, bool shown);
/* Writes a JSON object without a newline. */
void gf_info_put_json(FILE *to, const struct gf_info_facts *f);

#endif
