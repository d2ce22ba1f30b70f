/* Frames of video in planes of luma and chroma, by libgpufilter: known answers, and those of a Y4M that it writes. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "library/gpufilter.h"
#include "tests/tap.h"

#define WIDTH 64
#define ROWS 48
#define LUMA (WIDTH * ROWS)
#define FRAME (LUMA * 3 / 2)

static gpufilter_session *session;
static gpufilter_error error;
static unsigned char frame[FRAME];       /* 4:2:0 */
static const gpufilter_video half = { .size = sizeof half, .sub_x = 1, .sub_y = 1 };

/* A gpufilter_request, which can be copied with the format of its input. */
struct request {
    gpufilter_format in;
    const gpufilter_video *video;
    size_t size;
};

static struct request request(const gpufilter_video *v)
{
    return (struct request) { .size = sizeof(gpufilter_request), .video = v,
                              .in = { .size = sizeof(gpufilter_format), .kind = GPUFILTER_IMAGE,
                                      .type = GPUFILTER_U8, .channels = 3, .width = WIDTH, .units = ROWS } };
}

static gpufilter_array array_at(void *data)
{
    return (gpufilter_array) { .size = sizeof(gpufilter_array), .data = data };
}

static gpufilter_job *prepare(const char *stages, const struct request *q)
{
    const gpufilter_request all = { .size = q->size, .in = &q->in, .video = q->video };
    gpufilter_chain *c = gpufilter_parse(session, stages, GPUFILTER_IMAGE, &error);
    gpufilter_job *j = c != NULL ? gpufilter_prepare(session, c, &all, &error) : NULL;

    gpufilter_chain_free(c);
    return j;
}

static bool run(gpufilter_job *j, void *out)
{
    const gpufilter_array in = array_at(frame), to = array_at(out);

    return j != NULL && gpufilter_run(j, &in, &to, &error) == 0;
}

/* Known answers: moves move the samples of all planes, and the two ranges are those of BT.601. */
static void test_known(void)
{
    const struct request q = request(&half);
    gpufilter_format f = { .size = sizeof f };
    unsigned char out[FRAME];
    gpufilter_job *j = prepare("crop:32x20+8+4", &q);
    bool good = run(j, out) && gpufilter_format_of(j, &f, &error) == 0 && f.width == 32 && f.units == 20
             && f.channels == 3;

    for (int y = 0; good && y < 20; y++)
        good = memcmp(out + y * 32, frame + (y + 4) * WIDTH + 8, 32) == 0;
    for (int y = 0; good && y < 20; y++)         /* both planes of chroma */
        good = memcmp(out + 640 + y * 16, frame + LUMA + (y / 10 * 24 + y % 10 + 2) * WIDTH / 2 + 4, 16) == 0;
    gf_ok(good, "a crop moves luma and chroma");
    gpufilter_job_free(j);
    j = prepare("gray", &q);
    good = run(j, out) && gpufilter_format_of(j, &f, &error) == 0 && f.channels == 1;
    for (int i = 0; good && i < LUMA; i++) {
        const int wanted = (int)((frame[i] - 16) * 255 / 219.0 + 0.5);

        good = abs(out[i] - wanted) <= 1;
    }
    gf_ok(good, "a gray result is luma in full range");
    gpufilter_job_free(j);
}

/* A Y4M is written by other code. Returns the planes of its only frame. */
static bool write_y4m(gpufilter_job *j, unsigned char *planes, size_t size)
{
    char name[] = "/tmp/gpufilter-video-XXXXXX.y4m", line[200];
    const int file = mkstemps(name, 4);
    const gpufilter_array in = array_at(frame);
    FILE *from = file >= 0 && gpufilter_write(j, &in, name, &error) == 0 ? fopen(name, "rb") : NULL;
    const bool good = from != NULL && fgets(line, sizeof line, from) != NULL && fgets(line, sizeof line, from) != NULL
                   && fread(planes, 1, size, from) == size && getc(from) == EOF;

    if (from != NULL)
        fclose(from);
    if (file >= 0)
        close(file);
    unlink(name);
    return good;
}

static void test_written(void)
{
    static const char *const chains[] = { "", "invert", "blur:2", "saturate:1.5", "resize:50x38", "rotate:90", "gray" };
    static const size_t bytes[] = { FRAME, FRAME, FRAME, FRAME, 50 * 38 * 3 / 2, FRAME, LUMA };
    const struct request q = request(&half);
    unsigned char out[FRAME], wanted[FRAME];

    for (size_t i = 0; i < sizeof chains / sizeof *chains; i++) {
        gpufilter_job *j = prepare(chains[i], &q);
        const bool good = run(j, out) && write_y4m(j, wanted, bytes[i]) && memcmp(out, wanted, bytes[i]) == 0;

        gf_ok(good, "the planes are those of a Y4M: '%s'", chains[i]);
        if (!good)
            printf("# %s\n", error.text);
        gpufilter_job_free(j);
    }
}

/* The range and the matrix of the input matter where a stage needs red, green and blue. */
static void test_members(void)
{
    const gpufilter_video full = { .size = sizeof full, .sub_x = 1, .sub_y = 1, .full = 1 };
    const gpufilter_video hd = { .size = sizeof hd, .sub_x = 1, .sub_y = 1, .matrix = 709 };
    const struct request plain = request(&half), other[] = { request(&full), request(&hd) };
    unsigned char out[FRAME], differs[2][FRAME];
    gpufilter_job *j = prepare("gamma:2", &plain);
    bool good = run(j, out);

    gpufilter_job_free(j);
    for (int i = 0; i < 2; i++) {
        j = prepare("gamma:2", &other[i]);
        good = good && run(j, differs[i]) && memcmp(differs[i], out, FRAME) != 0;
        gpufilter_job_free(j);
    }
    gf_ok(good && memcmp(differs[0], differs[1], FRAME) != 0, "range and matrix of planes matter");
}

static void test_numbers(void)
{
    const struct request q = request(&half);
    unsigned char out[3][FRAME];
    gpufilter_job *j = prepare("noise:0.2", &q);
    bool good = run(j, out[0]) && gpufilter_set_number(j, 1, &error) == 0 && run(j, out[1])
             && gpufilter_set_number(j, 0, &error) == 0 && run(j, out[2]);

    gf_ok(good && memcmp(out[0], out[1], FRAME) != 0 && memcmp(out[0], out[2], FRAME) == 0,
          "the noise of images with other numbers differs");
    gf_ok(j != NULL && gpufilter_set_number(j, -1, &error) != 0 && gpufilter_set_number(NULL, 0, &error) != 0,
          "a number below zero is refused");
    gpufilter_job_free(j);
}

static void refuse(const struct request *q, const char *stages, const char *why, const char *name)
{
    gpufilter_job *j = prepare(stages, q);

    gf_ok(j == NULL && strstr(error.text, why) != NULL, "%s", name);
    gpufilter_job_free(j);
}

static int64_t read_nothing(void *context, void *units, int64_t count)
{
    (void)context, (void)units, (void)count;
    return 0;
}

static int write_nothing(void *context, const void *units, int64_t count)
{
    (void)context, (void)units, (void)count;
    return 0;
}

static void test_errors(void)
{
    gpufilter_video v = half;
    struct request q = request(&v);
    gpufilter_array in = array_at(frame), out;
    gpufilter_halo h = { .size = sizeof h };
    unsigned char room[FRAME];
    gpufilter_job *j = prepare("invert", &q);

    out = array_at(room);
    in.unit_stride = WIDTH;
    gf_ok(j != NULL && gpufilter_run(j, &in, &out, &error) != 0 && strstr(error.text, "strides") != NULL,
          "planes with strides are refused");
    gf_ok(j != NULL && gpufilter_run_io(j, read_nothing, write_nothing, NULL, &error) != 0
              && strstr(error.text, "whole arrays") != NULL, "planes are not read by functions");
    gf_ok(j != NULL && gpufilter_push(j, frame, 1, &error) != 0 && strstr(error.text, "pushed input") != NULL,
          "planes are not pushed");
    gf_ok(j != NULL && gpufilter_halo_of(j, &h, &error) != 0 && strstr(error.text, "cannot be cut") != NULL,
          "planes have no halo");
    gpufilter_job_free(j);
    q.size = offsetof(gpufilter_request, video);
    q.in.units = ROWS / 2;                       /* as packed pixels, these are the bytes of a frame */
    j = prepare("invert", &q);
    gf_ok(j != NULL && run(j, room) && room[0] == 255 - frame[0], "a request of an older program has no video");
    gpufilter_job_free(j);
    q = request(&v);
    refuse(&q, "alpha:on", "alpha:off", "a result with alpha is refused");
    v.sub_y = 2;
    refuse(&q, "invert", "4:2:0", "an unknown layout is refused");
    v = half;
    v.matrix = 2020;
    refuse(&q, "invert", "matrix", "an unknown matrix is refused");
    v = half;
    q.in.channels = 4;
    refuse(&q, "invert", "channels", "planes with alpha are refused");
}

int main(void)
{
    const gpufilter_options options = { .size = sizeof options, .device = "cpu", .threads = 2 };

    session = gpufilter_open(&options, &error);
    gf_ok(session != NULL, "a session for video opens");
    if (session == NULL)
        return gf_tap_end();
    for (int i = 0; i < FRAME; i++)
        frame[i] = (unsigned char)(40 + (i * 7 + i / WIDTH * 13) % 150);
    test_known();
    test_written();
    test_members();
    test_numbers();
    test_errors();
    gpufilter_close(session);
    return gf_tap_end();
}
