/* Readers and writers against bytes worked out by hand: every flavour, cut short, hostile, whole or not at all. */
#define _GNU_SOURCE
#include "io/io.h"
#include "io/out.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int tests, failures;
static char last_text[1000];
static int last_status;

static void GF_PRINTF(2, 3) ok(bool good, const char *name, ...)
{
    va_list args;

    printf("%s %d - ", good ? "ok" : "not ok", ++tests);
    va_start(args, name);
    vprintf(name, args);
    va_end(args);
    printf("\n");
    if (!good) {
        failures++;
        printf("# last error: %d %s\n", last_status, last_text);
    }
}

static void note(const struct gf_error *err)
{
    snprintf(last_text, sizeof last_text, "%s", err->text);
    last_status = err->status;
}

static void put_file(const char *name, const void *bytes, size_t size)
{
    FILE *f = fopen(name, "wb");

    if (f == NULL || fwrite(bytes, 1, size, f) != size || fclose(f) != 0) {
        perror(name);
        exit(1);
    }
}

static size_t get_file(const char *name, void *bytes, size_t room)
{
    FILE *f = fopen(name, "rb");
    size_t size;

    if (f == NULL)
        return 0;
    size = fread(bytes, 1, room, f);
    fclose(f);
    return size;
}

static bool file_is(const char *name, const void *bytes, size_t size)
{
    unsigned char there[65536];
    size_t got = get_file(name, there, sizeof there);
    bool same = got == size && memcmp(there, bytes, size) == 0;

    for (size_t i = 0; !same && i < got && i < 120; i++)
        printf("%s%02x", i % 40 == 0 ? "\n# " : " ", there[i]);
    if (!same)
        printf("\n# %zu bytes, not %zu\n", got, size);
    return same;
}

/* Reads signals in small steps; returns the units of all, or -1. */
static int64_t read_all(const char *path, const char *from, struct gf_format *f, void *to, size_t room, int *signals)
{
    struct gf_read_options o = { .from = from, .max_pixels = 1000000, .max_bytes = 1 << 24 };
    struct gf_error err = { 0 };
    struct gf_reader *r = gf_reader_open(path, &o, &err);
    int64_t units = 0, got = 0;
    int more = 1;
    char *at = to;

    *signals = 0;
    if (r == NULL) {
        note(&err);
        return -1;
    }
    *f = r->format;
    for (; more > 0; more = gf_reader_next(r, &err)) {
        size_t bytes = gf_unit_bytes(&r->format);

        ++*signals;
        while ((size_t)(at - (char *)to) + 2 * bytes <= room && (got = gf_reader_read(r, at, 2, &err)) > 0) {
            units += got;
            at += (size_t)got * bytes;
        }
        if (got < 0)
            break;
    }
    note(&err);
    gf_reader_close(r);
    return got < 0 || more < 0 ? -1 : units;
}

/* The same bytes as a file and as a pipe. */
static int64_t read_bytes(const void *bytes, size_t size, bool pipe_it, struct gf_format *f, void *to, size_t room,
                          int *signals)
{
    int ends[2];
    char path[64];
    int64_t units;

    if (!pipe_it) {
        put_file("in", bytes, size);
        return read_all("in", NULL, f, to, room, signals);
    }
    if (pipe(ends) != 0 || write(ends[1], bytes, size) != (ssize_t)size)
        exit(1);
    close(ends[1]);
    snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
    units = read_all(path, NULL, f, to, room, signals);
    close(ends[0]);
    return units;
}

struct known {
    const char *name;
    const void *bytes;
    size_t size;
    enum gf_type type;
    int bits, channels, alpha;   /* of a picture, bits is the maxval */
    int64_t width, units;
    int signals;
    const void *samples;
    size_t samples_size;
};

#define BYTES(text) text, sizeof text - 1

static void check_known(const struct known *k)
{
    for (int piped = 0; piped < 2; piped++) {
        struct gf_format f = { .kind = GF_IMAGE };
        unsigned char got[4096] = { 0 };
        int signals;
        int64_t units = read_bytes(k->bytes, k->size, piped != 0, &f, got, sizeof got, &signals);
        bool same = units == k->units * k->signals && signals == k->signals && f.type == k->type
                 && f.channels == k->channels && f.alpha == (k->alpha != 0) && f.width == k->width
                 && (f.kind == GF_IMAGE ? (int)f.maxval : f.bits) == k->bits
                 && memcmp(got, k->samples, k->samples_size) == 0;

        if (!same)
            printf("# %lld units, %d signals, %s, bits %d, maxval %u, %d channels, alpha %d, width %lld\n",
                   (long long)units, signals, gf_type_word(&f), f.bits, f.maxval, f.channels, f.alpha,
                   (long long)f.width);
        ok(same, "%s from a %s", k->name, piped ? "pipe" : "file");
    }
}

#define U16(...) (const uint16_t[]) { __VA_ARGS__ }, sizeof((const uint16_t[]) { __VA_ARGS__ })
#define S16(...) (const int16_t[]) { __VA_ARGS__ }, sizeof((const int16_t[]) { __VA_ARGS__ })
#define S32(...) (const int32_t[]) { __VA_ARGS__ }, sizeof((const int32_t[]) { __VA_ARGS__ })
#define F32(...) (const float[]) { __VA_ARGS__ }, sizeof((const float[]) { __VA_ARGS__ })
#define F64(...) (const double[]) { __VA_ARGS__ }, sizeof((const double[]) { __VA_ARGS__ })

static void test_pnm_known(void)
{
    const struct known all[] = {
        { "P1", BYTES("P1\n# c\n3 2\n101\n0 1 0\n"), GF_U8, 1, 1, 0, 3, 2, 1, BYTES("\0\1\0\1\0\1") },
        { "P2", BYTES("P2 2 2 15\n0 15\n7 99\n"), GF_U8, 15, 1, 0, 2, 2, 1, BYTES("\0\17\7\17") },
        { "P3", BYTES("P3\n1 1\n1000\n1 2 1000"), GF_U16, 1000, 3, 0, 1, 1, 1, U16(1, 2, 1000) },
        { "P4", BYTES("P4\n10 2\n\xAA\x80\x55\x40"), GF_U8, 1, 1, 0, 10, 2, 1,
          BYTES("\0\1\0\1\0\1\0\1\0\1" "\1\0\1\0\1\0\1\0\1\0") },
        { "P5", BYTES("P5\n# a comment\n3 1\n255\n\1\2\377"), GF_U8, 255, 1, 0, 3, 1, 1, BYTES("\1\2\377") },
        { "P5 above its maxval", BYTES("P5 3 1 100\n\1\144\310"), GF_U8, 100, 1, 0, 3, 1, 1, BYTES("\1\144\144") },
        { "P5 of 16 bits", BYTES("P5 2 1 65535\n\1\2\377\376"), GF_U16, 65535, 1, 0, 2, 1, 1, U16(0x0102, 0xFFFE) },
        { "P6", BYTES("P6 1 2 255\nabcdef"), GF_U8, 255, 3, 0, 1, 2, 1, BYTES("abcdef") },
        { "P6 three in a row", BYTES("P6 1 1 255\nabcP6 1 1 255\ndef\nP6\n1 1\n255\nghi"), GF_U8, 255, 3, 0, 1, 1, 3,
          BYTES("abcdefghi") },
        { "PAM with alpha", BYTES("P7\nWIDTH 1\nHEIGHT 1\n# c\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\nabcd"),
          GF_U8, 255, 4, 1, 1, 1, 1, BYTES("abcd") },
        { "PAM gray with alpha",
          BYTES("P7\nWIDTH 2\nHEIGHT 1\nDEPTH 2\nMAXVAL 65535\nTUPLTYPE GRAYSCALE_ALPHA\nENDHDR\n\0\1\0\2\0\3\0\4"),
          GF_U16, 65535, 2, 1, 2, 1, 1, U16(1, 2, 3, 4) },
        { "PAM of four channels without alpha",
          BYTES("P7\nWIDTH 1\nHEIGHT 1\nDEPTH 4\nMAXVAL 255\nTUPLTYPE CMYK\nENDHDR\nabcd"),
          GF_U8, 255, 4, 0, 1, 1, 1, BYTES("abcd") },
        /* Two rows, the lower one first: 1.0 = 3F800000, 2.0 = 40000000. */
        { "PFM little-endian", BYTES("Pf\n1 2\n-1.0\n\0\0\x80\x3F\0\0\0\x40"), GF_F32, 1, 1, 0, 1, 2, 1, F32(2, 1) },
        { "PFM big-endian", BYTES("Pf\n1 2\n1.0\n\x3F\x80\0\0\x40\0\0\0"), GF_F32, 1, 1, 0, 1, 2, 1, F32(2, 1) },
        { "PFM of three channels", BYTES("PF 1 1 -1\n\0\0\x80\x3F\0\0\0\x40\0\0\0\xC0"), GF_F32, 1, 3, 0, 1, 1, 1,
          F32(1, 2, -2) },
    };

    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        check_known(&all[i]);
}

#define RIFF(size) "RIFF" size "WAVE"
#define FMT(tag, channels, align, bits) \
    "fmt \20\0\0\0" tag "\0" channels "\0\x40\x1F\0\0\0\0\0\0" align "\0" bits "\0"
#define GUID "\0\0\0\0\20\0\x80\0\0\xAA\0\x38\x9B\x71"

static void test_wav_known(void)
{
    const struct known all[] = {
        { "WAV of 8 bits", BYTES(RIFF("\47\0\0\0") FMT("\1", "\1", "\1", "\10") "data\3\0\0\0\0\x80\xFF\0"),
          GF_S16, 8, 1, 0, 1, 3, 1, S16(-32768, 0, 32512) },
        { "WAV of 16 bits", BYTES(RIFF("\54\0\0\0") FMT("\1", "\2", "\4", "\20") "data\10\0\0\0\1\0\2\0\xFF\xFF\0\x80"),
          GF_S16, 16, 2, 0, 1, 2, 1, S16(1, 2, -1, -32768) },
        { "WAV of 24 bits", BYTES(RIFF("\52\0\0\0") FMT("\1", "\1", "\3", "\30") "data\6\0\0\0\1\2\3\0\0\x80"),
          GF_S32, 24, 1, 0, 1, 2, 1, S32(0x03020100, INT32_MIN) },
        { "WAV of 32 bits", BYTES(RIFF("\50\0\0\0") FMT("\1", "\1", "\4", "\40") "data\4\0\0\0\1\2\3\4"),
          GF_S32, 32, 1, 0, 1, 1, 1, S32(0x04030201) },
        { "WAV of floats", BYTES(RIFF("\50\0\0\0") FMT("\3", "\1", "\4", "\40") "data\4\0\0\0\0\0\0\x40"),
          GF_F32, 32, 1, 0, 1, 1, 1, F32(2) },
        { "WAV of doubles", BYTES(RIFF("\54\0\0\0") FMT("\3", "\1", "\10", "\100") "data\10\0\0\0\0\0\0\0\0\0\0\x40"),
          GF_F64, 64, 1, 0, 1, 1, 1, F64(2) },
        { "WAV with other chunks before its samples",
          BYTES(RIFF("\100\0\0\0") "LIST\3\0\0\0abc\0" FMT("\1", "\1", "\2", "\20") "odd \1\0\0\0x\0data\2\0\0\0\5\0"
                "tail\2\0\0\0zz"), GF_S16, 16, 1, 0, 1, 1, 1, S16(5) },
        { "WAV, extensible",
          BYTES(RIFF("\76\0\0\0") "fmt \50\0\0\0\xFE\xFF\1\0\x40\x1F\0\0\0\0\0\0\2\0\20\0\26\0\20\0\4\0\0\0\1\0" GUID
                "data\2\0\0\0\7\0"), GF_S16, 16, 1, 0, 1, 1, 1, S16(7) },
        { "RF64", BYTES("RF64\xFF\xFF\xFF\xFFWAVEds64\34\0\0\0\110\0\0\0\0\0\0\0\4\0\0\0\0\0\0\0\2\0\0\0\0\0\0\0\0\0\0\0"
                        FMT("\1", "\1", "\2", "\20") "data\xFF\xFF\xFF\xFF\1\0\2\0zzzz"),
          GF_S16, 16, 1, 0, 1, 2, 1, S16(1, 2) },
    };
    static const char *const open_sizes[] = { "\0\0\0\0", "\0\xF0\xFF\x7F", "\xFF\xFF\xFF\x7F", "\xFF\xFF\xFF\xFF" };

    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        check_known(&all[i]);
    for (size_t i = 0; i < 4; i++) {
        unsigned char wav[] = RIFF("\xFF\xFF\xFF\xFF") FMT("\1", "\1", "\2", "\20") "data\0\0\0\0\1\0\2\0\3\0";
        struct gf_format f;
        int16_t got[16];
        int signals;

        memcpy(wav + 40, open_sizes[i], 4);
        ok(read_bytes(wav, sizeof wav - 1, true, &f, got, sizeof got, &signals) == 3 && f.units == GF_UNKNOWN
           && got[2] == 3, "a WAV from a pipe goes to the end, size %zu", i);
        ok(read_bytes(wav, sizeof wav - 1, false, &f, got, sizeof got, &signals) == 3 && f.units == 3,
           "and so it does when saved in a file");
    }
}

static void test_pictures_known(void)
{
    const struct known all[] = {
        { "BMP", BYTES("BM\76\0\0\0\0\0\0\0\66\0\0\0" "\50\0\0\0\1\0\0\0\2\0\0\0\1\0\30\0\0\0\0\0\10\0\0\0\0\0\0\0\0\0"
                       "\0\0\0\0\0\0\0\0\0\0" "fed\0cba\0"), GF_U8, 255, 3, 0, 1, 2, 1, BYTES("abcdef") },
        { "TGA", BYTES("\0\0\3\0\0\0\0\0\0\0\0\0\3\0\1\0\10\40abc"), GF_U8, 255, 1, 0, 3, 1, 1, BYTES("abc") },
        { "GIF", BYTES("GIF89a\1\0\1\0\x80\0\0abcdef,\0\0\0\0\1\0\1\0\0\2\2\x4C\1\0;"), GF_U8, 255, 4, 1, 1, 1, 1,
          BYTES("def\377") },
        { "PSD", BYTES("8BPS\0\1\0\0\0\0\0\0\0\3\0\0\0\1\0\0\0\2\0\10\0\3\0\0\0\0\0\0\0\0\0\0\0\0\0\0adbecf"),
          GF_U8, 255, 4, 1, 2, 1, 1, BYTES("abc\377def\377") },
        { "HDR", BYTES("#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 1 +X 1\n\x80\x40\0\x81"), GF_F32, 1, 3, 0, 1, 1, 1,
          F32(1, 0.5F, 0) },
        /* A stored block; CRCs and the Adler sum by another program. */
        { "PNG", BYTES("\x89PNG\r\n\x1a\n\0\0\0\15IHDR\0\0\0\1\0\0\0\1\10\0\0\0\0\x3A\x7E\x9B\x55"
                       "\0\0\0\15IDAT\x78\1\1\2\0\xFD\xFF\0a\0\x63\0\x62\x47\xF9\xC2\xDA"
                       "\0\0\0\0IEND\xAE\x42\x60\x82"), GF_U8, 255, 1, 0, 1, 1, 1, BYTES("a") },
    };

    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        check_known(&all[i]);
}

static void test_refused(void)
{
    static const struct {
        const char *bytes;
        size_t size;
        const char *says;
    } all[] = {
        { BYTES(""), "is empty" },
        { BYTES("hello, world, this is nothing"), "not a picture or a recording" },
        { BYTES("P5 3 3 255\nabcd"), "ends after row 1 of 3" },
        { BYTES("P4 9 2\nabc"), "ends after row 1 of 2" },
        { BYTES("P2 2 2 255\n1 2 3"), "ends after row 1 of 2" },
        { BYTES("P2 2 2 255\n1 2 x 3"), "row 2 has something that is not a number" },
        { BYTES("Pf 1 3 -1\nabcdefgh"), "ends after row 2 of 3" },
        { BYTES("P5 0 3 255\n"), "has no pixels" },
        { BYTES("P5 3 3 0\n"), "its maxval is 0" },
        { BYTES("P5 3 3 65536\n"), "its maxval is 65536" },
        { BYTES("P5 99999999999 3 255\n"), "too large" },
        { BYTES("P5 2147483647 2147483647 255\n"), "is too large" },
        { BYTES("P6 5000 5000 255\n"), "raise --max-pixels" },
        { BYTES("P6 5000"), "ends inside a header" },
        { BYTES("P6 -3 5 255\n"), "a number is missing" },
        { BYTES("P7\nWIDTH 1\nHEIGHT 1\nDEPTH 9\nMAXVAL 255\nENDHDR\n"), "has 9 samples a pixel" },
        { BYTES("P7\nWIDTH 1\nHEIGHT 1\nDEPTH 1\nMAXVAL 255\nBOGUS\nENDHDR\n"), "\"BOGUS\" is not known" },
        { BYTES("PF 1 1 nan\n"), "bad scale" },
        { BYTES("P6 1 1 255\nabcwhat"), "what follows image 1" },
        { BYTES(RIFF("\0\0\0\0") "data\2\0\0\0ab"), "no \"fmt \" chunk" },
        { BYTES(RIFF("\0\0\0\0") FMT("\1", "\0", "\0", "\20") "data\2\0\0\0ab"), "has 0 channels" },
        { BYTES(RIFF("\0\0\0\0") FMT("\1", "\1", "\2", "\20")), "ends before its samples begin" },
        { BYTES(RIFF("\54\0\0\0") FMT("\1", "\1", "\2", "\20") "data\10\0\0\0\1\0\2\0\3"), "ends after frame 2 of 4" },
        { BYTES("\x89PNG\r\n\x1a\n\0\0\0\15IHDR\0\0\0\1\0\0\0\1\10\0\0\0\0\x3A\x7E\x9B\x55"
                "\0\0\0\15IDAT\x78\1\1\2\0\xFD\xFF\0a\0\x63\0\x62\x47\xF9\xC2\xDA"), "is cut short" },
        { BYTES("\0\0\3\0\0\0\0\0\0\0\0\0\3\0\1\0\10\40ab"), "is cut short" },
        { BYTES("#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 1 +X 9\n\2\2\0\11\0"), "is cut short" },
    };

    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        struct gf_format f;
        unsigned char got[4096];
        int signals;
        int64_t file = read_bytes(all[i].bytes, all[i].size, false, &f, got, sizeof got, &signals);
        bool file_says = last_status == GF_FAILED && strstr(last_text, all[i].says) != NULL;
        int64_t piped = read_bytes(all[i].bytes, all[i].size, true, &f, got, sizeof got, &signals);
        bool pipe_says = last_status == GF_FAILED && strstr(last_text, all[i].says) != NULL;

        ok(file < 0 && file_says && piped < 0 && pipe_says, "refused: %s", all[i].says);
    }
}

static void test_refused_names(void)
{
    struct gf_format f;
    unsigned char got[64];
    int signals;

    ok(read_all("nowhere", NULL, &f, got, sizeof got, &signals) < 0
       && strcmp(last_text, "nowhere: No such file or directory") == 0, "a missing file");
    mkdir("folder", 0777);
    ok(read_all("folder", NULL, &f, got, sizeof got, &signals) < 0 && strstr(last_text, "folder: is a folder") != NULL,
       "a folder");
    put_file("in", "P5 1 1 255\na", 12);
    ok(read_all("in", "pgn", &f, got, sizeof got, &signals) < 0 && last_status == GF_MISUSED
       && strstr(last_text, "pgm") != NULL, "--from pgn names its neighbour");
    put_file("in.png", "P5 1 1 255\na", 12);
    ok(read_all("in.png", NULL, &f, got, sizeof got, &signals) == 1, "content is believed before the name");
}

static const struct gf_format gray8 = { .kind = GF_IMAGE, .type = GF_U8, .bits = 8, .maxval = 255, .channels = 1,
                                        .width = 2, .units = 2 };

/* Writes one signal; returns 0 or -1. `backwards`: rows one by one from the last, if the format can. */
static int write_one(const char *path, const struct gf_write_options *o, const struct gf_format *f, const void *units,
                     bool backwards, struct gf_format *fitted)
{
    struct gf_error err = { 0 };
    struct gf_writer *w = gf_writer_open(path, o, f, false, &err);
    struct gf_format g = *f, stored;
    int result = -1;

    if (w == NULL || gf_writer_fit(w, &g, &err) != 0 || gf_writer_begin(w, &g, &err) != 0)
        goto out;
    stored = gf_stored_format(&g);
    for (int64_t i = stored.units - 1; backwards && w->random && i >= 0; i--) {
        if (gf_writer_write_at(w, i, (const char *)units + (size_t)i * gf_unit_bytes(&stored), 1, &err) != 0)
            goto out;
    }
    if (!(backwards && w->random) && gf_writer_write(w, units, stored.units, &err) != 0)
        goto out;
    if (gf_writer_end(w, &err) != 0 || gf_writer_commit(w, &err) != 0)
        goto out;
    result = 0;
out:
    if (fitted != NULL)
        *fitted = g;
    note(&err);
    gf_writer_close(w);
    return result;
}

static struct gf_format picture(enum gf_type type, uint32_t maxval, int channels, bool alpha, int64_t width, int64_t rows)
{
    return (struct gf_format) { .kind = GF_IMAGE, .type = type, .bits = type == GF_F32 ? 32 : maxval > 255 ? 16 : 8,
                                .maxval = maxval, .channels = channels, .alpha = alpha, .width = width, .units = rows };
}

static struct gf_format sound(enum gf_type type, int bits, int channels, int64_t frames)
{
    return (struct gf_format) { .kind = GF_AUDIO, .type = type, .bits = bits, .channels = channels, .width = 1,
                                .units = frames, .rate = 8000 };
}

static void check_written(const char *name, const struct gf_format *f, const void *units, const void *bytes, size_t size)
{
    struct gf_write_options o = { .compression = -1 };

    ok(write_one(name, &o, f, units, false, NULL) == 0 && file_is(name, bytes, size), "%s in order", name);
    ok(write_one(name, &o, f, units, true, NULL) == 0 && file_is(name, bytes, size), "%s backwards", name);
}

/* A Y4M is read in samples: its format says what they stand for. */
static void test_y4m_known(void)
{
    static const char bytes[] = "YUV4MPEG2 W3 H1 F30000:1001 Ib A4:3 C420mpeg2 XCOLORRANGE=FULL XNOTE\nFRAME\nabcdefgFRAME Ip\nhijklmn";

    for (int piped = 0; piped < 2; piped++) {
        struct gf_read_options o = { .max_pixels = 1000 };
        struct gf_error err = { 0 };
        struct gf_reader *r;
        const struct gf_yuv *y;
        char path[64] = "in", got[16] = "";
        int ends[2] = { -1, -1 };

        put_file("in", bytes, sizeof bytes - 1);
        if (piped != 0 && (pipe(ends) != 0 || write(ends[1], bytes, sizeof bytes - 1) < 0 || close(ends[1]) != 0))
            exit(1);
        if (piped != 0)
            snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
        r = gf_reader_open(path, &o, &err);
        note(&err);
        ok(r != NULL, "a Y4M from a %s", piped ? "pipe" : "file");
        if (r == NULL)
            continue;
        y = &r->format.yuv;
        ok(r->format.type == GF_U8 && r->format.channels == 3 && r->format.width == 3 && r->format.units == 1
           && gf_stored_format(&r->format).units == 7 && y->used && !y->mono && y->sub_x == 1 && y->sub_y == 1 && y->bits == 8
           && y->full && y->matrix == 601 && y->siting == GF_SITED_MPEG2 && y->rate[0] == 30000 && y->rate[1] == 1001
           && y->aspect[0] == 4 && y->aspect[1] == 3 && y->interlace == 'b' && strcmp(y->tags, "XCOLORRANGE=FULL XNOTE") == 0,
           "what its header says");
        ok(gf_reader_read(r, got, 3, &err) == 3 && gf_reader_read(r, got + 3, 9, &err) == 4 && strcmp(got, "abcdefg") == 0, "its samples");
        ok(gf_reader_next(r, &err) == 1 && gf_reader_read(r, got, 2, &err) == 2 && memcmp(got, "hi", 2) == 0, "those of the next");
        ok(piped != 0 || (gf_reader_read_at(r, 5, got, 2, &err) == 0 && memcmp(got, "mn", 2) == 0), "from anywhere");
        ok(gf_reader_next(r, &err) == 0, "and then nothing");
        gf_reader_close(r);
        if (piped != 0)
            close(ends[0]);
    }
}

static void test_written(void)
{
    struct gf_format f = picture(GF_U8, 255, 1, false, 3, 1);
    uint16_t wide[] = { 1, 0x0203 };
    float floats[] = { 2, 1 };
    int16_t s16[] = { -32768, 0, 32512 };
    int32_t s24[] = { 0x03020100, INT32_MIN };

    check_written("o.pgm", &f, "abc", BYTES("P5\n3 1\n255\nabc"));
    f = picture(GF_U8, 1, 1, false, 10, 1);
    check_written("o.pbm", &f, "\0\1\0\1\0\1\0\1\0\1", BYTES("P4\n10 1\n\xAA\x80"));
    f = picture(GF_U8, 255, 3, false, 1, 2);
    check_written("o.ppm", &f, "abcdef", BYTES("P6\n1 2\n255\nabcdef"));
    check_written("unknown.ending", &f, "abcdef", BYTES("P6\n1 2\n255\nabcdef"));
    f = picture(GF_U16, 1000, 2, true, 1, 1);
    check_written("o.pam", &f, wide,
                  BYTES("P7\nWIDTH 1\nHEIGHT 1\nDEPTH 2\nMAXVAL 1000\nTUPLTYPE GRAYSCALE_ALPHA\nENDHDR\n\0\1\2\3"));
    f = picture(GF_U8, 255, 3, false, 3, 1);
    check_written("o.y4m", &f, "abcdefg", BYTES("YUV4MPEG2 W3 H1 F25:1 Ip A1:1 C420jpeg\nFRAME\nabcdefg"));
    f = picture(GF_U16, 1023, 1, false, 1, 2);
    f.bits = 10;
    check_written("o.y4m", &f, wide, BYTES("YUV4MPEG2 W1 H2 F25:1 Ip A1:1 Cmono10 XCOLORRANGE=FULL\nFRAME\n\1\0\3\2"));
    f = picture(GF_F32, 1, 1, false, 1, 2);
    check_written("o.pfm", &f, floats, BYTES("Pf\n1 2\n-1.0\n\0\0\x80\x3F\0\0\0\x40"));
    f = sound(GF_S16, 8, 1, 3);
    check_written("o.wav", &f, s16,
                  BYTES("RIFF\50\0\0\0WAVEfmt \20\0\0\0\1\0\1\0\x40\x1F\0\0\x40\x1F\0\0\1\0\10\0data\3\0\0\0\0\x80\xFF\0"));
    f = sound(GF_S32, 24, 1, 2);
    check_written("o.wav", &f, s24,
                  BYTES("RIFF\102\0\0\0WAVEfmt \50\0\0\0\xFE\xFF\1\0\x40\x1F\0\0\xC0\x5D\0\0\3\0\30\0\26\0\30\0\4\0\0\0\1\0"
                        GUID "data\6\0\0\0\1\2\3\0\0\x80"));
    f = sound(GF_F32, 32, 1, 2);
    check_written("o.wav", &f, floats,
                  BYTES("RIFF\72\0\0\0WAVEfmt \22\0\0\0\3\0\1\0\x40\x1F\0\0\0\x7D\0\0\4\0\40\0\0\0fact\4\0\0\0\2\0\0\0"
                        "data\10\0\0\0\0\0\0\x40\0\0\x80\x3F"));
}

static void test_png_stored(void)
{
    struct gf_write_options o = { .compression = 0 };
    struct gf_format f = picture(GF_U8, 255, 1, false, 1, 1);

    ok(write_one("o.png", &o, &f, "a", false, NULL) == 0
       && file_is("o.png", BYTES("\x89PNG\r\n\x1a\n\0\0\0\15IHDR\0\0\0\1\0\0\0\1\10\0\0\0\0\x3A\x7E\x9B\x55"
                                 "\0\0\0\15IDAT\x78\1\1\2\0\xFD\xFF\0a\0\x63\0\x62\x47\xF9\xC2\xDA"
                                 "\0\0\0\0IEND\xAE\x42\x60\x82")), "a stored PNG byte for byte");
}

/* What is written is what is read, whatever the bits. */
static void test_identity(void)
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
        { "i.wav", GF_AUDIO, GF_S32, 32, 1 }, { "i.wav", GF_AUDIO, GF_F32, 32, 5 }, { "i.wav", GF_AUDIO, GF_F64, 64, 1 },
        { "i.flac", GF_AUDIO, GF_S16, 8, 2 }, { "i.flac", GF_AUDIO, GF_S16, 16, 2 }, { "i.flac", GF_AUDIO, GF_S32, 24, 1 },
        { "i.aiff", GF_AUDIO, GF_S16, 16, 2 }, { "i.aiff", GF_AUDIO, GF_S32, 24, 2 }, { "i.aiff", GF_AUDIO, GF_F32, 32, 1 },
        { "i.au", GF_AUDIO, GF_S16, 16, 1 }, { "i.au", GF_AUDIO, GF_F64, 64, 2 }, { "i.caf", GF_AUDIO, GF_S32, 32, 2 },
        { "i.caf", GF_AUDIO, GF_S16, 8, 2 }, { "i.w64", GF_AUDIO, GF_S16, 16, 2 }, { "i.w64", GF_AUDIO, GF_F32, 32, 2 },
    };

    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        struct gf_write_options o = { .compression = -1 };
        bool image = all[i].kind == GF_IMAGE;
        int channels = all[i].channels, signals;
        struct gf_format f = image ? picture(all[i].type, all[i].bits == 8 ? 255 : all[i].bits == 16 ? 65535 : 1,
                                             channels, channels % 2 == 0, 37, 11)
                                   : sound(all[i].type, all[i].bits, channels, 501);
        struct gf_format g = { .kind = GF_IMAGE };
        size_t size = gf_unit_bytes(&f) * (size_t)f.units;
        unsigned char units[30000], got[40000];
        uint32_t seed = 12345;

        for (size_t j = 0; j < size; j++)
            units[j] = (unsigned char)((seed = seed * 1664525 + 1013904223) >> 24);
        for (size_t j = 0; f.type == GF_F32 && j < size / 4; j++)
            ((float *)(void *)units)[j] = (float)(int32_t)(seed = seed * 1664525 + 1013904223) / 2147483648.0F;
        for (size_t j = 0; f.type == GF_F64 && j < size / 8; j++)
            ((double *)(void *)units)[j] = (double)(int32_t)(seed = seed * 1664525 + 1013904223) / 3e9;
        for (size_t j = 0; f.type == GF_S16 && f.bits == 8 && j < size; j += 2)
            units[j] = 0;
        for (size_t j = 0; f.type == GF_S32 && f.bits == 24 && j < size; j += 4)
            units[j] = 0;
        ok(write_one(all[i].name, &o, &f, units, i % 2 == 1, NULL) == 0
           && read_all(all[i].name, NULL, &g, got, sizeof got, &signals) == f.units && g.type == f.type
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
    note(&err);
    ok(good, "%s of depth %d: %s", name, depth, status != 0 ? err.text : gf_type_word(&g));
    gf_writer_close(w);
}

static void test_fit(void)
{
    struct gf_format bits4 = picture(GF_U8, 15, 1, false, 2, 2), bits10 = picture(GF_U16, 1000, 3, false, 2, 2);
    struct gf_format floats = picture(GF_F32, 1, 3, false, 2, 2), rgba = picture(GF_U8, 255, 4, true, 2, 2);
    struct gf_format s16 = sound(GF_S16, 16, 2, 9), f32 = sound(GF_F32, 32, 2, 9);

    check_fit("a.png", 0, &bits4, 0, GF_U8, 8, 255);
    check_fit("a.png", 0, &bits10, 0, GF_U16, 16, 65535);
    check_fit("a.png", 0, &floats, 0, GF_U16, 16, 65535);
    check_fit("a.png", 8, &floats, 0, GF_U8, 8, 255);
    check_fit("a.png", 24, &floats, GF_MISUSED, 0, 0, 0);
    check_fit("a.pgm", 0, &bits4, 0, GF_U8, 4, 15);
    check_fit("a.ppm", 0, &bits10, 0, GF_U16, 10, 1000);
    check_fit("a.ppm", 8, &bits10, 0, GF_U8, 8, 255);
    check_fit("a.ppm", -32, &bits10, GF_MISUSED, 0, 0, 0);
    check_fit("a.ppm", 0, &rgba, 0, GF_U8, 8, 255);          /* over black */
    check_fit("a.pgm", 0, &rgba, GF_MISUSED, 0, 0, 0);
    check_fit("-", 0, &floats, 0, GF_U16, 16, 65535);
    check_fit("a.pfm", 0, &bits10, 0, GF_F32, 32, 1);
    check_fit("a.pfm", 16, &bits10, GF_MISUSED, 0, 0, 0);
    check_fit("a.jpg", 0, &floats, 0, GF_U8, 8, 255);
    check_fit("a.jpg", 16, &floats, GF_MISUSED, 0, 0, 0);
    check_fit("a.gif", 0, &rgba, GF_MISUSED, 0, 0, 0);
    check_fit("a.wav", 0, &rgba, GF_MISUSED, 0, 0, 0);
    check_fit("a.tsv", 0, &rgba, GF_MISUSED, 0, 0, 0);
    check_fit("a.png", 0, &s16, GF_MISUSED, 0, 0, 0);
    check_fit("a.wav", 24, &s16, 0, GF_S32, 24, 0);
    check_fit("a.wav", 8, &f32, 0, GF_S16, 8, 0);
    check_fit("a.flac", 0, &f32, 0, GF_S32, 24, 0);
    check_fit("a.flac", 32, &f32, GF_MISUSED, 0, 0, 0);
    check_fit("a.ogg", 0, &s16, 0, GF_F32, 32, 0);
}

static void test_lossy(void)
{
    struct gf_write_options o = { .compression = -1 };
    struct gf_format f = sound(GF_F32, 32, 1, 4000), g = { .kind = GF_AUDIO };
    static float wild[4000], got[8000];
    int signals;

    for (int i = 0; i < 4000; i++)
        wild[i] = i % 7 == 0 ? NAN : i % 11 == 0 ? INFINITY : i % 13 == 0 ? -1e30F : 0.25F;
    ok(write_one("l.ogg", &o, &f, wild, false, NULL) == 0
       && read_all("l.ogg", NULL, &g, got, sizeof got, &signals) == 4000, "Ogg survives what is not a number");
    f = sound(GF_F32, 32, 1, 100);
    f.rate = 44100;
    check_fit("l.opus", 0, &f, GF_FAILED, 0, 0, 0);
}

static int files_here(void)
{
    DIR *d = opendir(".");
    int count = 0;

    while (d != NULL && readdir(d) != NULL)
        count++;
    if (d != NULL)
        closedir(d);
    return count;
}

static mode_t mode_of(const char *name)
{
    struct stat st;

    return stat(name, &st) == 0 ? st.st_mode & 07777 : 0;
}

static void test_whole_or_not(void)
{
    struct gf_write_options o = { .compression = -1 }, keep = { .compression = -1, .keep = true };
    struct gf_error err = { 0 };
    struct gf_writer *w;
    struct stat st;
    int before;

    put_file("w.pgm", "old", 3);
    chmod("w.pgm", 0640);
    before = files_here();
    w = gf_writer_open("w.pgm", &o, &gray8, false, &err);
    ok(w != NULL && gf_writer_begin(w, &gray8, &err) == 0 && gf_writer_write(w, "abcd", 1, &err) == 0
       && file_is("w.pgm", "old", 3), "the target is untouched while it is written");
    gf_writer_close(w);
    ok(file_is("w.pgm", "old", 3) && files_here() == before, "and after giving up, with nothing left beside it");
    ok(write_one("w.pgm", &o, &gray8, "abcd", false, NULL) == 0 && file_is("w.pgm", BYTES("P5\n2 2\n255\nabcd"))
       && mode_of("w.pgm") == 0640 && files_here() == before, "replaced, it keeps its mode");
    if (symlink("w.pgm", "link.pgm") != 0 || symlink("fresh.pgm", "dangling.pgm") != 0)
        exit(1);
    ok(write_one("link.pgm", &o, &gray8, "efgh", false, NULL) == 0 && lstat("link.pgm", &st) == 0
       && S_ISLNK(st.st_mode) && file_is("w.pgm", BYTES("P5\n2 2\n255\nefgh")), "a link stays a link");
    ok(write_one("dangling.pgm", &o, &gray8, "efgh", false, NULL) == 0 && lstat("dangling.pgm", &st) == 0
       && S_ISLNK(st.st_mode) && file_is("fresh.pgm", BYTES("P5\n2 2\n255\nefgh")), "one to nothing yet is followed");
    umask(027);
    ok(write_one("umask.pgm", &o, &gray8, "efgh", false, NULL) == 0 && mode_of("umask.pgm") == 0640, "umask holds");
    ok(write_one("w.pgm", &keep, &gray8, "xxxx", false, NULL) < 0 && last_status == GF_FAILED
       && file_is("w.pgm", BYTES("P5\n2 2\n255\nefgh")), "--no-clobber keeps what is there");
    w = gf_writer_open("race.pgm", &keep, &gray8, false, &err);
    before = files_here();
    if (w == NULL || gf_writer_begin(w, &gray8, &err) != 0 || gf_writer_write(w, "abcd", 2, &err) != 0
        || gf_writer_end(w, &err) != 0)
        ok(false, "begins");
    put_file("race.pgm", "first", 5);
    ok(gf_writer_commit(w, &err) < 0 && file_is("race.pgm", "first", 5) && files_here() == before + 1,
       "--no-clobber keeps what came in between");
    gf_writer_close(w);
    ok(write_one("folder", &o, &gray8, "abcd", false, NULL) < 0 && strstr(last_text, "is a folder") != NULL, "a folder");
    ok(write_one("no/where.pgm", &o, &gray8, "abcd", false, NULL) < 0 && strstr(last_text, "No such file") != NULL,
       "a folder that is missing");
    ok(write_one("/dev/null", &o, &gray8, "abcd", false, NULL) == 0 && stat("/dev/null", &st) == 0
       && S_ISCHR(st.st_mode), "/dev/null is written to, not replaced");
    ok(write_one("/dev/full", &o, &gray8, "abcd", false, NULL) < 0 && last_status == GF_FAILED
       && strstr(last_text, "No space left") != NULL, "a full device is noticed");
}

static void test_pipes(void)
{
    struct gf_write_options o = { .compression = -1 };
    struct gf_format f = sound(GF_S16, 16, 1, 2), p = picture(GF_F32, 1, 1, false, 1, 2);
    int16_t s16[] = { 1, 2 };
    float floats[] = { 2, 1 };
    unsigned char got[4096];
    int ends[2];
    ssize_t size;

    if (mkfifo("fifo", 0666) != 0)
        exit(1);
    ends[0] = open("fifo", O_RDONLY | O_NONBLOCK);
    o.to = "wav";
    ok(write_one("fifo", &o, &f, s16, true, NULL) == 0, "WAV to a FIFO");
    size = read(ends[0], got, sizeof got);
    ok(size == 48 && memcmp(got, "RIFF\x28\0\0\0WAVE", 12) == 0 && memcmp(got + 36, "data\4\0\0\0\1\0\2", 11) == 0,
       "has its sizes, for they are known");
    f.units = GF_UNKNOWN;
    ok(write_one("fifo", &o, &f, s16, true, NULL) == 0, "WAV of unknown length to a FIFO");
    size = read(ends[0], got, sizeof got);
    ok(size >= 44 && memcmp(got, "RIFF\xFF\xFF\xFF\xFFWAVE", 12) == 0 && memcmp(got + 36, "data\xFF\xFF\xFF\xFF", 8) == 0,
       "has open sizes");
    f.units = 2;
    o.to = "pfm";
    ok(write_one("fifo", &o, &p, floats, false, NULL) == 0, "PFM to a FIFO");
    size = read(ends[0], got, sizeof got);
    ok(size == 20 && memcmp(got, "Pf\n1 2\n-1.0\n\0\0\x80\x3F\0\0\0\x40", 20) == 0, "is turned over");
    o.to = "flac";
    ok(write_one("fifo", &o, &f, s16, false, NULL) == 0 && read(ends[0], got, sizeof got) > 42
       && memcmp(got, "fLaC", 4) == 0, "FLAC to a FIFO");
    close(ends[0]);
    if (pipe(ends) != 0)
        exit(1);
    close(ends[0]);
    int saved = dup(STDOUT_FILENO);
    fflush(stdout);
    dup2(ends[1], STDOUT_FILENO);
    int result = write_one(NULL, &(struct gf_write_options) { .compression = -1 }, &gray8, "abcd", false, NULL);
    dup2(saved, STDOUT_FILENO);
    close(saved);
    close(ends[1]);
    ok(result < 0 && last_status == 0, "a reader that has gone away is told apart");
}

static void test_standard_output(void)
{
    struct gf_write_options o = { .compression = -1 };
    int saved, fd = open("redirected", O_WRONLY | O_CREAT | O_TRUNC, 0666), result;

    fflush(stdout);
    saved = dup(STDOUT_FILENO);
    dup2(fd, STDOUT_FILENO);
    result = write(STDOUT_FILENO, "before\n", 7) == 7 ? write_one("-", &o, &gray8, "abcd", true, NULL) : -1;
    result |= write(STDOUT_FILENO, "after\n", 6) == 6 ? 0 : -1;
    dup2(saved, STDOUT_FILENO);
    close(saved);
    close(fd);
    ok(result == 0 && file_is("redirected", BYTES("before\nP5\n2 2\n255\nabcdafter\n")),
       "a redirected standard output goes on where it stood");
}

static void test_several(void)
{
    struct gf_write_options o = { .compression = -1 };
    struct gf_error err = { 0 };
    struct gf_writer *w = gf_writer_open("several.pgm", &o, &gray8, false, &err);
    int result = w == NULL ? -1 : 0;

    for (int i = 0; i < 3 && result == 0; i++)
        result = gf_writer_begin(w, &gray8, &err) != 0 || gf_writer_write_at(w, 1, "cd", 1, &err) != 0
              || gf_writer_write_at(w, 0, "ab", 1, &err) != 0 || gf_writer_end(w, &err) != 0;
    ok(result == 0 && gf_writer_commit(w, &err) == 0
       && file_is("several.pgm", BYTES("P5\n2 2\n255\nabcdP5\n2 2\n255\nabcdP5\n2 2\n255\nabcd")), "three PGMs in a row");
    gf_writer_close(w);
    w = gf_writer_open("several.png", &o, &gray8, false, &err);
    result = w == NULL || gf_writer_begin(w, &gray8, &err) != 0 || gf_writer_write(w, "abcd", 2, &err) != 0
          || gf_writer_end(w, &err) != 0;
    ok(result == 0 && gf_writer_begin(w, &gray8, &err) < 0 && strstr(err.text, "holds one picture") != NULL,
       "a PNG holds one picture");
    gf_writer_close(w);
}

/* Six gigabytes, nearly all of them a hole. */
static void test_rf64(void)
{
    struct gf_write_options o = { .compression = -1 };
    struct gf_read_options ro = { .max_bytes = 0 };
    struct gf_format f = sound(GF_S16, 16, 1, 3000000000);
    struct gf_error err = { 0 };
    struct gf_writer *w = gf_writer_open("large.wav", &o, &f, false, &err);
    struct gf_reader *r = NULL;
    unsigned char head[56];
    int16_t last = 0x1234, got = 0;

    ok(w != NULL && gf_writer_begin(w, &f, &err) == 0 && gf_writer_write_at(w, f.units - 1, &last, 1, &err) == 0
       && gf_writer_end(w, &err) == 0 && gf_writer_commit(w, &err) == 0, "a WAV of 6 GB");
    note(&err);
    gf_writer_close(w);
    ok(get_file("large.wav", head, sizeof head) == sizeof head && memcmp(head, "RF64\xFF\xFF\xFF\xFFWAVEds64\34\0\0\0", 20) == 0
       && memcmp(head + 28, "\0\xBC\xA0\x65\1\0\0\0\0\x5E\xD0\xB2\0\0\0\0", 16) == 0, "is an RF64");
    r = gf_reader_open("large.wav", &ro, &err);
    ok(r != NULL && r->format.units == f.units && gf_reader_read_at(r, f.units - 1, &got, 1, &err) == 0 && got == last,
       "and is read back");
    note(&err);
    gf_reader_close(r);
    unlink("large.wav");
}

static void check_table(const char *name, const struct gf_table *t, const char *text)
{
    struct gf_write_options o = { .compression = -1 };
    struct gf_error err = { 0 };
    struct gf_writer *w = gf_writer_open(name, &o, &gray8, true, &err);

    ok(w != NULL && gf_writer_table(w, t, &err) == 0 && gf_writer_commit(w, &err) == 0
       && file_is(name, text, strlen(text)), "%s of %s", name, t->bins > 0 ? "counts" : "fields");
    note(&err);
    gf_writer_close(w);
}

static void test_tables(void)
{
    static const char *const channels[] = { "r", "g" }, *const fields[] = { "min", "mean" };
    static const uint64_t counts[] = { 1, 2, 3, 4, 5, 6 };
    static const double values[] = { 0, 0.1, -1.5, NAN };
    struct gf_table h = { .channels = 2, .channel_names = channels, .bins = 3, .low = 0, .high = 1, .samples = 9,
                          .counts = counts };
    struct gf_table s = { .channels = 2, .channel_names = channels, .fields = 2, .field_names = fields, .samples = 9,
                          .values = values };
    struct gf_error err = { 0 };

    check_table("t.tsv", &h, "bin\tr\tg\n0\t1\t4\n1\t2\t5\n2\t3\t6\n");
    check_table("t.csv", &h, "bin,r,g\n0,1,4\n1,2,5\n2,3,6\n");
    check_table("t.json", &h, "{\"bins\":3,\"range\":[0,1],\"samples\":9,\"channels\":[{\"name\":\"r\",\"counts\":[1,2,3]},"
                              "{\"name\":\"g\",\"counts\":[4,5,6]}]}\n");
    check_table("t.txt", &s, "channel\tmin\tmean\nr\t0\t0.1\ng\t-1.5\tnan\n");
    check_table("s.json", &s, "{\"samples\":9,\"channels\":[{\"name\":\"r\",\"min\":0,\"mean\":0.1},"
                              "{\"name\":\"g\",\"min\":-1.5,\"mean\":null}]}\n");
    ok(gf_writer_open("t.jpg", &(struct gf_write_options) { .compression = -1 }, &gray8, true, &err) == NULL
       && err.status == GF_MISUSED, "a table is no JPEG");
}

static void remove_all(const char *folder)
{
    DIR *d = opendir(".");
    const struct dirent *e;

    while (d != NULL && (e = readdir(d)) != NULL) {
        if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0 && unlink(e->d_name) != 0)
            rmdir(e->d_name);
    }
    if (d != NULL)
        closedir(d);
    if (chdir("/") == 0)
        rmdir(folder);
}

int main(void)
{
    char folder[] = "/tmp/gpufilter-io-XXXXXX";

    signal(SIGPIPE, SIG_IGN);
    if (mkdtemp(folder) == NULL || chdir(folder) != 0) {
        perror(folder);
        return 1;
    }
    test_pnm_known();
    test_y4m_known();
    test_wav_known();
    test_pictures_known();
    test_refused();
    test_refused_names();
    test_written();
    test_png_stored();
    test_identity();
    test_fit();
    test_lossy();
    test_whole_or_not();
    test_pipes();
    test_standard_output();
    test_several();
    test_rf64();
    test_tables();
    remove_all(folder);
    printf("1..%d\n", tests);
    return failures == 0 ? 0 : 1;
}
