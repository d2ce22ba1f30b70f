/* Text that a file holds without saying in which letters. */
#ifndef GF_METADATA_META_TEXT_H
#define GF_METADATA_META_TEXT_H

#include "io/metadata/meta.h"

/* Adds it as UTF-8 where it can be that, else from Latin-1; up to the first zero byte, and nothing of nothing. */
int gf_meta_text_add_bytes(struct gf_meta *m, const char *key, const void *bytes, size_t size, struct gf_error *err) GF_MUST_CHECK;

/* True for a text that programs write on their own account, which nobody misses. */
bool gf_meta_text_is_trivial(const char *key, const char *value);

#endif
