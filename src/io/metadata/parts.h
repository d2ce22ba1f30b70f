/* Kinds of metadata that are lost, for warnings. */
#ifndef GF_METADATA_PARTS_H
#define GF_METADATA_PARTS_H

/* Parts of a file that cannot be kept, as bits; gf_output_metadata_warn() names them. */
enum gf_meta_part {
    GF_PART_GAIN_MAP = 1,                    /* an image that brightens this one for HDR displays */
    GF_PART_IMAGES = 2,                      /* further images, such as depth */
    GF_PART_VIDEO = 4,
    GF_PART_CREDENTIALS = 8,                 /* C2PA */
    GF_PART_EXTENDED_XMP = 16,
    GF_PART_PATHS = 32,                      /* clipping paths */
    GF_PART_LONG_TEXT = 64,                  /* texts that are too long or too many */
    GF_PART_EXIF = 128,                      /* damaged EXIF */
    GF_PART_PROFILE = 256,                   /* a damaged profile */
    GF_PART_LATE = 512,                      /* metadata after the image, on a pipe */
    GF_PART_REPEATED = 1024,                 /* a second profile or XMP packet */
    /* the parts below would be false after a change */
    GF_PART_IMAGEJ = 2048,                   /* a description of images that are not in the output */
    GF_PART_OME = 4096,
    GF_PART_VALUES = 8192,                   /* a calibration of sample values */
    GF_PART_POSITIONS = 16384,               /* the origin of ImageJ's coordinates */
    GF_PART_SCALE = 32768,                   /* the size of a pixel */
    GF_PART_PANORAMA = 65536,
    GF_PART_FACES = 131072,                  /* regions with faces or other subjects */
    GF_PART_ROI = 262144,                    /* regions of interest in OME-XML */
    GF_PART_STAGE = 524288,                  /* positions of a microscope's stage */
    GF_PART_XMP = 1048576,                   /* XMP with a place that cannot be separated from the rest */
    GF_PART_SOME_EXIF = 2097152              /* entries of EXIF that are damaged */
};

#endif
