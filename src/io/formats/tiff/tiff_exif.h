/* Copies EXIF and the place from the directories of a TIFF to a block of EXIF, and back. */
#ifndef GF_FORMATS_TIFF_EXIF_H
#define GF_FORMATS_TIFF_EXIF_H

#include "io/formats/tiff/tiff_page.h"

/*
 * Reads the EXIF of the current page, and what its main directory says about the camera. A page with neither gets no
 * EXIF. Entries that are damaged are left out; m->parts then says so.
 */
int gf_tiff_exif_read(struct gf_tiff *p, struct gf_meta *m, struct gf_error *err) GF_MUST_CHECK;
/*
 * Appends the directories of EXIF and of the place to a file that is written, and sets the tags of the page that refer
 * to them or repeat EXIF. Returns false if libtiff refuses a tag, memory is short, or the file failed. `*damaged` is
 * set if entries are left out.
 */
bool gf_tiff_exif_write(TIFF *t, struct gf_tiff_file *file, const struct gf_meta *m, bool big, bool *damaged);

#endif
