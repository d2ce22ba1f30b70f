/* What a JPEG carries beside its samples: EXIF, XMP, the profile, the resolution and comments, in and out. */
#include "io/jpeg.h"

#include "io/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define EXIF JPEG_APP0 + 1
#define ICC JPEG_APP0 + 2
#define MARKER_BYTES 65533
#define METRES_PER_INCH 0.0254

/* Before an XMP packet, which stands in a marker of the same number as EXIF; with a zero behind it. */
static const char xmp_name[] = "http://ns.adobe.com/xap/1.0/";

void gf_jpeg_keep_meta(j_decompress_ptr d)
{
    jpeg_save_markers(d, EXIF, 0xFFFF);
    jpeg_save_markers(d, ICC, 0xFFFF);
    jpeg_save_markers(d, JPEG_COM, 0xFFFF);
}

/* ---- in ---- */

int gf_jpeg_take_meta(j_decompress_ptr d, struct gf_meta *m, struct gf_error *err)
{
    const double unit = d->density_unit == 1 ? METRES_PER_INCH : 0.01;
    unsigned icc_bytes;
    JOCTET *icc;
    int result = 0;

    if (d->saw_JFIF_marker && (d->density_unit == 1 || d->density_unit == 2)) {
        m->x_per_metre = d->X_density / unit;
        m->y_per_metre = d->Y_density / unit;
    }
    for (const struct jpeg_marker_struct *k = d->marker_list; k != NULL && result == 0; k = k->next) {
        if (k->marker == EXIF && k->data_length > 6 && memcmp(k->data, "Exif\0\0", 6) == 0 && m->exif == NULL)
            result = gf_meta_set_exif(m, k->data, k->data_length, err);
        else if (k->marker == EXIF && k->data_length > sizeof xmp_name && memcmp(k->data, xmp_name, sizeof xmp_name) == 0 && m->xmp == NULL)
            result = gf_meta_set_xmp(m, k->data + sizeof xmp_name, k->data_length - sizeof xmp_name, err);
        else if (k->marker == JPEG_COM)
            result = gf_meta_add_found(m, "Comment", k->data, k->data_length, err);
    }
    if (result == 0 && jpeg_read_icc_profile(d, &icc, &icc_bytes)) {
        result = gf_meta_set_icc(m, icc, icc_bytes, err);
        free(icc);
    }
    return result;
}

/* ---- out ---- */

/* Whole numbers an inch or a centimetre, whichever comes nearer. */
static void put_density(j_compress_ptr c, const struct gf_meta *m)
{
    const double inch[] = { m->x_per_metre * METRES_PER_INCH, m->y_per_metre * METRES_PER_INCH };
    const double cm[] = { m->x_per_metre * .01, m->y_per_metre * .01 };
    const double off_inch = fabs(rint(inch[0]) / inch[0] - 1) + fabs(rint(inch[1]) / inch[1] - 1);
    const double off_cm = fabs(rint(cm[0]) / cm[0] - 1) + fabs(rint(cm[1]) / cm[1] - 1);
    const double *told = off_cm < off_inch - 1e-6 ? cm : inch;

    if (!(rint(told[0]) >= 1 && rint(told[1]) >= 1 && rint(told[0]) <= 65535 && rint(told[1]) <= 65535))
        return;
    c->density_unit = told == cm ? 2 : 1;
    c->X_density = (UINT16)rint(told[0]);
    c->Y_density = (UINT16)rint(told[1]);
}

void gf_jpeg_put_density(j_compress_ptr c, const struct gf_meta *m)
{
    if (m != NULL && m->x_per_metre > 0 && m->y_per_metre > 0)
        put_density(c, m);
}

/* EXIF and XMP: a name and a block in one marker; a block that is too long for it is left out. */
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

/* A comment is "key: value", but for one that is called so. */
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
    if (gf_meta_has_icc_for(m, c->input_components))
        jpeg_write_icc_profile(c, m->icc, (unsigned)m->icc_bytes);
    for (int i = 0; i < m->texts; i++)
        put_comment(c, &m->text[i]);
}
