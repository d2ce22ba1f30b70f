/* FFmpeg's filters, as -vf and -af take them, translated to stages. */
#include "chain/foreign_ffmpeg.h"

#include <stdio.h>
#include <string.h>

static bool split_arguments(const char *text, struct gf_foreign_arguments *a)
{
    a->count = 0;
    while (text != NULL && *text != '\0') {
        const size_t length = strcspn(text, ":"), key = strcspn(text, "=");
        const bool keyed = key < length;

        if (a->count == GF_FOREIGN_ARGUMENTS || length >= 128 || (keyed && key >= 32))
            return false;
        snprintf(a->key[a->count], 32, "%.*s", keyed ? (int)key : 0, text);
        snprintf(a->value[a->count], 128, "%.*s", (int)(keyed ? length - key - 1 : length), keyed ? text + key + 1
                 : text);
        a->count++;
        text = text[length] == ':' ? text + length + 1 : NULL;
    }
    return true;
}

/* True if `key` is one of `names`, which are separated by bars. */
static bool is_one_of(const char *key, const char *names)
{
    const size_t length = strlen(key);

    for (; names != NULL; names = strchr(names, '|') != NULL ? strchr(names, '|') + 1 : NULL)
        if (strcspn(names, "|") == length && strncmp(names, key, length) == 0)
            return true;
    return false;
}

const char *gf_foreign_argument(const struct gf_foreign_arguments *a, const char *keys, int place)
{
    for (int i = 0; i < a->count; i++)
        if (a->key[i][0] != '\0' ? is_one_of(a->key[i], keys) : i == place)
            return a->value[i];
    return NULL;
}

bool gf_foreign_argument_number(const struct gf_foreign_arguments *a, const char *keys, int place, double by_default,
                                double *number)
{
    const char *value = gf_foreign_argument(a, keys, place);

    *number = by_default;
    return value == NULL || gf_foreign_number(value, number);
}

static const struct gf_foreign_filter *find_filter(const struct gf_foreign_filter *row, const char *name, size_t length)
{
    while (row->name != NULL && (strlen(row->name) != length || strncmp(row->name, name, length) != 0))
        row++;
    return row->name != NULL ? row : NULL;
}

bool gf_foreign_ffmpeg_has(const char *name, size_t length)
{
    return find_filter(gf_foreign_image_filters, name, length) != NULL
        || find_filter(gf_foreign_audio_filters, name, length) != NULL;
}

bool gf_foreign_ffmpeg(const char *filter, struct gf_foreign_words *words)
{
    const struct gf_foreign_filter *tables[] = { gf_foreign_image_filters, gf_foreign_audio_filters };
    const size_t length = strcspn(filter, "=:"), used = strlen(words->text);
    struct gf_foreign_arguments a;

    if (!split_arguments(filter[length] != '\0' ? filter + length + 1 : NULL, &a))
        return false;
    for (int i = 0; i < 2; i++) {
        const struct gf_foreign_filter *row = find_filter(tables[i], filter, length);

        if (row != NULL && row->translate(&a, words))
            return true;
        words->text[used] = '\0';
    }
    return false;
}
