/* Tags of audio files: keys in gf_meta, and their names in each format. */
#ifndef GF_FORMATS_TAGS_H
#define GF_FORMATS_TAGS_H

#include "io/io.h"
#include "io/metadata/meta.h"
#include "io/source.h"

/* most bytes of tags that are read from a file, or written to a WAV or AU */
#define GF_TAGS_BYTES ((size_t)1 << 20)

struct gf_tag {
    const char *key;             /* in gf_meta: the PNG keyword if there is one */
    const char *riff;            /* chunk of LIST INFO */
    const char *word;            /* line of an AU annotation: WORD=VALUE */
    int sndfile;                 /* number in libsndfile */
};

/* Ends with a key of NULL. */
extern const struct gf_tag gf_tags[];

/* Returns the tag for a word of `size` letters in any case, or for "tracknumber", or NULL. */
const struct gf_tag *gf_tags_by_word(const char *word, size_t size);
/* Returns true if a LIST INFO chunk is one of the tags. */
bool gf_tags_knows_chunk(const unsigned char *id);
/* Returns the first value of a key, or NULL. `m` may be NULL. */
const char *gf_tags_value(const struct gf_meta *m, const char *key);
/* Returns true if a writer stores a tag with this value, or NULL. `left` is the remaining room in bytes. */
bool gf_tags_stores(const struct gf_writer_ops *ops, const char *key, const char *value, size_t *left);
/* Returns true if a writer cannot store a tag, or has no room for it after the ones before it. */
bool gf_tags_loses(const struct gf_writer_ops *ops, const struct gf_meta *m, const char *key);

/* Reads tags from a LIST chunk. `bytes` begins after its size. All lengths are checked. */
int gf_tags_take_riff(struct gf_meta *m, const unsigned char *bytes, size_t size, bool big,
                      struct gf_error *err) GF_MUST_CHECK;
/* Returns a LIST chunk with all tags, which the caller frees; NULL and size 0 if there are none. */
int gf_tags_put_riff(const struct gf_meta *m, unsigned char **chunk, size_t *size, struct gf_error *err) GF_MUST_CHECK;
/* Read and write tags as lines of WORD=VALUE. A line with an unknown word is a comment. */
int gf_tags_take_lines(struct gf_meta *m, const unsigned char *bytes, size_t size, struct gf_error *err) GF_MUST_CHECK;
int gf_tags_put_lines(const struct gf_meta *m, unsigned char **lines, size_t *size, struct gf_error *err) GF_MUST_CHECK;

#endif
