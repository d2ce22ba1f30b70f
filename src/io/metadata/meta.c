/* Metadata of an image or recording: copies it, and updates it when the image changes. */
#include "io/metadata/meta.h"

#include "base/signal.h"
#include "base/words.h"
#include "io/metadata/change.h"
#include "io/metadata/exif.h"
#include "io/metadata/xmp.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

void gf_meta_release(struct gf_meta *m)
{
    for (int i = 0; i < m->texts; i++) {
        free(m->text[i].key);
        free(m->text[i].value);
    }
    for (int i = 0; i < m->extras; i++) {
        free(m->extra[i].name);
        free(m->extra[i].file);
    }
    free(m->extra);
    free(m->riff);
    free(m->text);
    free(m->icc);
    free(m->exif);
    free(m->xmp);
    free(m->iptc);
    *m = (struct gf_meta) { 0 };
}

size_t gf_meta_room(const struct gf_meta *m)
{
    const size_t most = m->limit != NULL && m->limit->bytes > 0 ? (size_t)m->limit->bytes : SIZE_MAX;

    return m->counted < most ? most - m->counted : 0;
}

int gf_meta_check_room(const struct gf_meta *m, size_t size, struct gf_error *err)
{
    if (size <= gf_meta_room(m))
        return 0;
    return gf_fail_limit(err, m->limit->name, "its metadata ", 0, m->limit->bytes, m->limit->option);
}

int gf_meta_count(struct gf_meta *m, size_t size, struct gf_error *err)
{
    if (gf_meta_check_room(m, size, err) != 0)
        return -1;
    m->counted += size;
    return 0;
}

static const char *file_name(const struct gf_meta *m)
{
    return m->limit != NULL ? m->limit->name : NULL;
}

static int set_bytes(struct gf_meta *m, unsigned char **to, size_t *to_size, const void *bytes, size_t size,
                     struct gf_error *err)
{
    unsigned char *copy;

    if (gf_meta_count(m, size, err) != 0)
        return -1;
    copy = size > 0 ? malloc(size) : NULL;
    if (size > 0 && copy == NULL)
        return gf_fail_memory(err, file_name(m));
    if (size > 0)
        memcpy(copy, bytes, size);
    free(*to);
    *to = copy;
    *to_size = size;
    return 0;
}

int gf_meta_set_icc(struct gf_meta *m, const void *bytes, size_t size, struct gf_error *err)
{
    return set_bytes(m, &m->icc, &m->icc_bytes, bytes, size, err);
}

int gf_meta_set_exif(struct gf_meta *m, const void *bytes, size_t size, struct gf_error *err)
{
    const size_t before = size >= 6 && memcmp(bytes, "Exif\0\0", 6) == 0 ? 6 : 0;

    return set_bytes(m, &m->exif, &m->exif_bytes, (const unsigned char *)bytes + before, size - before, err);
}

int gf_meta_set_xmp(struct gf_meta *m, const void *bytes, size_t size, struct gf_error *err)
{
    return set_bytes(m, &m->xmp, &m->xmp_bytes, bytes, size, err);
}

int gf_meta_set_iptc(struct gf_meta *m, const void *bytes, size_t size, struct gf_error *err)
{
    return set_bytes(m, &m->iptc, &m->iptc_bytes, bytes, size, err);
}

int gf_meta_append_exif(struct gf_meta *m, const void *bytes, size_t size, struct gf_error *err)
{
    unsigned char *more;

    if (gf_meta_count(m, size, err) != 0)
        return -1;
    more = realloc(m->exif, m->exif_bytes + size + 1);
    if (more == NULL)
        return gf_fail_memory(err, file_name(m));
    memcpy(more + m->exif_bytes, bytes, size);
    m->exif = more;
    m->exif_bytes += size;
    return 0;
}

int gf_meta_add_text(struct gf_meta *m, const char *key, const char *value, struct gf_error *err)
{
    struct gf_text *more, text = { NULL, NULL };

    if (m->texts >= GF_META_MOST_TEXTS) {
        m->parts |= GF_PART_LONG_TEXT;
        return 0;
    }
    if (gf_meta_count(m, sizeof *more + strlen(key) + strlen(value) + 2, err) != 0)
        return -1;
    more = realloc(m->text, ((size_t)m->texts + 1) * sizeof *more);
    if (more == NULL)
        return gf_fail_memory(err, file_name(m));
    m->text = more;
    text.key = strdup(key);
    text.value = strdup(value);
    if (text.key == NULL || text.value == NULL) {
        free(text.key);
        free(text.value);
        return gf_fail_memory(err, file_name(m));
    }
    m->text[m->texts++] = text;
    return 0;
}

static int copy_extras(struct gf_meta *to, const struct gf_meta *from, struct gf_error *err)
{
    if (from->extras == 0)
        return 0;
    to->extra = calloc((size_t)from->extras, sizeof *to->extra);
    if (to->extra == NULL)
        return gf_fail_memory(err, file_name(to));
    for (; to->extras < from->extras; to->extras++) {
        const struct gf_extra *const e = &from->extra[to->extras];
        struct gf_extra *const copy = &to->extra[to->extras];

        *copy = *e;
        copy->name = strdup(e->name);
        copy->file = e->file != NULL ? strdup(e->file) : NULL;
        if (copy->name != NULL && (copy->file != NULL || e->file == NULL))
            continue;
        free(copy->name);
        free(copy->file);
        return gf_fail_memory(err, file_name(to));
    }
    return 0;
}

int gf_meta_copy(struct gf_meta *to, const struct gf_meta *from, struct gf_error *err)
{
    int result = 0;

    *to = (struct gf_meta){ .orientation = from->orientation,
                            .x_per_metre = from->x_per_metre,
                            .y_per_metre = from->y_per_metre,
                            .x_per_unit = from->x_per_unit,
                            .y_per_unit = from->y_per_unit,
                            .measured = from->measured,
                            .per_centimetre = from->per_centimetre,
                            .recoded = from->recoded,
                            .images = from->images,
                            .packing = from->packing,
                            .parts = from->parts };
    to->layout = from->layout;
    memcpy(to->dropped, from->dropped, sizeof to->dropped);
    memcpy(to->chunk, from->chunk, sizeof to->chunk);
    memcpy(to->has_chunk, from->has_chunk, sizeof to->has_chunk);
    if (gf_meta_set_icc(to, from->icc, from->icc_bytes, err) != 0
        || set_bytes(to, &to->exif, &to->exif_bytes, from->exif, from->exif_bytes, err) != 0
        || gf_meta_set_xmp(to, from->xmp, from->xmp_bytes, err) != 0
        || gf_meta_set_iptc(to, from->iptc, from->iptc_bytes, err) != 0
        || set_bytes(to, &to->riff, &to->riff_bytes, from->riff, from->riff_bytes, err) != 0
        || copy_extras(to, from, err) != 0)
        result = -1;
    for (int i = 0; result == 0 && i < from->texts; i++)
        result = gf_meta_add_text(to, from->text[i].key, from->text[i].value, err);
    if (result != 0)
        gf_meta_release(to);
    return result;
}

#define ICC_HEADER_BYTES 128

bool gf_meta_has_icc_for(const struct gf_meta *m, int colours)
{
    return m->icc_bytes > ICC_HEADER_BYTES && memcmp(m->icc + 36, "acsp", 4) == 0
        && memcmp(m->icc + 16, colours == 1 ? "GRAY" : colours == 3 ? "RGB " : "CMYK", 4) == 0;
}

int gf_meta_stand_upright(struct gf_meta *m)
{
    const int exif = gf_exif_orientation(m->exif, m->exif_bytes), xmp = gf_xmp_orientation(m->xmp, m->xmp_bytes);
    const int stated = m->orientation >= 1 && m->orientation <= 8 ? m->orientation : exif > 0 ? exif : xmp;

    gf_exif_reset_orientation(m->exif, m->exif_bytes);
    gf_xmp_reset_orientation(m->xmp, m->xmp_bytes);
    m->orientation = stated > 0;
    if (stated >= 5) {
        const double x = m->x_per_metre, per_unit = m->x_per_unit;

        m->x_per_metre = m->y_per_metre;
        m->y_per_metre = x;
        m->x_per_unit = m->y_per_unit;
        m->y_per_unit = per_unit;
    }
    return stated;
}

#define NEARLY_SQUARE .01                /* pixels within 1 % of square count as square */
#define MOST_ASPECT 999999

void gf_meta_pixel_shape(const struct gf_meta *m, int *aspect)
{
    double x = m->x_per_metre > 0 ? m->x_per_metre : m->x_per_unit,
           y = m->x_per_metre > 0 ? m->y_per_metre : m->y_per_unit;
    uint32_t a, b;
    int common;

    if (!(x > 0 && y > 0) || (x <= y * (1 + NEARLY_SQUARE) && y <= x * (1 + NEARLY_SQUARE)))
        return;
    for (int i = 0; i < 3 && (fabs(x - rint(x)) > 1e-4 || fabs(y - rint(y)) > 1e-4); i++, x *= 10, y *= 10)
        ;                                                /* 3.5:2 becomes 35:20 */
    for (; x > MOST_ASPECT || y > MOST_ASPECT; x /= 2, y /= 2)
        ;
    a = (uint32_t)(x + .5);
    b = (uint32_t)(y + .5);
    if (a == 0 || b == 0)
        return;
    aspect[0] = (int)b;
    aspect[1] = (int)a;
    common = (int)gf_common_divisor(a, b);
    aspect[0] /= common;
    aspect[1] /= common;
}

void gf_meta_take_exif_resolution(struct gf_meta *m)
{
    int aspect[2] = { 1, 1 };
    struct gf_meta stated = { 0 };

    gf_meta_pixel_shape(m, aspect);
    if (m->x_per_metre > 0 || m->measured || aspect[0] != aspect[1]
        || !gf_exif_resolution(m->exif, m->exif_bytes, &stated.x_per_metre, &stated.y_per_metre))
        return;
    gf_meta_pixel_shape(&stated, aspect);
    if (aspect[0] != aspect[1])
        return;
    m->x_per_metre = stated.x_per_metre;
    m->y_per_metre = stated.y_per_metre;
}

/* Updates the resolution for pixels of another aspect; 0 means unknown and changes nothing. */
static void reshape(struct gf_meta *m, const int *aspect)
{
    const double x = m->x_per_metre;
    int before[2] = { 1, 1 };

    gf_meta_pixel_shape(m, before);
    if (aspect[0] <= 0 || aspect[1] <= 0 || (aspect[0] == before[0] && aspect[1] == before[1]))
        return;
    if (x <= 0) {
        m->x_per_unit = aspect[0] != aspect[1] ? aspect[1] : 0;
        m->y_per_unit = aspect[0] != aspect[1] ? aspect[0] : 0;
    } else if (aspect[0] == before[1] && aspect[1] == before[0]) {
        m->x_per_metre = m->y_per_metre;
        m->y_per_metre = x;
    } else {
        m->y_per_metre = x * aspect[0] / aspect[1];
    }
}

/*
 * Returns true for texts in which ImageMagick repeats
 * size, orientation or thumbnail of EXIF or XMP.
 */
static bool is_copy(const char *key)
{
    static const char *const names[] = { "Orientation", "PixelXDimension", "PixelYDimension", "ImageWidth",
                                         "ImageLength", "ExifImageWidth",  "ExifImageLength" };
    const char *colon = strchr(key, ':');

    if (colon == NULL
        || (strncmp(key, "exif:", 5) != 0 && strncmp(key, "tiff:", 5) != 0 && strncmp(key, "xmp:", 4) != 0))
        return false;
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (strcmp(colon + 1, names[k]) == 0)
            return true;
    return strncmp(colon + 1, "thumbnail:", 10) == 0;
}

/* Drops the texts for which `drops` returns true. */
static void drop_texts(struct gf_meta *m, bool (*drops)(const char *key))
{
    int kept = 0;

    for (int i = 0; i < m->texts; i++)
        if (drops(m->text[i].key)) {
            free(m->text[i].key);
            free(m->text[i].value);
        } else {
            m->text[kept++] = m->text[i];
        }
    m->texts = kept;
}

static bool is_comment(const char *key)
{
    return strcmp(key, "Comment") == 0;
}

void gf_meta_extra_text(const struct gf_extra *e, char *text, size_t bytes)
{
    if (e->count > 0)
        snprintf(text, bytes, "%d %.*s", e->count, (int)strlen(e->name) - (e->count == 1), e->name);
    else
        snprintf(text, bytes, "%s", e->name);
}

void gf_meta_drop_comment(struct gf_meta *m)
{
    drop_texts(m, is_comment);
}

int gf_meta_settle(struct gf_meta *m, const struct gf_change *c, struct gf_error *err)
{
    if (m->exif_bytes > 0 && gf_exif_drop_thumbnail(m->exif, &m->exif_bytes) != 0) {
        m->exif_bytes = 0;
        m->parts |= GF_PART_EXIF;
    }
    drop_texts(m, is_copy);
    gf_exif_settle(m->exif, m->exif_bytes, c);
    return gf_xmp_settle(&m->xmp, &m->xmp_bytes, c, &m->parts, err);
}

void gf_meta_settle_scale(struct gf_meta *m, const struct gf_change *c, const int *aspect)
{
    double *const scales[][2] = { { &m->x_per_metre, &m->y_per_metre }, { &m->x_per_unit, &m->y_per_unit } };
    const bool turned = gf_affine_axes(&c->to_input) == GF_AXES_TURNED;
    const struct gf_affine map = m->measured ? c->to_input : gf_change_print_map(turned);

    for (size_t i = 0; i < sizeof scales / sizeof *scales; i++)
        if (*scales[i][0] > 0 && !gf_change_density(&map, scales[i][0], scales[i][1])) {
            *scales[i][0] = *scales[i][1] = 0;
            m->parts |= GF_PART_SCALE;
        }
    if (!m->measured)
        reshape(m, aspect);
}

static bool is_place(const char *key)
{
    return strncasecmp(key, "exif:GPS", 8) == 0 || strcasecmp(key, "location") == 0;
}

static bool is_any(const char *key)
{
    (void)key;
    return true;
}

/*
 * Removes the names of places from IPTC: city, sublocation, state, country and location codes. What follows a
 * damaged record is removed, too.
 */
static void forget_iptc_place(struct gf_meta *m)
{
    unsigned char *b = m->iptc;
    size_t to = 0, length;

    for (size_t at = 0; at + 5 <= m->iptc_bytes && b[at] == 0x1c; at += length) {
        const unsigned set = b[at + 2];

        length = 5 + ((size_t)b[at + 3] << 8 | b[at + 4]);
        if (length >= 5 + 0x8000 || length > m->iptc_bytes - at)
            break;
        if (b[at + 1] == 2 && (set == 26 || set == 27 || set == 90 || set == 92 || set == 95 || set == 100
                               || set == 101))
            continue;
        memmove(b + to, b + at, length);
        to += length;
    }
    m->iptc_bytes = to;
}

/* Removes the resolution. Pixels that are not square keep their shape. */
static void forget_resolution(struct gf_meta *m)
{
    int aspect[2] = { 1, 1 };

    gf_meta_pixel_shape(m, aspect);
    m->x_per_metre = m->y_per_metre = m->x_per_unit = m->y_per_unit = 0;
    m->measured = false;
    if (aspect[0] != aspect[1]) {
        m->x_per_unit = aspect[1];
        m->y_per_unit = aspect[0];
    }
    gf_exif_drop_resolution(m->exif, m->exif_bytes);
    gf_xmp_forget_resolution(m->xmp, &m->xmp_bytes);
}

void gf_meta_strip(struct gf_meta *m, unsigned parts)
{
    const bool thumbnail = (parts & GF_STRIP_THUMBNAIL) != 0, place = (parts & GF_STRIP_GPS) != 0;

    if ((parts & GF_STRIP_EXIF) != 0)
        m->exif_bytes = 0;
    if ((parts & GF_STRIP_XMP) != 0)
        m->xmp_bytes = 0;
    if ((parts & GF_STRIP_IPTC) != 0)
        m->iptc_bytes = 0;
    if (m->exif_bytes > 0 && ((thumbnail && gf_exif_drop_thumbnail(m->exif, &m->exif_bytes) != 0)
                              || (place && gf_exif_drop_gps(m->exif, m->exif_bytes) != 0))) {
        m->exif_bytes = 0;
        m->parts |= GF_PART_EXIF;
    }
    if (m->xmp_bytes > 0 && thumbnail)
        gf_xmp_forget_thumbnails(m->xmp, &m->xmp_bytes);
    if (m->xmp_bytes > 0 && place && !gf_xmp_forget_place(m->xmp, &m->xmp_bytes)) {
        m->xmp_bytes = 0;
        m->parts |= GF_PART_XMP;
    }
    if (place) {
        forget_iptc_place(m);
        drop_texts(m, is_place);
    }
    if ((parts & GF_STRIP_TEXT) != 0) {
        for (int i = 0; i < m->texts; i++)               /* TIFF has a tag for both, and is read as both */
            gf_exif_drop_text(m->exif, m->exif_bytes, m->text[i].key);
        drop_texts(m, is_any);
    }
    if ((parts & GF_STRIP_RESOLUTION) != 0)
        forget_resolution(m);
    if ((parts & GF_STRIP_ICC) != 0) {
        m->icc_bytes = 0;
        memset(m->has_chunk, 0, sizeof m->has_chunk);
    }
}
