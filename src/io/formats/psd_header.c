/*
 * Reads PSD and PSB headers and the data besides the merged image: profile, resolution, channel
 * names, layers.
 */
#include "io/bytes.h"
#include "io/format.h"
#include "io/formats/psd.h"
#include "io/limits.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEADER_BYTES 26
#define MOST_SIDE    300000              /* for PSB; PSD allows 30000 */
#define MOST_BLOCKS  10000

enum { RESOLUTION = 1005, ALPHA_NAMES = 1006, IPTC = 1028, PROFILE = 1039, TRANSPARENT = 1047, VERSION_INFO = 1057,
       EXIF = 1058, XMP = 1060 };

static int fail_damaged(const struct gf_reader *r, const char *what, struct gf_error *err)
{
    return gf_fail(err, GF_FAILED, "%s: is damaged: %s", r->name, what);
}

/*
 * Reads the length of a section and moves *at after it. A length beyond the end of the file is an
 * error.
 */
static int get_length(const struct gf_reader *r, bool large, int64_t *at, int64_t *length, struct gf_error *err)
{
    const struct gf_psd *p = r->state;
    unsigned char b[8] = { 0 };

    if (gf_raster_get(r, *at, large ? b : b + 4, large ? 8 : 4, err) != 0)
        return -1;
    *at += large ? 8 : 4;
    *length = (int64_t)((uint64_t)gf_get32(b, true) << 32 | gf_get32(b + 4, true));
    if (*length < 0 || *length > p->raster.size - *at)
        return gf_fail_cut(err, "%s: is cut short", r->name);
    return 0;
}

/* ---- type of image ---- */

static const char *unsupported_mode(const struct gf_psd *p)
{
    switch (p->mode) {
    case GF_PSD_BITMAP:
    case GF_PSD_GRAY:
    case GF_PSD_INDEXED:
    case GF_PSD_RGB:
        return NULL;
    case GF_PSD_CMYK:
        return "CMYK PSD";
    case GF_PSD_MULTICHANNEL:
        return "multichannel PSD";
    case GF_PSD_DUOTONE:
        return "duotone PSD";
    case GF_PSD_LAB:
        return "Lab PSD";
    }
    return "PSD with an unknown color mode";
}

static int check_kind(const struct gf_reader *r, struct gf_error *err)
{
    const struct gf_psd *p = r->state;
    const bool deep = p->depth == 8 || p->depth == 16 || p->depth == 32;

    if (unsupported_mode(p) != NULL)
        return gf_fail(err, GF_FAILED, "%s: %s is not supported; convert it to PNG or TIFF first", r->name,
                       unsupported_mode(p));
    if (p->mode == GF_PSD_BITMAP ? p->depth != 1 : p->mode == GF_PSD_INDEXED ? p->depth != 8 : !deep)
        return gf_fail(err, GF_FAILED, "%s: is damaged: %d bits per sample", r->name, p->depth);
    if (p->channels < (p->mode == GF_PSD_RGB ? 3 : 1) || p->channels > GF_PSD_MOST_CHANNELS)
        return gf_fail(err, GF_FAILED, "%s: is damaged: %d channels", r->name, p->channels);
    if (p->width > MOST_SIDE || p->height > MOST_SIDE)
        return fail_damaged(r, "its width or height is above 300000", err);
    return gf_limits_check_size(r->name, p->width, p->height, 0, r->options, err);
}

static int read_header(struct gf_reader *r, struct gf_error *err)
{
    struct gf_psd *p = r->state;
    unsigned char h[HEADER_BYTES];

    if (gf_raster_get(r, 0, h, sizeof h, err) != 0)
        return -1;
    if (memcmp(h, "8BPS", 4) != 0)
        return gf_fail(err, GF_FAILED, "%s: is not a PSD file", r->name);
    if (gf_get16(h + 4, true) != 1 && gf_get16(h + 4, true) != 2)
        return gf_fail(err, GF_FAILED, "%s: PSD version %u is not supported; must be 1 or 2", r->name,
                       gf_get16(h + 4, true));
    p->large = h[5] == 2;
    p->channels = (int)gf_get16(h + 12, true);
    p->height = gf_get32(h + 14, true);
    p->width = gf_get32(h + 18, true);
    p->depth = (int)gf_get16(h + 22, true);
    p->mode = (enum gf_psd_mode)gf_get16(h + 24, true);
    p->transparent = -1;
    return check_kind(r, err);
}

/* Reads the palette: all reds, then all greens, then all blues. */
static int read_palette(struct gf_reader *r, int64_t at, int64_t size, struct gf_error *err)
{
    struct gf_psd *p = r->state;
    unsigned char planes[3][256];

    if (size < (int64_t)sizeof planes)
        return fail_damaged(r, "it has no palette", err);
    if (gf_raster_get(r, at, planes, sizeof planes, err) != 0)
        return -1;
    for (int i = 0; i < 256; i++)
        for (int c = 0; c < 3; c++)
            p->palette[i][c] = planes[c][i];
    return 0;
}

/* ---- resources ---- */

/* Reads pixels per inch, as fixed-point numbers with 16 fractional bits. */
static void read_resolution(struct gf_meta *m, const unsigned char *b, int64_t size)
{
    if (size < 16 || gf_get32(b, true) == 0 || gf_get32(b + 8, true) == 0)
        return;
    m->x_per_metre = gf_get32(b, true) / 65536. / .0254;
    m->y_per_metre = gf_get32(b + 8, true) / 65536. / .0254;
}

/*
 * Appends a name to the list in `names`, if there is room. Characters that a terminal could
 * interpret become question marks.
 */
static void add_name(char *names, size_t room, const unsigned char *name, size_t size)
{
    size_t length = strlen(names);

    if (size == 0 || length + size + 3 > room)
        return;
    if (length > 0) {
        memcpy(names + length, ", ", 2);
        length += 2;
    }
    for (size_t i = 0; i < size; i++)
        names[length++] = name[i] >= ' ' && name[i] < 127 ? (char)name[i] : '?';
    names[length] = '\0';
}

/*
 * Reads names of the channels after the colors, each after its length. The first name may belong to
 * alpha.
 */
static void read_names(struct gf_psd *p, const unsigned char *b, int64_t size)
{
    const int alphas = p->mode == GF_PSD_GRAY || p->mode == GF_PSD_RGB ? 1 : 0;

    for (int64_t at = 0, n = 0; at < size && b[at] < size - at; at += b[at] + 1, n++) {
        if (n < alphas)
            add_name(p->first_extra, sizeof p->first_extra, b + at + 1, b[at]);
        else
            add_name(p->extra, sizeof p->extra, b + at + 1, b[at]);
    }
}

static int use_resource(struct gf_reader *r, unsigned id, const unsigned char *b, int64_t size, struct gf_error *err)
{
    struct gf_psd *p = r->state;

    switch (id) {
    case RESOLUTION:
        read_resolution(&r->meta, b, size);
        return 0;
    case ALPHA_NAMES:
        read_names(p, b, size);
        return 0;
    case PROFILE:
        return gf_meta_set_icc(&r->meta, b, (size_t)size, err);
    case EXIF:
        return gf_meta_set_exif(&r->meta, b, (size_t)size, err);
    case IPTC:
        return gf_meta_set_iptc(&r->meta, b, (size_t)size, err);
    case XMP:
        return gf_meta_set_xmp(&r->meta, b, (size_t)size, err);
    case TRANSPARENT:
        if (p->mode == GF_PSD_INDEXED && size >= 2 && gf_get16(b, true) < 256)
            p->transparent = (int)gf_get16(b, true);
        return 0;
    case VERSION_INFO:
        return size < 5 || b[4] != 0 ? 0 : gf_fail(err, GF_FAILED, "%s: has layers but no merged image; save it with "
                                                   "\"Maximize compatibility\"", r->name);
    default:
        return 0;
    }
}

static bool is_wanted(unsigned id)
{
    return id == RESOLUTION || id == ALPHA_NAMES || id == PROFILE || id == EXIF || id == IPTC || id == XMP
        || id == TRANSPARENT || id == VERSION_INFO;
}

static int load_resource(struct gf_reader *r, unsigned id, int64_t at, int64_t size, struct gf_error *err)
{
    unsigned char *b = gf_raster_load(r, at, size, err);
    int result;

    if (b == NULL)
        return -1;
    result = use_resource(r, id, b, size, err);
    free(b);
    return result;
}

/*
 * Reads all resources. Each has a signature, a number, a name with its length first, a size and
 * data. Name and data are padded to even sizes.
 */
static int read_resources(struct gf_reader *r, int64_t at, int64_t end, struct gf_error *err)
{
    for (int n = 0; n < MOST_BLOCKS && end - at >= 12; n++) {
        unsigned char b[7];
        int64_t size, name;
        unsigned id;

        if (gf_raster_get(r, at, b, sizeof b, err) != 0)
            return -1;
        id = gf_get16(b + 4, true);
        name = (b[6] + 2) / 2 * 2;
        at += 6 + name;
        if (end - at < 4 || gf_raster_get(r, at, b, 4, err) != 0)
            return fail_damaged(r, "its resources are longer than their section", err);
        size = gf_get32(b, true);
        at += 4;
        if (size > end - at)
            return fail_damaged(r, "its resources are longer than their section", err);
        if (is_wanted(id) && load_resource(r, id, at, size, err) != 0)
            return -1;
        at += size + (size & 1);
    }
    return 0;
}

/* ---- layers ---- */

/*
 * Detects merged alpha. Layers of 16 and 32 bits have blocks of their own; other blocks exist only
 * if there is merged alpha.
 */
static void note_merged_alpha(struct gf_psd *p, const unsigned char *key, int layers)
{
    static const char *const keys[] = { "Mtrn", "Mt16", "Mt32" };

    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        p->merged_alpha = p->merged_alpha || memcmp(key, keys[i], 4) == 0;
    if (memcmp(key, "Layr", 4) == 0 || memcmp(key, "Lr16", 4) == 0 || memcmp(key, "Lr32", 4) == 0)
        p->merged_alpha = p->merged_alpha || layers < 0;
}

/* Returns true for blocks whose lengths have 8 bytes in a PSB. */
static bool is_long(const struct gf_psd *p, const unsigned char *key)
{
    static const char keys[] = "LMskLr16Lr32LayrMt16Mt32MtrnAlphFMsklnk2FEidFXidPxSD";

    for (size_t i = 0; p->large && i + 4 < sizeof keys; i += 4)
        if (memcmp(key, keys + i, 4) == 0)
            return true;
    return false;
}

static int read_blocks(struct gf_reader *r, int64_t at, int64_t end, struct gf_error *err)
{
    struct gf_psd *p = r->state;

    for (int n = 0; n < MOST_BLOCKS && end - at >= 12; n++) {
        unsigned char b[8], first[2] = { 0 };
        int64_t length;

        if (gf_raster_get(r, at, b, sizeof b, err) != 0)
            return -1;
        if (memcmp(b, "8BIM", 4) != 0 && memcmp(b, "8B64", 4) != 0)
            return 0;
        at += (int64_t)sizeof b;
        if (get_length(r, is_long(p, b + 4), &at, &length, err) != 0)
            return -1;
        if (length >= 2 && gf_raster_get(r, at, first, 2, err) != 0)
            return -1;
        note_merged_alpha(p, b + 4, (int16_t)gf_get16(first, true));
        at += (length + 3) / 4 * 4;
    }
    return 0;
}

/*
 * Reads the number of layers. It is negative if the first channel after the colors is the alpha of
 * the merged image.
 */
static int read_layers(struct gf_reader *r, int64_t at, int64_t end, struct gf_error *err)
{
    struct gf_psd *p = r->state;
    unsigned char count[2];
    int64_t length;

    if (end - at < (p->large ? 8 : 4))
        return 0;
    if (get_length(r, p->large, &at, &length, err) != 0)
        return -1;
    if (length >= 2) {
        if (gf_raster_get(r, at, count, 2, err) != 0)
            return -1;
        p->merged_alpha = (int16_t)gf_get16(count, true) < 0;
    }
    at += length;
    if (end - at < 4)
        return 0;
    if (get_length(r, false, &at, &length, err) != 0)
        return -1;
    return read_blocks(r, at + length, end, err);
}

int gf_psd_header(struct gf_reader *r, struct gf_error *err)
{
    struct gf_psd *p = r->state;
    int64_t at = HEADER_BYTES, length;

    if (read_header(r, err) != 0 || get_length(r, false, &at, &length, err) != 0)
        return -1;
    if (p->mode == GF_PSD_INDEXED && read_palette(r, at, length, err) != 0)
        return -1;
    at += length;
    if (get_length(r, false, &at, &length, err) != 0 || read_resources(r, at, at + length, err) != 0)
        return -1;
    at += length;
    if (get_length(r, p->large, &at, &length, err) != 0 || read_layers(r, at, at + length, err) != 0)
        return -1;
    p->merged = at + length;
    return 0;
}
