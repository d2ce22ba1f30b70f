/* Finds the format of an input by its content. */
#include "io/reader_content.h"

#include <string.h>

/* Compares the first byte before it needs the others: a pipe may have only one byte so far. */
static int has_signature(struct gf_source *s, const char *signature, struct gf_error *err)
{
    const size_t length = strlen(signature);
    const unsigned char *b;
    size_t at = 0;
    int64_t size = gf_source_peek(s, 1, &b, err);

    if (size < 1 || b[0] != (unsigned char)signature[0])
        return size < 0 ? -1 : 0;
    size = gf_source_peek(s, length, &b, err);
    while (size >= (int64_t)length && at < length && (signature[at] == '*' || b[at] == (unsigned char)signature[at]))
        at++;
    return size < 0 ? -1 : at == length;
}

int gf_content_matches(struct gf_source *s, const struct gf_file_format *f, struct gf_error *err)
{
    int match = f->match != NULL ? f->match(s, err) : 0;

    for (const char *const *signature = f->signature; match == 0 && *signature != NULL; signature++)
        match = has_signature(s, *signature, err);
    return match;
}

int gf_content_find(struct gf_source *s, const struct gf_file_format **found, struct gf_error *err)
{
    *found = NULL;
    for (int i = 0; i < 2 * gf_file_format_count; i++) {
        const struct gf_file_format *f = gf_file_formats[i % gf_file_format_count];
        const bool sure = i < gf_file_format_count;
        const int match = sure ? gf_content_matches(s, f, err) : f->resembles != NULL ? f->resembles(s, err) : 0;

        if (match > 0)
            *found = f;
        if (match != 0)
            return match < 0 ? -1 : 0;
    }
    return 0;
}

bool gf_content_identifies(const struct gf_file_format *f)
{
    return f->match != NULL || f->signature[0] != NULL;
}
