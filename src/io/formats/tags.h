/* What recordings tell of themselves: the keys that gf_meta holds, and what each format calls them. */
#ifndef GF_FORMATS_TAGS_H
#define GF_FORMATS_TAGS_H

#include "io/metadata/meta.h"
#include "io/source.h"

#define GF_TAGS_BYTES ((size_t)1 << 20)      /* no more of them is read from a file, or written to a WAV or AU */

struct gf_tag {
    const char *key;             /* in gf_meta; where PNG has a keyword for it, that one */
    const char *riff;            /* a chunk of LIST INFO */
    const char *word;            /* a line of an AU's annotation: WORD=VALUE */
    int sndfile;                 /* libsndfile's number */
};

/* Ended by a key of NULL. */
extern const struct gf_tag gf_tags[];

/* The tag of a word of `size` letters, in any case, also "tracknumber"; NULL. */
const struct gf_tag *gf_tags_by_word(const char *word, size_t size);
/* True if a chunk of LIST INFO is one of the tags. */
bool gf_tags_knows_chunk(const unsigned char *id);
/* The first value of a key, or NULL; so it is where there is no meta. */
const char *gf_tags_value(const struct gf_meta *m, const char *key);

/* Adds what a chunk of LIST tells, `bytes` being behind its size. Nothing of it is taken on trust. */
int gf_tags_take_riff(struct gf_meta *m, const unsigned char *bytes, size_t size, bool big, struct gf_error *err) GF_MUST_CHECK;
/* A chunk of LIST with all that there is to tell, to be freed; of no bytes and NULL where there is nothing. */
int gf_tags_put_riff(const struct gf_meta *m, unsigned char **chunk, size_t *size, struct gf_error *err) GF_MUST_CHECK;
/* The same as lines of WORD=VALUE. What has no word of ours is a comment. */
int gf_tags_take_lines(struct gf_meta *m, const unsigned char *bytes, size_t size, struct gf_error *err) GF_MUST_CHECK;
int gf_tags_put_lines(const struct gf_meta *m, unsigned char **lines, size_t *size, struct gf_error *err) GF_MUST_CHECK;

#endif
