/* Samples without a header: what the words behind "raw:" say of them. */
#ifndef GF_FORMATS_RAW_H
#define GF_FORMATS_RAW_H

#include "io/format.h"
#include "io/formats/pcm.h"

extern const struct gf_writer_ops gf_write_raw, gf_write_raw_picture;

struct gf_raw {
    int32_t rate;                /* 0: not told */
    int channels;                /* likewise */
    int64_t width, rows;         /* likewise */
    struct gf_pcm pcm;           /* .bytes is 0 where no type is told */
    char letter;                 /* of the type: 'u', 's' or 'f' */
};

/* Whether a word is a type alone: "s16le". */
bool gf_raw_type_is_meant(const char *word);
/* Reads "raw:KEY=VALUE,…", or values alone in the order rate, channels, type; `option` is the one that said so, for messages. */
int gf_raw_parse(struct gf_raw *raw, const char *word, const char *option, struct gf_error *err) GF_MUST_CHECK;
/* The type of pictures that are stored so; -1 where pictures are not. */
int gf_raw_picture(const struct gf_raw *raw, struct gf_format *f) GF_MUST_CHECK;
/* The same of sound: offset binary is told apart here. */
void gf_raw_sound(struct gf_raw *raw, struct gf_format *f);

#endif
