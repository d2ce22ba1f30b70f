/* Writes JPEG through libjpeg, row by row, or from coefficients that a device computes.
 * Built if HAVE_JPEG. */
#include "io/fit.h"
#include "io/format.h"
#include "io/formats/jpeg/jpeg_reader.h"

#include <stdlib.h>
#include <string.h>

#define ROWS_AT_ONCE 16
#define OUT_BYTES ((size_t)1 << 16)

struct jpeg_out {
    struct jpeg_compress_struct c;
    struct gf_jpeg_errors errors;
    struct jpeg_destination_mgr drain;
    struct gf_output *out;
    void *samples;               /* the image, in a device's memory; NULL: it is written by rows */
    unsigned char bytes[OUT_BYTES];
};

/* Arguments of a call that runs under setjmp(). */
struct write_call {
    struct gf_writer *writer;
    const unsigned char *units;
    int64_t count;
    const int16_t *coefficients;
};

/* Runs `body`. Returns -1 if libjpeg fails, which jumps back here. */
static int run_guarded(int (*body)(struct jpeg_out *p, struct write_call *l), struct jpeg_out *p, struct write_call *l,
                       struct gf_error *err)
{
    p->errors.err = err;
    return setjmp(p->errors.home) != 0 ? -1 : body(p, l);
}

/* ---- bytes ---- */

static void drain_begin(j_compress_ptr c)
{
    struct jpeg_out *p = c->client_data;

    p->drain.next_output_byte = p->bytes;
    p->drain.free_in_buffer = OUT_BYTES;
}

static boolean drain_full(j_compress_ptr c)
{
    struct jpeg_out *p = c->client_data;

    if (gf_output_write(p->out, p->bytes, OUT_BYTES, p->errors.err) != 0)
        gf_jpeg_leave(&p->errors);
    drain_begin(c);
    return TRUE;
}

static void drain_end(j_compress_ptr c)
{
    struct jpeg_out *p = c->client_data;

    if (gf_output_write(p->out, p->bytes, OUT_BYTES - p->drain.free_in_buffer, p->errors.err) != 0)
        gf_jpeg_leave(&p->errors);
}

/* ---- image ---- */

static int jpeg_fit(struct gf_writer *w, struct gf_format *f, struct gf_error *err)
{
    if (gf_fit_check_colours(w, f, err) != 0 || gf_fit_bytes(w, f, err) != 0)
        return -1;
    f->channels = gf_colours(f);         /* alpha is dropped: pixels are blended with black */
    f->alpha = false;
    return 0;
}

static int choose_quality(const struct gf_write_options *o)
{
    return o->quality > 0 ? o->quality : 92;
}

/*
 * Chooses chroma subsampling: none above quality 90, as in other programs. --subsampling overrides
 * it.
 */
static int choose_subsampling(const struct gf_write_options *o)
{
    return o->subsampling != 0 ? o->subsampling : choose_quality(o) > 90 ? 444 : 420;
}

static void set_subsampling(struct jpeg_out *p, int sampling)
{
    p->c.comp_info[0].h_samp_factor = sampling == 444 ? 1 : 2;
    p->c.comp_info[0].v_samp_factor = sampling == 420 ? 2 : 1;
}

static int start_image(struct jpeg_out *p, struct write_call *l)
{
    struct jpeg_compress_struct *c = &p->c;
    const struct gf_writer *w = l->writer;

    jpeg_create_compress(c);
    c->client_data = p;
    p->drain = (struct jpeg_destination_mgr) { .init_destination = drain_begin, .empty_output_buffer = drain_full,
                                               .term_destination = drain_end };
    c->dest = &p->drain;
    c->image_width = (JDIMENSION)w->format.width;
    c->image_height = (JDIMENSION)w->format.units;
    c->input_components = w->format.channels;
    c->in_color_space = w->format.channels == 1 ? JCS_GRAYSCALE : JCS_RGB;
    jpeg_set_defaults(c);
    jpeg_set_quality(c, choose_quality(&w->options), TRUE);
    if (c->num_components == 3)
        set_subsampling(p, choose_subsampling(&w->options));
    if (w->options.progressive)
        jpeg_simple_progression(c);
    gf_jpeg_put_density(c, w->meta);
    if (w->codec != NULL)
        return 0;                                /* the coefficients come at the end */
    jpeg_start_compress(c, TRUE);
    gf_jpeg_put_meta(c, w->meta);
    return 0;
}

/* ---- the codec of a device ---- */

/* Lets lanes leave the image in the memory of the codec. */
static int place_on_device(struct gf_writer *w, struct gf_error *err)
{
    struct jpeg_out *p = w->state;

    if (w->codec->ops->prepare(w->codec, &w->format, &p->samples, err) != 0)
        return -1;
    w->random = true;                            /* only now jpeg_in_place() has a place */
    return 0;
}

static void *jpeg_in_place(struct gf_writer *w, int64_t start)
{
    const struct jpeg_out *p = w->state;

    return (unsigned char *)p->samples + (size_t)start * gf_unit_bytes(&w->format);
}

/* Gives the coefficients to libjpeg, which needs whole blocks of all components. */
static int put_coefficients(struct jpeg_out *p, struct write_call *l)
{
    struct jpeg_compress_struct *c = &p->c;
    const int most_h = c->comp_info[0].h_samp_factor, most_v = c->comp_info[0].v_samp_factor;
    const int16_t *from = l->coefficients;
    JDIMENSION columns[3], rows[3];
    jvirt_barray_ptr blocks[3];

    for (int i = 0; i < c->num_components; i++) {
        const int h = c->comp_info[i].h_samp_factor, v = c->comp_info[i].v_samp_factor;

        columns[i] = (JDIMENSION)gf_ceil_div((int64_t)c->image_width * h, 8 * most_h);
        rows[i] = (JDIMENSION)gf_ceil_div((int64_t)c->image_height * v, 8 * most_v);
        blocks[i] = c->mem->request_virt_barray((j_common_ptr)c, JPOOL_IMAGE, TRUE,
                                                (JDIMENSION)gf_round_up(columns[i], h),
                                                (JDIMENSION)gf_round_up(rows[i], v), (JDIMENSION)v);
    }
    c->mem->realize_virt_arrays((j_common_ptr)c);
    for (int i = 0; i < c->num_components; i++)
        for (JDIMENSION y = 0; y < rows[i]; y++, from += (size_t)columns[i] * DCTSIZE2)
            memcpy(c->mem->access_virt_barray((j_common_ptr)c, blocks[i], y, 1, TRUE)[0][0], from,
                   (size_t)columns[i] * sizeof(JBLOCK));
    jpeg_write_coefficients(c, blocks);
    gf_jpeg_put_meta(c, l->writer->meta);
    jpeg_finish_compress(c);
    return 0;
}

/* Encodes the image in the memory of the codec: only the entropy coding is left to the CPU. */
static int encode_on_device(struct gf_writer *w, struct gf_error *err)
{
    struct jpeg_out *p = w->state;
    struct write_call l = { .writer = w };
    uint16_t quantizers[2][DCTSIZE2];

    for (int i = 0; i < 2; i++)
        memcpy(quantizers[i], p->c.quant_tbl_ptrs[i]->quantval, sizeof quantizers[i]);
    if (w->codec->ops->transform(w->codec, &w->format, choose_subsampling(&w->options), quantizers, &l.coefficients,
                                 err) != 0)
        return -1;
    return run_guarded(put_coefficients, p, &l, err);
}

/* ---- the writer ---- */

static int jpeg_begin(struct gf_writer *w, struct gf_error *err)
{
    const struct gf_format *f = &w->format;
    struct write_call l = { .writer = w };
    struct jpeg_out *p;

    if (w->state != NULL)
        return gf_fail_second_image(w, err);
    if (f->units < 0)
        return gf_fail(err, GF_FAILED, "%s: JPEG needs the height in advance", w->name);
    if (f->width > JPEG_MAX_DIMENSION || f->units > JPEG_MAX_DIMENSION)
        return gf_fail(err, GF_FAILED, "%s: %lldx%lld is too large for JPEG (at most 65500x65500); try .pam or .ppm",
                       w->name, (long long)f->width, (long long)f->units);
    p = calloc(1, sizeof *p);
    if (p == NULL)
        return gf_fail_memory(err, w->name);
    w->state = p;
    p->out = w->out;
    p->c.err = gf_jpeg_errors_open(&p->errors, w->name, "encoded");
    if (run_guarded(start_image, p, &l, err) != 0)
        return -1;
    return w->codec != NULL ? place_on_device(w, err) : 0;
}

static int put_rows(struct jpeg_out *p, struct write_call *l)
{
    const size_t row_bytes = gf_unit_bytes(&l->writer->format);
    JSAMPROW rows[ROWS_AT_ONCE];

    for (int64_t done = 0; done < l->count;) {
        const int64_t left = l->count - done, n = left < ROWS_AT_ONCE ? left : ROWS_AT_ONCE;

        for (int64_t i = 0; i < n; i++)          /* libjpeg does not change them, although the type allows it */
            rows[i] = (JSAMPROW)(uintptr_t)(l->units + (size_t)(done + i) * row_bytes);
        done += jpeg_write_scanlines(&p->c, rows, (JDIMENSION)n);
    }
    return 0;
}

static int jpeg_write(struct gf_writer *w, const void *units, int64_t count, struct gf_error *err)
{
    struct jpeg_out *p = w->state;
    struct write_call l = { .writer = w, .units = units, .count = count };

    if (count > (int64_t)(p->c.image_height - p->c.next_scanline))
        return gf_fail(err, GF_FAILED, "%s: more rows than the image has", w->name);
    return run_guarded(put_rows, p, &l, err);
}

static int finish_image(struct jpeg_out *p, struct write_call *l)
{
    (void)l;
    jpeg_finish_compress(&p->c);
    return 0;
}

static int jpeg_end(struct gf_writer *w, struct gf_error *err)
{
    struct jpeg_out *p = w->state;

    return p->samples != NULL ? encode_on_device(w, err) : run_guarded(finish_image, p, NULL, err);
}

static void jpeg_release(struct gf_writer *w)
{
    struct jpeg_out *p = w->state;

    if (p != NULL)
        jpeg_destroy_compress(&p->c);
    free(p);
}

const struct gf_writer_ops gf_write_jpeg = {
    .name = "jpeg", .kind = GF_IMAGE, .profile = true, .pixel_shape = true, .exif_bytes = GF_JPEG_MOST_EXIF,
    .xmp_bytes = GF_JPEG_MOST_XMP, .iptc_bytes = GF_JPEG_MOST_IPTC, .keeps_text = gf_jpeg_keeps_text,
    .heeds = GF_HEEDS_DEPTH | GF_HEEDS_QUALITY | GF_HEEDS_SUBSAMPLING | GF_HEEDS_PROGRESSIVE,
    .fit = jpeg_fit, .begin = jpeg_begin, .write = jpeg_write,
    .in_place = jpeg_in_place, .codec = true, .end = jpeg_end,
    .release = jpeg_release, .writing = GF_LABOUR_CODE, .ending = GF_LABOUR_CODE,
};
