/* Metadata: EXIF that is correct, EXIF that is wrong, and copies. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/metadata/change.h"
#include "io/metadata/exif.h"
#include "io/metadata/meta.h"
#include "io/formats/png/png_raw_profile.h"
#include "io/metadata/xmp.h"
#include "tests/tap.h"

/* An RGB image that was scaled from 10x10 to a size. */
#define SCALED_TO(wide, high) { .changed = true, .file_width = 10, .file_height = 10, \
    .to_file = { .xx = 10. / (wide), .yy = 10. / (high) }, .in = { .channels = 3, .width = 10, .units = 10 }, \
    .out = { .channels = 3, .width = (wide), .units = (high) }, .images = 1, .images_in = 1 }

/*
 * Returns the orientation in a block of exactly `size` bytes, so that sanitizers see any read
 * beyond it.
 */
static int told(const char *bytes, size_t size)
{
    unsigned char *block = malloc(size ? size : 1);
    int orientation;

    if (block == NULL)
        return -1;
    memcpy(block, bytes, size);
    orientation = gf_exif_orientation(block, size);
    free(block);
    return orientation;
}

/* A header and two entries, the second of which is the orientation; no further directory. */
#define LITTLE(o) "II*\0\x08\0\0\0\x02\0" "\x0f\x01\x02\0\x02\0\0\0A\0\0\0" \
    "\x12\x01\x03\0\x01\0\0\0" o "\0\0\0" "\0\0\0\0"
#define BIG(o) "MM\0*\0\0\0\x08\0\x02" "\x01\x0f\0\x02\0\0\0\x02" "A\0\0\0" \
    "\x01\x12\0\x03\0\0\0\x01\0" o "\0\0" "\0\0\0\0"
#define TOLD(text) told(text, sizeof text - 1)

static void test_orientation(void)
{
    static const char little[] = LITTLE("\x06");
    unsigned char block[sizeof little - 1];
    bool cut = true;

    gf_ok(TOLD(LITTLE("\x06")) == 6, "an orientation in little-endian order");
    gf_ok(TOLD(BIG("\x08")) == 8, "an orientation in big-endian order");
    gf_ok(TOLD(LITTLE("\x09")) == 0 && TOLD(LITTLE("\0")) == 0, "only 1 to 8 mean something");
    gf_ok(TOLD("") == 0 && TOLD("II*\0") == 0 && TOLD("MM\0*\0\0\0\x08") == 0, "a header with nothing behind it");
    gf_ok(TOLD("II*\0\xff\xff\xff\xff\x01\0") == 0, "a directory beyond the end");
    gf_ok(TOLD("II*\0\x07\0\0\0\x01\0\0\0") == 0, "a directory in the header");
    gf_ok(TOLD("II*\0\x08\0\0\0\xff\xff\x12\x01\x03\0\x01\0\0\0") == 0, "more entries than there are bytes");
    gf_ok(TOLD("II*\0\x08\0\0\0\x01\0\x12\x01\x04\0\x01\0\0\0\x06\0\0\0") == 0, "an orientation of another type");
    gf_ok(TOLD("II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\xff\xff\xff\xff\x06\0\0\0") == 0, "very many orientations");
    for (size_t size = 0; size < 34; size++)
        cut = cut && told(little, size) == 0;
    gf_ok(cut && told(little, 34) == 6, "cut anywhere before the end of its entry");
    memcpy(block, little, sizeof block);
    gf_exif_reset_orientation(block, sizeof block);
    gf_ok(memcmp(block, LITTLE("\x01"), sizeof block) == 0,
          "an orientation is set to 1, the rest stays, little-endian");
    memcpy(block, BIG("\x03"), sizeof block);
    gf_exif_reset_orientation(block, sizeof block);
    gf_ok(memcmp(block, BIG("\x01"), sizeof block) == 0, "an orientation is set to 1, the rest stays, big-endian");
}

static void test_upright(void)
{
    struct gf_meta m = { .x_per_metre = 100, .y_per_metre = 200 };
    struct gf_error err;

    gf_ok(gf_meta_stand_upright(&m) == 0 && m.orientation == 0 && m.x_per_metre == 100,
          "no orientation, nothing to do");
    gf_ok(gf_meta_set_exif(&m, "Exif\0\0" LITTLE("\x06"), 6 + sizeof LITTLE("\x06") - 1, &err) == 0 && m.exif[0] == 'I',
          "EXIF without what JPEG puts before it");
    gf_ok(gf_meta_stand_upright(&m) == 6 && m.orientation == 1, "a quarter turn is found once");
    gf_ok(m.x_per_metre == 200 && m.y_per_metre == 100, "a quarter turn exchanges the resolutions");
    gf_ok(gf_meta_stand_upright(&m) == 1 && m.x_per_metre == 200, "a quarter turn is gone after it is found");
    m.orientation = 3;
    gf_ok(gf_meta_stand_upright(&m) == 3 && m.x_per_metre == 200,
          "an orientation of the file itself counts before EXIF");
    gf_meta_release(&m);
}

static void test_xmp(void)
{
    static const char packet[] = "<x tiff:Orientation=\"6\"><tiff:Orientation> 8</tiff:Orientation><y "
                                 "tiff:Orientation='9' tiff:Orientations=\"3\" exif:Orientation=\"5\" "
                                 "tiff:Orientation=";
    static const char wanted[] = "<x tiff:Orientation=\"1\"><tiff:Orientation> 1</tiff:Orientation><y "
                                 "tiff:Orientation='9' tiff:Orientations=\"3\" exif:Orientation=\"5\" "
                                 "tiff:Orientation=";
    struct gf_meta m = { .orientation = 6 }, copy;
    struct gf_error err;
    bool cut = true;

    if (gf_meta_set_xmp(&m, packet, sizeof packet - 1, &err) != 0)
        exit(1);
    gf_ok(m.xmp_bytes == sizeof packet - 1 && memcmp(m.xmp, packet, m.xmp_bytes) == 0 && m.exif == NULL,
          "XMP, byte by byte");
    gf_ok(gf_meta_stand_upright(&m) == 6 && memcmp(m.xmp, wanted, m.xmp_bytes) == 0,
          "XMP says that the image is upright, and all else that it said");
    gf_ok(gf_meta_copy(&copy, &m, &err) == 0 && copy.xmp != m.xmp && copy.xmp_bytes == m.xmp_bytes
          && memcmp(copy.xmp, m.xmp, m.xmp_bytes) == 0, "is copied");
    gf_meta_release(&m);
    gf_meta_release(&copy);
    gf_ok(copy.xmp == NULL && copy.xmp_bytes == 0, "a copy of metadata is released");
    for (size_t size = 0; size < 24; size++) {
        /* an exact size, so that sanitizers see any read beyond it */
        unsigned char *block = malloc(size ? size : 1);

        if (block == NULL)
            exit(1);
        memcpy(block, packet, size);
        gf_xmp_reset_orientation(block, size);
        cut = cut && memcmp(block, size > 22 ? wanted : packet, size) == 0;
        free(block);
    }
    gf_ok(cut, "XMP cut anywhere has no orientation");
}

/*
 * A thumbnail of four bytes with an offset of `at`, and a maker note after it. The thumbnail's
 * directory begins at 26.
 */
#define PUT_THUMBNAIL(at) "II*\0\x08\0\0\0" "\x01\0" "\x7c\x92\x07\0\x05\0\0\0\x40\0\0\0" "\x1a\0\0\0" \
    "\x02\0" "\x01\x02\x04\0\x01\0\0\0" at "\0\0\0" "\x02\x02\x04\0\x01\0\0\0\x04\0\0\0" "\0\0\0\0" "    SEEN" "NOTES"

/* Returns true if dropping the thumbnail changes a block to `wanted`. */
static bool drops_to(const char *from, size_t from_size, const char *wanted, size_t wanted_size)
{
    unsigned char *block = malloc(from_size);
    size_t size = from_size;
    bool good;

    if (block == NULL)
        exit(1);
    memcpy(block, from, from_size);
    good = gf_exif_drop_thumbnail(block, &size) == 0 && size == wanted_size && memcmp(block, wanted, size) == 0;
    free(block);
    return good;
}
#define DROPS_TO(from, wanted) drops_to(from, sizeof from - 1, wanted, sizeof wanted - 1)

static void test_thumbnail(void)
{
    static const char cleaned[] = "II*\0\x08\0\0\0" "\x01\0" "\x7c\x92\x07\0\x05\0\0\0\x40\0\0\0" "\0\0\0\0"
                                  "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0" "    \0\0\0\0" "NOTES";
    static const char beyond[] = "II*\0\x08\0\0\0" "\x01\0" "\x7c\x92\x07\0\x05\0\0\0\x40\0\0\0" "\0\0\0\0"
                                 "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0" "    SEEN" "NOTES";
    static const char whole[] = PUT_THUMBNAIL("\x3c");
    bool safe = true;

    gf_ok(DROPS_TO(PUT_THUMBNAIL("\x3c"), cleaned), "a thumbnail is zeroed, with its directory; nothing moves");
    gf_ok(DROPS_TO(PUT_THUMBNAIL("\x0a"), beyond), "a thumbnail that overlaps the first directory leaves it whole");
    gf_ok(DROPS_TO(PUT_THUMBNAIL("\x40"), beyond), "a thumbnail that overlaps the maker note leaves it whole");
    gf_ok(DROPS_TO(PUT_THUMBNAIL("\xff"), beyond), "a thumbnail beyond the end is none");
    gf_ok(DROPS_TO(LITTLE("\x06"), LITTLE("\x06")), "EXIF without a thumbnail does not change");
    gf_ok(DROPS_TO("II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x06\0\0\0\x08\0\0\0",
                   "II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x06\0\0\0\0\0\0\0"),
                   "a directory that follows itself ends");
    for (size_t size = 1; size < sizeof whole; size++) {
        unsigned char *block = malloc(size);             /* an exact size, so that sanitizers see any read beyond it */
        size_t left = size;

        if (block == NULL)
            exit(1);
        memcpy(block, whole, size);
        safe = safe && gf_exif_drop_thumbnail(block, &left) == 0 && left <= size;
        gf_exif_settle(block, left, &(struct gf_change) SCALED_TO(70000, 5));
        free(block);
    }
    gf_ok(safe, "EXIF with a thumbnail can be cut anywhere");
}

/* Blocks with random changes, for sanitizers. */
static void test_damaged(void)
{
    static const char whole[] = PUT_THUMBNAIL("\x3c");
    uint32_t seed = 1;
    bool safe = true;

    for (int round = 0; round < 20000; round++) {
        size_t size = sizeof whole - 1;
        unsigned char *block = malloc(size);

        if (block == NULL)
            exit(1);
        memcpy(block, whole, size);
        for (int i = 0; i < 3; i++) {
            seed = seed * 1664525 + 1013904223;
            block[(seed >> 8) % size] = (unsigned char)(seed >> 24);
        }
        gf_exif_is_trivial(block, size);
        if (gf_exif_drop_thumbnail(block, &size) == 0)
            gf_exif_settle(block, size, &(struct gf_change) SCALED_TO(9, 9));
        safe = safe && size < sizeof whole;
        free(block);
    }
    gf_ok(safe, "20000 damaged blocks");
}

static void test_size(void)
{
    unsigned char block[] = "II*\0\x08\0\0\0\x02\0" "\0\x01\x03\0\x01\0\0\0\x05\0\xAA\xBB"
                            "\x01\x01\x04\0\x01\0\0\0\x05\0\0\0" "\0\0\0\0";
    static const char small[] = "II*\0\x08\0\0\0\x02\0" "\0\x01\x03\0\x01\0\0\0\x0a\0\xAA\xBB"
                                "\x01\x01\x04\0\x01\0\0\0\x09\0\0\0" "\0\0\0\0";
    static const char large[] = "II*\0\x08\0\0\0\x02\0" "\0\x01\x04\0\x01\0\0\0\x70\x11\x01\0"
                                "\x01\x01\x04\0\x01\0\0\0\x09\0\0\0" "\0\0\0\0";

    gf_exif_settle(block, sizeof block - 1, &(struct gf_change) SCALED_TO(10, 9));
    gf_ok(memcmp(block, small, sizeof small) == 0, "a size keeps its type");
    gf_exif_settle(block, sizeof block - 1, &(struct gf_change) SCALED_TO(70000, 9));
    gf_ok(memcmp(block, large, sizeof large) == 0, "a size of more than 65535 becomes a LONG");
}

/* A rectangle of a subject at (4, 2) and 2x4 large, in an image of 10x10, and 300 by 150 dots per inch. */
#define SUBJECT "II*\0\x08\0\0\0" "\x03\0" "\x1a\x01\x05\0\x01\0\0\0\x50\0\0\0" \
    "\x1b\x01\x05\0\x01\0\0\0\x58\0\0\0" "\x69\x87\x04\0\x01\0\0\0\x32\0\0\0" "\0\0\0\0" \
    "\x02\0" "\x02\xa0\x03\0\x01\0\0\0\x0a\0\0\0" "\x14\x92\x03\0\x04\0\0\0\x60\0\0\0" "\0\0\0\0" \
    "\x2c\x01\0\0\x01\0\0\0" "\x96\0\0\0\x01\0\0\0"
#define AREA "\x04\0\x02\0\x02\0\x04\0"

static bool settles(const struct gf_change *c, const char *subject, const char *second_resolution)
{
    unsigned char block[] = SUBJECT AREA;

    gf_exif_settle(block, sizeof block - 1, c);
    return (subject != NULL ? block[0x32] == 2 && memcmp(block + 0x60, subject, 8) == 0
                            : block[0x32] == 1 && memcmp(block + 0x40, "\0\0\0\0", 4) == 0)
        && memcmp(block + 0x58, second_resolution, 2) == 0;
}

static void test_subject(void)
{
    struct gf_change c = SCALED_TO(20, 10);

    gf_ok(settles(&c, "\x08\0\x02\0\x04\0\x04\0", "\x96\0"), "the subject follows the columns");
    c = (struct gf_change) SCALED_TO(5, 5);
    c.to_file = (struct gf_affine) { .xx = 1, .yy = 1, .cx = 3, .cy = 1 };
    gf_ok(settles(&c, "\x01\0\x01\0\x02\0\x04\0", "\x96\0"), "the subject follows a crop");
    c.to_file.cx = 5;
    gf_ok(settles(&c, NULL, "\x96\0"), "an entry that the crop has left is removed");
    c = (struct gf_change) SCALED_TO(10, 10);
    c.to_file = (struct gf_affine) { .xy = 1, .yx = -1, .cy = 10 };             /* rotate:90: x is 10 - y of the file */
    gf_ok(settles(&c, "\x08\0\x04\0\x04\0\x02\0", "\x2c\x01"), "the subject follows a turn, with the resolutions");
}

/* Returns true if the packet is `wanted` after its size is set to 1234x5. */
static bool settles_to(const char *from, const char *wanted)
{
    const struct gf_change change = SCALED_TO(1234, 5);
    size_t size = strlen(from);
    unsigned char *xmp = malloc(size);
    unsigned parts = 0;
    struct gf_error err;
    bool good;

    if (xmp == NULL)
        exit(1);
    memcpy(xmp, from, size);
    good = gf_xmp_settle(&xmp, &size, &change, &parts, &err) == 0 && parts == 0 && size == strlen(wanted)
        && memcmp(xmp, wanted, size) == 0;
    free(xmp);
    return good;
}

static void test_settled_xmp(void)
{
    gf_ok(settles_to("<a tiff:ImageWidth=\"1\" tiff:ImageLength='22222' stiff:ImageWidth=\"7\" "
                     "tiff:ImageWidths=\"7\"/>",
                     "<a tiff:ImageWidth=\"1234\" tiff:ImageLength='5' stiff:ImageWidth=\"7\" "
                     "tiff:ImageWidths=\"7\"/>"), "sizes as attributes of XMP are replaced");
    gf_ok(settles_to("<exif:PixelXDimension>77</exif:PixelXDimension><exif:PixelYDimension>a</exif:PixelYDimension>",
                     "<exif:PixelXDimension>1234</exif:PixelXDimension><exif:PixelYDimension>a</exif:PixelYDimension>"),
                     "sizes as elements of XMP are replaced, if they are numbers");
    gf_ok(settles_to("<xmp:Thumbnails a='b'><x/>1</xmp:Thumbnails>2<xap:Thumbnails/>3<xmp:Thumbnails>",
                     "23<xmp:Thumbnails>"),
          "thumbnails in XMP are dropped, as far as they end");
    gf_ok(settles_to("<xmp:Thumbnails", "<xmp:Thumbnails")
          && settles_to("tiff:ImageWidth=\"1\"", "tiff:ImageWidth=\"1\"")
          && settles_to(" tiff:ImageWidth=\"1", " tiff:ImageWidth=\"1") && settles_to("<", "<"),
              "parts of a packet of XMP stay");
}

/* Adds one text. Returns true if it was recognized as a raw profile. */
static int takes_raw(const char *key, const char *text, struct gf_meta *m)
{
    struct gf_error err;

    gf_meta_release(m);
    return gf_png_raw_profile_take(m, key, text, strlen(text), &err);
}

static void test_raw(void)
{
    struct gf_meta m = { 0 };
    struct gf_error err;
    char *text;
    size_t size = 0;

    gf_ok(takes_raw("Raw profile type exif", "\nexif\n       4\n494a\n4b4C\n", &m) == 1 && m.exif_bytes == 4
          && memcmp(m.exif, "IJKL", 4) == 0, "hexadecimal digits in lines");
    gf_ok(takes_raw("Raw profile type xmp", "\nxmp\n2\n3c3e", &m) == 1 && m.xmp_bytes == 2
          && takes_raw("Raw profile type ICC", "\nicc\n1\n00", &m) == 1
          && m.icc_bytes == 1, "XMP, and a profile");
    gf_ok(takes_raw("Title", "\nexif\n1\n00", &m) == 0 && takes_raw("Raw profile type other", "\nother\n1\n00", &m) == 0
          && takes_raw("Raw profile type exif", "", &m) == 0
          && takes_raw("Raw profile type exif", "\nexif\n2\n00", &m) == 0
          && takes_raw("Raw profile type exif", "\nexif\n1\n0g", &m) == 0
          && takes_raw("Raw profile type exif", "\nexif\n99999999999999999999999\n00", &m) == 0, "others stay texts");
    text = gf_png_raw_profile_iptc((const unsigned char *)"\034\002\170", 3, &size);
    if (text == NULL)
        exit(1);
    gf_ok(size == 48 && memcmp(text, "\niptc\n      16\n3842494d04040000000000031c027800\n", size) == 0,
          "IPTC as a text, padded to an even length");
    gf_ok(gf_png_raw_profile_take(&m, "Raw profile type iptc", text, size, &err) == 1 && m.iptc_bytes == 3
              && memcmp(m.iptc, "\034\002\170", 3) == 0,
          "IPTC from a text");
    free(text);
    gf_meta_release(&m);
}

static void test_copy(void)
{
    struct gf_meta m = { .orientation = 1, .x_per_metre = 5 }, copy;
    struct gf_error err;
    char icc[200] = { 0 };

    memcpy(icc + 16, "RGB ", 4);
    memcpy(icc + 36, "acsp", 4);
    if (gf_meta_set_icc(&m, icc, sizeof icc, &err) != 0 || gf_meta_add_text(&m, "Title", "A", &err) != 0
        || gf_meta_add_text(&m, "Author", "", &err) != 0 || gf_meta_copy(&copy, &m, &err) != 0)
        exit(1);
    gf_ok(copy.orientation == 1 && copy.x_per_metre == 5 && copy.icc != m.icc && copy.icc_bytes == 200
          && memcmp(copy.icc, icc, 200) == 0 && copy.exif == NULL, "a copy of the blocks");
    gf_ok(copy.texts == 2 && strcmp(copy.text[0].key, "Title") == 0 && strcmp(copy.text[0].value, "A") == 0
          && strcmp(copy.text[1].key, "Author") == 0 && strcmp(copy.text[1].value, "") == 0, "and of the texts");
    gf_ok(gf_meta_has_icc_for(&copy, 3) && !gf_meta_has_icc_for(&copy, 1), "a profile for colours is none for gray");
    gf_meta_release(&m);
    gf_meta_release(&copy);
    gf_ok(copy.texts == 0 && copy.icc == NULL && !gf_meta_has_icc_for(&copy, 3), "metadata is empty after its release");
}

int main(void)
{
    test_orientation();
    test_upright();
    test_xmp();
    test_thumbnail();
    test_damaged();
    test_size();
    test_subject();
    test_settled_xmp();
    test_raw();
    test_copy();
    return gf_tap_end();
}
