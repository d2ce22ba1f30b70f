/*
 * Arrays in the memory of a GPU: results have the bytes of arrays of the host. The GPU is that of gpu_fake.c, whose
 * memory ends the program if anybody but a lane reads or writes it.
 */
#include <stddef.h>
#include <string.h>

#include "library_common.h"
#include "tests/library/gpu_fake.h"

#define GPU (GPUFILTER_GPU + 1)
#define PAD 24                           /* bytes around rows, so that rows stay aligned to all samples */

/* Ways to lay out an image. */
enum layout { PACKED, ROWS_WITH_GAPS, PLANES, FLIPPED, EVERY_SECOND, LAYOUTS };
static const char *const layout_names[] = { "packed", "rows with gaps", "planes", "flipped", "every second pixel" };

static size_t sample_bytes(int type)
{
    static const size_t bytes[] = { 0, 1, 2, 2, 4, 4, 8 };

    return bytes[type];
}

/* Returns an array of that layout in memory of `room` bytes at `base`. */
static gpufilter_array lay_out(const gpufilter_format *f, enum layout layout, char *base, size_t *room)
{
    const int64_t s = (int64_t)sample_bytes(f->type), pixel = s * f->channels, row = pixel * f->width;
    gpufilter_array a = { .size = sizeof a, .data = base };

    a.channel_stride = s;
    a.pixel_stride = pixel;
    a.unit_stride = row;
    *room = (size_t)(row * f->units);
    if (layout == ROWS_WITH_GAPS) {
        a.unit_stride = row + PAD;
        *room = (size_t)(a.unit_stride * f->units);
    } else if (layout == PLANES) {
        a.channel_stride = s * f->width * f->units;
        a.pixel_stride = s;
        a.unit_stride = s * f->width;
    } else if (layout == FLIPPED) {
        a.unit_stride = -row;
        a.data = base != NULL ? base + row * (f->units - 1) : NULL;
    } else if (layout == EVERY_SECOND) {
        a.pixel_stride = 2 * pixel;
        a.unit_stride = 2 * row;
        *room *= 2;
    }
    return a;
}

/* Copies between packed samples and an array of the host. */
static void copy(const gpufilter_format *f, const gpufilter_array *a, char *packed, bool out)
{
    const size_t s = sample_bytes(f->type);

    for (int64_t y = 0; y < f->units; y++)
        for (int64_t x = 0; x < f->width; x++)
            for (int c = 0; c < f->channels; c++, packed += s) {
                char *at = (char *)a->data + y * a->unit_stride + x * a->pixel_stride + c * a->channel_stride;

                memcpy(out ? at : packed, out ? packed : at, s);
            }
}

static gpufilter_job *prepare_at(gpufilter_session *s, const char *stages, const struct request *q, int where)
{
    gpufilter_chain *c = gpufilter_parse(s, stages, -1, &error);
    const gpufilter_request all = { .size = sizeof all, .in = &q->in, .type = q->type, .where = where };
    gpufilter_job *j = c != NULL ? gpufilter_prepare(s, c, &all, &error) : NULL;

    gpufilter_chain_free(c);
    if (j == NULL)
        printf("# %s: %s\n", stages, error.text);
    return j;
}

static size_t bytes_of(const gpufilter_format *f)
{
    return (size_t)(f->units * f->width) * (size_t)f->channels * sample_bytes(f->type);
}

/* Samples in range, of any type. */
static char *samples_of(const gpufilter_format *f)
{
    const int64_t count = f->units * f->width * f->channels;
    char *p = malloc(bytes_of(f) + 1);
    uint32_t state = 5;

    for (int64_t i = 0; i < count; i++) {
        const uint32_t v = (state = state * 1664525u + 1013904223u) >> 16;

        if (f->type == GPUFILTER_U8)
            ((uint8_t *)p)[i] = (uint8_t)v;
        else if (sample_bytes(f->type) == 2)
            ((uint16_t *)p)[i] = (uint16_t)v;
        else if (f->type == GPUFILTER_S32)
            ((uint32_t *)p)[i] = v << 16;
        else if (f->type == GPUFILTER_F32)
            ((float *)p)[i] = (float)v / 65536;
        else
            ((double *)p)[i] = (double)v / 65536;
    }
    return p;
}

/* Makes a result of the host, in packed samples. */
static char *on_host(const char *stages, const struct request *q, char *in, gpufilter_format *made)
{
    const gpufilter_array from = array_at(in);
    gpufilter_job *j = prepare_at(session, stages, q, GPUFILTER_HOST);
    char *out = NULL;

    made->size = sizeof *made;
    if (j != NULL && gpufilter_format_of(j, made, &error) == 0) {
        const gpufilter_array to = array_at(out = malloc(bytes_of(made) + 1));

        if (gpufilter_run(j, &from, &to, &error) != 0) {
            free(out);
            out = NULL;
        }
    }
    gpufilter_job_free(j);
    return out;
}

/* Runs on arrays of such layouts on the GPU; returns packed samples of the host. */
static char *on_gpu(const char *stages, const struct request *q, char *in, const gpufilter_format *made,
                    enum layout from_layout, enum layout to_layout, int runs)
{
    size_t from_room, to_room;
    gpufilter_array from = lay_out(&q->in, from_layout, NULL, &from_room);
    gpufilter_array to = lay_out(made, to_layout, NULL, &to_room);
    char *const host_from = calloc(1, from_room), *const host_to = calloc(1, to_room);
    char *const gpu_from = fake_gpu_new(from_room), *const gpu_to = fake_gpu_new(to_room);
    gpufilter_job *j = prepare_at(session, stages, q, GPU);
    bool good = j != NULL && strcmp(gpufilter_device_of(j), "cuda") == 0;
    char *out = malloc(bytes_of(made) + 1);

    from = lay_out(&q->in, from_layout, host_from, &from_room);
    copy(&q->in, &from, in, true);
    fake_gpu_copy(gpu_from, host_from, from_room);
    from.data = gpu_from + ((char *)from.data - host_from);
    to = lay_out(made, to_layout, gpu_to, &to_room);
    from.where = to.where = GPU;
    for (int i = 0; good && i < runs; i++)
        good = gpufilter_run(j, &from, &to, &error) == 0;
    fake_gpu_copy(host_to, gpu_to, to_room);
    to.data = host_to + ((char *)to.data - gpu_to);
    copy(made, &to, out, false);
    gpufilter_job_free(j);
    fake_gpu_free(gpu_from);
    fake_gpu_free(gpu_to);
    free(host_from);
    free(host_to);
    if (good)
        return out;
    printf("# %s: %s\n", stages, error.text);
    free(out);
    return NULL;
}

static bool same(const char *stages, const struct request *q, enum layout from, enum layout to)
{
    char *const in = samples_of(&q->in);
    gpufilter_format made;
    char *const want = on_host(stages, q, in, &made);
    char *const got = want != NULL ? on_gpu(stages, q, in, &made, from, to, 2) : NULL;
    const bool good = got != NULL && memcmp(got, want, bytes_of(&made)) == 0;

    if (!good)
        printf("# %s, type %d, %d channels, %s to %s\n", stages, q->in.type, q->in.channels, layout_names[from],
               layout_names[to]);
    free(in);
    free(want);
    free(got);
    return good;
}

static const char *const image_chains[] = {
    "", "invert", "gray", "blur:2", "gray blur:2", "median:1", "rotate:90", "rotate:30", "hflip", "vflip",
    "crop:20x30", "resize:40x", "equalize", "normalize", "clahe", "gray equalize blur:1 rotate:20", "noise:0.1",
    "sobel", "canny", "bilateral:2,0.1", "transpose", "normalize rotate:90 equalize", NULL
};

static void test_chains(void)
{
    for (int i = 0; image_chains[i] != NULL; i++) {
        bool good = true;

        for (int type = GPUFILTER_U8; type <= GPUFILTER_F32; type++)
            for (int channels = 1; channels <= 4 && (type == GPUFILTER_U8 || type == GPUFILTER_U16 || type
                                                     == GPUFILTER_F32); channels++) {
                struct request q = image_request(type, channels);

                q.in.alpha = channels % 2 == 0;
                good = same(image_chains[i], &q, PACKED, PACKED) && good;
            }
        gf_ok(good, "'%s' on a GPU gives the bytes of the host", image_chains[i]);
    }
}

static void test_layouts(void)
{
    static const char *const chains[] = { "", "gray", "blur:2", "rotate:90", "equalize", "normalize" };

    for (int from = 0; from < LAYOUTS; from++)
        for (int to = 0; to < LAYOUTS; to++) {
            bool good = true;

            for (size_t i = 0; i < sizeof chains / sizeof *chains; i++)
                for (int channels = 1; channels <= 3; channels += 2) {
                    const struct request bytes = image_request(GPUFILTER_U8, channels);
                    const struct request floats = image_request(GPUFILTER_F32, channels);

                    good = same(chains[i], &bytes, from, to) && same(chains[i], &floats, from, to) && good;
                }
            gf_ok(good, "images on a GPU: %s to %s", layout_names[from], layout_names[to]);
        }
}

/* Runs a chain on halves on the GPU, and on the same values as floats on the host. */
static bool same_halves(const char *stages, int type)
{
    const struct request floats = image_request(GPUFILTER_F32, 3);
    struct request halves = floats;
    float *const in = (float *)samples_of(&floats.in);
    uint16_t *const half = malloc(SAMPLES * sizeof *half), *const got = malloc(SAMPLES * sizeof *got);
    char *const gpu = fake_gpu_new(2 * SAMPLES * sizeof *half), *want = NULL;
    gpufilter_array from = array_at(gpu), to = array_at(gpu + SAMPLES * sizeof *half);
    gpufilter_format made = { .size = sizeof made }, is = { .size = sizeof is };
    gpufilter_job *j;
    bool good;

    for (int i = 0; i < SAMPLES; i++)
        in[i] = fake_gpu_from_half(half[i] = fake_gpu_to_half(in[i]));
    want = on_host(stages, &floats, (char *)in, &made);
    fake_gpu_copy(gpu, half, SAMPLES * sizeof *half);
    from.where = to.where = GPU;
    halves.in.type = GPUFILTER_F16;
    halves.type = type;
    j = prepare_at(session, stages, &halves, GPU);
    good = want != NULL && j != NULL && gpufilter_format_of(j, &is, &error) == 0 && is.type == GPUFILTER_F16
        && gpufilter_run(j, &from, &to, &error) == 0;
    fake_gpu_copy(got, to.data, SAMPLES * sizeof *got);
    for (int i = 0; good && i < SAMPLES; i++)
        good = got[i] == fake_gpu_to_half(((float *)want)[i]);
    gpufilter_job_free(j);
    fake_gpu_free(gpu);
    free(in);
    free(half);
    free(got);
    free(want);
    return good;
}

static void test_halves(void)
{
    const struct request q = image_request(GPUFILTER_F16, 3);

    gf_ok(fake_gpu_from_half(0x3c00) == 1 && fake_gpu_from_half(0x8001) == -0x1p-24f
              && fake_gpu_to_half(65504) == 0x7bff && fake_gpu_to_half(1e6f) == 0x7c00
              && fake_gpu_to_half(1 + 0x1p-11f) == 0x3c00 && fake_gpu_to_half(1 + 3 * 0x1p-11f) == 0x3c02,
          "halves of the test are right");
    gf_ok(same_halves("invert", GPUFILTER_SAME) && same_halves("blur:2", GPUFILTER_F16)
              && same_halves("normalize hflip", GPUFILTER_SAME), "halves on a GPU are floats that are rounded");
    gf_ok(prepare_at(session, "invert", &q, GPUFILTER_HOST) == NULL && strstr(error.text, "type 7") != NULL,
          "halves of the host are refused");
}

static void test_sound(void)
{
    static const char *const chains[] = { "", "gain:-3", "lowpass:800", "reverse", "normalize", "resample:44100",
                                          "highpass:100 echo:50,0.5 reverse" };

    for (size_t i = 0; i < sizeof chains / sizeof *chains; i++) {
        bool good = true;

        for (int type = GPUFILTER_S16; type <= GPUFILTER_F32; type++) {
            const struct request q = sound_request(type, 2, 9000);

            good = same(chains[i], &q, PACKED, PACKED) && same(chains[i], &q, PLANES, ROWS_WITH_GAPS) && good;
        }
        gf_ok(good, "sound on a GPU gives the bytes of the host: '%s'", chains[i]);
    }
}

static void test_measured(void)
{
    const struct request q = image_request(GPUFILTER_U8, 3);
    char *const in = samples_of(&q.in), *const gpu = fake_gpu_new(bytes_of(&q.in));
    const gpufilter_array from = array_at(in);
    gpufilter_array there = array_at(gpu);
    gpufilter_job *const host = prepare_at(session, "stats", &q, GPUFILTER_HOST);
    gpufilter_job *const other = prepare_at(session, "stats", &q, GPU);
    gpufilter_table want = { .size = sizeof want }, got = { .size = sizeof got };
    bool good;

    fake_gpu_copy(gpu, in, bytes_of(&q.in));
    there.where = GPU;
    good = gpufilter_run(host, &from, NULL, &error) == 0 && gpufilter_table_of(host, &want, &error) == 0
        && gpufilter_run(other, &there, NULL, &error) == 0 && gpufilter_table_of(other, &got, &error) == 0;
    gf_ok(good && want.fields == got.fields && want.channels == got.channels
              && memcmp(want.values, got.values, (size_t)(want.fields * want.channels) * sizeof *want.values) == 0,
          "a table of an image on a GPU is that of the host");
    gpufilter_job_free(host);
    gpufilter_job_free(other);
    fake_gpu_free(gpu);
    free(in);
}

static bool refused(int result, const char *words)
{
    const bool good = result != 0 && strstr(error.text, words) != NULL;

    if (!good)
        printf("# %s; wanted: %s\n", error.text, words);
    return good;
}

static void test_refused(void)
{
    const gpufilter_options cpu = { .size = sizeof cpu, .device = "cpu" };
    gpufilter_session *const other = gpufilter_open(&cpu, &error);
    const struct request q = image_request(GPUFILTER_U8, 3);
    char *const in = samples_of(&q.in), *const gpu = fake_gpu_new(2 * bytes_of(&q.in));
    gpufilter_array host = array_at(in), there = array_at(gpu), result = array_at(gpu + bytes_of(&q.in));
    gpufilter_job *const j = prepare_at(session, "invert", &q, GPU);
    gpufilter_job *const on_the_host = prepare_at(session, "invert", &q, GPUFILTER_HOST);

    there.where = result.where = GPU;
    gf_ok(refused(gpufilter_run(j, &host, &result, &error), "memory of the host"), "an input of the host is refused");
    gf_ok(refused(gpufilter_run(j, &there, &host, &error), "that of GPU 1"), "a result of the host is refused");
    gf_ok(refused(gpufilter_run(on_the_host, &there, &host, &error), "memory of GPU 1"),
          "an input on a GPU is refused by a job of the host");
    gf_ok(refused(gpufilter_run(j, &there, &there, &error), "overlaps"), "a result over the input is refused on a GPU");
    result.where = GPU + 1;
    gf_ok(refused(gpufilter_run(j, &there, &result, &error), "GPU 2"), "a result on another GPU is refused");
    gf_ok(refused(gpufilter_write(j, &there, "out.png", &error), "arrays of the host"),
          "a file of an array on a GPU is refused");
    gf_ok(refused(gpufilter_push(j, in, 1, &error) >= 0 ? 0 : -1, "arrays of the host"),
          "pushed input is refused by a job on a GPU");
    gf_ok(prepare_at(other, "invert", &q, GPU) == NULL && strstr(error.text, "device cpu") != NULL,
          "a session without GPUs refuses arrays on one");
    gf_ok(prepare_at(session, "invert", &q, GPUFILTER_GPU + 7) == NULL && strstr(error.text, "no GPU 7") != NULL,
          "a GPU that does not exist is an error");
    gf_ok(prepare_at(session, "invert", &q, -1) == NULL && strstr(error.text, "GPUFILTER_GPU") != NULL,
          "a place that means nothing is refused");
    gpufilter_job_free(j);
    gpufilter_job_free(on_the_host);
    gpufilter_close(other);
    fake_gpu_free(gpu);
    free(in);
}

/* A GPU cannot read samples whose addresses are no multiples of their size. */
static void test_alignment(void)
{
    const struct request q = image_request(GPUFILTER_U16, 1);
    const int64_t bytes = (int64_t)bytes_of(&q.in);
    char *const gpu = fake_gpu_new((size_t)(8 * bytes));
    gpufilter_array from = array_at(gpu), to = array_at(gpu + 4 * bytes);
    gpufilter_job *const j = prepare_at(session, "blur:1", &q, GPU);

    from.where = to.where = GPU;
    from.data = gpu + 1;
    gf_ok(refused(gpufilter_run(j, &from, &to, &error), "multiples of the 2 bytes"), "an odd address is refused");
    from.data = gpu;
    from.channel_stride = from.pixel_stride = 2;
    from.unit_stride = 2 * WIDTH + 1;
    gf_ok(refused(gpufilter_run(j, &from, &to, &error), "multiples of the 2 bytes"),
          "odd distances of rows are refused");
    from.unit_stride = 2 * WIDTH;
    from.channel_stride = 1;
    gf_ok(gpufilter_run(j, &from, &to, &error) == 0, "a distance of channels that there are not may be odd");
    gf_ok(refused(gpufilter_run_batch(j, &from, &to, 3, bytes + 1, bytes, &error), "multiples of the size")
              && refused(gpufilter_run_batch(j, &from, &to, 3, bytes, bytes + 1, &error), "multiples of the size"),
          "odd distances of images are refused");
    gpufilter_job_free(j);
    fake_gpu_free(gpu);
}

/* The column of a job runs its images that are below each other. */
static void test_waits(void)
{
    const struct request q = image_request(GPUFILTER_U8, 3);
    const int64_t bytes = (int64_t)bytes_of(&q.in);
    char *const gpu = fake_gpu_new((size_t)(4 * bytes));
    gpufilter_array from = array_at(gpu), to = array_at(gpu + 2 * bytes);
    gpufilter_job *const j = prepare_at(session, "invert", &q, GPU);
    const int waits = fake_gpu_seen()->waits;

    from.where = to.where = GPU;
    gf_ok(gpufilter_wait(j, &error) == 0 && fake_gpu_seen()->waits == waits, "a job that never ran is not awaited");
    gf_ok(gpufilter_run_batch(j, &from, &to, 2, bytes, bytes, &error) == 0 && gpufilter_wait(j, &error) == 0
              && fake_gpu_seen()->waits == waits + 1, "a program waits for a batch that was joined");
    gf_ok(gpufilter_run(j, &from, &to, &error) == 0 && gpufilter_wait(j, &error) == 0
              && fake_gpu_seen()->waits == waits + 3, "a program waits for runs after a batch that was joined");
    gpufilter_job_free(j);
    fake_gpu_free(gpu);
}

static void test_streams(void)
{
    const struct request q = image_request(GPUFILTER_U8, 3);
    char *const gpu = fake_gpu_new(2 * bytes_of(&q.in));
    gpufilter_array from = array_at(gpu), to = array_at(gpu + bytes_of(&q.in));
    gpufilter_job *j = prepare_at(session, "blur:2", &q, GPU);
    gpufilter_job *const host = prepare_at(session, "invert", &q, GPUFILTER_HOST);
    int stream, waits;

    from.where = to.where = GPU;
    fake_gpu_seen()->current = 2;
    waits = fake_gpu_seen()->waits;
    gf_ok(gpufilter_set_stream(j, &stream, &error) == 0 && gpufilter_run(j, &from, &to, &error) == 0
              && fake_gpu_seen()->stream == &stream, "a run is queued on the stream of its job");
    gf_ok(fake_gpu_seen()->waits == waits, "nobody waits for a chain that does not measure");
    gf_is(fake_gpu_seen()->current, 2, "the GPU of the calling thread stays");
    gpufilter_job_free(j);
    j = prepare_at(session, "equalize", &q, GPU);
    gf_ok(gpufilter_run(j, &from, &to, &error) == 0 && fake_gpu_seen()->stream == NULL,
          "a job without a stream uses the default one");
    waits = fake_gpu_seen()->waits;
    gf_ok(gpufilter_wait(j, &error) == 0 && fake_gpu_seen()->waits == waits + 1 && gpufilter_wait(host, &error) == 0,
          "a program waits for the runs of a job");
    gf_ok(gpufilter_where(from.data) == GPU && gpufilter_where(&q) == GPUFILTER_HOST,
          "the library knows whose memory an address is in");
    gf_ok(refused(gpufilter_set_stream(host, &stream, &error), "no streams"), "a job of the host has no stream");
    gpufilter_job_free(j);
    gpufilter_job_free(host);
    gf_is(fake_gpu_seen()->current, 2, "the GPU of the calling thread stays when jobs end");
    fake_gpu_free(gpu);
}

/* The beginning of DLPack's DLManagedTensor and DLManagedTensorVersioned. */
struct tensor {
    void *data;
    int32_t device_type, device_id, dimensions;
    uint8_t code, bits;
    uint16_t lanes;
    int64_t *shape, *strides;
    uint64_t byte_offset;
};
struct managed {
    struct tensor tensor;
    void *context;
    void (*deleter)(struct managed *);
};
struct versioned {
    uint32_t major, minor;
    void *context;
    void (*deleter)(struct versioned *);
    uint64_t flags;
    struct tensor tensor;
};

static bool is_view(const struct tensor *t, const void *data, int device)
{
    return t->data == data && t->device_type == device && t->device_id == (device == 2) && t->dimensions == 3
        && t->code == 1 && t->bits == 8 && t->lanes == 1 && t->shape[0] == ROWS && t->shape[1] == WIDTH
        && t->shape[2] == 3 && t->strides[0] == WIDTH * 3 && t->strides[2] == 1 && t->byte_offset == 0;
}

static void test_memory_at(int where)
{
    const int64_t shape[] = { ROWS, WIDTH, 3 }, strides[] = { WIDTH * 3, 3, 1 };
    const char *const place = where == GPUFILTER_HOST ? "the host" : "a GPU";
    const struct request q = image_request(GPUFILTER_U8, 3);
    gpufilter_job *const j = prepare_at(session, "invert", &q, where);
    const int before = fake_gpu_seen()->allocated;
    gpufilter_array a = { .size = sizeof a };
    gpufilter_tensor t = { .size = sizeof t, .type = GPUFILTER_U8, .dimensions = 3, .shape = shape,
                           .strides = strides };
    struct managed *m;
    struct versioned *v;

    gf_ok(gpufilter_allocate(j, 2, &a, &error) == 0 && a.where == where && a.data != NULL,
          "memory for results on %s", place);
    gpufilter_job_free(j);
    t.memory = a.memory;
    t.data = a.data;
    m = gpufilter_export(&t, 0, &error);
    v = gpufilter_export(&t, 1, &error);
    gf_ok(m != NULL && is_view(&m->tensor, a.data, where == GPUFILTER_HOST ? 1 : 2), "a DLManagedTensor on %s", place);
    gf_ok(v != NULL && v->major == 1 && v->flags == 0 && is_view(&v->tensor, a.data, where == GPUFILTER_HOST ? 1 : 2),
          "a DLManagedTensorVersioned on %s", place);
    gpufilter_release(a.memory);
    m->deleter(m);
    gf_is(fake_gpu_seen()->allocated, before + (where != GPUFILTER_HOST), "a view keeps memory of %s", place);
    v->deleter(v);
    gf_is(fake_gpu_seen()->allocated, before, "the last view gives memory of %s back", place);
}

static void test_release(void)
{
    const int64_t shape[] = { ROWS, WIDTH, 3 }, strides[] = { WIDTH * 3, 3, 1 };
    const struct request q = image_request(GPUFILTER_U8, 3);
    gpufilter_job *const j = prepare_at(session, "invert", &q, GPU);
    const int before = fake_gpu_seen()->allocated;
    gpufilter_array a = { .size = sizeof a };
    gpufilter_tensor t = { .size = sizeof t, .type = GPUFILTER_U8, .dimensions = 3, .shape = shape,
                           .strides = strides };
    struct managed *m = NULL;
    int stream;

    gf_ok(gpufilter_allocate(j, 1, &a, &error) == 0, "memory for a result that a stream uses");
    gpufilter_release_on(a.memory, &stream);
    gf_ok(fake_gpu_seen()->freed_on == &stream && fake_gpu_seen()->followed == NULL
              && fake_gpu_seen()->allocated == before, "memory is given back in the order of a stream");
    a.size = sizeof a;
    gf_ok(gpufilter_allocate(j, 1, &a, &error) == 0, "memory for a result that has a view, too");
    t.memory = a.memory;
    t.data = a.data;
    m = gpufilter_export(&t, 0, &error);
    gpufilter_release_on(a.memory, &stream);
    gf_ok(fake_gpu_seen()->followed == &stream && fake_gpu_seen()->allocated == before + 1,
          "the default stream follows one whose memory has a view");
    m->deleter(m);
    gf_ok(fake_gpu_seen()->freed_on == NULL && fake_gpu_seen()->allocated == before,
          "a view gives memory back on the default stream");
    gpufilter_release_on(NULL, &stream);
    gpufilter_job_free(j);
}

/* Memory that the pools of GPUs keep goes back to them when nobody of the process uses one. */
static void test_relaxed(void)
{
    const struct request q = image_request(GPUFILTER_U8, 3);
    gpufilter_job *const first = prepare_at(session, "invert", &q, GPU);
    gpufilter_job *const second = prepare_at(session, "blur:2", &q, GPU);
    gpufilter_array a = { .size = sizeof a };
    const int before = fake_gpu_seen()->relaxed;

    gf_ok(gpufilter_allocate(second, 1, &a, &error) == 0, "memory for a result that outlives all jobs");
    gpufilter_job_free(first);
    gpufilter_job_free(second);
    gf_is(fake_gpu_seen()->relaxed, before, "a result keeps the memory of pools");
    gpufilter_release(a.memory);
    gf_is(fake_gpu_seen()->relaxed, before + 1, "pools give their memory back after the last result");
    gpufilter_job_free(prepare_at(session, "invert", &q, GPU));
    gf_is(fake_gpu_seen()->relaxed, before + 2, "pools give their memory back after the last job");
}

static void test_batch_at(int where, const char *stages, int lanes, int together)
{
    const char *const place = where == GPUFILTER_HOST ? "the host" : "a GPU";
    struct request q = image_request(GPUFILTER_U8, 3);
    const size_t bytes = bytes_of(&q.in);
    char *const all = malloc(3 * bytes), *const got = malloc(3 * bytes), *const want = malloc(3 * bytes);
    char *const gpu = fake_gpu_new(6 * bytes);
    gpufilter_array from = array_at(where == GPUFILTER_HOST ? all : gpu);
    gpufilter_array to = array_at(where == GPUFILTER_HOST ? got : gpu + 3 * bytes);
    gpufilter_job *const one = prepare_at(session, stages, &q, GPUFILTER_HOST);
    gpufilter_job *const many = prepare_at(session, stages, &q, where);
    int runs, batches;
    bool good = one != NULL && many != NULL;

    for (size_t i = 0; i < 3 * bytes; i++)
        all[i] = (char)(i * i / 7);
    for (int i = 0; good && i < 3; i++) {
        const gpufilter_array in = array_at(all + (size_t)i * bytes), out = array_at(want + (size_t)i * bytes);

        good = gpufilter_set_number(one, i, &error) == 0 && gpufilter_run(one, &in, &out, &error) == 0;
    }
    fake_gpu_copy(gpu, all, 3 * bytes);
    from.where = to.where = where;
    runs = fake_gpu_seen()->runs;
    batches = fake_gpu_seen()->batches;
    good = good && gpufilter_run_batch(many, &from, &to, 3, (int64_t)bytes, (int64_t)bytes, &error) == 0;
    if (where != GPUFILTER_HOST)
        fake_gpu_copy(got, gpu + 3 * bytes, 3 * bytes);
    gf_ok(good && memcmp(got, want, 3 * bytes) == 0, "a batch on %s has the bytes of images with numbers: '%s'",
          place, stages);
    gf_is(fake_gpu_seen()->runs - runs, where == GPUFILTER_HOST ? 0 : lanes, "runs of a batch on %s: '%s'", place,
          stages);
    gf_ok(fake_gpu_seen()->batches - batches == (where == GPUFILTER_HOST ? 0 : together) && !fake_gpu_seen()->in_batch,
          "independent runs of a batch on %s: '%s'", place, stages);
    gf_ok(gpufilter_run_batch(many, &from, &to, 0, 0, 0, &error) == 0, "a batch of no image on %s: '%s'", place,
          stages);
    gf_ok(refused(gpufilter_run_batch(many, &from, &to, -1, 0, 0, &error), "0 or more"),
          "a batch of fewer than no image on %s is refused: '%s'", place, stages);
    gpufilter_job_free(one);
    gpufilter_job_free(many);
    fake_gpu_free(gpu);
    free(all);
    free(got);
    free(want);
}

/* Programs that were compiled with an earlier header have shorter structs. */
static void test_older_structs(void)
{
    struct request q = image_request(GPUFILTER_U8, 3);
    unsigned char *const image = noise(), *const out = malloc(SAMPLES);
    gpufilter_chain *const c = gpufilter_parse(session, "invert", -1, &error);
    const gpufilter_request all = { .size = offsetof(gpufilter_request, where), .in = &q.in, .where = 77 };
    gpufilter_job *const j = gpufilter_prepare(session, c, &all, &error);
    gpufilter_array in = array_at(image), to = array_at(out);

    in.size = to.size = offsetof(gpufilter_array, where);
    in.where = to.where = 77;
    gf_ok(j != NULL && gpufilter_run(j, &in, &to, &error) == 0 && out[0] == 255 - image[0],
          "structs without a place mean the host");
    gf_ok(apply("invert", &q, &in, out) && out[1] == 255 - image[1], "an array without a place is that of the host");
    gpufilter_job_free(j);
    gpufilter_chain_free(c);
    free(image);
    free(out);
}

int main(void)
{
    session = gpufilter_open(NULL, &error);
    test_chains();
    test_layouts();
    test_halves();
    test_sound();
    test_measured();
    test_refused();
    test_alignment();
    test_waits();
    test_streams();
    test_memory_at(GPUFILTER_HOST);
    test_memory_at(GPU);
    test_release();
    test_relaxed();
    for (int where = 0; where <= GPU; where += GPU) {
        test_batch_at(where, "noise:0.1 blur:1", 3, 0);
        test_batch_at(where, "vflip", 3, 1);
        test_batch_at(where, "blur:1", 3, 1);
        test_batch_at(where, "equalize", 6, 0);
        test_batch_at(where, "invert gamma:1.2", 1, 0);
    }
    test_older_structs();
    gpufilter_close(session);
    return gf_tap_end();
}
