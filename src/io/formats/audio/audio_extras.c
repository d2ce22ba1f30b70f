/* Collects data of an audio file that the output may lose: all except samples and known tags. */
#include "io/formats/audio/audio_extras.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define MOST_NAME 40

static int add_extra(struct gf_meta *m, const char *name, int count, bool tag, struct gf_error *err)
{
    struct gf_extra *more;

    for (int i = 0; i < m->extras; i++)
        if (m->extra[i].tag == tag && strcasecmp(m->extra[i].name, name) == 0) {
            if (__builtin_add_overflow(m->extra[i].count, count, &m->extra[i].count))
                m->extra[i].count = INT_MAX;
            return 0;
        }
    if (m->extras >= GF_MOST_EXTRAS)
        return 0;
    more = realloc(m->extra, ((size_t)m->extras + 1) * sizeof *more);
    if (more == NULL)
        return gf_fail_memory(err, NULL);
    m->extra = more;
    more[m->extras] = (struct gf_extra) { .name = strdup(name), .count = count, .tag = tag };
    if (more[m->extras].name == NULL)
        return gf_fail_memory(err, NULL);
    m->extras++;
    return 0;
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
