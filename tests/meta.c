/* What travels beside the samples: EXIF that tells the truth, EXIF that lies, and copies. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/exif.h"
#include "io/meta.h"
#include "io/raw_profile.h"
#include "io/xmp.h"
#include "tap.h"

/* The orientation in a block of exactly so many bytes: one read too far is one that tools see. */
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

/* A header, two entries of which the second is the orientation, no further directory. */
#define LITTLE(o) "II*\0\x08\0\0\0\x02\0" "\x0f\x01\x02\0\x02\0\0\0A\0\0\0" "\x12\x01\x03\0\x01\0\0\0" o "\0\0\0" "\0\0\0\0"
#define BIG(o) "MM\0*\0\0\0\x08\0\x02" "\x01\x0f\0\x02\0\0\0\x02" "A\0\0\0" "\x01\x12\0\x03\0\0\0\x01\0" o "\0\0" "\0\0\0\0"
#define TOLD(text) told(text, sizeof text - 1)

static void test_orientation(void)
{
    static const char little[] = LITTLE("\x06");
    unsigned char block[sizeof little - 1];
    bool cut = true;

    gf_ok(TOLD(LITTLE("\x06")) == 6, "little-endian");
    gf_ok(TOLD(BIG("\x08")) == 8, "big-endian");
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
    gf_ok(memcmp(block, LITTLE("\x01"), sizeof block) == 0, "set to 1, the rest as it was");
    memcpy(block, BIG("\x03"), sizeof block);
    gf_exif_reset_orientation(block, sizeof block);
    gf_ok(memcmp(block, BIG("\x01"), sizeof block) == 0, "and big-endian");
}

static void test_upright(void)
{
    struct gf_meta m = { .x_per_metre = 100, .y_per_metre = 200 };
    struct gf_error err;

    gf_ok(gf_meta_stand_upright(&m) == 0 && m.orientation == 0 && m.x_per_metre == 100, "nothing told, nothing done");
    gf_ok(gf_meta_set_exif(&m, "Exif\0\0" LITTLE("\x06"), 6 + sizeof LITTLE("\x06") - 1, &err) == 0 && m.exif[0] == 'I',
          "EXIF without what JPEG puts before it");
    gf_ok(gf_meta_stand_upright(&m) == 6 && m.orientation == 1, "a quarter turn is told once");
    gf_ok(m.x_per_metre == 200 && m.y_per_metre == 100, "and turns the resolution");
    gf_ok(gf_meta_stand_upright(&m) == 1 && m.x_per_metre == 200, "and is gone");
    m.orientation = 3;
    gf_ok(gf_meta_stand_upright(&m) == 3 && m.x_per_metre == 200, "what the file says beside EXIF holds");
    gf_meta_release(&m);
}

static void test_xmp(void)
{
    static const char packet[] = "<x tiff:Orientation=\"6\"><tiff:Orientation> 8</tiff:Orientation><y "
                                 "tiff:Orientation='9' tiff:Orientations=\"3\" exif:Orientation=\"5\" tiff:Orientation=";
    static const char wanted[] = "<x tiff:Orientation=\"1\"><tiff:Orientation> 1</tiff:Orientation><y "
                                 "tiff:Orientation='9' tiff:Orientations=\"3\" exif:Orientation=\"5\" tiff:Orientation=";
    struct gf_meta m = { .orientation = 6 }, copy;
    struct gf_error err;
    bool cut = true;

    if (gf_meta_set_xmp(&m, packet, sizeof packet - 1, &err) != 0)
        exit(1);
    gf_ok(m.xmp_bytes == sizeof packet - 1 && memcmp(m.xmp, packet, m.xmp_bytes) == 0 && m.exif == NULL, "XMP, byte by byte");
    gf_ok(gf_meta_stand_upright(&m) == 6 && memcmp(m.xmp, wanted, m.xmp_bytes) == 0, "says that it stands upright, and what else it said");
    gf_ok(gf_meta_copy(&copy, &m, &err) == 0 && copy.xmp != m.xmp && copy.xmp_bytes == m.xmp_bytes && memcmp(copy.xmp, m.xmp, m.xmp_bytes) == 0,
          "is copied");
    gf_meta_release(&m);
    gf_meta_release(&copy);
    gf_ok(copy.xmp == NULL && copy.xmp_bytes == 0, "and released");
    for (size_t size = 0; size < 24; size++) {
        unsigned char *block = malloc(size ? size : 1);          /* one byte read too far is one that tools see */

        if (block == NULL)
            exit(1);
        memcpy(block, packet, size);
        gf_xmp_reset_orientation(block, size);
        cut = cut && memcmp(block, size > 22 ? wanted : packet, size) == 0;
        free(block);
    }
    gf_ok(cut, "cut anywhere");
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
    gf_ok(copy.texts == 0 && copy.icc == NULL && !gf_meta_has_icc_for(&copy, 3), "nothing is left");
}

int main(void)
{
    test_orientation();
    test_upright();
    test_xmp();
    test_copy();
    return gf_tap_end();
}
