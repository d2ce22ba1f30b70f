/* Samples without a header, and the arguments after "raw:" that describe them. */
#ifndef GF_FORMATS_RAW_H
#define GF_FORMATS_RAW_H

#include "io/format.h"
#include "io/formats/audio/pcm.h"

extern const struct gf_writer_ops gf_write_raw, gf_write_raw_picture;

struct gf_raw {
    int32_t rate;                /* 0: not given */
    int channels;                /* 0: not given */
    int64_t width, rows;         /* 0: not given */
    struct gf_pcm pcm;           /* .bytes is 0 if no type is given */
    char letter;                 /* of the type: 'u', 's' or 'f' */
};

/* Returns true if a word is a type without "raw:", for example s16le. */
bool gf_raw_type_is_meant(const char *word);
/*
 * Parses "raw:KEY=VALUE,...". Keys may be omitted. `option` is the option that has the word, for
 * messages.
 */
int gf_raw_parse(struct gf_raw *raw, const char *word, const char *option, struct gf_error *err) GF_MUST_CHECK;
/* Sets the sample type of images. Returns -1 if images cannot have it. */
int gf_raw_picture(const struct gf_raw *raw, struct gf_format *f) GF_MUST_CHECK;
/* Sets the sample type of audio, and if integers are unsigned. */
void gf_raw_sound(struct gf_raw *raw, struct gf_format *f);

#endif
