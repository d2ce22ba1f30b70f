/* Second inputs of jobs of libgpufilter: arrays, files of several images, and numbers of filters. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "library_common.h"

static void test_second(void)
{
    unsigned char *image = noise(), *out = malloc(SAMPLES), red[3] = { 255, 0, 0 };
    struct request q = image_request(GPUFILTER_U8, CHANNELS);
    const gpufilter_array pixel = array_at(red);
    gpufilter_format one = q.in;
    const gpufilter_input top = { .size = sizeof top, .name = "dot", .format = &one, .array = &pixel };
    const gpufilter_array in = array_at(image);
    bool good;

    one.width = one.units = 1;
    q.inputs = &top;
    q.input_count = 1;
    good = apply("over:dot,5,7", &q, &in, out);
    gf_ok(good && memcmp(out + (7 * WIDTH + 5) * CHANNELS, red, 3) == 0
              && memcmp(out, image, 7 * WIDTH * CHANNELS) == 0, "an array lies over another one");
    gf_ok(!apply("over:missing-file.png", &q, &in, out) && strstr(error.text, "missing-file.png") != NULL,
          "a name that no array has is that of a file");
    gf_ok(!apply("gray", &q, &in, out) && strstr(error.text, "called dot") != NULL && error.advice > 0,
          "an array that no stage reads is refused");
    gf_ok(!apply("over:photo-of-dot", &q, &in, out) && strstr(error.text, "photo-of-dot") != NULL,
          "an array is not read by a part of its name");
    free(image);
    free(out);
}

/* Images of a sequence have numbers. An array as second input is the same for all of them, and is read only once. */
static void test_second_numbers(void)
{
    unsigned char *image = noise(), *wanted = malloc(SAMPLES), *out = malloc(SAMPLES), red[3] = { 255, 0, 0 };
    struct request q = image_request(GPUFILTER_U8, CHANNELS);
    const gpufilter_array pixel = array_at(red);
    gpufilter_format one = q.in;
    const gpufilter_input dot = { .size = sizeof dot, .name = "dot{n}", .format = &one, .array = &pixel };
    const gpufilter_array in = array_at(image), to = array_at(out);
    gpufilter_job *j;
    bool good;

    one.width = one.units = 1;
    q.inputs = &dot;
    q.input_count = 1;
    j = prepare("over:dot{n},5,7", &q);
    good = j != NULL && gpufilter_run(j, &in, &to, &error) == 0;
    memcpy(wanted, out, SAMPLES);
    red[0] = 0;
    for (int i = 0; i < 3 && good; i++)
        good = gpufilter_set_number(j, i == 0 ? 5 : i == 1 ? 2 : 9, &error) == 0
            && gpufilter_run(j, &in, &to, &error) == 0 && memcmp(out, wanted, SAMPLES) == 0;
    gf_ok(good, "an array lies over images of any number");
    gpufilter_job_free(j);
    free(image);
    free(wanted);
    free(out);
}

/* Writes a second input of two images. With `colored` the other one is RGB. */
static bool write_two_images(char *name, bool colored)
{
    static const char gray[] = "P5\n2 2\n255\nabcd", rgb[] = "P6\n2 2\n255\nabcdefghijkl";
    const int file = mkstemps(name, 4);
    const bool good = file >= 0 && write(file, gray, sizeof gray - 1) == (ssize_t)sizeof gray - 1
                   && (colored ? write(file, rgb, sizeof rgb - 1) == (ssize_t)sizeof rgb - 1
                               : write(file, gray, sizeof gray - 1) == (ssize_t)sizeof gray - 1);

    if (file >= 0)
        close(file);
    return good;
}

/* A second input that has no such image leaves the job without one, until another number is set. */
static void test_number_beyond(void)
{
    struct request q = image_request(GPUFILTER_U8, 1);
    unsigned char *image = noise(), *out = malloc(SAMPLES);
    const gpufilter_array in = array_at(image), to = array_at(out);
    char name[] = "arrays-XXXXXX.pnm", stages[40];
    const bool written = write_two_images(name, false);
    gpufilter_job *j;

    snprintf(stages, sizeof stages, "over:%s", name);
    j = written ? prepare(stages, &q) : NULL;
    gf_ok(j != NULL && gpufilter_set_number(j, 7, &error) != 0 && strstr(error.text, "ends after") != NULL,
          "a number beyond a second input is an error");
    gf_ok(j != NULL && gpufilter_run(j, &in, &to, &error) != 0 && strstr(error.text, "number") != NULL
              && gpufilter_write(j, &in, "none.pam", &error) != 0 && strstr(error.text, "number") != NULL,
          "a job whose number could not be set does not run");
    gf_ok(j != NULL && gpufilter_set_number(j, 1, &error) == 0 && gpufilter_run(j, &in, &to, &error) == 0,
          "a job runs again after a number that is there");
    gpufilter_job_free(j);
    unlink(name);
    free(image);
    free(out);
}

static int64_t give_gray(void *context, void *units, int64_t count)
{
    int64_t *const left = context, n = count < *left ? count : *left;

    memset(units, 7, (size_t)n * WIDTH);
    *left -= n;
    return n;
}

static int take_nothing(void *context, const void *units, int64_t count)
{
    (void)context, (void)units, (void)count;
    return 0;
}

/* A gray image under a gray one is gray, under a colored one RGB: not the format that the caller has room for. */
static void test_format_of_number(void)
{
    const struct request q = image_request(GPUFILTER_U8, 1);
    unsigned char *image = noise(), *out = malloc(SAMPLES);
    const gpufilter_array in = array_at(image), to = array_at(out);
    char name[] = "arrays-XXXXXX.pnm", stages[40];
    const bool written = write_two_images(name, true);
    int64_t left = ROWS, n = 0;
    gpufilter_job *j;

    snprintf(stages, sizeof stages, "over:%s", name);
    j = written ? prepare(stages, &q) : NULL;
    gf_ok(j != NULL && gpufilter_set_number(j, 1, &error) == 0 && gpufilter_run(j, &in, &to, &error) != 0
              && strstr(error.text, "another format") != NULL, "a run refuses a result of another format");
    error.text[0] = '\0';
    gf_ok(j != NULL && gpufilter_run_io(j, give_gray, take_nothing, &left, &error) != 0
              && strstr(error.text, "another format") != NULL, "a run with functions refuses such a result");
    error.text[0] = '\0';
    for (int i = 0; j != NULL && i < ROWS && n >= 0; i++) {
        n = gpufilter_push(j, image, 1, &error);
        n = n < 0 ? n : gpufilter_pull(j, out, ROWS, &error);
    }
    gf_ok(n < 0 && strstr(error.text, "another format") != NULL, "pushed input refuses such a result");
    while (j != NULL && (n = gpufilter_push(j, image, 1, &error)) >= 0)
        continue;
    gf_ok(j != NULL && gpufilter_set_number(j, 0, &error) == 0 && gpufilter_run(j, &in, &to, &error) == 0,
          "a job is free after a push that reports a failed run");
    gpufilter_job_free(j);
    unlink(name);
    free(image);
    free(out);
}

/* Runs y[n] = x[n] - x[n - 1] with taps from an array, on a chain that was parsed without it. */
static void test_taps(void)
{
    float in[4] = { 0.5f, 0.25f, 0.25f, 1 }, taps[2] = { 1, -1 }, out[4] = { 0 };
    struct request q = sound_request(GPUFILTER_F32, 1, 4);
    const gpufilter_array numbers = array_at(taps);
    gpufilter_format format = q.in;
    gpufilter_input given = { .size = sizeof given, .name = "taps", .format = &format, .array = &numbers };
    const gpufilter_array from = array_at(in);

    format.units = 2;
    q.inputs = &given;
    q.input_count = 1;
    gf_ok(apply("gain:0 fir:taps", &q, &from, out) && out[0] == 0.5f && out[1] == -0.25f && out[2] == 0
              && out[3] == 0.75f, "taps of a filter come from an array");
    format.rate = 44100;
    gf_ok(prepare("fir:taps", &q) == NULL && strstr(error.text, "44100") != NULL, "taps of another rate are refused");
    format.rate = 48000;
    format.units = GPUFILTER_UNKNOWN;
    gf_ok(prepare("fir:taps", &q) == NULL && strstr(error.text, "units") != NULL,
          "taps of an unknown number are refused");
    given.format = NULL;
    gf_ok(prepare("fir:taps", &q) == NULL && strstr(error.text, "taps: its format is NULL") != NULL,
          "a second input without a format is refused");
    given.format = &q.in;
    given.array = NULL;
    gf_ok(prepare("fir:taps", &q) == NULL && strstr(error.text, "taps: is NULL") != NULL,
          "a second input without an array is refused");
    q.input_count = 0;
    gf_ok(prepare("fir:taps", &q) == NULL && strstr(error.text, "no such file") != NULL && error.advice > 0,
          "taps that no array has are those of a file");
    gf_ok(prepare("fir:taps,wet=x", &q) == NULL && strstr(error.text, "wet") != NULL,
          "a wrong option is an error beside taps of an array");
}

/* A recording with another rate and other channels gets those of the audio, as by the stages of the chain. */
static void test_evened(void)
{
    enum { FRAMES = 4000, HALF = FRAMES / 2 };
    static float speech[FRAMES][2], bed[HALF], even[FRAMES][2], wanted[FRAMES][2], made[FRAMES][2];
    struct request q = sound_request(GPUFILTER_F32, 2, FRAMES), slow = sound_request(GPUFILTER_F32, 1, HALF);
    const gpufilter_array in = array_at(speech), second = array_at(bed), whole = array_at(even), to = array_at(made);
    gpufilter_input side = { .size = sizeof side, .name = "bed", .format = &q.in, .array = &whole };
    gpufilter_job *j;
    bool good;

    for (int i = 0; i < FRAMES; i++)
        speech[i][0] = (float)(i % 37) / 100, speech[i][1] = (float)(i % 53) / 100;
    for (int i = 0; i < HALF; i++)
        bed[i] = (float)(i % 11) / 30;
    slow.in.rate = 24000;
    q.inputs = &side;
    q.input_count = 1;
    good = apply("remix:1,1 resample:48000", &slow, &second, even) && apply("mix:bed,-6", &q, &in, wanted);
    side.format = &slow.in;
    side.array = &second;
    j = prepare("mix:bed,-6", &q);
    for (int i = 0; i < 2 && good; i++)
        good = j != NULL && gpufilter_run(j, &in, &to, &error) == 0 && memcmp(made, wanted, sizeof made) == 0;
    gf_ok(good && memcmp(wanted, speech, sizeof wanted) != 0, "an array for mix gets the rate and the channels");
    gpufilter_job_free(j);
}

int main(void)
{
    const gpufilter_options options = { .size = sizeof options, .device = "cpu", .threads = 2 };

    session = gpufilter_open(&options, &error);
    gf_ok(session != NULL, "a session for second inputs opens");
    if (session == NULL)
        return gf_tap_end();
    test_second();
    test_second_numbers();
    test_number_beyond();
    test_format_of_number();
    test_taps();
    test_evened();
    gpufilter_close(session);
    return gf_tap_end();
}
