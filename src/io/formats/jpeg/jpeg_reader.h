/* The state of the JPEG reader, for libjpeg and for codecs of devices. */
#ifndef GF_FORMATS_JPEG_READER_H
#define GF_FORMATS_JPEG_READER_H

#include "base/jpeg_codec.h"
#include "io/formats/jpeg/jpeg.h"

struct gf_jpeg_in {
    struct jpeg_decompress_struct d;
    struct gf_jpeg_errors errors;
    struct jpeg_source_mgr feed;
    struct jpeg_progress_mgr progress;
    struct gf_source *source;
    struct gf_read_options options;
    size_t lent;                 /* bytes of the source's buffer that libjpeg can see */
    int64_t begin;               /* offset of the current image */
    bool keeps_data;             /* data read now stays in memory: markers, coefficients */
    bool made;                   /* `d` is initialized */
    bool started;                /* decompression has started */
    JSAMPROW inks;               /* a row of CMYK */
    JSAMPROW wide;               /* a row of which only a part is needed; NULL: rows are needed from end to end */
    JDIMENSION left_out;         /* its columns before that part */
    JDIMENSION end_row;          /* the row after the last one that is needed */
    struct gf_icc *icc;          /* conversion of CMYK to sRGB; NULL: none */
    struct gf_jpeg_markers markers;
    struct gf_jpeg_further further;
    void *samples;               /* the current image, in a device's memory; NULL: libjpeg decodes it */
    int64_t coded_bytes;         /* its length in the file, if `samples` is set */
    const struct gf_reader_ops *host_ops;        /* of the reader; while `samples` is set, it has these: */
    struct gf_reader_ops device_ops;
};

/*
 * Decodes the current image in the memory of a device, unless libjpeg must do it: because it is
 * unusual or damaged, or because the codec cannot; *err has a message if memory is short. After
 * success the reader can only be used in place.
 */
int gf_jpeg_use_codec(struct gf_reader *r, struct gf_jpeg_codec *codec, struct gf_error *err) GF_MUST_CHECK;
/* Goes to the end of an image that a device has decoded, and back to libjpeg. */
int gf_jpeg_leave_device(struct gf_reader *r, struct gf_error *err) GF_MUST_CHECK;
/* Makes libjpeg decode less than the whole image. */
void gf_jpeg_narrow(struct gf_reader *r, const struct gf_format *part);
/* Goes to the first row of the part, after jpeg_start_decompress(), and leaves out columns around it. */
void gf_jpeg_start_part(struct gf_jpeg_in *p, const struct gf_format *f);
/*
 * Skips the rows after the last one that was read, except the last row of the image. Returns 1 if it found the end
 * of the image without decoding it: then decompression has ended. Otherwise 0, or -1.
 */
int gf_jpeg_skip_rest(struct gf_jpeg_in *p, struct gf_error *err) GF_MUST_CHECK;
/* Returns the length of a baseline JPEG of one scan, to its end marker; 0 if it is none, or cut short. */
size_t gf_jpeg_coded_bytes(const unsigned char *b, size_t size);

#endif
