/* libgpufilter on arrays: strides, types, files, functions, tables, threads and errors. */
#define _GNU_SOURCE
#include <math.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "library_common.h"

#define THREADS 8

static char warned[1000];

static void warn(void *context, const char *name, const char *text)
{
    (void)context;
    snprintf(warned, sizeof warned, "%s: %s", name != NULL ? name : "", text);
}

/* ---- known answers ---- */

static void test_known(void)
{
    const unsigned char in[4] = { 0, 100, 200, 255 };
    struct request q = image_request(GPUFILTER_U8, 1);
    gpufilter_array from = array_at((void *)(uintptr_t)in);
    unsigned char out[8] = { 0 };
    float values[4] = { 0 };

    q.in.width = 2;
    q.in.units = 2;
    gf_ok(apply("invert", &q, &from, out) && out[0] == 255 && out[1] == 155 && out[2] == 55 && out[3] == 0,
          "four bytes are inverted");
    gf_ok(apply("flop", &q, &from, out) && out[0] == 100 && out[1] == 0 && out[2] == 255 && out[3] == 200,
          "four bytes change sides");
    q.type = GPUFILTER_F32;
    gf_ok(apply("gain:0", &q, &from, values) == false && strstr(error.text, "gain") != NULL,
          "a stage of audio refuses an image");
    gf_ok(apply("", &q, &from, values) && fabsf(values[1] - 100 / 255.0f) < 1e-7f && values[3] == 1,
          "no stage and another type: bytes become floats");
    q.type = GPUFILTER_SAME;
    q.in.maxval = 200;
    gf_ok(apply("invert", &q, &from, out) && out[1] == 100, "a maxval of 200 is white");
}

/* ---- stages that look at the image ---- */

/* An image of 8x6 with a border of 9, also upside down; the job is for the image that was given as `look`. */
static void test_looking(void)
{
    unsigned char in[48], out[6];
    gpufilter_array from = array_at(in), to = array_at(out);
    gpufilter_format f = { .size = sizeof f };
    gpufilter_request q = { .size = sizeof q, .in = &f, .look = &from };
    gpufilter_format result = { .size = sizeof result };
    gpufilter_halo halo = { .size = sizeof halo };
    gpufilter_chain *const c = gpufilter_parse(session, "autocrop", -1, &error);
    gpufilter_job *j;

    f = image_request(GPUFILTER_U8, 1).in;
    f.width = 8;
    f.units = 6;
    memset(in, 9, sizeof in);
    for (int i = 0; i < 6; i++)
        in[(2 + i / 3) * 8 + 3 + i % 3] = (unsigned char)(100 + i);
    j = gpufilter_prepare(session, c, &q, &error);
    gf_ok(j != NULL && gpufilter_looked(j) == 1 && gpufilter_format_of(j, &result, &error) == 0 && result.width == 3
              && result.units == 2, "autocrop of an array has the size of what is in it");
    gf_ok(j != NULL && gpufilter_run(j, &from, &to, &error) == 0 && memcmp(out, "defghi", 6) == 0,
          "autocrop of an array keeps its samples");
    gf_ok(gpufilter_halo_of(j, &halo, &error) != 0 && strstr(error.text, "no halo") != NULL, "autocrop has no halo");
    gpufilter_job_free(j);
    from = array_at(in + 40);
    from.unit_stride = -8, from.pixel_stride = 1, from.channel_stride = 1;
    j = gpufilter_prepare(session, c, &q, &error);
    gf_ok(j != NULL && gpufilter_run(j, &from, &to, &error) == 0 && memcmp(out, "ghidef", 6) == 0,
          "autocrop of an array upside down");
    gpufilter_job_free(j);
    q.look = NULL;
    gf_ok(gpufilter_prepare(session, c, &q, &error) == NULL && strstr(error.text, "one whole image of") != NULL,
          "autocrop without an image is refused");
    q.size = offsetof(gpufilter_request, look);
    q.look = &from;
    gf_ok(gpufilter_prepare(session, c, &q, &error) == NULL, "a request of an earlier version has no image");
    gf_ok(gpufilter_parse(session, "blur:1 autocrop", -1, &error) == NULL
              && strstr(error.text, "must be the first stage") != NULL, "autocrop after another stage is refused");
    gpufilter_chain_free(c);
}

/* ---- strides ---- */

static bool same(const char *stages, const gpufilter_array *in, const unsigned char *wanted, size_t bytes)
{
    const struct request q = image_request(GPUFILTER_U8, CHANNELS);
    unsigned char *out = calloc(1, bytes);
    const bool good = apply(stages, &q, in, out) && memcmp(out, wanted, bytes) == 0;

    free(out);
    return good;
}

/* Arrays that hold the same image in other places give the same bytes. */
static void test_strides(const char *stages)
{
    const struct request q = image_request(GPUFILTER_U8, CHANNELS);
    unsigned char *image = noise(), *wanted = calloc(1, SAMPLES), *room = malloc(4 * SAMPLES + 4);
    gpufilter_array a = array_at(image);
    const bool good = apply(stages, &q, &a, wanted);

    for (int y = 0; y < ROWS; y++)       /* upside down, mirrored, colors reversed, with gaps */
        for (int x = 0; x < WIDTH; x++)
            for (int c = 0; c < CHANNELS; c++)
                room[((ROWS - 1 - y) * WIDTH + WIDTH - 1 - x) * 4 + 2 - c + 1] = image[(y * WIDTH + x) * CHANNELS + c];
    a = array_at(room + ((ROWS - 1) * WIDTH + WIDTH - 1) * 4 + 3);
    a.unit_stride = -4 * WIDTH, a.pixel_stride = -4, a.channel_stride = -1;
    gf_ok(good && same(stages, &a, wanted, SAMPLES), "%s: negative strides", stages);
    for (int y = 0; y < ROWS; y++)
        for (int x = 0; x < WIDTH; x++)
            for (int c = 0; c < CHANNELS; c++)
                room[(c * ROWS + y) * WIDTH + x] = image[(y * WIDTH + x) * CHANNELS + c];
    a = array_at(room);
    a.unit_stride = WIDTH, a.pixel_stride = 1, a.channel_stride = ROWS * WIDTH;
    gf_ok(good && same(stages, &a, wanted, SAMPLES), "%s: one plane for each channel", stages);
    memcpy(room + 3, image, SAMPLES);
    a = array_at(room + 3);
    gf_ok(good && same(stages, &a, wanted, SAMPLES), "%s: an odd address", stages);
    free(image);
    free(wanted);
    free(room);
}

/* The result goes where the strides say, and nowhere else. */
static void test_result_strides(void)
{
    const struct request q = image_request(GPUFILTER_U8, CHANNELS);
    unsigned char *image = noise(), *wanted = malloc(SAMPLES), *room = malloc(8 * SAMPLES);
    const gpufilter_array in = array_at(image);
    gpufilter_array out = array_at(room + 5);
    gpufilter_job *j = prepare("blur:2", &q);
    bool good = apply("blur:2", &q, &in, wanted);
    int64_t untouched = 0;

    out.unit_stride = 8 * WIDTH, out.pixel_stride = 8, out.channel_stride = 2;
    memset(room, 0xEE, 8 * SAMPLES);
    good = good && j != NULL && gpufilter_run(j, &in, &out, &error) == 0;
    for (int i = 0; i < ROWS * WIDTH; i++)
        for (int c = 0; c < CHANNELS; c++) {
            good = good && room[5 + i * 8 + c * 2] == wanted[i * CHANNELS + c];
            untouched += room[5 + i * 8 + c * 2 + 1] == 0xEE;
        }
    gf_ok(good && untouched == SAMPLES, "a result with gaps leaves the gaps alone");
    gpufilter_job_free(j);
    free(image);
    free(wanted);
    free(room);
}

/* A stride of 0 repeats a row. */
static void test_repeated(void)
{
    const struct request q = image_request(GPUFILTER_U8, CHANNELS);
    unsigned char *image = noise(), *out = malloc(SAMPLES);
    gpufilter_array in = array_at(image);
    bool good;

    in.pixel_stride = CHANNELS, in.channel_stride = 1;
    good = apply("flip", &q, &in, out);
    for (int y = 0; y < ROWS; y++)
        good = good && memcmp(out + y * WIDTH * CHANNELS, image, WIDTH * CHANNELS) == 0;
    gf_ok(good, "a row is repeated by a stride of 0");
    free(image);
    free(out);
}

/* ---- types ---- */

static void test_types(void)
{
    unsigned char *bytes = noise(), *out = malloc(SAMPLES);
    double *wide = malloc(SAMPLES * sizeof *wide), *wide_out = malloc(SAMPLES * sizeof *wide);
    struct request q = image_request(GPUFILTER_F64, CHANNELS);
    gpufilter_array in = array_at(wide);
    double off = 0;

    for (int i = 0; i < SAMPLES; i++)
        wide[i] = bytes[i] / 255.0;
    q.type = GPUFILTER_U8;
    gf_ok(apply("", &q, &in, out) && memcmp(out, bytes, SAMPLES) == 0, "doubles become bytes");
    q.type = GPUFILTER_SAME;
    gf_ok(apply("", &q, &in, wide_out) && memcmp(wide, wide_out, SAMPLES * sizeof *wide) == 0,
          "doubles without a stage stay as they are");
    for (int i = 0; apply("invert", &q, &in, wide_out) && i < SAMPLES; i += SAMPLES / 7)
        off = fmax(off, fabs(1 - wide[i] - wide_out[i]));
    gf_ok(off < 1e-7, "doubles are inverted");
    free(bytes);
    free(out);
    free(wide);
    free(wide_out);
}

/* Lost values are warnings. */
static void test_losses(void)
{
    float pixels[4] = { 0, 2, -1, 1 };
    int16_t loud[2000], out[2000];
    unsigned char bytes[4];
    struct request q = image_request(GPUFILTER_F32, 1);
    gpufilter_array in = array_at(pixels);

    q.in.width = q.in.units = 2;
    q.type = GPUFILTER_U8;
    warned[0] = '\0';
    gf_ok(apply("", &q, &in, bytes) && bytes[1] == 255 && strstr(warned, "clip") != NULL,
          "floats beyond white are clipped with a warning");
    printf("# %s\n", warned);
    q = sound_request(GPUFILTER_S16, 1, 2000);
    in = array_at(loud);
    for (int i = 0; i < 2000; i++)
        loud[i] = (int16_t)(i / 100 % 2 ? 30000 : -30000);
    warned[0] = '\0';
    gf_ok(apply("gain:12", &q, &in, out) && out[150] == 32767 && strstr(warned, "clip") != NULL,
          "loud sound is clipped with a warning");
    printf("# %s\n", warned);
}

/* ---- halos ---- */

static void test_halo(void)
{
    const struct request image = image_request(GPUFILTER_U8, CHANNELS);
    const struct request sound = sound_request(GPUFILTER_F32, 2, 9000);
    struct { gpufilter_halo halo; int64_t after; } room = { { .size = offsetof(gpufilter_halo, step) }, 7 };
    gpufilter_halo h = { .size = sizeof h };
    gpufilter_job *j = prepare("gamma:2 median:2 box:1", &image);

    gf_ok(j != NULL && gpufilter_halo_of(j, &h, &error) == 0 && h.before == 3 && h.after == 3 && h.left == 3
              && h.right == 3 && h.step == 1, "halos of stages add up");
    room.halo.step = 9;
    gf_ok(j != NULL && gpufilter_halo_of(j, &room.halo, &error) == 0 && room.halo.before == 3 && room.halo.step == 9
              && room.after == 7, "a halo without room for the step is filled as far as it goes");
    gf_ok(j != NULL && gpufilter_halo_of(j, NULL, &error) != 0 && gpufilter_halo_of(NULL, &h, &error) != 0,
          "a halo needs a job and a struct");
    gpufilter_job_free(j);
    j = prepare("fir:[1;2;3;4],align=center", &sound);
    gf_ok(j != NULL && gpufilter_halo_of(j, &h, &error) == 0 && h.before == 2 && h.after == 1 && h.left == 0,
          "a halo of audio has frames before and after");
    gpufilter_job_free(j);
    j = prepare("blur:2 noise:0.1", &image);
    gf_ok(j != NULL && gpufilter_halo_of(j, &h, &error) != 0 && strncmp(error.text, "noise", 5) == 0
              && error.advice > 0, "a stage that depends on positions has no halo");
    gpufilter_job_free(j);
}

/* ---- files ---- */

/* A file that stores other samples does not change what a run stores in arrays. */
static void test_format_after_file(const char *name)
{
    const struct request q = image_request(GPUFILTER_F32, CHANNELS);
    gpufilter_format f = { .size = sizeof f };
    float *image = calloc(SAMPLES, sizeof *image);
    const gpufilter_array in = array_at(image);
    gpufilter_job *j = prepare("flop", &q);

    gf_ok(j != NULL && gpufilter_write(j, &in, name, &error) == 0 && gpufilter_format_of(j, &f, &error) == 0
              && f.type == GPUFILTER_F32, "a file of integers leaves the format of arrays alone");
    gpufilter_job_free(j);
    free(image);
}

/* Returns the type in a file of a result of type `type`, or -1. */
static int written_type(const struct request *q, int type, const char *ending)
{
    struct request other = *q;
    double zeros[8] = { 0 };
    char name[] = "arrays-XXXXXX.xxx";
    const int file = (strcpy(name + sizeof name - 4, ending), mkstemps(name, 4));
    const gpufilter_array in = array_at(zeros);
    gpufilter_format f = { .size = sizeof f };
    gpufilter_chain *none = gpufilter_parse(session, "", -1, &error);
    gpufilter_job *j, *again = NULL;

    other.type = type;
    j = prepare("", &other);
    if (file >= 0 && j != NULL && gpufilter_write(j, &in, name, &error) == 0)
        again = gpufilter_prepare_file(session, none, name, GPUFILTER_SAME, &error);
    if (again == NULL || gpufilter_format_of(again, &f, &error) != 0)
        f.type = -1;
    gpufilter_job_free(j);
    gpufilter_job_free(again);
    gpufilter_chain_free(none);
    close(file);
    unlink(name);
    return f.type;
}

static void test_written_types(void)
{
    struct request image = image_request(GPUFILTER_U8, 1);
    const struct request sound = sound_request(GPUFILTER_F32, 1, 8);

    image.in.width = image.in.units = 2;
    gf_is(written_type(&image, GPUFILTER_SAME, "png"), GPUFILTER_U8, "a file has the type of the input");
    gf_is(written_type(&image, GPUFILTER_U16, "png"), GPUFILTER_U16, "a file of an image has the type of the job");
    gf_is(written_type(&image, GPUFILTER_F32, "tif"), GPUFILTER_F32, "a file of an image has floats if the job has");
    gf_is(written_type(&sound, GPUFILTER_S16, "wav"), GPUFILTER_S16, "a file of audio has the type of the job");
    gf_is(written_type(&sound, GPUFILTER_F64, "wav"), GPUFILTER_F64, "a file of audio has doubles if the job has");
    gf_ok(written_type(&image, GPUFILTER_F64, "tif") == -1 && strstr(error.text, "type 6") != NULL,
          "a file of an image cannot have doubles");
    gf_ok(written_type(&image, GPUFILTER_F32, "png") == -1 && strstr(error.text, "f32") != NULL,
          "a file of a format without floats cannot have floats");
}

/* Writes an image, and reads it again. A job for a file runs once. */
static void test_files(void)
{
    const struct request q = image_request(GPUFILTER_U8, CHANNELS);
    char name[] = "arrays-XXXXXX.pam";          /* mkstemps() fills in the last letters */
    const int file = mkstemps(name, 4);
    unsigned char *image = noise(), *out = calloc(1, SAMPLES);
    const gpufilter_array in = array_at(image), to = array_at(out);
    gpufilter_chain *flop = gpufilter_parse(session, "flop", GPUFILTER_IMAGE, &error);
    gpufilter_job *j = prepare("flop", &q);

    gf_ok(file >= 0 && j != NULL && gpufilter_write(j, &in, name, &error) == 0, "a result is written to a file");
    gf_ok(j != NULL && gpufilter_write(j, &in, "-", &error) != 0 && strstr(error.text, "name") != NULL,
          "standard output is not a file");
    gpufilter_job_free(j);
    test_format_after_file(name);
    j = prepare("flop", &q);
    gf_ok(j != NULL && gpufilter_write(j, &in, name, &error) == 0, "a file is replaced");
    gpufilter_job_free(j);
    j = flop != NULL ? gpufilter_prepare_file(session, flop, name, GPUFILTER_SAME, &error) : NULL;
    gf_ok(j != NULL && gpufilter_run(j, NULL, &to, &error) == 0 && memcmp(image, out, SAMPLES) == 0,
          "a file is read into an array");
    gf_ok(j != NULL && gpufilter_run(j, NULL, &to, &error) != 0 && strstr(error.text, "read") != NULL,
          "a file is read only once");
    gpufilter_job_free(j);
    gpufilter_chain_free(flop);
    close(file);
    unlink(name);
    free(image);
    free(out);
}

/* ---- functions ---- */

struct pipe {
    const float *from;
    float *to;
    int64_t read, written, all, most;
    int channels;
    bool fails;
};

static int64_t deliver(void *context, void *units, int64_t count)
{
    struct pipe *p = context;
    int64_t n = count < p->most ? count : p->most;

    n = n < p->all - p->read ? n : p->all - p->read;
    if (p->fails && p->read > p->all / 2)
        return -1;
    memcpy(units, p->from + p->read * p->channels, (size_t)(n * p->channels) * sizeof(float));
    p->read += n;
    return n;
}

static int take(void *context, const void *units, int64_t count)
{
    struct pipe *p = context;

    memcpy(p->to + p->written * p->channels, units, (size_t)(count * p->channels) * sizeof(float));
    p->written += count;
    return 0;
}

static gpufilter_job *to_stop;

static int64_t deliver_until_half(void *context, void *units, int64_t count)
{
    const struct pipe *p = context;

    if (p->read > p->all / 2)
        gpufilter_stop(to_stop);
    return deliver(context, units, count);
}

/* Pushes pieces of any length and pulls what is there. Returns the frames of the result. */
static int64_t push_all(gpufilter_job *j, const float *in, int64_t frames, float *out, int64_t room)
{
    int64_t made = 0, n = 1;

    for (int64_t at = 0, piece = 1; at < frames && n >= 0; piece = piece * 7 % 10007) {
        n = gpufilter_push(j, in + 2 * at, piece < frames - at ? piece : frames - at, &error);
        at += n > 0 ? n : 0;
        n = n < 0 ? n : gpufilter_pull(j, out + 2 * made, room - made < 500 ? room - made : 500, &error);
        made += n > 0 ? n : 0;
    }
    if (n < 0 || gpufilter_finish(j, &error) != 0)
        return -1;
    while ((n = gpufilter_pull(j, out + 2 * made, room - made, &error)) > 0)
        made += n;
    return n < 0 ? -1 : made;
}

/* A run ends before its input does, and so does a run that comes after the call. The next one is whole. */
static void test_stop(const float *in, float *out, int64_t frames)
{
    const struct request q = sound_request(GPUFILTER_F32, 2, frames);
    struct pipe p = { .from = in, .to = out, .all = frames, .most = 101, .channels = 2 };

    to_stop = prepare("lowpass:3k bass:6", &q);
    gf_ok(to_stop != NULL && gpufilter_run_io(to_stop, deliver_until_half, take, &p, &error) != 0
              && strstr(error.text, "stopped") != NULL && p.read < frames, "a run is stopped before it ends");
    gpufilter_stop(to_stop);
    p.read = p.written = 0;
    gf_ok(gpufilter_run_io(to_stop, deliver, take, &p, &error) != 0 && strstr(error.text, "stopped") != NULL,
          "a stop before a run ends that run");
    p.read = p.written = 0;
    gf_ok(gpufilter_run_io(to_stop, deliver, take, &p, &error) == 0 && p.written == frames,
          "a run after a stopped one is whole");
    gpufilter_stop(to_stop);
    p.read = p.written = 0;
    gf_ok(gpufilter_run_io(to_stop, NULL, take, &p, &error) != 0
              && gpufilter_run_io(to_stop, deliver, take, &p, &error) == 0 && p.written == frames,
          "a run that does not begin uses up the stop");
    gpufilter_stop(to_stop);
    gf_ok(push_all(to_stop, in, frames, out, frames) < 0 && strstr(error.text, "stopped") != NULL
              && push_all(to_stop, in, frames, out, frames) == frames,
          "a stop before a pushed run ends that run only");
    gpufilter_job_free(to_stop);
}

static void test_functions(void)
{
    enum { FRAMES = 300007 };
    struct request q = sound_request(GPUFILTER_F32, 2, FRAMES);
    float *in = malloc(2 * FRAMES * sizeof *in), *wanted = malloc(2 * FRAMES * sizeof *in);
    float *out = malloc(2 * FRAMES * sizeof *in);
    const gpufilter_array from = array_at(in);
    gpufilter_job *j;

    for (int i = 0; i < 2 * FRAMES; i++)
        in[i] = (float)((i * 7919L) % 2001 - 1000) / 2000;
    gf_ok(apply("lowpass:3k gain:-3 bass:6", &q, &from, wanted), "sound is filtered as a whole");
    for (int unknown = 0; unknown < 2; unknown++) {
        struct pipe p = { .from = in, .to = out, .all = FRAMES, .most = 1001, .channels = 2 };

        q.in.units = unknown ? GPUFILTER_UNKNOWN : FRAMES;
        j = prepare("lowpass:3k gain:-3 bass:6", &q);
        memset(out, 0, 2 * FRAMES * sizeof *out);
        gf_ok(j != NULL && gpufilter_run_io(j, deliver, take, &p, &error) == 0 && p.written == FRAMES
                  && memcmp(out, wanted, 2 * FRAMES * sizeof *out) == 0,
              "functions deliver the same sound, %s length", unknown ? "of unknown" : "of known");
        p = (struct pipe) { .from = in, .to = out, .all = FRAMES, .most = 1001, .channels = 2, .fails = true };
        gf_ok(j != NULL && gpufilter_run_io(j, deliver, take, &p, &error) != 0 && strstr(error.text, "read") != NULL,
              "a function that fails ends the run, %s length", unknown ? "of unknown" : "of known");
        gpufilter_job_free(j);
    }
    test_stop(in, out, FRAMES);
    gf_ok(prepare("reverse", &q) == NULL && strstr(error.text, "length") != NULL,
          "a stage that needs the length refuses an unknown one");
    free(in);
    free(wanted);
    free(out);
}

/* ---- pushing ---- */

static void test_pushing(void)
{
    enum { FRAMES = 400009 };
    struct request q = sound_request(GPUFILTER_F32, 2, FRAMES);
    float *in = malloc(2 * FRAMES * sizeof *in), *wanted = malloc(2 * FRAMES * sizeof *in);
    float *out = malloc(2 * (FRAMES + 1) * sizeof *in);
    const gpufilter_array from = array_at(in), to = array_at(out);
    gpufilter_job *j = prepare("lowpass:3k bass:6", &q);

    for (int i = 0; i < 2 * FRAMES; i++)
        in[i] = (float)((i * 7919L) % 2001 - 1000) / 2000;
    gf_ok(apply("lowpass:3k bass:6", &q, &from, wanted), "sound to compare with is filtered");
    for (int i = 0; i < 2; i++)
        gf_ok(j != NULL && push_all(j, in, FRAMES, out, FRAMES + 1) == FRAMES
                  && memcmp(out, wanted, 2 * FRAMES * sizeof *out) == 0,
              "pushed sound is that of the whole, run %d", i + 1);
    gf_ok(j != NULL && gpufilter_push(j, in, 1000, &error) == 1000 && gpufilter_run(j, &from, &to, &error) != 0,
          "a job that runs refuses another run");
    gpufilter_cancel(j);
    gf_ok(j != NULL && gpufilter_run(j, &from, &to, &error) == 0 && memcmp(out, wanted, 2 * FRAMES * sizeof *out) == 0,
          "a cancelled job runs again");
    gf_ok(j != NULL && gpufilter_push(j, in, 1000, &error) == 1000, "a job that is freed in the middle of a run ends");
    gpufilter_job_free(j);
    q.in.units = GPUFILTER_UNKNOWN;
    j = prepare("trim:0,100f", &q);
    for (int i = 0; i < 2; i++)
        gf_ok(j != NULL && gpufilter_push(j, in, 1000, &error) == 1000
                  && gpufilter_pull(j, out, FRAMES, &error) == 100 && gpufilter_pull(j, out, FRAMES, &error) == 0
                  && gpufilter_push(j, in, 1000, &error) < 0 && strstr(error.text, "ended") != NULL
                  && gpufilter_finish(j, &error) == 0 && gpufilter_pull(j, out, FRAMES, &error) == 0,
              "a run that ended before its input does not begin again, run %d", i + 1);
    gpufilter_job_free(j);
    free(in);
    free(wanted);
    free(out);
}

/* A wrong call does not end a run, and a run without input is a run. */
static void test_wrong_pushes(void)
{
    struct request q = sound_request(GPUFILTER_F32, 2, GPUFILTER_UNKNOWN);
    float in[2000], out[2002];
    const gpufilter_array from = array_at(in);
    gpufilter_job *j = prepare("gain:0", &q), *stats = prepare("stats", &q);

    for (int i = 0; i < 2000; i++)
        in[i] = (float)i / 2000;
    gf_ok(j != NULL && gpufilter_push(j, in, 500, &error) == 500 && gpufilter_pull(j, NULL, 1, &error) == -1
              && gpufilter_push(j, NULL, 1, &error) == -1 && push_all(j, in + 1000, 500, out, 1001) == 1000
              && memcmp(in, out, sizeof in) == 0, "wrong pushes and pulls lose no sound");
    gf_ok(j != NULL && gpufilter_finish(j, &error) == 0 && gpufilter_run(j, &from, NULL, &error) != 0
              && strstr(error.text, "runs") != NULL, "a run begins when its input ends without a push");
    gf_ok(j != NULL && gpufilter_pull(j, out, 1001, &error) == 0 && push_all(j, in, 1000, out, 1001) == 1000,
          "a run without input has no result, and the next one has");
    gf_ok(stats != NULL && gpufilter_finish(stats, &error) != 0 && strstr(error.text, "result") != NULL,
          "a job that measures has no pushed input to end");
    gpufilter_job_free(j);
    gpufilter_job_free(stats);
}

/* ---- tables ---- */

static void test_tables(void)
{
    const unsigned char in[4] = { 0, 255, 255, 255 };
    struct request q = image_request(GPUFILTER_U8, 1);
    const gpufilter_array from = array_at((void *)(uintptr_t)in);
    gpufilter_table t = { .size = sizeof t };
    gpufilter_job *j;
    double mean = 0;

    q.in.width = q.in.units = 2;
    j = prepare("stats", &q);
    gf_ok(j != NULL && gpufilter_table_of(j, &t, &error) != 0 && strstr(error.text, "run") != NULL,
          "there is no table before a run");
    gf_ok(j != NULL && gpufilter_run(j, &from, NULL, &error) == 0 && gpufilter_table_of(j, &t, &error) == 0
              && t.channels == 1 && t.fields > 3, "stats of an array are a table");
    for (int i = 0; i < t.fields; i++)
        mean = strcmp(t.field_names[i], "mean") == 0 ? t.values[i] : mean;
    gf_ok(fabs(mean - 0.75) < 1e-6, "the mean of the table is that of the array");
    gpufilter_job_free(j);
    j = prepare("histogram", &q);
    t = (gpufilter_table) { .size = sizeof t };
    gf_ok(j != NULL && gpufilter_run(j, &from, NULL, &error) == 0 && gpufilter_table_of(j, &t, &error) == 0
              && t.bins == 256 && t.counts[0] == 1 && t.counts[255] == 3, "a histogram counts the array");
    gpufilter_job_free(j);
}

/* ---- threads ---- */

struct worker {
    pthread_t thread;
    gpufilter_chain *chain;
    const unsigned char *image, *wanted;
    int right;
};

static void *work(void *context)
{
    struct worker *w = context;
    const struct request q = image_request(GPUFILTER_U8, CHANNELS);
    const gpufilter_array in = array_at((void *)(uintptr_t)w->image);
    unsigned char *out = malloc(SAMPLES);
    const gpufilter_array to = array_at(out);
    gpufilter_error mine;

    for (int i = 0; i < 20; i++) {
        gpufilter_job *j = prepare_chain(w->chain, &q, &mine);

        for (int k = 0; j != NULL && k < 5; k++)
            w->right += gpufilter_run(j, &in, &to, &mine) == 0 && memcmp(out, w->wanted, SAMPLES) == 0;
        gpufilter_job_free(j);
    }
    free(out);
    return NULL;
}

static void test_threads(void)
{
    const struct request q = image_request(GPUFILTER_U8, CHANNELS);
    unsigned char *image = noise(), *wanted = malloc(SAMPLES);
    const gpufilter_array in = array_at(image);
    gpufilter_chain *chain = gpufilter_parse(session, "median:2 unsharp equalize", GPUFILTER_IMAGE, &error);
    struct worker workers[THREADS];
    bool good = apply("median:2 unsharp equalize", &q, &in, wanted) && chain != NULL;
    int right = 0;

    for (int i = 0; good && i < THREADS; i++) {
        workers[i] = (struct worker) { .chain = chain, .image = image, .wanted = wanted };
        pthread_create(&workers[i].thread, NULL, work, &workers[i]);
    }
    for (int i = 0; good && i < THREADS; i++) {
        pthread_join(workers[i].thread, NULL);
        right += workers[i].right;
    }
    gf_ok(right == THREADS * 100, "%d threads share a session and a chain", THREADS);
    gpufilter_chain_free(chain);
    free(image);
    free(wanted);
}

/* ---- errors ---- */

static void refuse(const struct request *q, const char *stages, const char *why, const char *name)
{
    gpufilter_job *j = prepare(stages, q);

    gf_ok(j == NULL && strstr(error.text, why) != NULL, "%s", name);
    if (j != NULL || strstr(error.text, why) == NULL)
        printf("# %s\n", error.text);
    gpufilter_job_free(j);
}

static void test_errors(void)
{
    const gpufilter_options cuda = { .size = sizeof cuda, .device = "tpu" };
    struct request q = image_request(GPUFILTER_U8, CHANNELS);

    gf_ok(gpufilter_open(&cuda, &error) == NULL && error.status == 2 && strstr(error.text, "tpu") != NULL,
          "an unknown device is refused");
    refuse(&q, "blurr:2", "blurr", "an unknown stage is refused");
    gf_ok(error.advice > 0 && strstr(error.text + error.advice, "blur") != NULL, "its error has advice of its own");
    refuse(&q, "tee:x.png", "tee", "a stage that writes files is refused");
    q.in.type = GPUFILTER_S16;
    refuse(&q, "blur", "type", "an image of signed samples is refused");
    q = image_request(GPUFILTER_U8, 0);
    refuse(&q, "blur", "channels", "an image without channels is refused");
    q = image_request(GPUFILTER_U8, CHANNELS);
    q.in.units = 0;
    refuse(&q, "blur", "units", "an image without rows is refused");
    q = image_request(GPUFILTER_U8, CHANNELS);
    q.in.size = 3;
    refuse(&q, "blur", "size", "a format without its size is refused");
    q = sound_request(GPUFILTER_S16, 2, 100);
    q.in.rate = 0;
    refuse(&q, "gain:3", "rate", "sound without a rate is refused");
    q = image_request(GPUFILTER_U8, CHANNELS);
    q.in.channels = 5;
    refuse(&q, "stats", "channels", "an image of five channels is refused");
    q.in.channels = CHANNELS;
    q.in.units = GPUFILTER_UNKNOWN;
    refuse(&q, "resize:50%", "units", "an image of unknown height is refused");
    q = image_request(GPUFILTER_U8, CHANNELS);
    warned[0] = '\0';
    gpufilter_job_free(prepare("brightness:30", &q));
    gf_ok(strstr(warned, "30") != NULL, "a value that is hardly meant is a warning");
}

/* A stage from a file that is wrong for the input: its place in the file is known after the chain was parsed. */
static void test_named(void)
{
    const struct request q = image_request(GPUFILTER_U8, CHANNELS);
    char name[] = "arrays-XXXXXX.chain", stages[40];
    const int file = mkstemps(name, 6);
    const bool written = file >= 0 && write(file, "# one\ngain:3\n", 13) == 13;

    snprintf(stages, sizeof stages, "@%s", name);
    gf_ok(written && prepare(stages, &q) == NULL && strstr(error.text, name) != NULL
              && strstr(error.text, ":2") != NULL, "the place of a stage in a file is named when it is bound");
    if (file >= 0)
        close(file);
    unlink(name);
}

/* Arrays that would be written over the input, or over themselves, and handles that are not there. */
static void test_misuse(void)
{
    const struct request q = image_request(GPUFILTER_U8, CHANNELS);
    unsigned char *image = noise();
    const gpufilter_array in = array_at(image);
    gpufilter_array out = array_at(image + SAMPLES - 1);
    gpufilter_format f = { .size = sizeof f };
    gpufilter_job *j = prepare("flop", &q);

    gf_ok(j != NULL && gpufilter_run(j, &in, &out, &error) != 0 && strstr(error.text, "overlaps") != NULL,
          "a result over the input is refused");
    out = array_at(malloc(SAMPLES));
    out.channel_stride = 1;
    gf_ok(j != NULL && gpufilter_run(j, &in, &out, &error) != 0 && strstr(error.text, "stride") != NULL,
          "a result whose rows are one is refused");
    gf_ok(gpufilter_run(NULL, &in, &out, &error) != 0 && gpufilter_format_of(NULL, &f, &error) != 0
              && gpufilter_parse(NULL, "blur", -1, &error) == NULL
              && gpufilter_parse(session, NULL, -1, &error) == NULL
              && gpufilter_prepare(NULL, NULL, NULL, &error) == NULL && gpufilter_run(j, NULL, NULL, &error) != 0,
          "missing handles and arrays are errors");
    free(out.data);
    gpufilter_job_free(j);
    free(image);
}

/* A struct to fill in is one with its size: 0 would leave it empty, and the caller would not notice. */
static void test_structs_to_fill(void)
{
    const struct request q = image_request(GPUFILTER_U8, CHANNELS);
    unsigned char *image = noise();
    const gpufilter_array in = array_at(image);
    gpufilter_format f = { .size = 0 };
    gpufilter_halo h = { .size = sizeof h.size };
    gpufilter_table t = { .size = 8 };
    gpufilter_job *j = prepare("blur:2", &q), *stats = prepare("stats", &q);
    const bool ran = j != NULL && stats != NULL && gpufilter_run(stats, &in, NULL, &error) == 0;

    gf_ok(ran && gpufilter_format_of(j, &f, &error) != 0 && strstr(error.text, "size") != NULL,
          "a format to fill in has its size");
    gf_ok(ran && gpufilter_halo_of(j, &h, &error) != 0 && strstr(error.text, "size") != NULL,
          "a halo to fill in has its size");
    gf_ok(ran && gpufilter_table_of(stats, &t, &error) != 0 && strstr(error.text, "size") != NULL,
          "a table to fill in has its size");
    gf_ok(ran && gpufilter_format_of(j, NULL, &error) != 0 && strstr(error.text, "NULL") != NULL
              && gpufilter_halo_of(j, NULL, &error) != 0 && strstr(error.text, "NULL") != NULL
              && gpufilter_table_of(stats, NULL, &error) != 0 && strstr(error.text, "NULL") != NULL,
          "a struct to fill in is not NULL");
    gpufilter_job_free(j);
    gpufilter_job_free(stats);
    free(image);
}

/* A process that was forked gets an error instead of waiting for threads that it does not have. */
static void test_fork(void)
{
    const struct request q = image_request(GPUFILTER_U8, CHANNELS);
    unsigned char *image = noise(), *out = malloc(SAMPLES);
    const gpufilter_array in = array_at(image), to = array_at(out);
    gpufilter_job *j = prepare("blur:2", &q);
    int status = -1;
    pid_t child;

    if (j == NULL || gpufilter_run(j, &in, &to, &error) != 0 || (child = fork()) < 0)
        child = -1;
    if (child == 0)
        _exit(gpufilter_run(j, &in, &to, &error) != 0 && strstr(error.text, "fork") != NULL ? 0 : 1);
    gf_ok(child > 0 && waitpid(child, &status, 0) == child && status == 0,
          "a forked process must open its own session");
    gpufilter_job_free(j);
    free(image);
    free(out);
}

/* Returns true if blur:1 runs on three images at such distances, and refuses with these words otherwise. */
static bool batch_at(unsigned char *from, unsigned char *to, int64_t in_step, int64_t out_step, const char *words)
{
    const struct request q = image_request(GPUFILTER_U8, CHANNELS);
    const gpufilter_array in = array_at(from), out = array_at(to);
    gpufilter_job *const j = prepare("blur:1", &q);
    const bool good = (gpufilter_run_batch(j, &in, &out, 3, in_step, out_step, &error) == 0) == (words == NULL)
                   && (words == NULL || strstr(error.text, words) != NULL);

    if (!good)
        printf("# %s; wanted: %s\n", error.text, words != NULL ? words : "a result");
    gpufilter_job_free(j);
    return good;
}

static void test_overlapping_batches(void)
{
    const int64_t s = SAMPLES;
    unsigned char *const all = calloc(8, SAMPLES), *const middle = all + 3 * s;

    gf_ok(batch_at(all, middle, s, 0, "each other") && batch_at(all, middle, s, s - 1, "each other")
              && batch_at(all, middle, 0, 1 - s, "each other"), "results of a batch that overlap are refused");
    gf_ok(batch_at(all, all + s, s, s, "an input") && batch_at(all + s, all, s, s, "an input")
              && batch_at(all + 2 * s, all, 2 * s, s, "an input"),
          "results over another input of the batch are refused");
    gf_ok(batch_at(all, middle, s, s, NULL) && batch_at(all, middle, 0, s, NULL)
              && batch_at(middle, all + 2 * s, s, -s, NULL) && batch_at(all + 5 * s, all + 2 * s, -s, -s, NULL),
          "results behind and before the inputs are made");
    gf_ok(batch_at(all, all + s, 2 * s, 2 * s, NULL) && batch_at(all + 5 * s, all + 4 * s, -2 * s, -2 * s, NULL)
              && batch_at(all, all + s + 1, 2 * s, 2 * s, "an input")
              && batch_at(all + s + 1, all, 2 * s, 2 * s, "an input"),
          "inputs and results may take turns");
    gf_ok(batch_at(all, middle, INT64_MAX, s, "too far") && batch_at(all, middle, s, INT64_MIN, "too far"),
          "images that no memory holds are refused");
    free(all);
}

/* The session names the CPU, so that this is an error with and without GPUs, and in a build without CUDA. */
static void test_no_gpu(void)
{
    const struct request q = image_request(GPUFILTER_U8, CHANNELS);
    const gpufilter_request on_gpu = { .size = sizeof on_gpu, .in = &q.in, .where = GPUFILTER_GPU };
    gpufilter_chain *const c = gpufilter_parse(session, "invert", -1, &error);

    gf_ok(gpufilter_prepare(session, c, &on_gpu, &error) == NULL && strstr(error.text, "device cpu") != NULL,
          "arrays on a GPU are refused by a session without one");
    gpufilter_chain_free(c);
}

int main(void)
{
    const gpufilter_options options = { .size = sizeof options, .device = "cpu", .threads = 3, .warn = warn };

    session = gpufilter_open(&options, &error);
    gf_ok(session != NULL, "a session opens");
    if (session == NULL)
        return gf_tap_end();
    test_known();
    test_looking();
    test_strides("invert");
    test_strides("median:2");
    test_strides("rotate:30,fit=keep");
    test_strides("crop:20x20+5+5 resize:200%");
    test_result_strides();
    test_repeated();
    test_types();
    test_losses();
    test_halo();
    test_files();
    test_written_types();
    test_functions();
    test_pushing();
    test_wrong_pushes();
    test_tables();
    test_threads();
    test_errors();
    test_named();
    test_misuse();
    test_structs_to_fill();
    test_fork();
    test_overlapping_batches();
    test_no_gpu();
    gpufilter_close(session);
    return gf_tap_end();
}
