/*
 * Copies metadata from an input to its outputs: corrects it for the result, and names what an
 * output cannot store.
 */
#include "run/output_metadata.h"

#include "io/format.h"
#include "io/metadata/description.h"
#include "io/metadata/exif.h"
#include "io/metadata/meta_text.h"
#include "io/metadata/profile.h"
#include "io/metadata/riff_chunks.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define MOST_KEYS 3                      /* most text keys that a warning names */

/* Returns the origin of metadata that is made now. An aspect of 0 leaves that of the pixels unchanged. */
static struct gf_meta_origin origin_of(const struct gf_reader *r, const struct gf_output_of *o)
{
    const struct gf_format *in = &r->format, *out = &o->binding->exit[o->exit].format;
    struct gf_meta_origin origin = { .number = r->meta_number, .width = o->tile != NULL ? o->tile->width : out->width,
                                     .units = o->tile != NULL ? o->tile->height : out->units,
                                     .srgb = r->icc != NULL };

    origin.settled = o->binding->words > 0 || in->orientation != 0 || out->width != in->width
                   || out->units != in->units;
    if (!in->yuv.used)                           /* video_checks.c handles the pixel aspect of video */
        memcpy(origin.aspect, out->yuv.aspect, sizeof origin.aspect);
    return origin;
}

static bool is_same_origin(const struct gf_meta_origin *a, const struct gf_meta_origin *b)
{
    return a->number == b->number && a->number != 0 && a->width == b->width && a->units == b->units
        && memcmp(a->aspect, b->aspect, sizeof a->aspect) == 0 && a->settled == b->settled && a->srgb == b->srgb;
}

static struct gf_change change_of(const struct gf_reader *r, const struct gf_output_of *o, bool changed)
{
    const struct gf_binding *binding = o->binding;
    const struct gf_exit *exit = &binding->exit[o->exit];
    const struct gf_original *whole = &r->format.original;
    const int64_t read = r->options != NULL ? r->options->images : 0;
    struct gf_change c = { .changed = changed, .in = r->format, .out = *o->stored };

    c.revalued = r->meta.recoded || exit->revalued;
    c.to_file = gf_binding_map(binding, exit->links, false);
    c.to_input = gf_binding_map(binding, exit->links, true);
    if (o->tile != NULL) {
        const struct gf_affine shift = { .xx = 1, .yy = 1, .cx = (double)o->tile->left,
                                          .cy = (double)o->tile->top };

        c.to_file = gf_affine_join(&shift, &c.to_file);
        c.to_input = gf_affine_join(&shift, &c.to_input);
        c.out.width = o->tile->width;
        c.out.units = o->tile->height;
    }
    c.file_width = whole->width > 0 ? whole->width : r->format.width;
    c.file_height = whole->width > 0 ? whole->units : r->format.units;
    c.images_in = r->meta.images != 0 ? r->meta.images : 1;
    c.images = o->writer->options.numbered ? 1 : read > 0 && read < c.images_in ? read : c.images_in;
    return c;
}

/* Reduces the frames of the file that are in the result to those that a link keeps. Returns false if it cannot tell. */
static bool follow_times(struct gf_audio_change *c, const struct gf_binding *binding, int i)
{
    const struct gf_link *link = &binding->link[i];
    const struct gf_affine map = gf_binding_map(binding, i + 1, false);
    double last;

    c->start = map.cy;
    c->step = map.yy;
    c->moved = c->moved || c->start != 0 || c->step != 1 || link->out.units != link->in.units
               || link->out.rate != link->in.rate;
    if (!c->moved)
        return true;
    if (c->step <= 0 || link->in.units < 0 || link->out.units < 0)
        return false;
    last = c->start + (double)link->out.units * c->step;
    if (c->start > (double)c->first)
        c->first = (int64_t)ceil(c->start);
    if (ceil(last) < (double)c->end) {
        c->end = (int64_t)ceil(last);
        c->cut = true;
    }
    return true;
}

/* Lets a change of a part of the recording in a file be one of the file. */
static void follow_part(struct gf_audio_change *c, const struct gf_reader_part *part, int64_t units)
{
    if (!part->cut)
        return;
    c->moved = true;
    c->timed = c->timed && part->timed && units != GF_UNKNOWN;
    c->cut = c->cut || !part->last;
    c->start += (double)part->start;
    c->first += part->start;
    c->end += part->start;
}

/* Adds what readers have done to the recording. */
static void follow_reader(struct gf_audio_change *c, const struct gf_reader *r)
{
    if (r->changed != NULL) {
        c->timed = c->timed && r->changed->timed;
        c->remixed = c->remixed || r->changed->remixed;
        c->revalued = c->revalued || r->changed->revalued;
    }
    c->moved = c->moved || !c->timed;
    follow_part(c, &r->part, r->format.units);
}

struct gf_audio_change gf_output_metadata_audio(const struct gf_binding *binding, int exit, const struct gf_reader *r)
{
    const struct gf_exit *e = &binding->exit[exit];
    struct gf_audio_change c = { .timed = true, .step = 1, .end = binding->in.units, .rate = e->format.rate,
                                 .revalued = e->links > 0 && e->revalued };

    for (int i = 0; i < e->links; i++) {
        const struct gf_link *link = &binding->link[i];
        const struct gf_stage *stage = link->word >= 0 ? binding->chain->word[link->word].stage[GF_AUDIO] : NULL;

        c.remixed = c.remixed || stage == NULL || stage->remixes || link->in.channels != link->out.channels;
        if (link->kind == GF_LINK_OP && link->op->map == NULL && (stage == NULL || !stage->keeps_times))
            c.timed = false;
        c.timed = c.timed && follow_times(&c, binding, i);
    }
    follow_reader(&c, r);
    c.moved = c.moved || (r->assembled && binding->in.units != GF_UNKNOWN);
    c.revalued = c.revalued || r->assembled;
    return c;
}

/* The parts of an image's metadata to leave out. If the output gets none at all, that makes no difference. */
static unsigned stripped_parts(const struct gf_write_options *o)
{
    return o->strip && o->keep_profile ? GF_STRIP_ALL & ~(unsigned)GF_STRIP_ICC : o->strip_parts;
}

int gf_output_metadata_follow(struct gf_reader *to, const struct gf_reader *from, const struct gf_binding *binding,
                              struct gf_audio_change *change, struct gf_error *err)
{
    struct gf_audio_change c = { .timed = true, .step = 1, .end = from->format.units, .rate = from->format.rate };

    if (binding != NULL)
        c = gf_output_metadata_audio(binding, 0, from);
    else
        follow_reader(&c, from);
    gf_meta_release(&to->meta);
    if (gf_meta_copy(&to->meta, &from->meta, err) != 0)
        return -1;
    *change = (struct gf_audio_change) { .timed = c.timed, .step = 1, .end = -1, .rate = c.rate, .remixed = c.remixed,
                                         .revalued = c.revalued };
    to->changed = change;
    c.revalued = false;                          /* levels are dropped, with a warning, when the result is written */
    return c.timed && c.moved ? gf_riff_chunks_apply(&to->meta, &c, err) : 0;
}

int gf_output_metadata_next(struct gf_reader *to, struct gf_reader *from, struct gf_error *err)
{
    int more;

    gf_meta_release(&from->meta);
    more = gf_reader_next(from, err);
    if (more != 0)
        return more;
    gf_meta_release(&to->meta);
    to->meta = from->meta;
    to->meta.limit = NULL;
    from->meta = (struct gf_meta) { 0 };
    return 0;
}

int gf_output_metadata_make(struct gf_meta *to, const struct gf_reader *r, const struct gf_output_of *output,
                            struct gf_error *err)
{
    const struct gf_meta_origin origin = origin_of(r, output);
    struct gf_change change;

    if (is_same_origin(&to->origin, &origin)) {
        to->parts |= r->meta.parts;
        to->shown = gf_reader_shown(r);
        return 0;
    }
    gf_meta_release(to);
    if (gf_meta_copy(to, &r->meta, err) != 0)
        return -1;
    to->shown = gf_reader_shown(r);
    if (r->format.kind != GF_IMAGE) {
        gf_meta_strip(to, output->writer->options.strip_parts);
        return 0;
    }
    change = change_of(r, output, origin.settled);
    if (origin.srgb)
        gf_exif_set_srgb(to->exif, to->exif_bytes);
    gf_meta_settle_scale(to, &change, origin.aspect);
    if ((origin.settled && gf_meta_settle(to, &change, err) != 0) || gf_description_settle(to, &change, err) != 0)
        return -1;
    gf_meta_strip(to, stripped_parts(&output->writer->options));
    to->origin = origin;
    return 0;
}

/*
 * Returns true if `w` passes samples to another program or a raw file, which is the use of formats
 * without metadata.
 */
static bool passes_samples(const struct gf_writer *w)
{
    return w->ops->bare == GF_BARE_ALWAYS || (w->ops->bare == GF_BARE_PIPED && w->standard);
}

/* ---- warnings ---- */

struct item_list {
    char text[200];
    int count;
};

/* Adds to "a, b"; gf_output_metadata_warn() turns the last comma into "and". */
static void add_item(struct item_list *l, const char *item)
{
    const size_t used = strlen(l->text);

    if (used + strlen(item) + 3 > sizeof l->text)
        return;
    snprintf(l->text + used, sizeof l->text - used, "%s%s", l->count > 0 ? ", " : "", item);
    l->count++;
}

/* Lists the keys of lost texts, as in "texts (Title, Author)". */
static void add_texts(struct item_list *l, const struct gf_meta *m, const struct gf_writer *w)
{
    char item[120] = "";
    int lost = 0;

    for (int i = 0; i < m->texts; i++) {
        const struct gf_text *t = &m->text[i];
        const size_t used = strlen(item);

        if (gf_meta_text_is_trivial(t->key, t->value) || (w->ops->keeps_text != NULL && w->ops->keeps_text(t))
            || (m->exif_bytes <= w->ops->exif_bytes && gf_exif_repeats(m->exif, m->exif_bytes, t->key, t->value)))
            continue;
        if (lost++ < MOST_KEYS)
            snprintf(item + used, sizeof item - used, "%s%.30s", used > 0 ? ", " : "", t->key);
    }
    if (lost > MOST_KEYS)
        snprintf(item + strlen(item), sizeof item - strlen(item), ", ...");
    if (lost > 0) {
        char texts[160];

        snprintf(texts, sizeof texts, "%s (%s)", lost == 1 ? "text" : "texts", item);
        add_item(l, texts);
    }
}

static void warn_blocks(const struct gf_meta *m, const struct gf_reader *r, const struct gf_writer *w)
{
    const struct gf_writer_ops *o = w->ops;
    const bool exif = m->exif_bytes > o->exif_bytes && !gf_exif_is_trivial(m->exif, m->exif_bytes);
    struct item_list lost = { "", 0 };

    if (exif && o->exif_bytes == 0)
        add_item(&lost, "EXIF");
    if (m->xmp_bytes > 0 && o->xmp_bytes == 0)
        add_item(&lost, "XMP");
    if (m->iptc_bytes > 0 && o->iptc_bytes == 0)
        add_item(&lost, "IPTC");
    add_texts(&lost, m, w);
    if (lost.count > 0)
        gf_warn(r->notices, NULL, r->name, "metadata is lost, because %s cannot store it: %s; --strip drops all "
                "metadata without a warning",
                o->name, lost.text);
    if (m->dropped[0] != '\0')
        gf_warn(r->notices, NULL, r->name, "its %s metadata is lost, because gpufilter does not read it from TIFF; "
                "--strip drops all metadata", m->dropped);
    lost = (struct item_list) { "", 0 };
    if (exif && o->exif_bytes > 0)
        add_item(&lost, "EXIF");
    if (m->xmp_bytes > o->xmp_bytes && o->xmp_bytes > 0)
        add_item(&lost, "XMP");
    if (m->iptc_bytes > o->iptc_bytes && o->iptc_bytes > 0)
        add_item(&lost, "IPTC");
    if (lost.count > 0)
        gf_warn(r->notices, NULL, r->name, "metadata is lost, because it is too long for %s: %s; png stores "
                "more", o->name, lost.text);
}

static void warn_shape(const struct gf_meta *m, const struct gf_reader *r, const struct gf_writer *w)
{
    int aspect[2] = { 1, 1 };

    gf_meta_pixel_shape(m, aspect);
    if (!w->ops->pixel_shape && aspect[0] != aspect[1])
        gf_warn(r->notices, "pixel-shape", r->name, "its pixels are not square (%d:%d), and %s cannot store that; "
                "resize makes them square",
                aspect[0], aspect[1], w->ops->name);
}

static void warn_parts(unsigned lost, const struct gf_reader *r)
{
    static const struct {
        enum gf_meta_part part;
        const char *kind, *text;
    } parts[] = {
        { GF_PART_GAIN_MAP, "gain-map", "its gain map is lost; the result has standard dynamic range" },
        { GF_PART_IMAGES, "further-images", "further images in the file, such as depth or a gain map, are lost; only "
          "the main one is read" },
        { GF_PART_VIDEO, "motion-photo", "the video of this motion photo is lost; only the image is read" },
        { GF_PART_CREDENTIALS, "credentials", "its content credentials (C2PA) are lost, because they "
          "are valid only for the bytes of the input" },
        { GF_PART_EXTENDED_XMP, "extended-xmp", "its extended XMP is lost; the main part of XMP is kept where the "
          "format stores it" },
        { GF_PART_PATHS, "paths", "its clipping paths are lost; gpufilter does not read them" },
        { GF_PART_LONG_TEXT, "long-text", "some of its texts are lost: they are damaged, longer than 256 KB, or "
          "beyond the first 1000" },
        { GF_PART_PROFILE, "damaged-profile", "its color profile is damaged and is dropped; the samples are taken "
          "as sRGB" },
        { GF_PART_REPEATED, "repeated-metadata", "has several color profiles or XMP packets; only the first of each "
          "is kept" },
        { GF_PART_LATE, "late-metadata", "metadata after the image is lost, because a pipe delivers it too "
          "late; -i FILE keeps it" },
        { GF_PART_EXIF, "damaged-exif",
          "its EXIF is damaged and is dropped; its thumbnail cannot be separated from the "
          "rest" },
        { GF_PART_SOME_EXIF, "some-exif", "some of its EXIF is damaged and is lost" },
        { GF_PART_XMP, "xmp-place", "its XMP is dropped, because the place cannot be separated from the rest" },
        { GF_PART_IMAGEJ, "imagej", "its ImageJ description is dropped, because it does not match the images of the "
          "output" },
        { GF_PART_OME, "ome", "its OME-XML is dropped, because it describes images that are not in the result, or in "
          "another order" },
        { GF_PART_VALUES, "value-calibration", "its calibration of sample values (ImageJ) is dropped, because the "
          "result has other values" },
        { GF_PART_POSITIONS, "origin", "its origin (ImageJ) is dropped, because the image was rotated or mirrored" },
        { GF_PART_FACES, "faces", "face regions in its XMP are dropped, because the image was cropped, padded, "
          "rotated or mirrored" },
        { GF_PART_ROI, "roi", "its regions of interest (OME-XML) are dropped, because the image was resized, cropped, "
          "padded, rotated or mirrored" },
        { GF_PART_STAGE, "stage-positions", "its microscope stage positions (OME-XML) are dropped, because the image "
          "was cropped, padded, rotated or mirrored" },
        { GF_PART_SCALE, "scale", "the size of its pixels is dropped: they are not square and were rotated, or "
          "differ after a warp" },
        { GF_PART_PANORAMA, "panorama", "its panorama data is dropped, because the result is not an upright part "
          "of the panorama" },
    };

    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if ((lost & parts[i].part) != 0)
            gf_warn(r->notices, parts[i].kind, r->name, "%s", parts[i].text);
}

/* Returns true if the same warnings were given for an earlier frame, and remembers that they are given. */
static bool has_warned(struct gf_meta *m, const struct gf_reader *r, const struct gf_writer *w,
                       const struct gf_format *out)
{
    struct gf_meta_origin *o = &m->origin;
    const int in = gf_colours(&r->format), result = gf_colours(out);
    const bool same = o->warned == w->ops && o->colours_in == in && o->colours_out == result && o->parts == m->parts;

    o->warned = w->ops;
    o->colours_in = in;
    o->colours_out = result;
    o->parts = m->parts;
    return same;
}

void gf_output_metadata_warn(struct gf_meta *m, const struct gf_reader *r, const struct gf_writer *w,
                             const struct gf_format *out)
{
    const unsigned stripped = (w->options.strip_parts & GF_STRIP_EXIF) != 0 ? GF_PART_SOME_EXIF : 0;

    if (r->format.kind != GF_IMAGE || w->ops->kind != GF_IMAGE || w->ops->table != NULL
        || (w->options.strip && !w->options.keep_profile)
        || gf_writer_is_terminal(w->options.to) || has_warned(m, r, w, out))
        return;
    gf_profile_warn(m, r, w, out);
    if (passes_samples(w) || w->options.strip)
        return;
    warn_blocks(m, r, w);
    warn_shape(m, r, w);
    warn_parts(m->parts & ~stripped, r);
}
