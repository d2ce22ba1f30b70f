/* Blends pixels of a frame with a canvas, which always has alpha. Built if HAVE_INFLATE. */
#include "base/clones.h"
#include "io/formats/png/png.h"

#include <string.h>

GF_INLINE uint64_t sample_at(const unsigned char *samples, int i, bool wide)
{
    uint16_t v;

    if (!wide)
        return samples[i];
    memcpy(&v, samples + 2 * (size_t)i, 2);
    return v;
}

GF_INLINE void set_sample(unsigned char *samples, int i, bool wide, uint64_t value)
{
    const uint16_t v = (uint16_t)value;

    if (wide)
        memcpy(samples + 2 * (size_t)i, &v, 2);
    else
        samples[i] = (unsigned char)value;
}

/*
 * Blends a pixel over one that is not fully transparent. `cover`, its alpha, is neither 0 nor the
 * maximum. Colors are not premultiplied, as in PNG.
 */
GF_INLINE void blend_pixel(unsigned char *to, const unsigned char *from, int colours, uint64_t cover, bool wide)
{
    const uint64_t most = wide ? 65535 : 255, front = cover * most;
    const uint64_t back = (most - cover) * sample_at(to, colours, wide), sum = front + back;

    for (int c = 0; c < colours; c++)
        set_sample(to, c, wide, (sample_at(from, c, wide) * front + sample_at(to, c, wide) * back + sum / 2) / sum);
    set_sample(to, colours, wide, (sum + most / 2) / most);
}

/*
 * `colours` and `wide` are constants in each call, so that the compiler moves whole pixels at once.
 */
GF_INLINE void draw_pixels(unsigned char *to, size_t step, const unsigned char *from, uint32_t width,
                           int colours, bool alpha, bool over, bool wide)
{
    const size_t sample = wide ? 2 : 1, pixel = (size_t)(colours + (alpha ? 1 : 0)) * sample;
    const uint64_t most = wide ? 65535 : 255;

    for (uint32_t x = 0; x < width; x++, to += step, from += pixel) {
        const uint64_t cover = alpha ? sample_at(from, colours, wide) : most;

        if (over && cover == 0)
            continue;
        if (over && cover < most && sample_at(to, colours, wide) > 0) {
            blend_pixel(to, from, colours, cover, wide);
            continue;
        }
        memcpy(to, from, (size_t)colours * sample);
        set_sample(to, colours, wide, cover);
    }
}

void gf_png_blend(unsigned char *to, size_t step_pixels, const unsigned char *from, uint32_t width,
                  const struct gf_format *f, bool over)
{
    const bool wide = f->type == GF_U16;
    const int colours = gf_colours(f);
    const size_t pixel = (size_t)(colours + 1) * (wide ? 2 : 1), step = step_pixels * pixel;

    over = over && f->alpha;
    if (step_pixels == 1 && f->alpha && !over)
        memcpy(to, from, width * pixel);
    else if (colours == 3 && !wide)
        draw_pixels(to, step, from, width, 3, f->alpha, over, false);
    else if (colours == 3)
        draw_pixels(to, step, from, width, 3, f->alpha, over, true);
    else if (!wide)
        draw_pixels(to, step, from, width, 1, f->alpha, over, false);
    else
        draw_pixels(to, step, from, width, 1, f->alpha, over, true);
}

GF_INLINE void drop_alpha(unsigned char *to, const unsigned char *from, int64_t pixels, size_t pixel, size_t alpha)
{
    for (int64_t i = 0; i < pixels; i++, from += pixel + alpha, to += pixel)
        memcpy(to, from, pixel);
}

void gf_png_drop_alpha(unsigned char *to, const unsigned char *from, int64_t pixels, const struct gf_format *f)
{
    if (f->channels == 3 && f->type == GF_U8)
        drop_alpha(to, from, pixels, 3, 1);
    else if (f->channels == 3)
        drop_alpha(to, from, pixels, 6, 2);
    else if (f->type == GF_U8)
        drop_alpha(to, from, pixels, 1, 1);
    else
        drop_alpha(to, from, pixels, 2, 2);
}
