/* Reads HDR and PIC through stb_image, and JPEG and PNG in builds without libraries for them. */
#define _GNU_SOURCE
#include "io/formats/stb.h"

#include "base/stb.h"
#include "io/bytes.h"
#include "io/formats/frames/joined_images.h"
#include "io/formats/whole.h"
#include "io/limits.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PIC_SIGNATURE "\x53\x80\xf6\x34"
#define PIC_HEADER    104                /* its size; the sizes of the image are in its last 16 bytes, after "PICT" */

struct picture {
    struct gf_whole whole;
    struct gf_joined_images all;
};

/*
 * The bytes of a file, passed to stb by callbacks. stb reads zeros beyond the end without an error,
 * so only this struct detects a file that is cut short.
 */
struct cursor {
    const unsigned char *bytes;
    size_t size, at;
    bool past;                   /* stb read beyond the end */
    /* HDR: return FF bytes beyond the end, because stb would loop forever on runs of length 0 */
    bool fill;
};

static int cursor_read(void *user, char *to, int size)
{
    struct cursor *c = user;
    size_t n = c->size - c->at < (size_t)size ? c->size - c->at : (size_t)size;

    /* stb fills its buffer of 128 bytes ahead of need; only other short reads mean missing data */
    if (n < (size_t)size && size != 128)
        c->past = true;
    if (n == 0 && size > 0) {
        c->past = true;
        memset(to, 0xFF, (size_t)size);
        return c->fill ? size : 0;
    }
    memcpy(to, c->bytes + c->at, n);
    c->at += n;
    return (int)n;
}

static void cursor_skip(void *user, int n)
{
    struct cursor *c = user;

    if (n < 0)
        c->at = c->at < (size_t)-(int64_t)n ? 0 : c->at - (size_t)-(int64_t)n;
    else
        c->at = c->size - c->at < (size_t)n ? c->size : c->at + (size_t)n;
}

static int cursor_eof(void *user)
{
    const struct cursor *c = user;

    return c->at >= c->size;
}

/*
 * Returns false if a Huffman table of a DHT segment has more codes than symbols. stb would read
 * beyond its end.
 */
static bool tables_fit(const unsigned char *b, int64_t segment, size_t size)
{
    while (segment > 0) {
        size_t codes = 0;

        for (size_t i = 1; i <= 16 && i < size; i++)
            codes += b[i];
        if (codes > 256)
            return false;
        if (size < 17 + codes)
            break;
        b += 17 + codes;
        size -= 17 + codes;
        segment -= 17 + (int64_t)codes;
    }
    return true;
}

/*
 * Checks the segments of a JPEG first, because stb writes beyond its tables if there are more than
 * 256 codes.
 */
static bool jpeg_is_safe(const unsigned char *b, size_t size)
{
    size_t at = 2;

    while (at + 4 <= size) {
        const unsigned char *mark = memchr(b + at, 0xFF, size - 3 - at);
        size_t length;

        if (mark == NULL)
            break;
        at = (size_t)(mark - b) + 1;
        if (mark[1] == 0xFF)
            continue;
        at++;
        if (mark[1] <= 1 || (mark[1] >= 0xD0 && mark[1] <= 0xD8))
            continue;
        if (mark[1] == 0xD9)
            break;
        length = (size_t)mark[2] << 8 | mark[3];
        if (mark[1] == 0xC4 && !tables_fit(mark + 4, (int64_t)length - 2, size - at - 2))
            return false;
        at += length;
    }
    return true;
}

/* ---- header lines that stb ignores ---- */

/*
 * Returns true if a header line, such as EXPOSURE=2 or COLORCORR=1 1 .9, has a factor other than 1.
 */
static bool is_factor(const char *line, const char *name)
{
    const size_t length = strlen(name);
    bool other = false;
    char *end;

    if (strncmp(line, name, length) != 0 || line[length] != '=')
        return false;
    for (line += length + 1; ; line = end) {
        const double v = strtod(line, &end);

        if (end == line)
            return other;
        other = other || v != 1;
    }
}

/* Reads the lines of an HDR header. Returns the offset of the line with the size, or 0 if there is none. */
static size_t check_hdr_lines(const struct gf_reader *r, const unsigned char *bytes, size_t size)
{
    static const char *const factors[] = { "EXPOSURE", "COLORCORR", "PIXASPECT" };
    size_t at = 0;

    while (at < size) {
        const unsigned char *end = memchr(bytes + at, '\n', size - at);
        const size_t length = end != NULL ? (size_t)(end - bytes) - at : size - at;
        char line[200];

        snprintf(line, sizeof line, "%.*s", length < sizeof line ? (int)length : (int)sizeof line - 1,
                 (const char *)bytes + at);
        at += length + 1;
        if (length == 0)
            return at < size ? at : 0;
        for (size_t i = 0; i < sizeof factors / sizeof *factors; i++)
            if (is_factor(line, factors[i]))
                gf_warn(r->notices, factors[i], r->name, "the header line %s is ignored; values are read as stored",
                        factors[i]);
    }
    return 0;
}

/* Rejects variants for which stb has no clear message. */
static int check_hdr(const struct gf_reader *r, const unsigned char *bytes, size_t size, struct gf_error *err)
{
    static const char xyz[] = "\nFORMAT=32-bit_rle_xyze\n";
    const size_t at = check_hdr_lines(r, bytes, size);
    char line[64] = "";

    if (at == 0)
        return gf_fail(err, GF_FAILED, "%s: is cut short in its header", r->name);
    if (memmem(bytes, at, xyz, sizeof xyz - 1) != NULL)
        return gf_fail(err, GF_FAILED, "%s: HDR with XYZ colors is not supported; convert it with ra_xyze -r", r->name);
    memcpy(line, bytes + at, size - at < sizeof line - 1 ? size - at : sizeof line - 1);
    line[strcspn(line, "\n")] = '\0';
    if (line[0] != '\0' && (strncmp(line, "-Y ", 3) != 0 || strstr(line, " +X ") == NULL))
        return gf_fail(err, GF_FAILED, "%s: HDR is only supported with rows from top to bottom and pixels from left to "
                       "right", r->name);
    return 0;
}

static bool is_pic(const unsigned char *b, size_t size)
{
    return size >= 4 && memcmp(b, PIC_SIGNATURE, 4) == 0;
}

static bool is_hdr(const unsigned char *b, size_t size)
{
    return size >= 2 && b[0] == '#' && b[1] == '?';
}

/* Rejects PIC files that have only every other row. */
static int check_pic(const struct gf_reader *r, const unsigned char *bytes, size_t size, struct gf_error *err)
{
    const uint32_t fields = size >= 102 ? gf_get16(bytes + 100, true) : 0;

    if (fields != 1 && fields != 2)
        return 0;
    return gf_fail(err, GF_FAILED, "%s: PIC with a single field of an interlaced image is not supported", r->name);
}

static int check_lines(const struct gf_reader *r, const unsigned char *bytes, size_t size, struct gf_error *err)
{
    if (is_hdr(bytes, size))
        return check_hdr(r, bytes, size, err);
    if (is_pic(bytes, size))
        return check_pic(r, bytes, size, err);
    return 0;
}

/* ---- where an image ends ---- */

/* Returns the length of an HDR: rows of pixels, or of runs for each channel. Unknown data is taken as part of it. */
static size_t hdr_length(const unsigned char *b, size_t size)
{
    const unsigned char *blank = memmem(b, size, "\n\n", 2), *line = blank != NULL ? blank + 2 : b;
    const unsigned char *end = memchr(line, '\n', size - (size_t)(line - b));
    char text[64] = "";
    size_t at = end != NULL ? (size_t)(end - b) + 1 : size;
    long width = 0, height = 0;

    memcpy(text, line, (size_t)(b + at - line) < sizeof text ? (size_t)(b + at - line) : sizeof text - 1);
    if (sscanf(text, "-Y %7ld +X %7ld", &height, &width) != 2 || width <= 0 || height <= 0)
        return size;
    if (width < 8 || width >= 32768 || size - at < 4 || b[at] != 2 || b[at + 1] != 2 || b[at + 2] >= 128)
        return size - at > (size_t)(4 * width * height) ? at + (size_t)(4 * width * height) : size;
    for (long row = 0; row < height; row++) {
        at += 4;
        for (long x = 0; x < 4 * width;) {
            if (at >= size || b[at] == 0)
                return size;
            x += b[at] > 128 ? b[at] - 128 : b[at];
            at += b[at] > 128 ? 2 : (size_t)b[at] + 1;
        }
    }
    return at < size ? at : size;
}

/* Returns the length of a PIC: all bytes, unless the header of another one follows, which has a word at its end. */
static size_t pic_length(const unsigned char *b, size_t size)
{
    for (size_t at = PIC_HEADER; at + PIC_HEADER <= size; at++) {
        const unsigned char *found = memmem(b + at, size - at - PIC_HEADER + 4, PIC_SIGNATURE, 4);

        if (found == NULL)
            break;
        at = (size_t)(found - b);
        if (memcmp(found + PIC_HEADER - 16, "PICT", 4) == 0)
            return at;
    }
    return size;
}

static size_t image_length(const unsigned char *b, size_t size)
{
    return is_hdr(b, size) ? hdr_length(b, size) : is_pic(b, size) ? pic_length(b, size)
         : gf_joined_images_length(b, size);
}

/* Returns true if another image of the format follows. */
static bool follows(const unsigned char *b, size_t size)
{
    return is_hdr(b, size) || is_pic(b, size) || gf_joined_images_begin(b, size);
}

/* Checks the header and the size of the image. */
static int check_header(const struct gf_reader *r, const unsigned char *bytes, size_t size, struct gf_error *err)
{
    int width = 0, height = 0, channels = 0;
    int64_t pixel_bytes;

    if (size > INT_MAX)
        return gf_fail(err, GF_FAILED, "%s: is larger than 2 GB, the limit of its format; convert it to .pam, .ppm or "
                       ".pfm", r->name);
    if (check_lines(r, bytes, size, err) != 0)
        return -1;
    if (!stbi_info_from_memory(bytes, (int)size, &width, &height, &channels))
        return gf_fail(err, GF_FAILED, "%s: can't be decoded: %s", r->name, stbi_failure_reason());
    if (height == INT_MIN || width <= 0 || height == 0)
        return gf_fail(err, GF_FAILED, "%s: its width or height is 0", r->name);
    if (size > 2 && bytes[0] == 0xFF && bytes[1] == 0xD8 && !jpeg_is_safe(bytes, size))
        return gf_fail(err, GF_FAILED, "%s: can't be decoded: a table has too many codes", r->name);
    /* twice, because stb often converts from one buffer to another */
    pixel_bytes = stbi_is_hdr_from_memory(bytes, (int)size) ? 16 : stbi_is_16_bit_from_memory(bytes, (int)size) ? 8 : 4;
    return gf_limits_check_size(r->name, width, height < 0 ? -(int64_t)height : height, 2 * pixel_bytes,
                                r->options, err);
}

/*
 * Decodes a PIC. stb reads through a null pointer if it fails and has to change the number of
 * channels, so it makes four, and we remove the alpha that the file does not have.
 */
static unsigned char *load_pic(const stbi_io_callbacks *calls, struct cursor *c, int *width, int *height, int *channels)
{
    unsigned char *samples = stbi_load_from_callbacks(calls, c, width, height, channels, 4);
    const size_t pixels = samples != NULL && *channels == 3 ? (size_t)*width * (size_t)*height : 0;

    for (size_t i = 1; i < pixels; i++)
        memmove(samples + 3 * i, samples + 4 * i, 3);
    return samples;
}

static int decode(struct gf_reader *r, const unsigned char *bytes, size_t size, struct gf_error *err)
{
    static const stbi_io_callbacks calls = { cursor_read, cursor_skip, cursor_eof };
    struct cursor c = { .bytes = bytes, .size = size };
    struct picture *p = r->state;
    struct gf_format *f = &r->format;
    const bool floats = stbi_is_hdr_from_memory(bytes, (int)size) != 0;
    const bool wide = !floats && stbi_is_16_bit_from_memory(bytes, (int)size) != 0;
    int width = 0, height = 0, channels = 0;

    errno = 0;
    *f = (struct gf_format) { .kind = GF_IMAGE, .type = floats ? GF_F32 : wide ? GF_U16 : GF_U8,
                              .maxval = floats ? 1 : wide ? 65535 : 255, .bits = floats ? 32 : wide ? 16 : 8 };
    c.fill = floats;
    if (r->options->headers)                 /* check_header() has succeeded, so this does, too */
        stbi_info_from_memory(bytes, (int)size, &width, &height, &channels);
    else if (floats)
        p->whole.samples = (unsigned char *)stbi_loadf_from_callbacks(&calls, &c, &width, &height, &channels, 0);
    else if (wide)
        p->whole.samples = (unsigned char *)stbi_load_16_from_callbacks(&calls, &c, &width, &height, &channels, 0);
    else if (is_pic(bytes, size))
        p->whole.samples = load_pic(&calls, &c, &width, &height, &channels);
    else
        p->whole.samples = stbi_load_from_callbacks(&calls, &c, &width, &height, &channels, 0);
    if (c.past)
        return gf_fail(err, GF_FAILED, "%s: is cut short", r->name);
    if (p->whole.samples == NULL && !r->options->headers && errno == ENOMEM)
        return gf_fail_memory(err, r->name);
    if (p->whole.samples == NULL && !r->options->headers)
        return gf_fail(err, GF_FAILED, "%s: can't be decoded: %s", r->name, stbi_failure_reason());
    f->width = width;
    f->units = height < 0 ? -(int64_t)height : height;
    f->channels = channels;
    f->alpha = channels == 2 || channels == 4;
    return 0;
}

static const struct gf_joined_kinds image_kinds = { .begins = follows, .length = image_length };

static int picture_next(struct gf_reader *r, struct gf_error *err)
{
    struct picture *p = r->state;
    const unsigned char *bytes;
    size_t size;
    const int more = gf_joined_images_next(&p->all, r, &image_kinds, &bytes, &size, err);

    if (more <= 0)
        return more;
    stbi_image_free(p->whole.samples);
    p->whole.samples = NULL;
    p->whole.row = 0;
    r->random = false;
    if (check_header(r, bytes, size, err) != 0 || decode(r, bytes, size, err) != 0)
        return -1;
    if (gf_joined_images_animated_png(bytes, size))
        gf_warn(r->notices, "animation", r->name,
                "only the default image of its animation is read; a build with zlib reads all frames");
    if (p->all.at >= p->all.size) {
        free(p->all.bytes);
        p->all.bytes = NULL;
    }
    r->random = true;
    return 1;
}

static void picture_close(struct gf_reader *r)
{
    struct picture *p = r->state;

    stbi_image_free(p->whole.samples);
    free(p->all.bytes);
}

static const struct gf_reader_ops picture_ops = {
    .next = picture_next, .read = gf_whole_read, .read_at = gf_whole_read_at,
    .close = picture_close, .opening = GF_LABOUR_CODE, .reading = GF_LABOUR_COPY,
};

int gf_stb_open(struct gf_reader *r, struct gf_source *s, const struct gf_read_options *o, struct gf_error *err)
{
    return gf_reader_begin(r, s, o, &picture_ops, sizeof(struct picture), err);
}

const struct gf_file_format gf_file_format_hdr = {
    .name = "hdr", .title = "HDR", .kinds = 1 << GF_IMAGE, .signature = { "#?RADIANCE\n", "#?RGBE\n" },
    .open = gf_stb_open, .image = &gf_stb_write_hdr,
    .notes = { "HDR, PIC", "samples", "exposure of HDR; metadata on writing HDR", "other row orders; XYZE" },
};

const struct gf_file_format gf_file_format_pic = {
    .name = "pic", .title = "PIC", .kinds = 1 << GF_IMAGE, .signature = { PIC_SIGNATURE }, .open = gf_stb_open,
};
