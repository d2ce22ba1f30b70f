/* Converts colors from an embedded profile to sRGB, with lcms2. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include "io/metadata/icc.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#ifdef HAVE_LCMS

#include "io/bytes.h"
#include "io/metadata/liblcms.h"

#define MOST_PROFILE_BYTES ((size_t)64 << 20)
#define FEWEST_PROFILE_BYTES 132
#define PIXELS_AT_ONCE 4096              /* a number that fits in the cache, and in the counters of lcms2 */

struct gf_icc {
    cmsContext context;
    cmsHTRANSFORM transform;
    size_t from_bytes, to_bytes;         /* bytes of a pixel */
    enum gf_type type;
    int step;                            /* samples from a pixel to the next */
    uint16_t *table;                     /* gray integers: the result for each value, used instead of `transform` */
};

bool gf_icc_is_there(void)
{
    return true;
}

/* Discards the messages of lcms2, which are too technical for users. */
static void discard_message(cmsContext context, cmsUInt32Number code, const char *text)
{
    (void)context;
    (void)code;
    (void)text;
}

static const char *space_word(cmsColorSpaceSignature space)
{
    return space == cmsSigGrayData ? "gray" : space == cmsSigRgbData ? "RGB" : space == cmsSigCmykData ? "CMYK"
        : "another color space";
}

/* Returns the pixel format of lcms2 for so many color channels and others: alpha or data. */
static cmsUInt32Number pixel_layout(int space, int channels, int others, enum gf_type type, bool flipped)
{
    return COLORSPACE_SH((unsigned)space) | CHANNELS_SH((unsigned)channels) | EXTRA_SH((unsigned)others)
        | BYTES_SH((unsigned)gf_type_bytes(type)) | FLOAT_SH(gf_type_is_float(type) ? 1u : 0u)
        | FLAVOR_SH(flipped ? 1u : 0u);
}

/* Creates an sRGB profile, or for gray, a profile with the curve of sRGB. */
static cmsHPROFILE make_srgb(cmsContext context, bool gray)
{
    cmsHPROFILE srgb = cmsCreate_sRGBProfileTHR(context), made;

    if (srgb == NULL || !gray)
        return srgb;
    made = cmsCreateGrayProfileTHR(context, cmsD50_xyY(), cmsReadTag(srgb, cmsSigRedTRCTag));
    cmsCloseProfile(srgb);
    return made;
}

/* Returns true if the class of a profile describes pixels: not device links or named colors. */
static bool describes_pixels(cmsHPROFILE profile)
{
    const cmsProfileClassSignature kind = cmsGetDeviceClass(profile);

    return kind == cmsSigInputClass || kind == cmsSigDisplayClass || kind == cmsSigOutputClass
        || kind == cmsSigColorSpaceClass;
}

static int fail_damaged(const char *name, struct gf_error *err)
{
    return gf_fail(err, GF_FAILED, "%s: its color profile is damaged;; --icc keep reads the samples as they are", name);
}

static cmsHTRANSFORM make_transform(struct gf_icc *c, cmsHPROFILE profile, cmsUInt32Number in, bool to_gray,
                                    cmsUInt32Number out, cmsUInt32Number flags)
{
    cmsHPROFILE srgb = make_srgb(c->context, to_gray);
    cmsHTRANSFORM made = NULL;

    if (srgb != NULL)
        made = cmsCreateTransformTHR(c->context, profile, in, srgb, out, INTENT_RELATIVE_COLORIMETRIC,
                                     flags | cmsFLAGS_BLACKPOINTCOMPENSATION | cmsFLAGS_NOCACHE);
    if (srgb != NULL)
        cmsCloseProfile(srgb);
    return made;
}

/*
 * Converts each gray value once, exactly. For an RGB
 * profile, gray is a color with three equal channels.
 */
static int make_table(struct gf_icc *c, cmsHPROFILE profile, bool coloured, const char *name, struct gf_error *err)
{
    const int levels = c->type == GF_U8 ? 256 : 65536;
    const cmsUInt32Number in = coloured ? TYPE_RGB_FLT : TYPE_GRAY_FLT;
    cmsHTRANSFORM transform = make_transform(c, profile, in, true, TYPE_GRAY_FLT, cmsFLAGS_NOOPTIMIZE);

    if (transform == NULL)
        return fail_damaged(name, err);
    c->table = malloc((size_t)levels * sizeof *c->table);
    for (int i = 0; c->table != NULL && i < levels; i++) {
        const float v = (float)i / (float)(levels - 1), rgb[] = { v, v, v };
        float made = 0;

        cmsDoTransform(transform, rgb, &made, 1);
        c->table[i] = (uint16_t)lrintf((made > 0 ? made < 1 ? made : 1 : 0) * (float)(levels - 1));
    }
    cmsDeleteTransform(transform);
    return c->table != NULL ? 0 : gf_fail_memory(err, name);
}

static int prepare_conversion(struct gf_icc *c, cmsHPROFILE profile, enum gf_icc_from from, const struct gf_format *f,
                              const char *name, struct gf_error *err)
{
    const bool gray = f->channels <= 2;
    const int others = f->channels - (gray ? 1 : 3);
    const bool whole = !gf_type_is_float(f->type), inks = from != GF_ICC_PIXELS;
    const cmsColorSpaceSignature space = cmsGetColorSpace(profile);
    const cmsColorSpaceSignature wanted = inks ? cmsSigCmykData : gray ? cmsSigGrayData : cmsSigRgbData;
    const bool coloured = gray && whole && space == cmsSigRgbData;           /* many programs write such files */
    const cmsUInt32Number pixels = gray ? pixel_layout(PT_GRAY, 1, others, f->type, false)
                                        : pixel_layout(PT_RGB, 3, others, f->type, false);
    const cmsUInt32Number in = inks ? pixel_layout(PT_CMYK, 4, others, f->type, from == GF_ICC_LEFT_WHITE) : pixels;

    if (space != wanted && !coloured)
        return gf_fail(err, GF_FAILED,
                       "%s: its color profile is for %s, but its pixels are %s;; --icc keep reads the samples as they "
                       "are",
                       name, space_word(space), space_word(wanted));
    if (!describes_pixels(profile))
        return fail_damaged(name, err);
    c->type = f->type;
    c->step = f->channels;
    c->to_bytes = (size_t)f->channels * gf_type_bytes(f->type);
    c->from_bytes = c->to_bytes + (inks ? gf_type_bytes(f->type) : 0);
    if (gray && whole)
        return make_table(c, profile, coloured, name, err);
    c->transform = make_transform(c, profile, in, gray, pixels,
                                  (inks && others == 0 ? 0 : cmsFLAGS_COPY_ALPHA)
                                      | (f->type == GF_U8 && !inks ? 0 : cmsFLAGS_HIGHRESPRECALC));
    return c->transform != NULL ? 0 : fail_damaged(name, err);
}

struct gf_icc *gf_icc_open(const void *profile, size_t size, enum gf_icc_from from, const struct gf_format *f,
                           const char *name, struct gf_error *err)
{
    struct gf_icc *c;
    cmsHPROFILE opened = NULL;
    int result = -1;

    if (gf_liblcms_open(err) != 0)
        return NULL;
    c = calloc(1, sizeof *c);
    if (c != NULL)
        c->context = cmsCreateContext(NULL, NULL);
    if (c == NULL || c->context == NULL) {
        gf_fail_memory(err, name);
        goto out;
    }
    cmsSetLogErrorHandlerTHR(c->context, discard_message);
    if (size >= FEWEST_PROFILE_BYTES && size <= MOST_PROFILE_BYTES)
        opened = cmsOpenProfileFromMemTHR(c->context, profile, (cmsUInt32Number)size);
    if (opened == NULL)
        gf_fail(err, GF_FAILED, "%s: its color profile is %s;; --icc keep reads the samples as they are", name,
                size > MOST_PROFILE_BYTES ? "too large" : "damaged");
    else
        result = prepare_conversion(c, opened, from, f, name, err);
out:
    if (opened != NULL)
        cmsCloseProfile(opened);
    if (result == 0)
        return c;
    gf_icc_close(c);
    return NULL;
}

static void convert_by_table(const struct gf_icc *c, void *to, int64_t pixels)
{
    uint16_t *wide = to;
    uint8_t *small = to;

    if (c->type == GF_U8)
        for (int64_t i = 0; i < pixels; i++, small += c->step)
            *small = (uint8_t)c->table[*small];
    else
        for (int64_t i = 0; i < pixels; i++, wide += c->step)
            *wide = c->table[*wide];
}

void gf_icc_convert(const struct gf_icc *c, const void *from, void *to, int64_t pixels)
{
    const unsigned char *b = from;
    unsigned char *at = to;

    if (c->table != NULL) {
        convert_by_table(c, to, pixels);
        return;
    }
    while (pixels > 0) {
        const int64_t n = pixels < PIXELS_AT_ONCE ? pixels : PIXELS_AT_ONCE;

        cmsDoTransform(c->transform, b, at, (cmsUInt32Number)n);
        b += (size_t)n * c->from_bytes;
        at += (size_t)n * c->to_bytes;
        pixels -= n;
    }
}

void gf_icc_close(struct gf_icc *c)
{
    if (c == NULL)
        return;
    if (c->transform != NULL)
        cmsDeleteTransform(c->transform);
    if (c->context != NULL)
        cmsDeleteContext(c->context);
    free(c->table);
    free(c);
}

static cmsCIExyY read_xy(const unsigned char *xy)
{
    return (cmsCIExyY) { gf_get32(xy, true) / 1e5, gf_get32(xy + 4, true) / 1e5, 1 };
}

/* Returns the bytes of a profile; NULL on failure. */
static void *save_profile(cmsHPROFILE made, size_t *size)
{
    cmsUInt32Number bytes = 0;
    void *profile = NULL;

    if (cmsSaveProfileToMem(made, NULL, &bytes) && bytes > 0)
        profile = malloc(bytes);
    if (profile != NULL && !cmsSaveProfileToMem(made, profile, &bytes)) {
        free(profile);
        return NULL;
    }
    *size = bytes;
    return profile;
}

int gf_icc_make(const unsigned char *gamma, const unsigned char *primaries, void **profile, size_t *size)
{
    static const unsigned char of_srgb[] = { 0, 0, 0x7A, 0x26, 0, 0, 0x80, 0x84, 0, 0, 0xFA, 0, 0, 0, 0x80, 0xE8,
                                             0, 0, 0x75, 0x30, 0, 0, 0xEA, 0x60, 0, 0, 0x3A, 0x98, 0, 0, 0x17, 0x70 };
    static const double curve[] = { 2.4, 1 / 1.055, .055 / 1.055, 1 / 12.92, .04045 };
    const unsigned char *from = primaries != NULL ? primaries : of_srgb;
    const double encoded = gamma != NULL ? gf_get32(gamma, true) / 1e5 : 1;
    const cmsCIExyY white = read_xy(from);
    const cmsCIExyYTRIPLE colours = { read_xy(from + 8), read_xy(from + 16), read_xy(from + 24) };
    struct gf_error none;
    const cmsContext context = gf_liblcms_open(&none) == 0 ? cmsCreateContext(NULL, NULL) : NULL;
    cmsToneCurve *one = NULL;
    cmsHPROFILE made = NULL;

    *profile = NULL;
    if (context == NULL)
        return -1;
    cmsSetLogErrorHandlerTHR(context, discard_message);
    if (encoded >= .01 && encoded <= 100 && white.y > 0 && colours.Red.y > 0 && colours.Green.y > 0
        && colours.Blue.y >= 0)
        one = gamma != NULL ? cmsBuildGamma(context, 1 / encoded) : cmsBuildParametricToneCurve(context, 4, curve);
    if (one != NULL)
        made = cmsCreateRGBProfileTHR(context, &white, &colours, (cmsToneCurve *[]) { one, one, one });
    if (made != NULL) {
        *profile = save_profile(made, size);
        cmsCloseProfile(made);
    }
    if (one != NULL)
        cmsFreeToneCurve(one);
    cmsDeleteContext(context);
    return *profile != NULL ? 0 : -1;
}

#else

int gf_icc_make(const unsigned char *gamma, const unsigned char *primaries, void **profile, size_t *size)
{
    (void)gamma, (void)primaries, (void)size;
    *profile = NULL;
    return -1;
}

bool gf_icc_is_there(void)
{
    return false;
}

struct gf_icc *gf_icc_open(const void *profile, size_t size, enum gf_icc_from from, const struct gf_format *f,
                           const char *name, struct gf_error *err)
{
    (void)profile, (void)size, (void)from, (void)f;
    gf_fail(err, GF_FAILED,
            "%s: its color profile cannot be read: gpufilter was built without lcms2;; --icc keep reads the samples as "
            "they are",
            name);
    return NULL;
}

void gf_icc_convert(const struct gf_icc *c, const void *from, void *to, int64_t pixels)
{
    (void)c, (void)from, (void)to, (void)pixels;
}

void gf_icc_close(struct gf_icc *c)
{
    (void)c;
}

#endif

#define STEPS 6                          /* test values per color, including 0 and 255 */
#define NEAR 2                           /* tolerance, of 255: profiles round curves and primaries differently */

bool gf_icc_is_srgb(const void *profile, size_t size, int colours)
{
    const struct gf_format f = { .kind = GF_IMAGE, .width = STEPS * STEPS * STEPS, .units = 1, .channels = colours,
                                 .type = GF_U8, .bits = 8, .maxval = 255 };
    uint8_t before[3 * STEPS * STEPS * STEPS], after[sizeof before];
    struct gf_error ignored;
    struct gf_icc *c = gf_icc_open(profile, size, GF_ICC_PIXELS, &f, "", &ignored);
    bool same = c != NULL;

    if (c == NULL)
        return false;
    for (int i = 0; i < (int)f.width; i++)
        for (int k = 0, rest = i; k < colours; k++, rest /= STEPS)
            before[i * colours + k] = (uint8_t)(colours == 1 ? i * 255 / (int)(f.width - 1)
                                                             : rest % STEPS * 255 / (STEPS - 1));
    memcpy(after, before, (size_t)(f.width * colours));
    gf_icc_convert(c, after, after, f.width);
    gf_icc_close(c);
    for (int i = 0; same && i < (int)f.width * colours; i++)
        same = before[i] - after[i] <= NEAR && after[i] - before[i] <= NEAR;
    return same;
}
