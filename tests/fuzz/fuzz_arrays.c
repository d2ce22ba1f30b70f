/* The target of arrays: libgpufilter with formats, strides, pieces and orders of calls that the bytes choose. */
#define _GNU_SOURCE
#include "fuzz.h"

#include "base/signal.h"
#include "library/gpufilter.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_SAMPLES (1 << 18)

/* The bytes of options. IN and OUT are two bytes each: the order of axes and gaps, and the directions. */
enum { TYPE, CHANNELS, WIDTH, UNITS, RESULT, IN, OUT = 7, FLAGS = 9, PIECE, CALLS, OPTIONS = 16 };
enum { UNKNOWN_LENGTH = 1, SECOND = 2, SIZES = 4, FAILS = 8, LATENCY = 16, ODD_VALUES = 32, DEPTH = 64, ALPHA = 128 };

static struct gf_fuzz_file beside;
static gpufilter_session *session;
static size_t warned;

static void warn(void *context, const char *name, const char *text)
{
    (void)context;
    warned += strlen(text) + (name != NULL ? strlen(name) : 0);
}

/* ---- samples in memory ---- */

struct memory {
    gpufilter_array array;
    int64_t units, width, channels;
    size_t bytes;                        /* of a sample */
    unsigned char *room;
};

/* Chooses strides: any order of axes, with gaps, backwards, repeated, at any address; and makes just enough room. */
static void lay_out(struct memory *m, const gpufilter_format *f, int64_t units, const uint8_t *option)
{
    static const unsigned char orders[6][3] = { { 2, 1, 0 }, { 1, 2, 0 }, { 2, 0, 1 }, { 0, 2, 1 }, { 1, 0, 2 },
                                                { 0, 1, 2 } };
    static const size_t bytes[] = { [GPUFILTER_U8] = 1, [GPUFILTER_U16] = 2, [GPUFILTER_S16] = 2, [GPUFILTER_S32] = 4,
                                    [GPUFILTER_F32] = 4, [GPUFILTER_F64] = 8 };
    const int64_t count[3] = { units, f->width > 0 ? f->width : 1, f->channels }, b = (int64_t)bytes[f->type];
    int64_t stride[3] = { 0 }, step = b + option[0] / 6 % 4, first = option[0] / 24 % 8, last = 0;

    for (int i = 0; i < 3; i++) {
        const int axis = orders[option[0] % 6][i];

        stride[axis] = (option[1] >> (3 + axis) & 1) != 0 ? 0 : (option[1] >> axis & 1) != 0 ? -step : step;
        step *= count[axis] > 0 ? count[axis] : 1;
        if (count[axis] == 1 && (option[1] & 64) != 0)
            stride[axis] = INT64_MAX / 3;                /* never followed */
    }
    if (stride[0] == 0 && stride[1] == 0 && stride[2] == 0)
        last = b * (units * count[1] * count[2] - 1);    /* it means that there are no gaps */
    for (int i = 0; i < 3; i++) {
        first -= stride[i] < 0 && count[i] > 0 ? stride[i] * (count[i] - 1) : 0;
        last += stride[i] > 0 && count[i] > 0 ? stride[i] * (count[i] - 1) : 0;
    }
    *m = (struct memory) { .units = units, .width = count[1], .channels = count[2], .bytes = (size_t)b };
    m->room = calloc(1, (size_t)(first + (last > 0 ? last : 0) + b));
    if (m->room == NULL)
        abort();
    m->array = (gpufilter_array) { .size = sizeof m->array, .data = m->room + first, .unit_stride = stride[0],
                                   .pixel_stride = stride[1], .channel_stride = stride[2] };
}

/* Returns the place of sample `number` of those without gaps. */
static unsigned char *place(const struct memory *m, int64_t number)
{
    const gpufilter_array *a = &m->array;
    const int64_t pixel = number / m->channels, unit = pixel / m->width, x = pixel % m->width, c = number % m->channels;

    if (a->unit_stride == 0 && a->pixel_stride == 0 && a->channel_stride == 0)
        return (unsigned char *)a->data + number * (int64_t)m->bytes;
    return (unsigned char *)a->data + (unit > 0 ? unit * a->unit_stride : 0) + (x > 0 ? x * a->pixel_stride : 0)
        + (c > 0 ? c * a->channel_stride : 0);
}

static int64_t samples_of(const struct memory *m)
{
    return m->units * m->width * m->channels;
}

/* Sets samples that follow from their position. Floats are mostly moderate. */
static void fill(const struct memory *m, bool is_float, bool odd)
{
    for (int64_t i = 0; i < samples_of(m); i++) {
        unsigned char *const p = place(m, i);

        for (size_t k = 0; k < m->bytes; k++)
            p[k] = (unsigned char)(i * i / 3 + i * 7 + (int64_t)k * 37);
        if (is_float && !odd)
            p[m->bytes - 1] = m->bytes == 4 ? 0x3e : 0x3f;
    }
}

/* Returns the samples without gaps. */
static unsigned char *flatten(const struct memory *m)
{
    unsigned char *flat = malloc((size_t)samples_of(m) * m->bytes + 1);

    if (flat == NULL)
        abort();
    for (int64_t i = 0; i < samples_of(m); i++)
        memcpy(flat + (size_t)i * m->bytes, place(m, i), m->bytes);
    return flat;
}

/* ---- functions that deliver and take pieces ---- */

struct pieces {
    const unsigned char *in;
    unsigned char *out;
    int64_t in_units, out_units, read, written;
    size_t in_bytes, out_bytes;          /* of a unit */
    unsigned state;
    bool fails;
};

/* Returns the length of the next piece. */
static int64_t next_piece(struct pieces *p, int64_t most)
{
    int64_t n;

    p->state = p->state * 1664525u + 1013904223u;
    n = 1 + (int64_t)(p->state >> 8) % ((p->state >> 28) < 12 ? 7 : 997);
    return n < most ? n : most;
}

static int64_t deliver(void *context, void *units, int64_t count)
{
    struct pieces *p = context;
    const int64_t left = p->in_units - p->read, n = next_piece(p, count < left ? count : left);

    if (p->fails && p->state % 16 == 0)
        return p->state % 32 == 0 ? -1 : count + 1;
    memcpy(units, p->in + (size_t)p->read * p->in_bytes, (size_t)n * p->in_bytes);
    p->read += n;
    return n;
}

static int take(void *context, const void *units, int64_t count)
{
    struct pieces *p = context;

    if (p->fails && p->state % 64 == 0)
        return -1;
    if (p->written + count > p->out_units)
        count = p->out_units - p->written;
    memcpy(p->out + (size_t)p->written * p->out_bytes, units, (size_t)count * p->out_bytes);
    p->written += count;
    return 0;
}

/* Pushes all units in pieces. Returns false if a call fails. */
static bool push_all(gpufilter_job *j, struct pieces *p, gpufilter_error *error)
{
    int64_t n = 1;

    while (p->read < p->in_units && n >= 0) {
        const unsigned char *const from = p->in + (size_t)p->read * p->in_bytes;
        unsigned char *const to = p->out + (size_t)p->written * p->out_bytes;

        n = gpufilter_push(j, from, next_piece(p, p->in_units - p->read), error);
        p->read += n > 0 ? n : 0;
        n = n < 0 ? -1 : gpufilter_pull(j, to, next_piece(p, p->out_units - p->written), error);
        p->written += n > 0 ? n : 0;
    }
    if (n < 0 || gpufilter_finish(j, error) != 0)
        return false;
    while ((n = gpufilter_pull(j, p->out + (size_t)p->written * p->out_bytes,
                               next_piece(p, p->out_units - p->written), error)) > 0)
        p->written += n;
    return n == 0;
}

/* ---- runs ---- */

/* Runs the job on arrays, by functions and by pushing, which all have to give the same bytes. */
static void run_ways(gpufilter_job *j, struct memory *in, struct memory *out, const uint8_t *option)
{
    const size_t size = (size_t)samples_of(out) * out->bytes;
    unsigned char *flat = flatten(in), *wanted = NULL, *made = malloc(size + 64);
    struct pieces p = { .in = flat, .out = made, .in_units = in->units, .out_units = out->units,
                        .in_bytes = (size_t)(in->width * in->channels) * in->bytes,
                        .out_bytes = (size_t)(out->width * out->channels) * out->bytes, .state = option[PIECE] };
    gpufilter_error error;

    if (made == NULL)
        abort();
    if (gpufilter_run(j, &in->array, &out->array, &error) == 0       /* or it is a sequence of one image */
        || gpufilter_run_batch(j, &in->array, &out->array, 1, 0, 0, &error) == 0)
        wanted = flatten(out);
    for (int way = 0; way < 2 && in->units > 0 && out->units > 0; way++) {
        bool good;

        p.read = p.written = 0;
        good = way == 0 ? gpufilter_run_io(j, deliver, take, &p, &error) == 0 : push_all(j, &p, &error);
        gpufilter_cancel(j);
        if (wanted == NULL || (!good && strstr(error.text, "latency") != NULL)  /* that only pieces can have */
            || (good && p.written == out->units && memcmp(made, wanted, size) == 0))
            continue;
        fprintf(stderr, "%s differs: %s\n", way == 0 ? "a run with functions" : "pushed input",
                good ? "other samples" : error.text);
        abort();
    }
    p.fails = (option[FLAGS] & FAILS) != 0;
    p.read = p.written = 0;
    if (p.fails)
        gpufilter_run_io(j, deliver, take, &p, &error);
    free(flat);
    free(wanted);
    free(made);
}

/* Calls functions in any order. None may crash or wait forever. */
static void call_anything(gpufilter_job *j, const struct memory *in, const struct memory *out, const uint8_t *option)
{
    gpufilter_format f = { .size = sizeof f };
    gpufilter_table table = { .size = option[PIECE] % 2 == 0 ? sizeof table : 16 };
    const size_t in_bytes = (size_t)(in->width * in->channels) * in->bytes;
    const size_t out_bytes = (size_t)(out->width * out->channels) * out->bytes;
    void *const units = calloc(8, in_bytes + out_bytes + 1);
    gpufilter_error error;

    for (int i = CALLS; i < OPTIONS && units != NULL; i++)
        switch (option[i] % 11) {
        case 0: gpufilter_push(j, units, option[i] / 10 % 9, &error); break;
        case 1: gpufilter_pull(j, units, option[i] / 10 % 9, &error); break;
        case 2: gpufilter_finish(j, &error); break;
        case 3: gpufilter_cancel(j); break;
        case 4: gpufilter_run(j, &in->array, &out->array, &error); break;
        case 5: gpufilter_table_of(j, &table, &error); break;
        case 6: gpufilter_format_of(j, &f, &error); break;
        case 7: gpufilter_write(j, &in->array, option[i] / 10 % 2 == 0 ? "out.tif" : "out.wav", &error); break;
        case 8: gpufilter_stop(j); gpufilter_run(j, option[i] / 10 % 2 == 0 ? NULL : &in->array, NULL, &error); break;
        case 9: gpufilter_set_number(j, option[i] / 11 - 1, &error); break;
        default: gpufilter_run_io(j, NULL, NULL, NULL, &error); break;
        }
    free(units);
}

/* ---- jobs ---- */

static gpufilter_request read_request(const uint8_t *option, gpufilter_format *in, int64_t *units)
{
    const int kind = option[TYPE] & 1;
    gpufilter_request q = { .size = sizeof q, .in = in, .type = option[RESULT] % 8 };

    *units = kind == GPUFILTER_AUDIO ? option[UNITS] * 5 : option[UNITS] % 64;
    *in = (gpufilter_format) { .size = sizeof *in, .kind = kind, .type = option[TYPE] / 2 % 8,
                               .channels = option[CHANNELS] % 7, .alpha = (option[FLAGS] & ALPHA) != 0,
                               .width = kind == GPUFILTER_AUDIO ? option[WIDTH] % 3 : option[WIDTH] % 64,
                               .units = *units, .rate = kind == GPUFILTER_AUDIO ? 8000 : 0 };
    if ((option[FLAGS] & UNKNOWN_LENGTH) != 0)
        in->units = GPUFILTER_UNKNOWN;
    if ((option[FLAGS] & DEPTH) != 0)
        in->bits = option[PIECE] % 40, in->maxval = option[PIECE] * 257u;
    if ((option[FLAGS] & SIZES) != 0)
        *(option[PIECE] % 2 == 0 ? &q.size : &in->size) += (size_t)option[PIECE] - 20;
    q.latency = (option[FLAGS] & LATENCY) != 0 ? option[PIECE] - 10 : 0;
    return q;
}

/* Returns true if the words are little work for the signal. */
static bool is_small(const struct gf_fuzz_words *w, const gpufilter_format *f, int64_t units)
{
    static const enum gf_type types[] = { GF_U8, GF_U8, GF_U16, GF_S16, GF_S32, GF_F32, GF_F64 };
    struct gf_format g = { .kind = f->kind == GPUFILTER_IMAGE ? GF_IMAGE : GF_AUDIO, .type = types[f->type],
                           .maxval = 1, .channels = f->channels, .alpha = f->alpha != 0 && f->channels > 1,
                           .width = f->width > 0 ? f->width : 1, .units = units, .rate = f->rate };

    g.bits = (int)gf_type_bytes(g.type) * 8;
    if (g.type == GF_U8 || g.type == GF_U16)
        g.maxval = (1u << g.bits) - 1;
    return gf_fuzz_is_small(w, &g);
}

static void use_job(gpufilter_job *j, const gpufilter_request *q, int64_t units, const uint8_t *option)
{
    gpufilter_format result = { .size = sizeof result };
    gpufilter_error error;
    struct memory in, out = { 0 };

    if (gpufilter_format_of(j, &result, &error) != 0)
        abort();
    if (gpufilter_measures(j))
        result = *q->in;
    lay_out(&in, q->in, units, option + IN);
    fill(&in, q->in->type >= GPUFILTER_F32, (option[FLAGS] & ODD_VALUES) != 0);
    if (result.units >= 0 && result.units * result.width * result.channels <= MOST_SAMPLES) {
        lay_out(&out, &result, result.units, option + OUT);
        if (!gpufilter_measures(j))
            run_ways(j, &in, &out, option);
        call_anything(j, &in, &out, option);
    }
    free(in.room);
    free(out.room);
}

/* Joins the words to the text of a chain. */
static char *join(const struct gf_fuzz_words *w)
{
    char *text = NULL;
    size_t size;
    FILE *to = open_memstream(&text, &size);

    if (to == NULL)
        abort();
    for (int i = 0; i < w->count; i++)
        fprintf(to, "%s%s", i > 0 ? " " : "", w->word[i]);
    fclose(to);
    return text;
}

static void run_chain(const struct gf_fuzz_words *w, const uint8_t *option)
{
    unsigned char picture[60];
    int64_t units;
    gpufilter_format in;
    gpufilter_request q = read_request(option, &in, &units);
    const gpufilter_format format = { .size = sizeof format, .type = GPUFILTER_U8, .channels = 4, .alpha = 1,
                                      .width = 5, .units = 3 };
    const gpufilter_array array = { .size = sizeof array, .data = picture };
    const gpufilter_input second = { .size = sizeof second, .name = beside.path, .format = &format, .array = &array };
    char *const text = join(w);
    gpufilter_error error;
    gpufilter_chain *const chain = gpufilter_parse(session, text, option[PIECE] % 4 == 3 ? -1 : in.kind, &error);
    gpufilter_job *job;

    memset(picture, 77, sizeof picture);
    if ((option[FLAGS] & SECOND) != 0 && strstr(text, beside.path) != NULL)      /* others are refused */
        q.inputs = &second, q.input_count = 1;
    job = chain != NULL ? gpufilter_prepare(session, chain, &q, &error) : NULL;
    gpufilter_chain_free(chain);
    if (job != NULL && is_small(w, &in, units))
        use_job(job, &q, units, option);
    gpufilter_job_free(job);
    free(text);
}

/* Options: see above. The text has a word on each line. */
void gf_fuzz_arrays(const struct gf_fuzz_target *target, const uint8_t *option, const uint8_t *data, size_t size)
{
    static const char picture[] = "P7\nWIDTH 5\nHEIGHT 3\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\n"
                                  "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWX";
    const gpufilter_options options = { .size = sizeof options, .device = "cpu", .threads = 2, .memory = 32 << 20,
                                        .warn = warn };
    struct gf_fuzz_words w = { 0 };

    (void)target;
    if (session == NULL && (session = gpufilter_open(&options, NULL)) == NULL)
        abort();
    gf_fuzz_file_put(&beside, picture, sizeof picture - 1);
    gf_fuzz_words_split(&w, data, size, &beside);
    gf_fuzz_folder_enter();
    run_chain(&w, option);
    gf_fuzz_folder_leave();
    gf_fuzz_words_free(&w);
}
