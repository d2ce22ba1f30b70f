/* Reads text of unknown encoding, and recognizes text that is not worth a warning. */
#ifndef GF_METADATA_META_TEXT_H
#define GF_METADATA_META_TEXT_H

#include "io/metadata/meta.h"

/*
 * Adds a text, read as UTF-8 if it is valid, else as
 * Latin-1, up to the first zero byte. Ignores empty text.
 */
int gf_meta_text_add_bytes(struct gf_meta *m, const char *key, const void *bytes, size_t size,
                           struct gf_error *err) GF_MUST_CHECK;

/* Returns true for texts that programs write by themselves, such as their name and version. */
bool gf_meta_text_is_trivial(const char *key, const char *value);

#endif
