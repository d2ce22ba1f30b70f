/*
 * Reads JPEG through libjpeg, row by row, from files and pipes. A stream may have several images.
 * Built if HAVE_JPEG.
 */
#include "io/formats/jpeg/jpeg_reader.h"

#include "base/words.h"
#include "io/format.h"
#include "io/limits.h"
#include "io/metadata/icc.h"

#include <stdlib.h>
#include <string.h>

/* A file with more scans is an attack: decoding it would take very long. */
#define MOST_SCANS 100
#define ROWS_AT_ONCE 16

/* Arguments of a call that runs under setjmp(). */
struct read_call {
    struct gf_reader *reader;
    unsigned char *units;
    int64_t count;
};

/* Runs `body`. Returns -1 if libjpeg fails, which jumps back here. */
static int64_t run_guarded(int64_t (*body)(struct gf_jpeg_in *p, struct read_call *w), struct gf_jpeg_in *p,
                           struct read_call *w, struct gf_error *err)
{
    p->errors.err = err;
    return setjmp(p->errors.home) != 0 ? -1 : body(p, w);
}

/* ---- bytes ---- */

static void feed_begin(j_decompress_ptr d)
{
    (void)d;
}

/* Advances the source by the bytes that libjpeg has used. */
static void consume_used(struct gf_jpeg_in *p)
{
    const size_t used = p->lent - p->feed.bytes_in_buffer;

    if (!p->errors.cut && used > 0 && gf_source_skip(p->source, (int64_t)used, p->errors.err) < 0)
        gf_jpeg_leave(&p->errors);
    p->lent = p->feed.bytes_in_buffer = 0;
}

static boolean feed_fill(j_decompress_ptr d)
{
    static const JOCTET end[] = { 0xFF, JPEG_EOI };
    struct gf_jpeg_in *p = d->client_data;
    const unsigned char *bytes;
    int64_t got;

    p->feed.bytes_in_buffer = 0;         /* libjpeg has used all of it, but may not have updated the count */
    consume_used(p);
    if (p->keeps_data && p->options.max_bytes > 0 && p->source->position - p->begin > p->options.max_bytes) {
        gf_fail_limit(p->errors.err, p->errors.name, "", 0, p->options.max_bytes, "--max-memory");
        gf_jpeg_leave(&p->errors);
    }
    got = p->errors.cut ? 0 : gf_source_peek(p->source, 1, &bytes, p->errors.err);
    if (got < 0)
        gf_jpeg_leave(&p->errors);
    p->errors.cut = p->errors.cut || got == 0;
    p->feed.next_input_byte = p->errors.cut ? end : bytes;
    p->feed.bytes_in_buffer = p->lent = p->errors.cut ? sizeof end : (size_t)got;
    return TRUE;
}

static void feed_skip(j_decompress_ptr d, long count)
{
    struct gf_jpeg_in *p = d->client_data;
    int64_t left = count, skipped;

    if (count <= 0)
        return;
    if ((size_t)count <= p->feed.bytes_in_buffer) {
        p->feed.next_input_byte += count;
        p->feed.bytes_in_buffer -= (size_t)count;
        return;
    }
    left -= (int64_t)p->feed.bytes_in_buffer;
    p->feed.bytes_in_buffer = 0;
    consume_used(p);
    skipped = p->errors.cut ? left : gf_source_skip(p->source, left, p->errors.err);
    if (skipped < 0)
        gf_jpeg_leave(&p->errors);
}

static void feed_end(j_decompress_ptr d)
{
    consume_used(d->client_data);
}

/* Called after each row of blocks that is decoded into memory. Limits the number of scans. */
static void watch_scans(j_common_ptr c)
{
    struct gf_jpeg_in *p = c->client_data;

    if (!c->is_decompressor || p->d.input_scan_number <= MOST_SCANS)
        return;
    gf_fail(p->errors.err, GF_FAILED, "%s: has more than %d scans, the most that are read", p->errors.name,
            MOST_SCANS);
    gf_jpeg_leave(&p->errors);
}

/* ---- the header ---- */

static int64_t fail_cut(const struct gf_jpeg_in *p)
{
    return gf_fail(p->errors.err, GF_FAILED, "%s: is cut short", p->errors.name);
}

/* Returns the memory for coefficients, which libjpeg keeps if the image has several scans. */
static int64_t kept_bytes(j_decompress_ptr d)
{
    int64_t blocks = 0;

    for (int i = 0; jpeg_has_multiple_scans(d) && i < d->num_components; i++) {
        const jpeg_component_info *c = &d->comp_info[i];

        blocks += ((int64_t)c->width_in_blocks + c->h_samp_factor) * ((int64_t)c->height_in_blocks + c->v_samp_factor);
    }
    return blocks * (int64_t)sizeof(JBLOCK);
}

static int check_picture(struct gf_jpeg_in *p)
{
    const struct jpeg_decompress_struct *d = &p->d;
    struct gf_error *err = p->errors.err;

    if (gf_limits_check_size(p->errors.name, d->image_width, d->image_height, 0, &p->options, err) != 0)
        return -1;
    if (p->options.max_bytes > 0 && kept_bytes(&p->d) > p->options.max_bytes)
        return gf_limits_fail_image(p->errors.name, d->image_width, d->image_height, kept_bytes(&p->d), &p->options,
                                    err);
    if (d->data_precision != 8)
        return gf_fail(err, GF_FAILED, "%s: is a JPEG with %d bits per sample; only 8 are supported", p->errors.name,
                       d->data_precision);
    if (d->num_components != 1 && d->num_components != 3 && d->num_components != 4)
        return gf_fail(err, GF_FAILED, "%s: can't be decoded: it has %d components; must be 1, 3 or 4", p->errors.name,
                       d->num_components);
    return 0;
}

/*
 * Selects the colors that libjpeg delivers: gray stays gray, YCbCr becomes RGB, CMYK is converted
 * later.
 */
static void choose_colours(struct gf_jpeg_in *p, struct gf_format *f)
{
    struct jpeg_decompress_struct *d = &p->d;
    const int channels = d->num_components == 1 ? 1 : 3;

    d->out_color_space = d->num_components == 1 ? JCS_GRAYSCALE : d->num_components == 3 ? JCS_RGB : JCS_CMYK;
    *f = (struct gf_format) { .kind = GF_IMAGE, .type = GF_U8, .bits = 8, .maxval = 255, .channels = channels,
                              .width = d->image_width, .units = d->image_height };
}

static int64_t read_header(struct gf_jpeg_in *p, struct read_call *w)
{
    struct jpeg_decompress_struct *d = &p->d;

    if (!p->made) {
        jpeg_create_decompress(d);
        d->client_data = p;
        p->made = true;
        p->feed = (struct jpeg_source_mgr) { .init_source = feed_begin, .fill_input_buffer = feed_fill,
                                             .skip_input_data = feed_skip, .resync_to_restart = jpeg_resync_to_restart,
                                             .term_source = feed_end };
        p->progress.progress_monitor = watch_scans;
        d->src = &p->feed;
        d->progress = &p->progress;
        gf_jpeg_keep_markers(d);
    }
    p->keeps_data = true;
    p->markers = (struct gf_jpeg_markers) { .meta = &w->reader->meta };
    jpeg_read_header(d, TRUE);
    p->markers.meta = NULL;
    if (check_picture(p) != 0)
        return -1;
    p->keeps_data = jpeg_has_multiple_scans(d);
    choose_colours(p, &w->reader->format);
    if (gf_jpeg_take_meta(d, &w->reader->meta, p->errors.err) != 0)
        return -1;
    gf_jpeg_take_parts(d, &p->further, &w->reader->meta);
    if (p->source->random && p->begin + p->further.main_bytes >= p->source->size)
        w->reader->meta.parts &= ~(unsigned)GF_PART_IMAGES;          /* the index of images is out of date */
    return 1;
}

/* Uses a CMYK profile for the conversion to sRGB and removes it, because the result is not CMYK. */
static int use_cmyk_profile(struct gf_reader *r, struct gf_error *err)
{
    struct gf_jpeg_in *p = r->state;
    struct gf_meta *m = &r->meta;

    gf_icc_close(p->icc);
    p->icc = NULL;
    if (p->d.out_color_space == JCS_CMYK && m->icc == NULL)
        gf_warn(r->notices, "plain-inks", r->name, GF_PLAIN_INKS);
    if (!p->options.srgb || p->d.out_color_space != JCS_CMYK || m->icc == NULL)
        return 0;
    p->icc = gf_icc_open(m->icc, m->icc_bytes, p->d.saw_Adobe_marker ? GF_ICC_LEFT_WHITE : GF_ICC_INKS, &r->format,
                         r->name, err);
    return p->icc != NULL ? gf_meta_set_icc(m, NULL, 0, err) : -1;
}

/* ---- rows ---- */

static int64_t start_image(struct gf_jpeg_in *p, const struct gf_format *f)
{
    jpeg_start_decompress(&p->d);
    p->started = true;
    if (p->errors.cut && p->keeps_data)
        return fail_cut(p);
    gf_jpeg_start_part(p, f);
    if (p->d.out_color_space == JCS_CMYK)
        p->inks = p->d.mem->alloc_sarray((j_common_ptr)&p->d, JPOOL_IMAGE, p->d.output_width * 4, 1)[0];
    return 0;
}

/*
 * Converts CMYK to RGB without a profile. Adobe's programs store the inks inverted; other files do
 * not.
 */
static void convert_cmyk(const struct gf_jpeg_in *p, const unsigned char *inks, unsigned char *to, size_t width)
{
    const unsigned flip = p->d.saw_Adobe_marker ? 0 : 255;

    for (size_t x = 0; x < width; x++)
        for (size_t i = 0; i < 3; i++)
            to[3 * x + i] = (unsigned char)(((inks[4 * x + i] ^ flip) * (inks[4 * x + 3] ^ flip) + 127) / 255);
}

static void read_some_rows(struct gf_jpeg_in *p, const struct gf_format *f, unsigned char *to, int64_t count)
{
    const size_t row_bytes = gf_unit_bytes(f);
    JSAMPROW rows[ROWS_AT_ONCE];
    const JDIMENSION n = count < ROWS_AT_ONCE ? (JDIMENSION)count : ROWS_AT_ONCE;

    if (p->inks != NULL) {
        jpeg_read_scanlines(&p->d, &p->inks, 1);
        if (p->icc != NULL)
            gf_icc_convert(p->icc, p->inks + 4 * (size_t)p->left_out, to, f->width);
        else
            convert_cmyk(p, p->inks + 4 * (size_t)p->left_out, to, (size_t)f->width);
        return;
    }
    if (p->wide != NULL) {
        jpeg_read_scanlines(&p->d, &p->wide, 1);
        memcpy(to, p->wide + (size_t)p->left_out * (size_t)f->channels, row_bytes);
        return;
    }
    for (JDIMENSION i = 0; i < n; i++)
        rows[i] = to + i * row_bytes;
    jpeg_read_scanlines(&p->d, rows, n);
}

static int64_t read_rows(struct gf_jpeg_in *p, struct read_call *w)
{
    struct jpeg_decompress_struct *d = &p->d;
    const size_t row_bytes = gf_unit_bytes(&w->reader->format);
    JDIMENSION first;

    if (!p->started && start_image(p, &w->reader->format) != 0)
        return -1;
    first = d->output_scanline;
    if (w->count > (int64_t)(p->end_row - d->output_scanline))
        w->count = p->end_row - d->output_scanline;
    while (d->output_scanline - first < w->count) {
        const JDIMENSION done = d->output_scanline - first;

        read_some_rows(p, &w->reader->format, w->units + done * row_bytes, w->count - done);
        if (p->errors.cut && p->errors.starved)
            return fail_cut(p);
    }
    return w->count;
}

static int64_t jpeg_read(struct gf_reader *r, void *units, int64_t count, struct gf_error *err)
{
    struct read_call w = { .reader = r, .units = units, .count = count };

    return run_guarded(read_rows, r->state, &w, err);
}

/* ---- images ---- */

/* Skips the remaining rows of the current image and ends its decompression. */
static int64_t finish_image(struct gf_jpeg_in *p, struct read_call *w)
{
    int ended;

    if (p->samples != NULL)
        return gf_jpeg_leave_device(w->reader, p->errors.err);
    p->errors.unused = !p->started || p->d.output_scanline < p->d.output_height;
    if (!p->started && start_image(p, &w->reader->format) != 0)
        return -1;
    ended = gf_jpeg_skip_rest(p, p->errors.err);
    if (ended < 0)
        return -1;
    if (!ended)
        jpeg_finish_decompress(&p->d);
    if (p->errors.cut && p->errors.starved)
        return fail_cut(p);
    p->started = false;
    p->inks = p->wide = NULL;
    p->left_out = 0;
    p->errors.starved = p->errors.unused = false;
    p->errors.manager.num_warnings = 0;
    return 0;
}

/*
 * Skips further images that belong to the current one. Programs that change a file may leave an
 * outdated index of such images. The index is used only if the main image ends at its stated size,
 * or the last image ends with the file.
 */
static int skip_further_images(struct gf_jpeg_in *p, struct gf_error *err)
{
    const struct gf_jpeg_further *f = &p->further;
    int64_t all = p->source->position;

    for (int i = 0; i < f->count; i++)
        all += f->bytes[i];
    if (p->source->position - p->begin != f->main_bytes && !(p->source->random && all == p->source->size))
        return 0;
    for (int i = 0; i < f->count; i++) {
        const int match = gf_source_begins(p->source, GF_JPEG_SIGNATURE, 3, err);

        if (match <= 0)
            return match;
        if (gf_source_skip(p->source, f->bytes[i], err) < 0)
            return -1;
    }
    return 0;
}

/*
 * Returns 1 if another image follows, 0 or -1. Other data after an image is ignored: cameras append
 * data of many kinds.
 */
static int another_follows(struct gf_jpeg_in *p, struct gf_error *err)
{
    if (p->errors.cut)
        return 0;
    return skip_further_images(p, err) != 0 ? -1 : gf_source_begins(p->source, GF_JPEG_SIGNATURE, 3, err);
}

static int jpeg_next(struct gf_reader *r, struct gf_error *err)
{
    struct gf_jpeg_in *p = r->state;
    struct read_call w = { .reader = r };
    int more;

    if (p->made) {
        if (run_guarded(finish_image, p, &w, err) != 0)
            return -1;
        more = another_follows(p, err);
        if (more <= 0)
            return more;
    }
    p->begin = p->source->position;
    more = (int)run_guarded(read_header, p, &w, err);
    return more == 1 && use_cmyk_profile(r, err) != 0 ? -1 : more;
}

static void jpeg_close(struct gf_reader *r)
{
    struct gf_jpeg_in *p = r->state;

    if (p->made)
        jpeg_destroy_decompress(&p->d);
    gf_icc_close(p->icc);
}

static const struct gf_reader_ops jpeg_ops = {
    .next = jpeg_next, .read = jpeg_read, .use_codec = gf_jpeg_use_codec,
    .narrow = gf_jpeg_narrow, .close = jpeg_close,
    .opening = GF_LABOUR_FILE, .reading = GF_LABOUR_CODE, .converts_inks = true,
};

static int jpeg_open(struct gf_reader *r, struct gf_source *s, const struct gf_read_options *o, struct gf_error *err)
{
    struct gf_jpeg_in *p;

    if (gf_reader_begin(r, s, o, &jpeg_ops, sizeof *p, err) != 0)
        return -1;
    p = r->state;
    p->source = s;
    p->options = *o;
    p->d.err = gf_jpeg_errors_open(&p->errors, r->name, "decoded");
    p->errors.notices = r->notices;
    return 0;
}

const struct gf_file_format gf_file_format_jpeg = {
    .name = "jpeg", .title = "JPEG", .endings = { "jpg", "jpe" }, .kinds = 1 << GF_IMAGE, .streams = GF_STREAMS_BOTH,
    .signature = { GF_JPEG_SIGNATURE }, .open = jpeg_open, .hardened = true, .joined = true, .appendix = true,
    .single = gf_jpeg_is_single,
    .image = &gf_write_jpeg,
    .notes = { "JPEG", "8 bits, gray, YCbCr, CMYK",
               "gain maps, depth, motion video, C2PA; a CMYK profile that is not used",
               "12 bits; files that are cut short" },
};
