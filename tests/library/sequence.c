/* Jobs of libgpufilter whose stages work on consecutive images. */
#define _GNU_SOURCE
#include <string.h>

#include "library/gpufilter.h"
#include "tests/tap.h"

#define WIDTH 61
#define ROWS 47
#define IMAGES 6
#define SIZE (WIDTH * ROWS)              /* gray */

static unsigned char images[IMAGES * SIZE], results[IMAGES * SIZE];
static const gpufilter_format gray = { .size = sizeof gray, .kind = GPUFILTER_IMAGE, .type = GPUFILTER_U8,
                                       .channels = 1, .width = WIDTH, .units = ROWS };
static gpufilter_request request = { .size = sizeof request, .in = &gray };
static gpufilter_session *session;
static gpufilter_error error;

/* Rows that functions of a job read and write, of all images. */
struct rows {
    int64_t in, out, most;
};

static int64_t read_rows(void *context, void *rows, int64_t count)
{
    struct rows *const r = context;
    const int64_t left = r->most - r->in, n = count < left ? count : left, few = n < 7 ? n : 7;

    memcpy(rows, images + r->in * WIDTH, (size_t)few * WIDTH);
    r->in += few;
    return few;
}

static int write_rows(void *context, const void *rows, int64_t count)
{
    struct rows *const r = context;

    memcpy(results + r->out * WIDTH, rows, (size_t)count * WIDTH);
    r->out += count;
    return 0;
}

/* Returns true if each result is the median of an image and of those next to it. */
static bool are_medians(void)
{
    for (int i = 0; i < IMAGES * SIZE; i++) {
        const bool first = i < SIZE, last = i >= (IMAGES - 1) * SIZE;
        const int a = images[first ? i : i - SIZE], b = images[i], c = images[last ? i : i + SIZE];
        const int least = a < b ? a : b, most = a < b ? b : a;
        const int middle = first || last ? (a + c) / 2 : c < least ? least : c > most ? most : c;

        /* the window at the ends has two images, whose mean may be rounded up */
        if (results[i] != middle && !((first || last) && results[i] == middle + (a + c) % 2))
            return false;
    }
    return true;
}

static gpufilter_array array_at(void *data)
{
    return (gpufilter_array) { .size = sizeof(gpufilter_array), .data = data };
}

static gpufilter_job *prepare(const char *stages)
{
    gpufilter_chain *const chain = gpufilter_parse(session, stages, -1, &error);
    gpufilter_job *const j = chain != NULL ? gpufilter_prepare(session, chain, &request, &error) : NULL;

    gpufilter_chain_free(chain);
    memset(results, 0, sizeof results);
    return j;
}

static void test_ways(void)
{
    gpufilter_job *const j = prepare("tmedian:3");
    const gpufilter_array in = array_at(images), out = array_at(results);
    struct rows all = { .most = IMAGES * ROWS };
    int64_t pushed = 0, pulled = 0, n = 0;

    gf_ok(j != NULL && gpufilter_run_batch(j, &in, &out, IMAGES, SIZE, SIZE, &error) == 0 && are_medians(),
          "a batch is a sequence of images");
    memset(results, 0, sizeof results);
    gf_ok(gpufilter_run_io(j, read_rows, write_rows, &all, &error) == 0 && all.out == IMAGES * ROWS && are_medians(),
          "functions read and write the rows of a sequence");
    memset(results, 0, sizeof results);
    while (n >= 0 && pushed < IMAGES * ROWS) {
        n = gpufilter_push(j, images + pushed * WIDTH, IMAGES * ROWS - pushed, &error);
        pushed += n > 0 ? n : 0;
        n = n < 0 ? n : gpufilter_pull(j, results + pulled * WIDTH, 5, &error);
        pulled += n > 0 ? n : 0;
    }
    n = n < 0 ? n : gpufilter_finish(j, &error);
    while (n >= 0 && (n = gpufilter_pull(j, results + pulled * WIDTH, IMAGES * ROWS - pulled, &error)) > 0)
        pulled += n;
    gf_ok(n == 0 && pulled == IMAGES * ROWS && are_medians(), "the rows of a sequence are pushed and pulled");
    gpufilter_job_free(j);
}

/* Reports whether a call has failed with a text. */
static void refused(int result, const char *text, const char *name)
{
    gf_ok(result != 0 && strstr(error.text, text) != NULL, "%s", name);
    if (result == 0 || strstr(error.text, text) == NULL)
        printf("# %s\n", error.text);
}

static void test_refused(void)
{
    static const gpufilter_video planes = { .size = sizeof planes, .full = 1 };
    gpufilter_job *j = prepare("tmean:3");
    const gpufilter_array in = array_at(images), out = array_at(results);
    struct rows cut = { .most = 3 * ROWS - 1 };
    gpufilter_halo halo = { .size = sizeof halo };
    gpufilter_chain *chain = gpufilter_parse(session, "nlmeans:frames=0,search=1", -1, &error);

    refused(gpufilter_run(j, &in, &out, &error), "not on one alone", "a job for a sequence refuses one image");
    refused(gpufilter_write(j, &in, "out.png", &error), "not on one alone", "a sequence is not written as one image");
    refused(gpufilter_halo_of(j, &halo, &error), "not on one alone", "a sequence has no halo");
    refused(gpufilter_set_number(j, 3, &error), "not on one alone", "images of a sequence have their numbers");
    refused(gpufilter_run_io(j, read_rows, write_rows, &cut, &error), "has only 46 of 47 rows",
            "a sequence whose last image is cut is an error");
    gpufilter_job_free(j);
    gf_ok(gpufilter_needs_sequence(chain) == 0 && gpufilter_needs_sequence(NULL) == 0,
          "nlmeans without other frames needs no sequence");
    gpufilter_chain_free(chain);
    chain = gpufilter_parse(session, "gray nlmeans:frames=1 gray", -1, &error);
    gf_ok(gpufilter_needs_sequence(chain) == 1, "nlmeans with other frames needs a sequence");
    request.video = &planes;
    refused(gpufilter_prepare(session, chain, &request, &error) == NULL, "arrays of pixels",
            "frames in planes are no sequence");
    gpufilter_chain_free(chain);
}

int main(void)
{
    uint32_t state = 3;

    for (int i = 0; i < IMAGES * SIZE; i++)
        images[i] = (unsigned char)((state = state * 1664525u + 1013904223u) >> 24);
    session = gpufilter_open(NULL, &error);
    gf_ok(session != NULL, "a session for sequences opens");
    if (session == NULL)
        return gf_tap_end();
    test_ways();
    test_refused();
    gpufilter_close(session);
    return gf_tap_end();
}
