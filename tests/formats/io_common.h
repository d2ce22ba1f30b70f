/* Shared by tests of readers and writers: known files, reading in small steps, writing. */
#ifndef GF_IO_COMMON_H
#define GF_IO_COMMON_H

#include "io/io.h"
#include "tests/tap.h"

#define BYTES(text) text, sizeof text - 1

#define U16(...) (const uint16_t[]) { __VA_ARGS__ }, sizeof((const uint16_t[]) { __VA_ARGS__ })
#define S16(...) (const int16_t[]) { __VA_ARGS__ }, sizeof((const int16_t[]) { __VA_ARGS__ })
#define S32(...) (const int32_t[]) { __VA_ARGS__ }, sizeof((const int32_t[]) { __VA_ARGS__ })
#define F32(...) (const float[]) { __VA_ARGS__ }, sizeof((const float[]) { __VA_ARGS__ })
#define F64(...) (const double[]) { __VA_ARGS__ }, sizeof((const double[]) { __VA_ARGS__ })

/* Parts of a WAV: the beginning, the format, and the end of an extensible GUID. */
#define RIFF(size) "RIFF" size "WAVE"
#define FMT(tag, channels, align, bits) \
    "fmt \20\0\0\0" tag "\0" channels "\0\x40\x1F\0\0\0\0\0\0" align "\0" bits "\0"
#define GUID "\0\0\0\0\20\0\x80\0\0\xAA\0\x38\x9B\x71"

extern const struct gf_format gf_gray8;  /* two pixels by two */

void gf_put_file(const char *name, const void *bytes, size_t size);
size_t gf_get_file(const char *name, void *bytes, size_t room);
bool gf_file_is(const char *name, const void *bytes, size_t size);
/* Reads signals in small steps. Returns the number of all units, or -1. */
int64_t gf_read_all(const char *path, const char *from, struct gf_format *f, void *to, size_t room, int *signals);
/* Reads bytes from a file, or from a pipe. */
int64_t gf_read_bytes(const void *bytes, size_t size, bool pipe_it, struct gf_format *f, void *to, size_t room,
                      int *signals);
/*
 * Writes one signal. Returns 0 or -1. `backwards`: writes single rows from the last to the first,
 * if the format can.
 */
int gf_write_one(const char *path, const struct gf_write_options *o, const struct gf_format *f, const void *units,
                 bool backwards, struct gf_format *fitted);
struct gf_format gf_picture_format(enum gf_type type, uint32_t maxval, int channels, bool alpha, int64_t width,
                                   int64_t rows);
struct gf_format gf_sound_format(enum gf_type type, int bits, int channels, int64_t frames);

/* ---- the tests ---- */

typedef void gf_test(void);

gf_test gf_test_pnm_known, gf_test_wav_known, gf_test_pictures_known, gf_test_refused, gf_test_refused_names,
    gf_test_y4m_known;
gf_test gf_test_written, gf_test_png_stored, gf_test_identity, gf_test_fit, gf_test_lossy, gf_test_several,
    gf_test_rf64, gf_test_tables;
gf_test gf_test_whole_or_not, gf_test_pipes, gf_test_standard_output, gf_test_broken_input;

#endif
