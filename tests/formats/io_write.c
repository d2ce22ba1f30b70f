/* Writers: known bytes, and reading back what was written. */
#define _GNU_SOURCE
#include "io_common.h"
#include "table/table.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

static void check_written(const char *name, const struct gf_format *f, const void *units,
                          const void *bytes, size_t size)
{
    struct gf_write_options o = { .compression = -1 };

    gf_ok(gf_write_one(name, &o, f, units, false, NULL) == 0 && gf_file_is(name, bytes, size),
          "%s of %d bits in order", name, f->bits);
    gf_ok(gf_write_one(name, &o, f, units, true, NULL) == 0 && gf_file_is(name, bytes, size),
          "%s of %d bits backwards", name, f->bits);
}

void gf_test_written(void)
{
    struct gf_format f = gf_picture_format(GF_U8, 255, 1, false, 3, 1);
    uint16_t wide[] = { 1, 0x0203 };
    float floats[] = { 2, 1 };
    int16_t s16[] = { -32768, 0, 32512 };
    int32_t s24[] = { 0x03020100, INT32_MIN };

    check_written("o.pgm", &f, "abc", BYTES("P5\n3 1\n255\nabc"));
    f = gf_picture_format(GF_U8, 1, 1, false, 10, 1);
    check_written("o.pbm", &f, "\0\1\0\1\0\1\0\1\0\1", BYTES("P4\n10 1\n\xAA\x80"));
    f = gf_picture_format(GF_U8, 255, 3, false, 1, 2);
    check_written("o.ppm", &f, "abcdef", BYTES("P6\n1 2\n255\nabcdef"));
    check_written("without-ending", &f, "abcdef", BYTES("P6\n1 2\n255\nabcdef"));
    f = gf_picture_format(GF_U16, 1000, 2, true, 1, 1);
    check_written("o.pam", &f, wide,
                  BYTES("P7\nWIDTH 1\nHEIGHT 1\nDEPTH 2\nMAXVAL 1000\nTUPLTYPE GRAYSCALE_ALPHA\nENDHDR\n\0\1\2\3"));
    f = gf_picture_format(GF_U8, 255, 3, false, 3, 1);
    check_written("o.y4m", &f, "abcdefg", BYTES("YUV4MPEG2 W3 H1 F25:1 Ip A1:1 C420jpeg\nFRAME\nabcdefg"));
    f = gf_picture_format(GF_U16, 1023, 1, false, 1, 2);
    f.bits = 10;
    check_written("o.y4m", &f, wide, BYTES("YUV4MPEG2 W1 H2 F25:1 Ip A1:1 Cmono10 XCOLORRANGE=FULL\nFRAME\n\1\0\3\2"));
    f = gf_picture_format(GF_F32, 1, 1, false, 1, 2);
    check_written("o.pfm", &f, floats, BYTES("Pf\n1 2\n-1.0\n\0\0\x80\x3F\0\0\0\x40"));
    f = gf_sound_format(GF_S16, 8, 1, 3);
    check_written("o.wav", &f, s16,
                  BYTES("RIFF\50\0\0\0WAVEfmt \20\0\0\0\1\0\1\0"
                        "\x40\x1F\0\0\x40\x1F\0\0\1\0\10\0data\3\0\0\0\0\x80\xFF\0"));
    f = gf_sound_format(GF_S32, 24, 1, 2);
    check_written("o.wav", &f, s24,
                  BYTES("RIFF\102\0\0\0WAVEfmt \50\0\0\0\xFE\xFF\1\0"
                        "\x40\x1F\0\0\xC0\x5D\0\0\3\0\30\0\26\0\30\0\4\0\0\0\1\0"
                        GUID "data\6\0\0\0\1\2\3\0\0\x80"));
    f = gf_sound_format(GF_F32, 32, 1, 2);
    check_written("o.wav", &f, floats,
                  BYTES("RIFF\72\0\0\0WAVEfmt \22\0\0\0\3\0\1\0\x40\x1F\0\0\0\x7D\0\0\4\0\40\0\0\0fact\4\0\0\0\2\0\0\0"
                        "data\10\0\0\0\0\0\0\x40\0\0\x80\x3F"));
}

void gf_test_png_stored(void)
{
    struct gf_write_options o = { .compression = 0 };
    struct gf_format f = gf_picture_format(GF_U8, 255, 1, false, 1, 1);

    gf_ok(gf_write_one("o.png", &o, &f, "a", false, NULL) == 0
          && gf_file_is("o.png", BYTES("\x89PNG\r\n\x1a\n\0\0\0\15IHDR\0\0\0\1\0\0\0\1\10\0\0\0\0\x3A\x7E\x9B\x55"
                                    "\0\0\0\15IDAT\x78\1\1\2\0\xFD\xFF\0a\0\x63\0\x62\x47\xF9\xC2\xDA"
                                    "\0\0\0\0IEND\xAE\x42\x60\x82")), "a stored PNG byte for byte");
}

/* Fills samples with random bits that are valid for the format. */
static void fill_noise(const struct gf_format *f, unsigned char *units, size_t size)
{
    uint32_t seed = 12345;

    for (size_t j = 0; j < size; j++)
        units[j] = (unsigned char)((seed = seed * 1664525 + 1013904223) >> 24);
    for (size_t j = 0; f->type == GF_F32 && j < size / 4; j++)
        ((float *)(void *)units)[j] = (float)(int32_t)(seed = seed * 1664525 + 1013904223) / 2147483648.0F;
    for (size_t j = 0; f->type == GF_F64 && j < size / 8; j++)
        ((double *)(void *)units)[j] = (double)(int32_t)(seed = seed * 1664525 + 1013904223) / 3e9;
    for (size_t j = 0; f->type == GF_S16 && f->bits == 8 && j < size; j += 2)
        units[j] = 0;
    for (size_t j = 0; f->type == GF_S32 && f->bits == 24 && j < size; j += 4)
        units[j] = 0;
}

/* Any bits that are written are read back unchanged. */
void gf_test_identity(void)
{
    static const struct {
        const char *name;
        enum gf_kind kind;
        enum gf_type type;
        int bits, channels;
    } all[] = {
        { "i.png", GF_IMAGE, GF_U8, 8, 1 }, { "i.png", GF_IMAGE, GF_U8, 8, 2 }, { "i.png", GF_IMAGE, GF_U8, 8, 3 },
        { "i.png", GF_IMAGE, GF_U8, 8, 4 }, { "i.png", GF_IMAGE, GF_U16, 16, 1 }, { "i.png", GF_IMAGE, GF_U16, 16, 2 },
        { "i.png", GF_IMAGE, GF_U16, 16, 3 }, { "i.png", GF_IMAGE, GF_U16, 16, 4 }, { "i.bmp", GF_IMAGE, GF_U8, 8, 3 },
        { "i.bmp", GF_IMAGE, GF_U8, 8, 4 }, { "i.tga", GF_IMAGE, GF_U8, 8, 1 }, { "i.tga", GF_IMAGE, GF_U8, 8, 3 },
        { "i.tga", GF_IMAGE, GF_U8, 8, 4 }, { "i.pam", GF_IMAGE, GF_U8, 8, 4 }, { "i.pam", GF_IMAGE, GF_U16, 16, 2 },
        { "i.pgm", GF_IMAGE, GF_U16, 16, 1 }, { "i.ppm", GF_IMAGE, GF_U8, 8, 3 }, { "i.pfm", GF_IMAGE, GF_F32, 32, 3 },
        { "i.wav", GF_AUDIO, GF_S16, 8, 1 }, { "i.wav", GF_AUDIO, GF_S16, 16, 2 }, { "i.wav", GF_AUDIO, GF_S32, 24, 3 },
        { "i.wav", GF_AUDIO, GF_S32, 32, 1 }, { "i.wav", GF_AUDIO, GF_F32, 32, 5 },
        { "i.wav", GF_AUDIO, GF_F64, 64, 1 },
        { "i.flac", GF_AUDIO, GF_S16, 8, 2 }, { "i.flac", GF_AUDIO, GF_S16, 16, 2 },
        { "i.flac", GF_AUDIO, GF_S32, 24, 1 },
        { "i.aiff", GF_AUDIO, GF_S16, 16, 2 }, { "i.aiff", GF_AUDIO, GF_S32, 24, 2 },
        { "i.aiff", GF_AUDIO, GF_F32, 32, 1 },
        { "i.au", GF_AUDIO, GF_S16, 16, 1 }, { "i.au", GF_AUDIO, GF_F64, 64, 2 }, { "i.caf", GF_AUDIO, GF_S32, 32, 2 },
        { "i.caf", GF_AUDIO, GF_S16, 8, 2 }, { "i.w64", GF_AUDIO, GF_S16, 16, 2 }, { "i.w64", GF_AUDIO, GF_F32, 32, 2 },
    };

    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        struct gf_write_options o = { .compression = -1 };
        bool image = all[i].kind == GF_IMAGE;
        int channels = all[i].channels, signals;
        struct gf_format f = image ? gf_picture_format(all[i].type, all[i].bits == 8 ? 255
                                                       : all[i].bits == 16 ? 65535 : 1,
                                                       channels, channels % 2 == 0, 37, 11)
                                   : gf_sound_format(all[i].type, all[i].bits, channels, 501);
        struct gf_format g = { .kind = GF_IMAGE };
        size_t size = gf_unit_bytes(&f) * (size_t)f.units;
        unsigned char units[30000], got[40000];

        fill_noise(&f, units, size);
        gf_ok(gf_write_one(all[i].name, &o, &f, units, i % 2 == 1, NULL) == 0
              && gf_read_all(all[i].name, NULL, &g, got, sizeof got, &signals) == f.units && g.type == f.type
              && g.bits == f.bits && g.channels == f.channels && g.alpha == f.alpha && memcmp(units, got, size) == 0,
              "%s keeps %d channels of %s", all[i].name, channels, gf_type_word(&f));
    }
}

static void check_fit(const char *name, int depth, const struct gf_format *f, int status, enum gf_type type, int bits,
                      uint32_t maxval)
{
    struct gf_write_options o = { .depth = depth, .compression = -1 };
    struct gf_error err = { 0 };
    struct gf_writer *w = gf_writer_open(name, &o, f, false, &err);
    struct gf_format g = *f;
    bool good;

    if (w == NULL || gf_writer_fit(w, &g, &err) != 0)
        good = err.status == status && err.text[0] != '\0';
    else
        good = status == 0 && g.type == type && g.bits == bits && g.maxval == maxval;
    gf_said = err;
    gf_ok(good, "%s of depth %d from %s of %d bits: %s", name, depth, gf_type_word(f), f->bits,
          status != 0 ? err.text : gf_type_word(&g));
    gf_writer_close(w);
}

void gf_test_fit(void)
{
    struct gf_format bits4 = gf_picture_format(GF_U8, 15, 1, false, 2, 2);
    struct gf_format bits10 = gf_picture_format(GF_U16, 1000, 3, false, 2, 2);
    struct gf_format floats = gf_picture_format(GF_F32, 1, 3, false, 2, 2);
    struct gf_format rgba = gf_picture_format(GF_U8, 255, 4, true, 2, 2);
    struct gf_format s16 = gf_sound_format(GF_S16, 16, 2, 9), f32 = gf_sound_format(GF_F32, 32, 2, 9);

    check_fit("a.png", 0, &bits4, 0, GF_U8, 8, 255);
    check_fit("a.png", 0, &bits10, 0, GF_U16, 16, 65535);
    check_fit("a.png", 0, &floats, 0, GF_U16, 16, 65535);
    check_fit("a.png", 8, &floats, 0, GF_U8, 8, 255);
    check_fit("a.png", 24, &floats, GF_MISUSED, 0, 0, 0);
    check_fit("a.pgm", 0, &bits4, 0, GF_U8, 4, 15);
    check_fit("a.ppm", 0, &bits10, 0, GF_U16, 10, 1000);
    check_fit("a.ppm", 8, &bits10, 0, GF_U8, 8, 255);
    check_fit("a.ppm", -32, &bits10, GF_MISUSED, 0, 0, 0);
    check_fit("a.ppm", 0, &rgba, 0, GF_U8, 8, 255);          /* blended with black */
    check_fit("a.pgm", 0, &rgba, GF_MISUSED, 0, 0, 0);
    check_fit("-", 0, &floats, 0, GF_U16, 16, 65535);
    check_fit("a.pfm", 0, &bits10, 0, GF_F32, 32, 1);
    check_fit("a.pfm", 16, &bits10, GF_MISUSED, 0, 0, 0);
    check_fit("a.jpg", 0, &floats, 0, GF_U8, 8, 255);
    check_fit("a.jpg", 16, &floats, GF_MISUSED, 0, 0, 0);
    check_fit("a.gif", 0, &rgba, 0, GF_U8, 8, 255);
    check_fit("a.gif", 16, &rgba, GF_MISUSED, 0, 0, 0);
    check_fit("a.avif", 0, &rgba, GF_MISUSED, 0, 0, 0);
    check_fit("a.wav", 0, &rgba, GF_MISUSED, 0, 0, 0);
    check_fit("a.tsv", 0, &rgba, 0, GF_U8, 8, 255);
    check_fit("a.json", 0, &rgba, GF_MISUSED, 0, 0, 0);
    check_fit("a.png", 0, &s16, GF_MISUSED, 0, 0, 0);
    check_fit("a.wav", 24, &s16, 0, GF_S32, 24, 0);
    check_fit("a.wav", 8, &f32, 0, GF_S16, 8, 0);
    check_fit("a.flac", 0, &f32, 0, GF_S32, 24, 0);
    check_fit("a.flac", 32, &f32, GF_MISUSED, 0, 0, 0);
    check_fit("a.ogg", 0, &s16, 0, GF_F32, 32, 0);
}

void gf_test_lossy(void)
{
    struct gf_write_options o = { .compression = -1 };
    struct gf_format f = gf_sound_format(GF_F32, 32, 1, 4000), g = { .kind = GF_AUDIO };
    static float wild[4000], got[8000];
    int signals;

    for (int i = 0; i < 4000; i++)
        wild[i] = i % 7 == 0 ? NAN : i % 11 == 0 ? INFINITY : i % 13 == 0 ? -1e30F : 0.25F;
    gf_ok(gf_write_one("l.ogg", &o, &f, wild, false, NULL) == 0
          && gf_read_all("l.ogg", NULL, &g, got, sizeof got, &signals) == 4000, "Ogg survives what is not a number");
    f = gf_sound_format(GF_F32, 32, 1, 100);
    f.rate = 44100;
    check_fit("l.opus", 0, &f, GF_FAILED, 0, 0, 0);
}

void gf_test_several(void)
{
    struct gf_write_options o = { .compression = -1 };
    struct gf_error err = { 0 };
    struct gf_writer *w = gf_writer_open("several.pgm", &o, &gf_gray8, false, &err);
    int result = w == NULL ? -1 : 0;

    for (int i = 0; i < 3 && result == 0; i++)
        result = gf_writer_begin(w, &gf_gray8, &err) != 0 || gf_writer_write_at(w, 1, "cd", 1, &err) != 0
              || gf_writer_write_at(w, 0, "ab", 1, &err) != 0 || gf_writer_end(w, &err) != 0;
    gf_ok(result == 0 && gf_writer_commit(w, &err) == 0
          && gf_file_is("several.pgm", BYTES("P5\n2 2\n255\nabcdP5\n2 2\n255\nabcdP5\n2 2\n255\nabcd")),
          "three PGMs in one file");
    gf_writer_close(w);
    w = gf_writer_open("several.png", &o, &gf_gray8, false, &err);
    result = w == NULL || gf_writer_begin(w, &gf_gray8, &err) != 0 || gf_writer_write(w, "abcd", 2, &err) != 0
          || gf_writer_end(w, &err) != 0;
    gf_ok(result == 0 && gf_writer_begin(w, &gf_gray8, &err) < 0 && strstr(err.text, "stores only one image") != NULL,
          "a PNG stores only one image");
    gf_writer_close(w);
}

/* A file of six gigabytes, nearly all of it a hole. */
void gf_test_rf64(void)
{
    struct gf_write_options o = { .compression = -1 };
    struct gf_read_options ro = { .max_bytes = 0 };
    struct gf_format f = gf_sound_format(GF_S16, 16, 1, 3000000000);
    struct gf_error err = { 0 };
    struct gf_writer *w = gf_writer_open("large.wav", &o, &f, false, &err);
    struct gf_reader *r = NULL;
    unsigned char head[56];
    int16_t last = 0x1234, got = 0;

    gf_ok(w != NULL && gf_writer_begin(w, &f, &err) == 0 && gf_writer_write_at(w, f.units - 1, &last, 1, &err) == 0
          && gf_writer_end(w, &err) == 0 && gf_writer_commit(w, &err) == 0, "a WAV of 6 GB");
    gf_said = err;
    gf_writer_close(w);
    gf_ok(gf_get_file("large.wav", head, sizeof head) == sizeof head
          && memcmp(head, "RF64\xFF\xFF\xFF\xFFWAVEds64\34\0\0\0", 20) == 0
          && memcmp(head + 28, "\0\xBC\xA0\x65\1\0\0\0\0\x5E\xD0\xB2\0\0\0\0", 16) == 0, "a WAV of 6 GB is an RF64");
    r = gf_reader_open("large.wav", &ro, &err);
    gf_ok(r != NULL && r->format.units == f.units && gf_reader_read_at(r, f.units - 1, &got, 1, &err) == 0
          && got == last, "a WAV of 6 GB is read back");
    gf_said = err;
    gf_reader_close(r);
    unlink("large.wav");
}

static void check_table(const char *name, const struct gf_table *t, const char *text)
{
    struct gf_write_options o = { .compression = -1 };
    struct gf_error err = { 0 };
    struct gf_writer *w = gf_writer_open(name, &o, &gf_gray8, true, &err);

    gf_ok(w != NULL && gf_writer_table(w, t, &err) == 0 && gf_writer_commit(w, &err) == 0
          && gf_file_is(name, text, strlen(text)), "%s of %s", name, t->bins > 0 ? "counts" : "fields");
    gf_said = err;
    gf_writer_close(w);
}

void gf_test_tables(void)
{
    static const char *const channels[] = { "r", "g" }, *const fields[] = { "min", "mean" };
    static const uint64_t counts[] = { 1, 2, 3, 4, 5, 6 };
    static const double values[] = { 0, 0.1, -1.5, NAN };
    struct gf_table h = { .numbers = GF_TABLE_COUNTS, .channels = 2, .channel_names = channels, .bins = 3,
                          .low = 0, .high = 1, .samples = 9,
                          .counts = counts };
    struct gf_table s = { .channels = 2, .channel_names = channels, .fields = 2, .field_names = fields, .samples = 9,
                          .values = values };
    struct gf_error err = { 0 };

    check_table("t.tsv", &h, "bin\tr\tg\n0\t1\t4\n1\t2\t5\n2\t3\t6\n");
    check_table("t.csv", &h, "bin,r,g\n0,1,4\n1,2,5\n2,3,6\n");
    check_table("t.json", &h, "{\"bins\":3,\"range\":[0,1],\"samples\":9,"
                "\"channels\":[{\"name\":\"r\",\"counts\":[1,2,3]},"
                              "{\"name\":\"g\",\"counts\":[4,5,6]}]}\n");
    check_table("t.txt", &s, "channel\tmin\tmean\nr\t0\t0.1\ng\t-1.5\tnan\n");
    check_table("s.json", &s, "{\"samples\":9,\"channels\":[{\"name\":\"r\",\"min\":0,\"mean\":0.1},"
                              "{\"name\":\"g\",\"min\":-1.5,\"mean\":null}]}\n");
    gf_ok(gf_writer_open("t.jpg", &(struct gf_write_options) { .compression = -1 }, &gf_gray8, true, &err) == NULL
          && err.status == GF_MISUSED, "a table is no JPEG");
}
