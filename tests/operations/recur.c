/*
 * Recursive filters: their frequency responses from the textbook, and ten minutes of audio against
 * long double.
 */
#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chain/binding.h"
#include "device/device.h"
#include "kernels/sound/recur.h"
#include "tests/tap.h"

#define BLOCK 1000003                    /* frames of a call */
#define PI 3.14159265358979323846

/* Returns the section that a stage uses at a rate. */
static struct gf_recur_section section_of(const char *word, int32_t rate)
{
    const struct gf_format in = { .kind = GF_AUDIO, .type = GF_F32, .bits = 32, .maxval = 1, .channels = 1, .width = 1,
                                  .units = 1000, .rate = rate };
    struct gf_recur_section s = { 0 };
    struct gf_chain chain;
    struct gf_binding binding = { 0 };
    struct gf_error err;

    if (gf_chain_parse(&chain, &word, NULL, 1, 0, &err) != 0
        || gf_bind(&binding, &chain, &in, &(struct gf_bind_options) { 0 }, "test", &err) != 0
        || binding.links != 1)
        printf("# %s: %s\n", word, err.text);
    else
        s = ((const struct gf_recur *)binding.link[0].params)->section[0];
    gf_binding_release(&binding);
    gf_chain_release(&chain);
    return s;
}

/* ---- responses ---- */

static double decibels(const struct gf_recur_section *s, double angle)
{
    const double complex z = cexp(-I * angle);

    return 20 * log10(cabs(s->b0 + s->b1 * z + s->b2 * z * z) / cabs(1 + s->a1 * z + s->a2 * z * z));
}

static void responds(const char *word, double angle, double wanted)
{
    const struct gf_recur_section s = section_of(word, 48000);
    const double got = decibels(&s, angle);

    gf_ok(fabs(got - wanted) < 1e-6, "%s: %g dB at %g Hz", word, wanted, angle / PI * 24000);
    if (!(fabs(got - wanted) < 1e-6))
        printf("# got %.9g\n", got);
}

/* Returns the digital frequency for `times` the analog frequency of HZ. */
static double bent(double hz, double times)
{
    return 2 * atan(times * tan(PI * hz / 48000));
}

static void test_responses(void)
{
    const double edge = (0.5 + sqrt(0.25 + 4)) / 2;      /* |1 - e^2| = e/Q with Q = 2: half of the decibels */

    responds("eq:1k,2,6", 2 * PI * 1000 / 48000, 6);
    responds("eq:1k,2,6", 0, 0);
    responds("eq:1k,2,6", PI, 0);
    responds("eq:1k,2,6", bent(1000, edge), 3);
    responds("eq:1k,2,6", bent(1000, 1 / edge), 3);
    responds("eq:15k,2,-20", bent(15000, 1 / edge), -10);
    responds("bass:6", 0, 6);
    responds("bass:6", 2 * PI * 100 / 48000, 3);
    responds("bass:6", PI, 0);
    responds("bass:-9,1k", 2 * PI * 1000 / 48000, -4.5);
    responds("bass:-9,1k,slope=0.3", 2 * PI * 1000 / 48000, -4.5);
    responds("treble:-9,5k", 0, 0);
    responds("treble:-9,5k", 2 * PI * 5000 / 48000, -4.5);
    responds("treble:-9,5k", PI, -9);
    responds("treble:4", 2 * PI * 3000 / 48000, 2);
}

/* ---- ten minutes ---- */

struct device {
    const struct gf_device_kind *kind;
    struct gf_device device;
    void *in, *out, *state;
};

static int open_device(struct device *d, const struct gf_device_kind *kind, struct gf_error *err)
{
    *d = (struct device) { .kind = kind };
    d->device.kind = kind;
    return kind->open(&d->device, 0, err) != 0 || kind->alloc(&d->device, BLOCK * sizeof(float), &d->in, err) != 0
        || kind->alloc(&d->device, BLOCK * sizeof(float), &d->out, err) != 0
        || kind->alloc(&d->device, GF_RECUR_STATE * sizeof(double), &d->state, err) != 0 ? -1 : 0;
}

static void close_device(struct device *d)
{
    if (d->device.state != NULL) {
        d->kind->release(&d->device, d->in);
        d->kind->release(&d->device, d->out);
        d->kind->release(&d->device, d->state);
        d->kind->close(&d->device);
    }
}

static int run(struct device *d, const struct gf_recur *r, struct gf_span span, const float *in, float *out,
               struct gf_error *err)
{
    const struct gf_format f = { .kind = GF_AUDIO, .type = GF_F32, .bits = 32, .maxval = 1, .channels = 1, .width = 1 };
    const size_t bytes = (size_t)gf_span_units(span) * sizeof(float);
    struct gf_io io = { .src = gf_block_packed(d->in, &f, span), .dst = gf_block_packed(d->out, &f, span),
                        .src_units = INT64_C(1) << 40 };
    struct gf_work work = d->kind->work(&d->device);

    work.carry = d->state;
    return d->kind->upload(&d->device, d->in, in, bytes, err) != 0
           || gf_device_body(d->kind, &gf_op_recur)(&work, &io, r, err) != 0
        || d->kind->wait(&d->device, err) != 0 || d->kind->download(&d->device, out, d->out, bytes, err) != 0 ? -1 : 0;
}

/* Noise, the filter's own frequency, and pauses. */
static void make_sound(float *in, struct gf_span span, double hz, int32_t rate, uint32_t *seed)
{
    for (int64_t u = span.start; u < span.end; u++) {
        *seed = *seed * 1664525u + 1013904223u;
        in[u - span.start] = u / (7 * rate) % 3 == 2 ? 0 : 0.3f * (float)sin(2 * PI * fmod(hz / rate * (double)u, 1))
                                                         + 0.4f * ((float)(*seed >> 8) / 8388608.0f - 1);
    }
}

static void ten_minutes(const char *word, double hz, int32_t rate, struct device *devices, int count)
{
    const struct gf_recur r = { .sections = 1, .section = { section_of(word, rate) } };
    const struct gf_recur_section *s = &r.section[0];
    const int64_t frames = INT64_C(600) * rate;
    float *in = malloc(BLOCK * sizeof *in), *out = malloc(BLOCK * sizeof *out);
    long double *wanted = malloc(BLOCK * sizeof *wanted), x1 = 0, x2 = 0, y1 = 0, y2 = 0;
    const double nothing[GF_RECUR_STATE] = { 0 };
    double largest = 0, wrong[2] = { 0, 0 };
    struct gf_error err = { 0 };
    uint32_t seed = 1;

    for (int i = 0; i < count; i++)
        if (devices[i].kind->upload(&devices[i].device, devices[i].state, nothing, sizeof nothing, &err) != 0)
            printf("# %s\n", err.text);
    for (struct gf_span span = { 0, 0 }; span.start < frames; span.start = span.end) {
        span.end = frames - span.start < BLOCK ? frames : span.start + BLOCK;
        make_sound(in, span, hz, rate, &seed);
        for (int64_t i = 0; i < gf_span_units(span); i++) {
            const long double x = (long double)in[i], y = s->b0 * x + s->b1 * x1 + s->b2 * x2 - s->a1 * y1 - s->a2 * y2;

            x2 = x1, x1 = x, y2 = y1, y1 = y;
            wanted[i] = y;
            largest = fabs((double)y) > largest ? fabs((double)y) : largest;
        }
        for (int d = 0; d < count; d++) {
            if (run(&devices[d], &r, span, in, out, &err) != 0)
                wrong[d] = INFINITY;
            for (int64_t i = 0; i < gf_span_units(span); i++)
                wrong[d] = fmax(wrong[d], fabs((double)((long double)out[i] - wanted[i])));
        }
    }
    for (int d = 0; d < count; d++) {
        gf_ok(wrong[d] <= 1e-6 * largest,
              "%s at %d frames a second, ten minutes, %s: within 1e-6 of the largest", word, rate,
              devices[d].kind->name);
        printf("# off by %.3g of the largest, %.3g; %s\n", wrong[d] / largest, largest, err.text);
    }
    free(in);
    free(out);
    free(wanted);
}

int main(void)
{
    struct gf_device_facts facts;
    struct gf_error err = { 0 };
    struct device devices[2];
    char why[300];
    int count = 1;

    test_responses();
    if (open_device(&devices[0], &gf_device_cpu, &err) != 0)
        return 1;
    gf_device_cuda.facts(0, &facts, why, sizeof why);
    if (!facts.present)
        gf_no_gpu("ten minutes, cuda", why);
    else if (open_device(&devices[count++], &gf_device_cuda, &err) != 0)
        printf("# %s\n", err.text);
    ten_minutes("eq:1k,2,6", 1000, 48000, devices, count);
    ten_minutes("eq:20,30,12", 20, 192000, devices, count);
    ten_minutes("bass:9,40", 40, 44100, devices, count);
    for (int i = 0; i < count; i++)
        close_device(&devices[i]);
    return gf_tap_end();
}
