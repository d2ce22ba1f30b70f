/*
 * Warns about data of an audio file that the output does
 * not store: tags, cover art and the like, loudspeakers.
 */
#define _GNU_SOURCE
#include "io/metadata/audio_loss.h"

#include "io/channels.h"
#include "io/formats/audio/tags.h"
#include "io/metadata/riff_chunks.h"

#include <stdio.h>
#include <string.h>

#define SHOWN 4                          /* names in a warning; the rest is counted */
#define NOTED_SHARE 0.75                 /* a result with less of the input's bit rate is noted */

struct line {
    char text[400];
    size_t length;
    int count;
};

/* Appends a name to a list such as "a, b and c". `left` names follow this one. */
static void append(struct line *l, const char *name, int left)
{
    const char *before = l->count == 0 ? "" : left > 0 ? ", " : " and ";

    l->count++;
    if (l->length + strlen(before) + strlen(name) + 1 < sizeof l->text)
        l->length += (size_t)snprintf(l->text + l->length, sizeof l->text - l->length, "%s%s", before, name);
}

bool gf_audio_loss_keeps_riff(const struct gf_writer *w, const struct gf_meta *m)
{
    return m->riff_bytes > 0 && w->ops->riff;
}

static bool keeps_extra(const struct gf_writer *w, const struct gf_extra *e)
{
    return w->ops->riff && e->riff && gf_riff_chunks_keeps(e->needs, &w->change);
}

/* Returns true if an item comes from a file; NULL: from that of the reader. */
static bool is_of(const struct gf_extra *e, const char *file)
{
    return e->file == file || (e->file != NULL && file != NULL && strcmp(e->file, file) == 0);
}

/* Returns the name of the next lost tag of a file from index *at, which advances; NULL after the last. */
static const char *lost_tag(const struct gf_reader *r, const struct gf_writer *w, const char *file, int *at)
{
    const struct gf_meta *m = &r->meta;

    for (; *at < m->texts && file == NULL; ++*at)
        if (gf_tags_loses(w->ops, m, m->text[*at].key))
            return m->text[(*at)++].key;
    for (*at = *at < m->texts ? m->texts : *at; *at < m->texts + m->extras; ++*at) {
        const struct gf_extra *const e = &m->extra[*at - m->texts];

        if (e->tag && is_of(e, file) && !keeps_extra(w, e)) {
            ++*at;
            return e->name;
        }
    }
    return NULL;
}

static void warn_tags(const struct gf_reader *r, const struct gf_writer *w, const char *file, bool late)
{
    struct line line = { .length = 0 };
    int all = 0, at = 0, shown;
    char others[30];
    const char *name;

    while (lost_tag(r, w, file, &at) != NULL)
        all++;
    if (all == 0)
        return;
    shown = all <= SHOWN + 1 ? all : SHOWN;
    at = 0;
    for (int i = 0; i < shown && (name = lost_tag(r, w, file, &at)) != NULL; i++)
        append(&line, name, all - i - 1);
    if (all > shown) {
        snprintf(others, sizeof others, "%d more", all - shown);
        append(&line, others, 0);
    }
    if (late)
        gf_warn(r->notices, NULL, file != NULL ? file : r->name,
                "tags lost: %s, which come after the audio; read a file instead of a pipe to keep them", line.text);
    else
        gf_warn(r->notices, NULL, file != NULL ? file : r->name,
                "tags lost: %s; --strip drops all tags without a warning", line.text);
}

static void warn_things(const struct gf_reader *r, const struct gf_writer *w, const char *file)
{
    const struct gf_meta *m = &r->meta;
    struct line line = { .length = 0 };
    int all = 0, left;

    for (int i = 0; i < m->extras; i++)
        all += !m->extra[i].tag && is_of(&m->extra[i], file) && !keeps_extra(w, &m->extra[i]);
    left = all < 8 ? all : 8;
    for (int i = 0; i < m->extras && left > 0; i++) {
        const struct gf_extra *e = &m->extra[i];
        char name[80];

        if (e->tag || !is_of(e, file) || keeps_extra(w, e))
            continue;
        gf_meta_extra_text(e, name, sizeof name);
        append(&line, name, --left);
    }
    if (all > 0)
        gf_warn(r->notices, NULL, file != NULL ? file : r->name,
                "lost: %s; --strip drops such data without a warning", line.text);
}

/* Names the chunks that state levels which are not those of the output. */
static void warn_levels(const struct gf_reader *r, const struct gf_writer *w)
{
    const unsigned found = gf_audio_loss_keeps_riff(w, &r->meta) ? gf_riff_chunks_levels(&r->meta, &w->change) : 0;
    struct line line = { .length = 0 };

    for (int i = 0; i < GF_RIFF_LEVELS; i++)
        if ((found & 1u << i) != 0)
            append(&line, gf_riff_level_names[i], (int)(found >> (i + 1)));
    if (found != 0)
        gf_warn(r->notices, "levels", r->name, "its stated loudness (%s) is dropped, because it is not that of the "
                "result; --strip drops such data without a warning", line.text);
}

void gf_audio_loss_warn_layout(const struct gf_reader *r, const struct gf_writer *w, int channels)
{
    const struct gf_speaker_layout *l = &r->meta.layout;
    const bool same = channels == l->channels;

    if (l->channels == 0 || w->ops->kind != GF_AUDIO || w->ops->bare == GF_BARE_ALWAYS || (same && w->ops->riff))
        return;
    if (l->other)
        gf_warn(r->notices, NULL, r->name,
                "its special channels, ambisonics for example, become ordinary ones; "
                "only a WAV with the same number of channels can store their kind");
    else if (same && l->mask != 0 && !gf_channels_same_mask(l->mask, gf_channels_mask(channels)))
        gf_warn(r->notices, NULL, r->name,
                "its loudspeaker positions (mask 0x%X) are lost, because %s cannot store them; WAV can",
                (unsigned)l->mask, w->ops->name);
}

/* Notes a result that a lossy codec stores in fewer bits a channel than the input had. */
static void note_bit_rate(const struct gf_reader *r, const struct gf_writer *w)
{
    const double had = r->bit_rate / r->format.channels, has = w->bit_rate / w->format.channels;

    if (w->options.quality == 0 && has > 0 && has < NOTED_SHARE * had)
        gf_note(r->notices, "bit-rate", w->name, "%s has %.0f kbit/s, the result %.0f; --quality 80 or more keeps more "
                "of the audio", r->name, r->bit_rate / 1000, w->bit_rate / 1000);
}

void gf_audio_loss_warn(const struct gf_reader *r, const struct gf_writer *w, bool late)
{
    note_bit_rate(r, w);
    if (w->options.strip || w->ops->kind != GF_AUDIO || w->ops->bare == GF_BARE_ALWAYS)
        return;
    warn_things(r, w, NULL);
    warn_levels(r, w);
    warn_tags(r, w, NULL, late);
    for (int i = 0; i < r->meta.extras; i++) {
        const char *const file = r->meta.extra[i].file;
        bool done = file == NULL;

        for (int k = 0; k < i; k++)
            done = done || is_of(&r->meta.extra[k], file);
        if (done)
            continue;
        warn_things(r, w, file);
        warn_tags(r, w, file, late);
    }
}
