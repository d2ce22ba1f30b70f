/* The calls that tests of libgpufilter share: requests, jobs and noise. */
#ifndef GF_TESTS_LIBRARY_COMMON_H
#define GF_TESTS_LIBRARY_COMMON_H

#include <stdlib.h>

#include "library/gpufilter.h"
#include "tests/tap.h"

#define WIDTH 61
#define ROWS 47
#define CHANNELS 3
#define SAMPLES (WIDTH * ROWS * CHANNELS)

static gpufilter_session *session;
static gpufilter_error error;

/* A gpufilter_request, which can be copied with the format of its input. */
struct request {
    gpufilter_format in;
    const gpufilter_input *inputs;
    size_t input_count;
    int type;
};

static struct request image_request(int type, int channels)
{
    return (struct request) {
        .type = GPUFILTER_SAME,
        .in = { .size = sizeof(gpufilter_format), .kind = GPUFILTER_IMAGE, .type = type, .channels = channels,
                .width = WIDTH, .units = ROWS }
    };
}

static struct request sound_request(int type, int channels, int64_t frames)
{
    return (struct request) {
        .type = GPUFILTER_SAME,
        .in = { .size = sizeof(gpufilter_format), .kind = GPUFILTER_AUDIO, .type = type, .channels = channels,
                .width = 1, .units = frames, .rate = 48000 }
    };
}

static gpufilter_array array_at(void *data)
{
    return (gpufilter_array) { .size = sizeof(gpufilter_array), .data = data };
}

static gpufilter_job *prepare_chain(gpufilter_chain *c, const struct request *q, gpufilter_error *failure)
{
    const gpufilter_request all = { .size = sizeof all, .in = &q->in, .inputs = q->inputs,
                                    .input_count = q->input_count, .type = q->type };

    return gpufilter_prepare(session, c, &all, failure);
}

static gpufilter_job *prepare(const char *stages, const struct request *q)
{
    gpufilter_chain *c = gpufilter_parse(session, stages, -1, &error);
    gpufilter_job *j = c != NULL ? prepare_chain(c, q, &error) : NULL;

    gpufilter_chain_free(c);             /* the job holds it */
    return j;
}

/* Runs stages once. Returns false, with a message, if they fail. */
static bool apply(const char *stages, const struct request *q, const gpufilter_array *in, void *out)
{
    const gpufilter_array to = array_at(out);
    gpufilter_job *j = prepare(stages, q);
    const bool good = j != NULL && gpufilter_run(j, in, out != NULL ? &to : NULL, &error) == 0;

    if (!good)
        printf("# %s: %s\n", stages, error.text);
    gpufilter_job_free(j);
    return good;
}

static unsigned char *noise(void)
{
    unsigned char *p = malloc(SAMPLES);
    uint32_t state = 7;

    for (int i = 0; i < SAMPLES; i++)
        p[i] = (unsigned char)((state = state * 1664525u + 1013904223u) >> 24);
    return p;
}

#endif
