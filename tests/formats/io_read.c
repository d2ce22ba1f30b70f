/* Readers: known bytes of every variant, files that are cut short, hostile files. */
#define _GNU_SOURCE
#include "io_common.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct known {
    const char *name;
    const void *bytes;
    size_t size;
    enum gf_type type;
    int bits, channels, alpha;   /* for images, `bits` is the maxval */
    int64_t width, units;
    int signals;
    const void *samples;
    size_t samples_size;
};

static void check_known(const struct known *k)
{
    for (int piped = 0; piped < 2; piped++) {
        struct gf_format f = { .kind = GF_IMAGE };
        unsigned char got[4096] = { 0 };
        int signals;
        int64_t units = gf_read_bytes(k->bytes, k->size, piped != 0, &f, got, sizeof got, &signals);
        bool same = units == k->units * k->signals && signals == k->signals && f.type == k->type
                 && f.channels == k->channels && f.alpha == (k->alpha != 0) && f.width == k->width
                 && (f.kind == GF_IMAGE ? (int)f.maxval : f.bits) == k->bits
                 && memcmp(got, k->samples, k->samples_size) == 0;

        if (!same)
            printf("# %lld units, %d signals, %s, bits %d, maxval %u, %d channels, alpha %d, width %lld\n",
                   (long long)units, signals, gf_type_word(&f), f.bits, f.maxval, f.channels, f.alpha,
                   (long long)f.width);
        gf_ok(same, "%s from a %s", k->name, piped ? "pipe" : "file");
    }
}

void gf_test_pnm_known(void)
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

void gf_test_wav_known(void)
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
        { "RF64", BYTES("RF64\xFF\xFF\xFF\xFFWAVEds64\34\0\0\0\110\0\0\0"
                        "\0\0\0\0\4\0\0\0\0\0\0\0\2\0\0\0\0\0\0\0\0\0\0\0"
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
        gf_ok(gf_read_bytes(wav, sizeof wav - 1, true, &f, got, sizeof got, &signals) == 3 && f.units == GF_UNKNOWN
              && got[2] == 3, "a WAV from a pipe goes to the end, size %zu", i);
        gf_ok(gf_read_bytes(wav, sizeof wav - 1, false, &f, got, sizeof got, &signals) == 3 && f.units == 3,
              "a WAV from a file goes to the end, size %zu", i);
    }
}

void gf_test_pictures_known(void)
{
    const struct known all[] = {
        { "BMP", BYTES("BM\76\0\0\0\0\0\0\0\66\0\0\0" "\50\0\0\0\1\0\0\0\2\0\0\0\1\0\30\0\0\0\0\0\10\0\0\0\0\0\0\0\0\0"
                       "\0\0\0\0\0\0\0\0\0\0" "fed\0cba\0"), GF_U8, 255, 3, 0, 1, 2, 1, BYTES("abcdef") },
        { "TGA", BYTES("\0\0\3\0\0\0\0\0\0\0\0\0\3\0\1\0\10\40abc"), GF_U8, 255, 1, 0, 3, 1, 1, BYTES("abc") },
        { "GIF", BYTES("GIF89a\1\0\1\0\x80\0\0abcdef,\0\0\0\0\1\0\1\0\0\2\2\x4C\1\0;"), GF_U8, 255, 4, 1, 1, 1, 1,
          BYTES("def\377") },
        { "PSD", BYTES("8BPS\0\1\0\0\0\0\0\0\0\3\0\0\0\1\0\0\0\2\0\10\0\3\0\0\0\0\0\0\0\0\0\0\0\0\0\0adbecf"),
          GF_U8, 255, 3, 0, 2, 1, 1, BYTES("abcdef") },
        { "HDR", BYTES("#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 1 +X 1\n\x80\x40\0\x81"), GF_F32, 1, 3, 0, 1, 1, 1,
          F32(1, 0.5F, 0) },
        /* A stored block. CRCs and the Adler-32 come from another program. */
        { "PNG", BYTES("\x89PNG\r\n\x1a\n\0\0\0\15IHDR\0\0\0\1\0\0\0\1\10\0\0\0\0\x3A\x7E\x9B\x55"
                       "\0\0\0\15IDAT\x78\1\1\2\0\xFD\xFF\0a\0\x63\0\x62\x47\xF9\xC2\xDA"
                       "\0\0\0\0IEND\xAE\x42\x60\x82"), GF_U8, 255, 1, 0, 1, 1, 1, BYTES("a") },
    };

    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        check_known(&all[i]);
}

/* Y4M is read as samples of planes, which its format describes. */
void gf_test_y4m_known(void)
{
    static const char bytes[] = "YUV4MPEG2 W3 H1 F30000:1001 Ib A4:3 C420mpeg2 XCOLORRANGE=FULL "
        "XNOTE\nFRAME\nabcdefgFRAME Ip\nhijklmn";

    for (int piped = 0; piped < 2; piped++) {
        const char *const from = piped != 0 ? "pipe" : "file";
        struct gf_read_options o = { .max_pixels = 1000 };
        struct gf_error err = { 0 };
        struct gf_reader *r;
        const struct gf_yuv *y;
        char path[64] = "in", got[16] = "";
        int ends[2] = { -1, -1 };

        gf_put_file("in", bytes, sizeof bytes - 1);
        if (piped != 0 && (pipe(ends) != 0 || write(ends[1], bytes, sizeof bytes - 1) < 0 || close(ends[1]) != 0))
            exit(1);
        if (piped != 0)
            snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
        r = gf_reader_open(path, &o, &err);
        gf_said = err;
        gf_ok(r != NULL, "a Y4M from a %s is read", from);
        if (r == NULL)
            continue;
        y = &r->format.yuv;
        gf_ok(r->format.type == GF_U8 && r->format.channels == 3 && r->format.width == 3 && r->format.units == 1
              && gf_stored_format(&r->format).units == 7 && y->used && !y->mono && y->sub_x == 1 && y->sub_y == 1
              && y->bits == 8
              && y->full && y->matrix == 601 && y->siting == GF_SITED_MPEG2 && y->rate[0] == 30000 && y->rate[1] == 1001
              && y->aspect[0] == 4 && y->aspect[1] == 3 && y->interlace == 'b'
              && strcmp(y->tags, "XCOLORRANGE=FULL XNOTE") == 0, "a Y4M from a %s: its header", from);
        gf_ok(gf_reader_read(r, got, 3, &err) == 3 && gf_reader_read(r, got + 3, 9, &err) == 4
              && strcmp(got, "abcdefg") == 0, "a Y4M from a %s: samples of the first frame", from);
        gf_ok(gf_reader_next(r, &err) == 1 && gf_reader_read(r, got, 2, &err) == 2 && memcmp(got, "hi", 2) == 0,
              "a Y4M from a %s: samples of the next frame", from);
        gf_ok(piped != 0 || (gf_reader_read_at(r, 5, got, 2, &err) == 0 && memcmp(got, "mn", 2) == 0),
              "a Y4M from a %s: samples from anywhere", from);
        gf_ok(gf_reader_next(r, &err) == 0, "a Y4M from a %s: no further frame", from);
        gf_reader_close(r);
        if (piped != 0)
            close(ends[0]);
    }
}

void gf_test_refused(void)
{
    static const struct {
        const char *bytes;
        size_t size;
        const char *says;
    } all[] = {
        { BYTES(""), "is empty" },
        { BYTES("hello, world, this is nothing"), "unknown image or audio format" },
        { BYTES("P5 3 3 255\nabcd"), "ends after row 1 of 3" },
        { BYTES("P4 9 2\nabc"), "ends after row 1 of 2" },
        { BYTES("P2 2 2 255\n1 2 3"), "ends after row 1 of 2" },
        { BYTES("P2 2 2 255\n1 2 x 3"), "row 2 contains something that is not a number" },
        { BYTES("Pf 1 3 -1\nabcdefgh"), "ends after row 2 of 3" },
        { BYTES("P5 0 3 255\n"), "has no pixels" },
        { BYTES("P5 3 3 0\n"), "has a maxval of 0" },
        { BYTES("P5 3 3 65536\n"), "has a maxval of 65536" },
        { BYTES("P5 99999999999 3 255\n"), "too large" },
        { BYTES("P5 2147483647 2147483647 255\n"), "is too large" },
        { BYTES("P6 5000 5000 255\n"), "raise --max-pixels" },
        { BYTES("P6 5000"), "ends inside a header" },
        { BYTES("P6 -3 5 255\n"), "a number is missing" },
        { BYTES("P7\nWIDTH 1\nHEIGHT 1\nDEPTH 9\nMAXVAL 255\nENDHDR\n"), "has 9 channels, but an image has at most 4" },
        { BYTES("P7\nWIDTH 1\nHEIGHT 1\nDEPTH 1\nMAXVAL 255\nBOGUS\nENDHDR\n"), "unknown header line \"BOGUS\"" },
        { BYTES("PF 1 1 nan\n"), "invalid scale" },
        { BYTES("P6 1 1 255\nabcwhat"), "the data after image 1" },
        { BYTES(RIFF("\0\0\0\0") "data\2\0\0\0ab"), "no \"fmt \" chunk" },
        { BYTES(RIFF("\0\0\0\0") FMT("\1", "\0", "\0", "\20") "data\2\0\0\0ab"), "has 0 channels" },
        { BYTES(RIFF("\0\0\0\0") FMT("\1", "\1", "\2", "\20")), "ends before its audio samples begin" },
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
        int64_t file = gf_read_bytes(all[i].bytes, all[i].size, false, &f, got, sizeof got, &signals);
        bool file_says = gf_said.status == GF_FAILED && strstr(gf_said.text, all[i].says) != NULL;
        int64_t piped = gf_read_bytes(all[i].bytes, all[i].size, true, &f, got, sizeof got, &signals);
        bool pipe_says = gf_said.status == GF_FAILED && strstr(gf_said.text, all[i].says) != NULL;

        gf_ok(file < 0 && file_says && piped < 0 && pipe_says, "refused, %zu bytes: %s", all[i].size, all[i].says);
    }
}

void gf_test_refused_names(void)
{
    struct gf_format f;
    unsigned char got[64];
    int signals;

    gf_ok(gf_read_all("nowhere", NULL, &f, got, sizeof got, &signals) < 0
          && strcmp(gf_said.text, "nowhere: No such file or directory") == 0, "a missing file");
    mkdir("folder", 0777);
    gf_ok(gf_read_all("folder", NULL, &f, got, sizeof got, &signals) < 0
          && strstr(gf_said.text, "folder: is a folder") != NULL,
          "a folder as the input");
    gf_put_file("in", "P5 1 1 255\na", 12);
    gf_ok(gf_read_all("in", "pgn", &f, got, sizeof got, &signals) < 0 && gf_said.status == GF_MISUSED
          && strstr(gf_said.text, "pgm") != NULL, "--from pgn names its neighbour");
    gf_put_file("in.png", "P5 1 1 255\na", 12);
    gf_ok(gf_read_all("in.png", NULL, &f, got, sizeof got, &signals) == 1, "content is believed before the name");
}
