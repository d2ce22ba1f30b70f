/* Collects data of an audio file that the output may lose: all except samples and known tags. */
#include "io/formats/audio/audio_extras.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define MOST_NAME 40

static bool is_of(const struct gf_extra *e, const char *file)
{
    return e->file == file || (e->file != NULL && file != NULL && strcmp(e->file, file) == 0);
}

int gf_audio_extras_copy(struct gf_meta *m, const struct gf_extra *e, const char *file, struct gf_error *err)
{
    struct gf_extra *more;

    for (int i = 0; i < m->extras; i++)
        if (m->extra[i].tag == e->tag && is_of(&m->extra[i], file) && strcasecmp(m->extra[i].name, e->name) == 0) {
            if (__builtin_add_overflow(m->extra[i].count, e->count, &m->extra[i].count))
                m->extra[i].count = INT_MAX;
            return 0;
        }
    if (m->extras >= GF_MOST_EXTRAS)
        return 0;
    more = realloc(m->extra, ((size_t)m->extras + 1) * sizeof *more);
    if (more == NULL)
        return gf_fail_memory(err, NULL);
    m->extra = more;
    more += m->extras;
    *more = *e;
    more->name = strdup(e->name);
    more->file = file != NULL ? strdup(file) : NULL;
    m->extras += more->name != NULL && (more->file != NULL || file == NULL);
    if (more < m->extra + m->extras)
        return 0;
    free(more->name);
    free(more->file);
    return gf_fail_memory(err, NULL);
}

static int add_extra(struct gf_meta *m, const char *name, int count, bool tag, struct gf_error *err)
{
    const struct gf_extra e = { .name = (char *)name, .count = count, .tag = tag };

    return gf_audio_extras_copy(m, &e, NULL, err);
}

int gf_audio_extras_add(struct gf_meta *m, const char *name, int count, struct gf_error *err)
{
    return add_extra(m, name, count, false, err);
}

/*
 * Returns true for tags that name an encoder or the container that the audio came from: losing them
 * does no harm.
 */
static bool names_encoder(const char *name)
{
    static const char *const noise[] = {
        "encoder", "encoded-by", "encoded_by", "encoder_options", "encodersettings", "vendor", "tool", "major_brand",
        "minor_version",
        "compatible_brands", "handler_name", "waveformatextensible_channel_mask",
    };

    for (size_t i = 0; i < sizeof noise / sizeof *noise; i++)
        if (strcasecmp(name, noise[i]) == 0)
            return true;
    return *name == '\0';
}

int gf_audio_extras_add_tag(struct gf_meta *m, const void *name, size_t size, struct gf_error *err)
{
    const unsigned char *b = name;
    char text[MOST_NAME + 4];
    size_t n = 0;

    for (; n < size && n < MOST_NAME && b[n] != 0; n++)
        text[n] = b[n] >= 0x20 && b[n] < 0x7F ? (char)b[n] : '?';
    text[n] = '\0';
    if (n == MOST_NAME && n < size)
        strcpy(text + n, "...");
    return names_encoder(text) ? 0 : add_extra(m, text, 1, true, err);
}
