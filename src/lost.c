/* Warns about metadata of an input that its output loses. */
#include "lost.h"

#include <string.h>

static bool writes(const struct gf_writer *w, const char *name)
{
    return strcmp(w->ops->name, name) == 0;
}

void gf_lost_warn(const struct gf_reader *r, const struct gf_writer *w)
{
    const struct gf_meta *m = &r->meta;
    const bool tiff = writes(w, "tiff"), png = writes(w, "png"), jpeg = writes(w, "jpeg");

    if (w->options.strip || !(tiff || png || jpeg || writes(w, "webp")))     /* others store no metadata, and nobody expects it */
        return;
    if (m->dropped[0] != '\0')
        gf_warn(r->notices, "metadata-lost", r->name, "its %s metadata is lost, gpufilter does not read it from TIFF; --strip drops all metadata",
                m->dropped);
    if (tiff && m->exif_bytes > 0)
        gf_warn(r->notices, "exif-lost", r->name, "its EXIF is lost, gpufilter does not write EXIF to TIFF; .png, .jpg and .webp keep it");
    if ((png || jpeg) && m->x_per_unit > 0)
        gf_warn(r->notices, "resolution-lost", r->name, "its resolution of %g by %g has no unit and is lost; TIFF keeps it", m->x_per_unit,
                m->y_per_unit);
}
