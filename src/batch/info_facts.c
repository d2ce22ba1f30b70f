/* Finds out what a file is, by its headers and without decoding it. */
#include "batch/info_facts.h"

#include "io/format.h"
#include "io/metadata/exif.h"
#include "io/metadata/icc_name.h"

#include <stdio.h>
#include <string.h>

#define INCHES_PER_METRE 0.0254

static void add_block(char *blocks, size_t room, bool there, const char *name)
{
    const size_t used = strlen(blocks);

    if (there)
        snprintf(blocks + used, room - used, "%s%s", used > 0 ? " " : "", name);
}

static void list_blocks(struct gf_info_facts *f)
{
    static const char *const chunks[] = { "cICP", "mDCV", "cLLI", "cHRM", "gAMA" };
    const struct gf_meta *m = &f->meta;

    add_block(f->blocks, sizeof f->blocks, m->exif_bytes > 0, "EXIF");
    add_block(f->blocks, sizeof f->blocks, gf_exif_has_gps(m->exif, m->exif_bytes), "GPS");
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
    result = count_frames(f, r, err);
    gf_reader_close(r);
    return result;
}

void gf_info_facts_release(struct gf_info_facts *f)
{
    gf_meta_release(&f->meta);
}
