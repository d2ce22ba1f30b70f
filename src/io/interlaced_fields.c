/*
 * Splits an interlaced frame into its two fields, images
 * of every other row, and weaves them together again.
 */
#include "io/interlaced_fields.h"

#include <string.h>

/*
 * Finds the position of sample `at` of a field in its frame, where the rows of both fields
 * alternate in every plane. Returns the number of samples from there on that are contiguous in
 * both.
 */
static int64_t find_run(const struct gf_format *field, bool bottom, int64_t at, int64_t *frame_at)
{
    const struct gf_yuv *y = &field->yuv;
    int64_t width = field->width, rows = field->units, base = 0, row;

    for (int plane = 0; plane < 2 && at >= width * rows; plane++) {
        at -= width * rows;
        base += 2 * width * rows;
        width = gf_chroma_side(field->width, y->sub_x);
        rows = gf_chroma_side(field->units, y->sub_y);
    }
    row = at / width;
    *frame_at = base + (2 * row + bottom) * width + at % width;
    return width - at % width;
}

void gf_interlaced_fields_split(const struct gf_format *field, bool bottom, const void *frame, int64_t start,
                                void *samples, int64_t count)
{
    const size_t size = gf_type_bytes(field->type);

    for (int64_t done = 0, at, run; done < count; done += run) {
        run = find_run(field, bottom, start + done, &at);
        run = run < count - done ? run : count - done;
        memcpy((char *)samples + (size_t)done * size, (const char *)frame + (size_t)at * size, (size_t)run * size);
    }
}

void gf_interlaced_fields_weave(const struct gf_format *field, bool bottom, void *frame, int64_t start,
                                const void *samples, int64_t count)
{
    const size_t size = gf_type_bytes(field->type);

    for (int64_t done = 0, at, run; done < count; done += run) {
        run = find_run(field, bottom, start + done, &at);
        run = run < count - done ? run : count - done;
        memcpy((char *)frame + (size_t)at * size, (const char *)samples + (size_t)done * size, (size_t)run * size);
    }
}

const char *gf_interlaced_fields_problem(const struct gf_format *frame)
{
    if (frame->units % 2 != 0)
        return "two fields need an even number of rows";
    if (!frame->yuv.mono && frame->yuv.sub_y > 0 && frame->units % 4 != 0)
        return "two fields of 4:2:0 need a multiple of 4 rows";
    return NULL;
}
