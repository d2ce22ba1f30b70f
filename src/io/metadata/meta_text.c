/* Reads text of unknown encoding, and recognizes text that is not worth a warning. */
#include "io/metadata/meta_text.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Returns the bytes of the UTF-8 character at `b`; 0 if it is invalid. */
static size_t utf8_bytes(const unsigned char *b, size_t size)
{
    const size_t n = b[0] < 0x80 ? 1 : b[0] >= 0xC2 && b[0] < 0xE0 ? 2 : b[0] >= 0xE0 && b[0] < 0xF0 ? 3
                     : b[0] >= 0xF0 && b[0] < 0xF5 ? 4 : 0;

    if (n > size)
        return 0;
    for (size_t i = 1; i < n; i++)
        if ((b[i] & 0xC0) != 0x80)
            return 0;
    return n;
}

static bool is_utf8(const unsigned char *b, size_t size)
{
    for (size_t at = 0, n; at < size; at += n) {
        n = utf8_bytes(b + at, size - at);
        if (n == 0)
            return false;
    }
    return true;
}

int gf_meta_text_add_bytes(struct gf_meta *m, const char *key, const void *bytes, size_t size, struct gf_error *err)
{
    const unsigned char *b = bytes;
    const bool as_is = is_utf8(b, size);
    char *text, *to;
    int result;

    if (gf_meta_check_room(m, size, err) != 0)
        return -1;
    text = to = malloc(2 * size + 1);
    if (text == NULL)
        return gf_fail_memory(err, m->limit != NULL ? m->limit->name : NULL);
    for (size_t i = 0; i < size && b[i] != 0; i++) {
        if (b[i] >= 0x80 && !as_is)
            *to++ = (char)(0xC0 | b[i] >> 6);
        *to++ = (char)(b[i] >= 0x80 && !as_is ? 0x80 | (b[i] & 0x3F) : b[i]);
    }
    *to = '\0';
    result = to > text ? gf_meta_add_text(m, key, text, err) : 0;
    free(text);
    return result;
}

static bool begins(const char *text, const char *with)
{
    return strncasecmp(text, with, strlen(with)) == 0;
}

bool gf_meta_text_is_trivial(const char *key, const char *value)
{
    static const char *const keys[] = {
        "date:", "png:", "exif:", "tiff:", "xmp:", "icc:", "jpeg:", "Thumb::", "Raw profile type "
    };
    static const char *const whole[] = { "Software", "signature", "Creation Time" };
    static const char *const comments[] = { "CREATOR:",         "Created with ", "Lavc",   "LEAD Technologies",
                                            "File written by ", "File source:",  "ImageJ=" };

    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (begins(key, keys[i]))
            return true;
    for (size_t i = 0; i < sizeof whole / sizeof *whole; i++)
        if (strcasecmp(key, whole[i]) == 0)
            return true;
    for (size_t i = 0;
         (strcmp(key, "Comment") == 0 || strcmp(key, "Description") == 0) && i < sizeof comments / sizeof *comments;
         i++)
        if (begins(value, comments[i]))
            return true;
    return false;
}
