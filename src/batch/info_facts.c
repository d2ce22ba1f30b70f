/* Finds out what a file is, by its headers and without decoding it. */
#include "batch/info_facts.h"

#include "io/format.h"
#include "io/metadata/exif.h"
#include "io/metadata/icc_name.h"

#include <stdio.h>
#include <string.h>

#define INCHES_PER_METRE 0.0254
#define IPTC_HEAD 5                      /* bytes of the shortest record; fewer are padding */

static void add_block(char *blocks, size_t room, bool there, const char *name)
{
    const size_t used = strlen(blocks);

    if (there)
        snprintf(blocks + used, room - used, "%s%s", used > 0 ? " " : "", name);
}

/* Lists what a recording has besides samples and tags, and finds its markers. */
static int list_extras(struct gf_info_facts *f, struct gf_error *err)
{
    const struct gf_audio_change none = { .timed = true, .step = 1, .end = INT64_MAX, .rate = f->signal.rate };

    for (int i = 0; i < f->meta.extras; i++) {
        const size_t used = strlen(f->blocks);
        char text[80];

        gf_meta_extra_text(&f->meta.extra[i], text, sizeof text);
        if (!f->meta.extra[i].tag && used + strlen(text) + 3 < sizeof f->blocks)
            snprintf(f->blocks + used, sizeof f->blocks - used, "%s%s", used > 0 ? ", " : "", text);
    }
    return f->meta.riff_bytes > 0 ? gf_riff_markers_add(&f->markers, &f->meta, &none, err) : 0;
}

/* Returns true if --strip=gps would remove something. */
static bool has_place(const struct gf_meta *m)
{
    struct gf_meta rest = { 0 };
    struct gf_error ignored = { 0 };
    bool place = gf_exif_has_gps(m->exif, m->exif_bytes);

    if (place || gf_meta_copy(&rest, m, &ignored) != 0)
        return place;
    gf_meta_strip(&rest, GF_STRIP_GPS);
    place = rest.texts < m->texts || rest.iptc_bytes + IPTC_HEAD <= m->iptc_bytes || rest.xmp_bytes != m->xmp_bytes
        || (m->xmp_bytes > 0 && memcmp(rest.xmp, m->xmp, m->xmp_bytes) != 0);
    gf_meta_release(&rest);
    return place;
}

static void list_blocks(struct gf_info_facts *f)
{
    static const char *const chunks[] = { "cICP", "mDCV", "cLLI", "cHRM", "gAMA" };
    const struct gf_meta *m = &f->meta;

    add_block(f->blocks, sizeof f->blocks, m->exif_bytes > 0, "EXIF");
    add_block(f->blocks, sizeof f->blocks, has_place(m), "GPS");
    add_block(f->blocks, sizeof f->blocks, m->xmp_bytes > 0, "XMP");
    add_block(f->blocks, sizeof f->blocks, m->iptc_bytes > 0, "IPTC");
    for (int i = 0; i < GF_COLOUR_CHUNKS; i++)
        add_block(f->blocks, sizeof f->blocks, m->has_chunk[i], chunks[i]);
}

/* Takes the facts of the first signal from its reader, and its metadata. */
static void take_signal(struct gf_info_facts *f, struct gf_reader *r)
{
    const bool turned = r->format.orientation >= 5;  /* the metadata describes the upright image already */

    f->title = strchr(r->title, ',') == NULL ? r->title : "PNM";     /* the others have titles of their own */
    f->format = gf_reader_format_name(r);
    f->signal = r->format;
    f->lossy = r->lossy;
    f->bit_rate = r->bit_rate;
    f->meta = r->meta;
    r->meta = (struct gf_meta) { 0 };
    f->dots[turned] = f->meta.x_per_metre * INCHES_PER_METRE;
    f->dots[!turned] = f->meta.y_per_metre * INCHES_PER_METRE;
    if (f->meta.icc_bytes > 0)
        gf_icc_name(f->meta.icc, f->meta.icc_bytes, f->profile, sizeof f->profile);
    list_blocks(f);
}

/* Counts the frames. Their rate and duration are those of audio, video and animations. */
static int count_frames(struct gf_info_facts *f, struct gf_reader *r, struct gf_error *err)
{
    const int *rate = f->signal.yuv.rate;
    const int64_t estimated = r->estimated_units;

    if (f->signal.kind == GF_AUDIO) {
        f->frames = f->signal.units != GF_UNKNOWN ? f->signal.units : estimated > 0 ? estimated : GF_UNKNOWN;
        f->rate = f->signal.rate;
    } else if (gf_reader_count_images(r, &f->frames, err) != 0) {
        return -1;
    } else if (rate[0] > 0 && rate[1] > 0 && (f->frames != 1 || f->signal.yuv.used)) {
        f->rate = (double)rate[0] / rate[1];
    }
    f->seconds = f->rate > 0 && f->frames != GF_UNKNOWN ? (double)f->frames / f->rate : -1;
    return 0;
}

int gf_info_facts_find(struct gf_info_facts *f, const char *name, const struct gf_read_options *read,
                       struct gf_error *err)
{
    struct gf_reader *r = gf_reader_open(name, read, err);
    int result;

    *f = (struct gf_info_facts) { .name = name };
    if (r == NULL)
        return -1;
    take_signal(f, r);
    result = count_frames(f, r, err) != 0 || list_extras(f, err) != 0 ? -1 : 0;
    gf_reader_close(r);
    return result;
}

void gf_info_facts_release(struct gf_info_facts *f)
{
    gf_riff_markers_release(&f->markers);
    gf_meta_release(&f->meta);
}
