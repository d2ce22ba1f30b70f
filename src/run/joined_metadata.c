/* Collects what recordings that are joined, mixed or inserted have besides samples. */
#include "run/joined_metadata.h"

#include "io/formats/audio/audio_extras.h"
#include "io/formats/audio/tags.h"

#include <stdlib.h>
#include <string.h>

/* Adds the markers of a recording whose first frame is frame `at` of the result. */
static int add_markers(struct gf_joined_metadata *j, const struct gf_meta *m, const struct gf_format *f, int64_t at,
                       struct gf_error *err)
{
    const double step = (double)f->rate / j->rate;
    const struct gf_audio_change c = { .timed = true, .start = -(double)at * step, .step = step,
                                       .end = f->units == GF_UNKNOWN ? INT64_MAX : f->units, .moved = true,
                                       .rate = j->rate };

    return m->riff_bytes == 0 ? 0 : gf_riff_markers_add(&j->markers, m, &c, err);
}

int gf_joined_metadata_begin(struct gf_joined_metadata *j, struct gf_reader *first, bool mixed, struct gf_error *err)
{
    *j = (struct gf_joined_metadata) { .meta = first->meta, .name = first->name, .mixed = mixed,
                                       .rate = first->format.rate };
    j->meta.limit = NULL;
    first->meta = (struct gf_meta) { 0 };
    return add_markers(j, &j->meta, &first->format, 0, err);
}

/* Returns true if both recordings have a value of a tag, and these differ. */
static bool differs(const struct gf_joined_metadata *j, const struct gf_meta *m, const char *key)
{
    const char *const first = gf_tags_value(&j->meta, key), *const other = gf_tags_value(m, key);

    return !j->mixed && first != NULL && other != NULL && strcmp(first, other) != 0;
}

/* Returns the name of a recording; NULL if it is the first one, or has its name. */
static const char *other_name(const struct gf_reader *r, const char *first)
{
    return strcmp(r->name, first) != 0 ? r->name : NULL;
}

static bool is_markers(const struct gf_extra *e)
{
    return e->riff && strcmp(e->name, "markers") == 0;
}

/* Adds what the result does not have of another recording, and its markers, which an output may lose, to the extras. */
static int add_extras(struct gf_joined_metadata *j, const struct gf_reader *r, int64_t at, struct gf_error *err)
{
    int result = 0;

    for (int i = 0; i < r->meta.extras && result == 0; i++) {
        struct gf_extra e = r->meta.extra[i];

        if (e.tag)
            continue;
        e.riff = is_markers(&e) && at != GF_UNKNOWN;
        if (is_markers(&r->meta.extra[i]) && at == GF_UNKNOWN) {
            e.name = (char *)"markers after an input of unknown length";
            e.count = 0;
        }
        result = gf_audio_extras_copy(&j->meta, &e, other_name(r, j->name), err);
    }
    return result;
}

int gf_joined_metadata_add(struct gf_joined_metadata *j, const struct gf_reader *r, int64_t at, struct gf_error *err)
{
    const size_t before = j->markers.cue_bytes;

    j->title = j->title || differs(j, &r->meta, "Title");
    j->track = j->track || differs(j, &r->meta, "Track");
    if (add_extras(j, r, at, err) != 0
        || (at != GF_UNKNOWN && add_markers(j, &r->meta, &r->format, at, err) != 0))
        return -1;
    j->others = j->others || j->markers.cue_bytes > before;
    return 0;
}

static void drop_text(struct gf_meta *m, const char *key)
{
    int kept = 0;

    for (int i = 0; i < m->texts; i++) {
        if (strcmp(m->text[i].key, key) != 0) {
            m->text[kept++] = m->text[i];
            continue;
        }
        free(m->text[i].key);
        free(m->text[i].value);
    }
    m->texts = kept;
}

int gf_joined_metadata_end(struct gf_joined_metadata *j, struct gf_notices *n, struct gf_error *err)
{
    if (j->title)
        drop_text(&j->meta, "Title");
    if (j->track)
        drop_text(&j->meta, "Track");
    if (j->title || j->track)
        gf_note(n, "joined-title", j->name, "its %s not the result's, because other inputs have others",
                !j->track ? "title is" : j->title ? "title and track number are" : "track number is");
    return j->others ? gf_riff_markers_set(&j->markers, &j->meta, err) : 0;
}

int gf_joined_metadata_add_late(struct gf_joined_metadata *j, struct gf_reader *r, struct gf_error *err)
{
    int result = 0, more;

    if (r->random)
        return 0;
    gf_meta_release(&r->meta);
    more = gf_reader_next(r, err);
    if (more != 0)
        return more < 0 ? -1 : 0;
    for (int i = 0; i < r->meta.extras && result == 0; i++) {
        struct gf_extra e = r->meta.extra[i];

        e.riff = false;
        result = gf_audio_extras_copy(&j->late, &e, other_name(r, j->name), err);
    }
    return result;
}

void gf_joined_metadata_release(struct gf_joined_metadata *j)
{
    gf_meta_release(&j->late);
    gf_meta_release(&j->meta);
    gf_riff_markers_release(&j->markers);
}

/* ---- another recording in between ---- */

/* Adds the markers of another recording to those that an output may lose, or that are `lost`. */
static int carry_markers(struct gf_reader *to, const struct gf_reader *other, bool lost, struct gf_error *err)
{
    int result = 0;

    for (int i = 0; i < other->meta.extras && result == 0; i++) {
        struct gf_extra e = other->meta.extra[i];

        if (strcmp(e.name, "markers") != 0)
            continue;
        e.riff = e.riff && !lost;
        result = gf_audio_extras_copy(&to->meta, &e, other_name(other, to->name), err);
    }
    return result;
}

/* Adds the markers of frames [first, end) of a recording, which begins at frame `at` of the output. */
static int add_part(struct gf_riff_markers *to, const struct gf_meta *m, int64_t first, int64_t end, int64_t at,
                    int rate, struct gf_error *err)
{
    const struct gf_audio_change c = { .timed = true, .start = -(double)at, .step = 1, .first = first, .end = end,
                                       .cut = true, .moved = true, .rate = rate };

    return first < end ? gf_riff_markers_add(to, m, &c, err) : 0;
}

int gf_joined_metadata_insert(struct gf_reader *r, const struct gf_reader *other, int64_t at, int64_t first, int64_t by,
                              int rate, struct gf_error *err)
{
    const int64_t far = INT64_C(1) << 40, cut = by != 0 ? at : far;
    /* loops before it stay where they are */
    const struct gf_audio_change c = { .timed = true, .start = at == 0 ? -(double)by : 0, .step = 1,
                                       .end = at == 0 ? far : cut, .moved = by != 0, .rate = rate };
    struct gf_riff_markers all = { 0 };
    struct gf_meta *const m = &r->meta;
    const int result = add_part(&all, m, 0, cut, 0, rate, err) != 0
        || (by != 0 && add_part(&all, m, at, far, by, rate, err) != 0)
        || (first >= 0 && add_part(&all, &other->meta, 0, far, first, rate, err) != 0)
        || gf_riff_chunks_apply(m, &c, err) != 0 || gf_riff_markers_set(&all, m, err) != 0
        || carry_markers(r, other, first < 0, err) != 0 ? -1 : 0;

    gf_riff_markers_release(&all);
    return result;
}
