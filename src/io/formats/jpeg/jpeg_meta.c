/* Metadata of JPEG, read and written: EXIF, XMP, IPTC, profile, resolution and comments.
 * Built if HAVE_JPEG. */
#include "io/formats/jpeg/jpeg.h"
#include "io/formats/photoshop.h"
#include "io/metadata/exif.h"
#include "io/metadata/meta_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define EXIF JPEG_APP0 + 1
#define ICC JPEG_APP0 + 2
#define RESOURCES JPEG_APP0 + 13         /* of Photoshop; they contain IPTC */
#define MARKER_BYTES 65533
#define METRES_PER_INCH 0.0254

static const char xmp_name[] = GF_JPEG_XMP_NAME, resources_name[] = GF_JPEG_RESOURCES_NAME;
static const char profile_name[] = GF_JPEG_PROFILE_NAME;

/* ---- reading ---- */

static bool begins_with(const struct jpeg_marker_struct *k, const void *with, size_t size)
{
    return k->data_length > size && memcmp(k->data, with, size) == 0;
}

/* Adds an EXIF segment. A long block continues in segments that do not begin with a TIFF header. */
static int add_exif(struct gf_meta *m, const struct jpeg_marker_struct *k, struct gf_error *err)
{
    const unsigned char *b = k->data + 6;
    const size_t size = k->data_length - 6;

    if (m->exif == NULL)
        return gf_meta_set_exif(m, b, size, err);
    if (size >= 4 && (memcmp(b, "II*\0", 4) == 0 || memcmp(b, "MM\0*", 4) == 0))
        return 0;                                /* only the first block is used */
    return gf_meta_append_exif(m, b, size, err);
}

/* Joins Photoshop resources, which may be split into segments at any byte. */
static int read_resources(j_decompress_ptr d, struct gf_meta *m, struct gf_error *err)
{
    const size_t head = sizeof resources_name;
    size_t size = 0;
    unsigned char *all;
    int result;

    for (const struct jpeg_marker_struct *k = d->marker_list; k != NULL; k = k->next)
        size += k->marker == RESOURCES && begins_with(k, resources_name, head) ? k->data_length - head : 0;
    if (size == 0)
        return 0;
    all = malloc(size);
    if (all == NULL)
        return gf_fail_memory(err, NULL);
    size = 0;
    for (const struct jpeg_marker_struct *k = d->marker_list; k != NULL; k = k->next)
        if (k->marker == RESOURCES && begins_with(k, resources_name, head)) {
            memcpy(all + size, k->data + head, k->data_length - head);
            size += k->data_length - head;
        }
    result = gf_photoshop_take(m, all, size, err);
    free(all);
    return result;
}

/* Joins the parts of a profile. */
static int read_profile(j_decompress_ptr d, struct gf_meta *m, struct gf_error *err)
{
    JOCTET *icc = NULL;
    unsigned icc_bytes = 0;
    int result = 0;

    if (jpeg_read_icc_profile(d, &icc, &icc_bytes)) {
        result = gf_meta_set_icc(m, icc, icc_bytes, err);
        free(icc);
        return result;
    }
    for (const struct jpeg_marker_struct *k = d->marker_list; k != NULL; k = k->next)
        if (k->marker == ICC)
            m->parts |= begins_with(k, profile_name, sizeof profile_name) ? GF_PART_PROFILE : 0;
    return 0;
}

int gf_jpeg_take_meta(j_decompress_ptr d, struct gf_meta *m, struct gf_error *err)
{
    const double unit = d->density_unit == 1 ? METRES_PER_INCH : 0.01;
    int result = 0;

    if (d->saw_JFIF_marker && (d->density_unit == 1 || d->density_unit == 2)) {
        m->x_per_metre = d->X_density / unit;
        m->y_per_metre = d->Y_density / unit;
    }
    if (d->saw_JFIF_marker && d->density_unit == 0 && d->X_density > 0 && d->Y_density > 0
        && d->X_density != d->Y_density) {
        m->x_per_unit = d->X_density;
        m->y_per_unit = d->Y_density;
    }
    for (const struct jpeg_marker_struct *k = d->marker_list; k != NULL && result == 0; k = k->next) {
        if (k->marker == EXIF && begins_with(k, "Exif\0", 6))
            result = add_exif(m, k, err);
        else if (k->marker == EXIF && begins_with(k, xmp_name, sizeof xmp_name) && m->xmp == NULL)
            result = gf_meta_set_xmp(m, k->data + sizeof xmp_name, k->data_length - sizeof xmp_name, err);
        else if (k->marker == JPEG_COM)
            result = gf_meta_text_add_bytes(m, "Comment", k->data, k->data_length, err);
    }
    if (result == 0)
        result = read_resources(d, m, err);
    return result != 0 ? -1 : read_profile(d, m, err);
}

/* ---- writing ---- */

/* Sets the resolution per inch or per centimeter, whichever is rounded less. */
static void put_density(j_compress_ptr c, const struct gf_meta *m)
{
    const double inch[] = { m->x_per_metre * METRES_PER_INCH, m->y_per_metre * METRES_PER_INCH };
    const double cm[] = { m->x_per_metre * .01, m->y_per_metre * .01 };
    const double off_inch = fabs(rint(inch[0]) / inch[0] - 1) + fabs(rint(inch[1]) / inch[1] - 1);
    const double off_cm = fabs(rint(cm[0]) / cm[0] - 1) + fabs(rint(cm[1]) / cm[1] - 1);
    const double *density = off_cm < off_inch - 1e-6 ? cm : inch;

    if (!(rint(density[0]) >= 1 && rint(density[1]) >= 1 && rint(density[0]) <= 65535 && rint(density[1]) <= 65535))
        return;
    c->density_unit = density == cm ? 2 : 1;
    c->X_density = (UINT16)rint(density[0]);
    c->Y_density = (UINT16)rint(density[1]);
}

void gf_jpeg_put_density(j_compress_ptr c, const struct gf_meta *m)
{
    int aspect[2] = { 1, 1 };

    if (m != NULL)
        gf_meta_pixel_shape(m, aspect);
    if (m != NULL && m->x_per_metre <= 0 && aspect[0] != aspect[1]) {
        const int most = aspect[0] > aspect[1] ? aspect[0] : aspect[1];
        const double scale = most > UINT16_MAX ? UINT16_MAX / (double)most : 1;

        c->density_unit = 0;
        c->X_density = (UINT16)fmax(1, rint(aspect[1] * scale));
        c->Y_density = (UINT16)fmax(1, rint(aspect[0] * scale));
    } else if (m != NULL && m->x_per_metre > 0 && m->y_per_metre > 0)
        put_density(c, m);
}

/*
 * Writes EXIF or XMP: an identifier and a block in one marker. A block that is too long is left
 * out.
 */
static void put_block(j_compress_ptr c, const char *name, size_t name_bytes, const unsigned char *block, size_t size)
{
    if (size == 0 || size > MARKER_BYTES - name_bytes)
        return;
    jpeg_write_m_header(c, EXIF, (unsigned)(name_bytes + size));
    for (size_t i = 0; i < name_bytes; i++)
        jpeg_write_m_byte(c, name[i]);
    for (size_t i = 0; i < size; i++)
        jpeg_write_m_byte(c, block[i]);
}

/* Writes IPTC as a Photoshop resource. */
static void put_iptc(j_compress_ptr c, const struct gf_meta *m)
{
    unsigned char head[sizeof resources_name + GF_PHOTOSHOP_HEAD_BYTES];
    const size_t padded = m->iptc_bytes + (m->iptc_bytes & 1);

    if (m->iptc_bytes == 0 || m->iptc_bytes > GF_JPEG_MOST_IPTC)
        return;
    memcpy(head, resources_name, sizeof resources_name);
    gf_photoshop_put_head(head + sizeof resources_name, m->iptc_bytes);
    jpeg_write_m_header(c, RESOURCES, (unsigned)(sizeof head + padded));
    for (size_t i = 0; i < sizeof head; i++)
        jpeg_write_m_byte(c, head[i]);
    for (size_t i = 0; i < padded; i++)
        jpeg_write_m_byte(c, i < m->iptc_bytes ? m->iptc[i] : 0);
}

bool gf_jpeg_keeps_text(const struct gf_text *t)
{
    return strlen(t->key) + 2 + strlen(t->value) <= MARKER_BYTES;
}

/* Writes a text as "key: value", or without the key if the key is Comment. */
static void put_comment(j_compress_ptr c, const struct gf_text *t)
{
    const char *key = strcmp(t->key, "Comment") == 0 ? "" : t->key, *between = key[0] != '\0' ? ": " : "";
    const char *const parts[] = { key, between, t->value };
    const size_t size = strlen(key) + strlen(between) + strlen(t->value);

    if (size == 0 || size > MARKER_BYTES)
        return;
    jpeg_write_m_header(c, JPEG_COM, (unsigned)size);
    for (int i = 0; i < 3; i++)
        for (const char *s = parts[i]; *s != '\0'; s++)
            jpeg_write_m_byte(c, *s);
}

void gf_jpeg_put_meta(j_compress_ptr c, const struct gf_meta *m)
{
    if (m == NULL)
        return;
    put_block(c, "Exif\0", 6, m->exif, m->exif_bytes);
    put_block(c, xmp_name, sizeof xmp_name, m->xmp, m->xmp_bytes);
    put_iptc(c, m);
    if (gf_meta_has_icc_for(m, c->num_components))
        jpeg_write_icc_profile(c, m->icc, (unsigned)m->icc_bytes);
    for (int i = 0; i < m->texts; i++)
        if (m->exif_bytes > GF_JPEG_MOST_EXIF
            || !gf_exif_repeats(m->exif, m->exif_bytes, m->text[i].key, m->text[i].value))
            put_comment(c, &m->text[i]);
}
