/* Readers and writers over arrays of a caller, with any strides, and over its functions. */
#include "library/arrays.h"

#include "library/library.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Writes the place of samples for a message. */
static const char *place_name(int where, char text[40])
{
    snprintf(text, 40, where == GPUFILTER_HOST ? "the host" : "GPU %d", where - GPUFILTER_GPU);
    return text;
}

int gf_array_of(struct gf_array *a, const gpufilter_array *given, const struct gf_format *format,
                struct gf_array_place place, const char *name, struct gf_error *err)
{
    const struct gf_format stored = gf_stored_format(format), *const f = &stored;
    const int64_t bytes = place.half ? 2 : (int64_t)gf_type_bytes(f->type);
    char is[40], should[40];
    gpufilter_array g;

    if (given == NULL)
        return gf_fail(err, GF_MISUSED, "%s: is NULL", name);
    if (!gf_library_copy(&g, sizeof g, given, offsetof(gpufilter_array, where)))
        return gf_fail(err, GF_MISUSED, "%s: size is wrong; set it to sizeof(gpufilter_array)", name);
    if (g.where != place.where)
        return gf_fail(err, GF_MISUSED, "%s: is in the memory of %s; it must be in that of %s", name,
                       place_name(g.where, is), place_name(place.where, should));
    if (g.data == NULL && f->units > 0)
        return gf_fail(err, GF_MISUSED, "%s: there is no data", name);
    if (g.unit_stride == 0 && g.pixel_stride == 0 && g.channel_stride == 0) {
        g.channel_stride = bytes;
        g.pixel_stride = bytes * f->channels;
        g.unit_stride = g.pixel_stride * f->width;
    } else if (format->yuv.used) {
        return gf_fail(err, GF_MISUSED, "%s: a frame in planes has no gaps; set its strides to 0", name);
    }
    if (place.where != GPUFILTER_HOST && f->units > 0
        && ((uintptr_t)g.data % (size_t)bytes != 0 || (f->units > 1 && g.unit_stride % bytes != 0)
            || (f->width > 1 && g.pixel_stride % bytes != 0) || (f->channels > 1 && g.channel_stride % bytes != 0)))
        return gf_fail(err, GF_MISUSED, "%s: its address and strides on a GPU must be multiples of the %d bytes of a "
                       "sample", name, (int)bytes);
    *a = (struct gf_array) { .data = g.data, .unit = g.unit_stride, .pixel = g.pixel_stride,
                             .channel = g.channel_stride, .units = f->units, .width = f->width,
                             .channels = f->channels, .sample_bytes = (size_t)bytes, .where = place.where,
                             .half = place.half };
    a->packed = (uintptr_t)g.data % (size_t)bytes == 0 && (f->channels == 1 || a->channel == bytes)
                && (f->width == 1 || a->pixel == bytes * f->channels)
                && (f->units == 1 || a->unit == bytes * f->channels * f->width);
    return 0;
}

/* Finds the first byte of an array and the one after its last. */
static void extent(const struct gf_array *a, uintptr_t *first, uintptr_t *end)
{
    const int64_t step[3] = { a->unit, a->pixel, a->channel }, count[3] = { a->units, a->width, a->channels };
    int64_t low = 0, high = (int64_t)a->sample_bytes;

    for (int i = 0; i < 3; i++)
        if (count[i] > 0)
            *(step[i] < 0 ? &low : &high) += step[i] * (count[i] - 1);
    *first = (uintptr_t)a->data + (uintptr_t)low;
    *end = (uintptr_t)a->data + (uintptr_t)high;
}

int gf_array_check(const struct gf_array *in, const struct gf_array *out, struct gf_error *err)
{
    uintptr_t in_first, in_end, out_first, out_end;

    extent(in, &in_first, &in_end);
    extent(out, &out_first, &out_end);
    if (in->units > 0 && out->units > 0 && in_first < out_end && out_first < in_end)
        return gf_fail(err, GF_MISUSED, "the result overlaps the input; use another array");
    if ((out->units > 1 && out->unit == 0) || (out->width > 1 && out->pixel == 0)
        || (out->channels > 1 && out->channel == 0))
        return gf_fail(err, GF_MISUSED, "the result has a stride of 0, so that samples would replace each other");
    return 0;
}

/* Returns true if samples of different images may have one place: each stride must step over all that is nearer. */
static bool overlaps_itself(const struct gf_array *a, int64_t count, int64_t step)
{
    const int64_t stride[4] = { llabs(step), llabs(a->unit), llabs(a->pixel), llabs(a->channel) };
    const int64_t counts[4] = { count, a->units, a->width, a->channels };
    int64_t reach = (int64_t)a->sample_bytes;
    bool done[4] = { false };

    for (int k = 0; k < 4; k++) {
        int next = -1;

        for (int i = 0; i < 4; i++)
            if (!done[i] && (next < 0 || stride[i] < stride[next]))
                next = i;
        done[next] = true;
        if (counts[next] > 1 && stride[next] < reach)
            return true;
        reach += counts[next] > 1 ? stride[next] * (counts[next] - 1) : 0;
    }
    return false;
}

/* Returns true if a result has bytes of an input. Images in turn, at one distance, need not be apart as a whole. */
static bool overlaps_inputs(const struct gf_array *in, const struct gf_array *out, int64_t count, int64_t in_step,
                            int64_t out_step)
{
    const int64_t most = count - 1, in_all = in_step * most, out_all = out_step * most, step = llabs(in_step);
    uintptr_t in_first, in_end, out_first, out_end;
    int64_t low, high, apart;

    extent(in, &in_first, &in_end);
    extent(out, &out_first, &out_end);
    low = (int64_t)(in_first - out_end);
    high = (int64_t)(in_end - out_first);
    if (low + (in_all < 0 ? in_all : 0) - (out_all > 0 ? out_all : 0) >= 0
        || high + (in_all > 0 ? in_all : 0) - (out_all < 0 ? out_all : 0) <= 0)
        return false;
    if (in_step != out_step || step == 0)
        return true;
    /* image i overlaps result k if low < (k - i) * step < high */
    apart = low >= 0 ? low / step + 1 : -((-low - 1) / step);
    if (apart < -most)
        apart = -most;
    return apart <= most && apart * step < high;
}

int gf_array_check_batch(const struct gf_array *in, const struct gf_array *out, int64_t count, int64_t in_step,
                         int64_t out_step, struct gf_error *err)
{
    const int64_t far = INT64_MAX / 4 / (count > 0 ? count : 1);

    if (count < 2)
        return 0;
    if (in_step > far || in_step < -far || out_step > far || out_step < -far)
        return gf_fail(err, GF_MISUSED, "the images of the batch are too far apart");
    if (in->where != GPUFILTER_HOST
        && (in_step % (int64_t)in->sample_bytes != 0 || out_step % (int64_t)out->sample_bytes != 0))
        return gf_fail(err, GF_MISUSED, "the images of a batch on a GPU must be multiples of the size of a sample "
                       "apart");
    if (out->units > 0 && overlaps_itself(out, count, out_step))
        return gf_fail(err, GF_MISUSED, "the results of the batch overlap each other; put them further apart");
    if (in->units > 0 && out->units > 0 && overlaps_inputs(in, out, count, in_step, out_step))
        return gf_fail(err, GF_MISUSED, "a result of the batch overlaps an input; use another array");
    return 0;
}

/* ---- copies ---- */

/* Copies samples of a size that the compiler knows, so that memcpy() becomes a move. */
#define COPY_SAMPLES(bytes) \
    for (int64_t x = 0; x < a->width; x++) \
        for (int c = 0; c < a->channels; c++) { \
            char *const there = row + x * a->pixel + c * a->channel; \
            char *const here = packed + ((size_t)x * (size_t)a->channels + (size_t)c) * (bytes); \
            if (out) \
                memcpy(there, here, bytes); \
            else \
                memcpy(here, there, bytes); \
        }

/* Returns true if the samples of a unit have no gaps. */
static bool is_whole(const struct gf_array *a)
{
    return (a->channels == 1 || a->channel == (int64_t)a->sample_bytes)
        && (a->width == 1 || a->pixel == (int64_t)a->sample_bytes * a->channels);
}

/* Copies a unit from the array to packed samples, or with `out` from packed samples to the array. */
static void copy_unit(const struct gf_array *a, int64_t unit, char *packed, bool out)
{
    char *const row = a->data + unit * a->unit;
    const size_t all = (size_t)a->width * (size_t)a->channels * a->sample_bytes;

    if (is_whole(a)) {
        memcpy(out ? row : packed, out ? packed : row, all);
        return;
    }
    switch (a->sample_bytes) {
    case 1: COPY_SAMPLES(1) break;
    case 2: COPY_SAMPLES(2) break;
    case 4: COPY_SAMPLES(4) break;
    default: COPY_SAMPLES(8) break;
    }
}

void gf_array_copy(const struct gf_array *a, int64_t start, char *packed, int64_t count, bool out)
{
    const size_t bytes = (size_t)a->width * (size_t)a->channels * a->sample_bytes;
    char *const first = a->data + start * a->unit;

    /* also in frames in planes, whose samples are units */
    if (count > 0 && a->unit == (int64_t)bytes && is_whole(a)) {
        memcpy(out ? first : packed, out ? packed : first, (size_t)count * bytes);
        return;
    }
    for (int64_t i = 0; i < count; i++)
        copy_unit(a, start + i, packed + (size_t)i * bytes, out);
}

/* ---- arrays ---- */

static int no_next(struct gf_reader *r, struct gf_error *err)
{
    (void)r, (void)err;
    return 0;
}

static int64_t read_array(struct gf_reader *r, void *units, int64_t count, struct gf_error *err)
{
    struct gf_array *a = r->state;
    const int64_t left = a->units - a->next, n = count < left ? count : left;

    (void)err;
    gf_array_copy(a, a->next, units, n, false);
    a->next += n;
    return n;
}

static int read_array_at(struct gf_reader *r, int64_t start, void *units, int64_t count, struct gf_error *err)
{
    (void)err;
    gf_array_copy(r->state, start, units, count, false);
    return 0;
}

static void *read_place(const struct gf_reader *r, int64_t start)
{
    const struct gf_array *a = r->state;

    return a->data + start * a->unit;
}

static int write_array_at(struct gf_writer *w, int64_t start, const void *units, int64_t count, struct gf_error *err)
{
    (void)err;
    gf_array_copy(w->state, start, (char *)(uintptr_t)units, count, true);
    return 0;
}

static void *write_place(struct gf_writer *w, int64_t start)
{
    const struct gf_array *a = w->state;

    return a->data + start * a->unit;
}

void gf_array_reader(struct gf_reader *r, const struct gf_format *f, struct gf_array *a, const char *name)
{
    static const struct gf_reader_ops strided = { .next = no_next, .read = read_array, .read_at = read_array_at,
                                                  .reading = GF_LABOUR_COPY };
    static const struct gf_reader_ops packed = { .next = no_next, .read = read_array, .read_at = read_array_at,
                                                 .in_place = read_place, .reading = GF_LABOUR_COPY };

    *r = (struct gf_reader) { .ops = a->packed || a->where != GPUFILTER_HOST ? &packed : &strided, .format = *f,
                              .name = name, .random = true, .state = a };
}

void gf_array_writer(struct gf_writer *w, const struct gf_format *f, struct gf_array *a)
{
    static const struct gf_writer_ops strided = { .name = "array", .write_at = write_array_at,
                                                  .writing = GF_LABOUR_COPY };
    static const struct gf_writer_ops packed = { .name = "array", .write_at = write_array_at,
                                                 .in_place = write_place, .writing = GF_LABOUR_COPY };

    /* integer audio of the host is counted where it clips, which is not done in place */
    const bool in_place = a->where != GPUFILTER_HOST
                          || (a->packed && (f->kind == GF_IMAGE || f->type == GF_F32 || f->type == GF_F64));

    *w = (struct gf_writer) { .ops = in_place ? &packed : &strided, .format = *f, .name = "result", .random = true,
                              .state = a };
}

/* ---- functions ---- */

/* A caller may deliver less than was asked for; only 0 is the end. */
static int64_t read_call(struct gf_reader *r, void *units, int64_t count, struct gf_error *err)
{
    struct gf_array_calls *calls = r->state;
    const size_t bytes = gf_unit_bytes(&r->format);
    int64_t done = 0;

    while (done < count) {
        const int64_t got = calls->read(calls->context, (char *)units + (size_t)done * bytes, count - done);

        if (got < 0 || got > count - done)
            return gf_fail(err, GF_FAILED, "read: failed");
        if (got == 0)
            break;
        done += got;
    }
    return done;
}

static int write_call(struct gf_writer *w, const void *units, int64_t count, struct gf_error *err)
{
    struct gf_array_calls *calls = w->state;

    return calls->write(calls->context, units, count) == 0 ? 0 : gf_fail(err, GF_FAILED, "write: failed");
}

void gf_array_call_reader(struct gf_reader *r, const struct gf_format *f, struct gf_array_calls *calls)
{
    static const struct gf_reader_ops ops = { .next = no_next, .read = read_call, .reading = GF_LABOUR_FILE };

    *r = (struct gf_reader) { .ops = &ops, .format = *f, .name = "input", .state = calls };
}

void gf_array_call_writer(struct gf_writer *w, const struct gf_format *f, struct gf_array_calls *calls)
{
    static const struct gf_writer_ops ops = { .name = "function", .write = write_call, .writing = GF_LABOUR_FILE };

    *w = (struct gf_writer) { .ops = &ops, .format = *f, .name = "result", .state = calls };
}
