/*
 * Compares stages that work on frames in time with a slow reference, on random video and images, however the work is
 * cut.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/tap.h"

#define MOST_FRAMES 40

/* A video in planes, or images of pixels if there is no layout. */
struct form {
    const char *name, *layout;
    int sub_x, sub_y, planes, bits, channels;
    bool alpha;
};

static const struct form forms[] = {
    { "gray video", "mono", 0, 0, 1, 8, 1, false },
    { "4:2:0", "420jpeg", 1, 1, 3, 8, 1, false },
    { "4:2:2", "422", 1, 0, 3, 8, 1, false },
    { "4:4:4 of 10 bits", "444p10", 0, 0, 3, 10, 1, false },
    { "gray video of 16 bits", "mono16", 0, 0, 1, 16, 1, false },
    { "gray images", NULL, 0, 0, 1, 8, 1, false },
    { "RGB images", NULL, 0, 0, 1, 8, 3, false },
    { "RGB images of 16 bits", NULL, 0, 0, 1, 16, 3, false },
    { "RGBA images", NULL, 0, 0, 1, 8, 4, true },
};

static char folder[] = "/tmp/gpufilter-frames.XXXXXX";
static const char *program;
static uint64_t state = 20261127;

static uint32_t draw(uint32_t n)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(state >> 33) % n;
}

struct video {
    const struct form *form;
    int width, height, frames, samples;      /* samples of a frame */
    uint16_t *frame[MOST_FRAMES];
};

static int plane_samples(const struct form *f, int width, int height, int plane)
{
    return plane == 0 ? width * height * f->channels
        : ((width + (1 << f->sub_x) - 1) >> f->sub_x) * ((height + (1 << f->sub_y) - 1) >> f->sub_y);
}

static void make_video(struct video *v, const struct form *f, int width, int height, int frames)
{
    *v = (struct video) { .form = f, .width = width, .height = height, .frames = frames };
    for (int p = 0; p < f->planes; p++)
        v->samples += plane_samples(f, width, height, p);
    for (int i = 0; i < frames; i++) {
        v->frame[i] = malloc((size_t)v->samples * sizeof **v->frame);
        for (int k = 0; k < v->samples; k++)             /* often equal samples, often extreme ones */
            v->frame[i][k] = (uint16_t)(draw(4) == 0 ? draw(2) * ((1u << f->bits) - 1) : draw(1u << f->bits));
    }
}

static void free_video(struct video *v)
{
    for (int i = 0; i < v->frames; i++)
        free(v->frame[i]);
}

/* Samples of more than 8 bits are little-endian in Y4M, and big-endian in PNM. */
static void write_video(const struct video *v, const char *name)
{
    FILE *const to = fopen(name, "wb");
    const struct form *const f = v->form;

    if (f->layout != NULL)
        fprintf(to, "YUV4MPEG2 W%d H%d F25:1 Ip A1:1 C%s\n", v->width, v->height, f->layout);
    for (int i = 0; i < v->frames; i++) {
        if (f->layout != NULL)
            fprintf(to, "FRAME\n");
        else
            fprintf(to, "P7\nWIDTH %d\nHEIGHT %d\nDEPTH %d\nMAXVAL %d\nTUPLTYPE %s\nENDHDR\n", v->width, v->height,
                    f->channels, (1 << f->bits) - 1, f->alpha ? "RGB_ALPHA" : f->channels == 3 ? "RGB" : "GRAYSCALE");
        for (int k = 0; k < v->samples; k++) {
            const int low = v->frame[i][k] & 255, high = v->frame[i][k] >> 8;

            if (f->bits > 8 && f->layout == NULL)
                fputc(high, to);
            fputc(low, to);
            if (f->bits > 8 && f->layout != NULL)
                fputc(high, to);
        }
    }
    fclose(to);
}

/* Returns the first sample that is further than `most` from the wanted one, or a text about the file; "" if none. */
static const char *compare(const struct video *v, const char *name, int most)
{
    static char text[200];
    FILE *const from = fopen(name, "rb");
    const struct form *const f = v->form;
    char line[200];

    text[0] = '\0';
    if (from == NULL)
        return "no output";
    if (f->layout != NULL)
        (void)!fgets(line, sizeof line, from);
    for (int i = 0; i < v->frames && text[0] == '\0'; i++) {
        do
            if (fgets(line, sizeof line, from) == NULL)
                snprintf(text, sizeof text, "%d frames, not %d", i, v->frames);
        while (text[0] == '\0' && strcmp(line, f->layout != NULL ? "FRAME\n" : "ENDHDR\n") != 0);
        for (int k = 0; k < v->samples && text[0] == '\0'; k++) {
            int a = fgetc(from);

            if (f->bits > 8)
                a = f->layout != NULL ? a | fgetc(from) << 8 : a << 8 | fgetc(from);
            if (abs(a - v->frame[i][k]) > most)
                snprintf(text, sizeof text, "sample %d of frame %d is %d, not %d", k, i, a, v->frame[i][k]);
        }
    }
    if (text[0] == '\0' && fgetc(from) != EOF)
        snprintf(text, sizeof text, "more than %d frames", v->frames);
    fclose(from);
    return text;
}

/* Runs the program; its messages are in a file. */
static bool run(const char *in, const char *arguments, const char *out)
{
    char command[900];

    snprintf(command, sizeof command, "%s --device cpu -i %s %s -o %s 2>%s/said", program, in, arguments, out, folder);
    remove(out);
    return system(command) == 0;
}

/* ---- references ---- */

static int by_value(const void *a, const void *b)
{
    return *(const int64_t *)a < *(const int64_t *)b ? -1 : *(const int64_t *)a > *(const int64_t *)b;
}

/* Divides and rounds, ties to even. */
static int64_t divide(int64_t n, int64_t by)
{
    const int64_t q = n / by, twice = 2 * (n - q * by);

    return q + (twice > by || (twice == by && q % 2 == 1));
}

/* Returns the value of sample k from the frames of [from, to). */
static int64_t combine(const struct video *v, int from, int to, int k, bool median)
{
    const int channels = v->form->channels, alpha = k / channels * channels + channels - 1;
    int64_t all[MOST_FRAMES], sum = 0, weights = 0;
    const int n = to - from;

    for (int i = from; i < to; i++) {
        const int64_t weight = v->form->alpha && k != alpha && !median && n > 1 ? v->frame[i][alpha] : 1;

        all[i - from] = v->frame[i][k];
        sum += weight * v->frame[i][k];
        weights += weight;
    }
    if (!median)
        return weights == 0 ? 0 : divide(sum, weights);
    qsort(all, (size_t)n, sizeof *all, by_value);
    return divide(all[(n - 1) / 2] + all[n / 2], 2);
}

static void make_wanted(struct video *to, const struct video *v, int window, bool median)
{
    make_video(to, v->form, v->width, v->height, v->frames);
    for (int i = 0; i < v->frames; i++) {
        const int from = i < window / 2 ? 0 : i - window / 2;
        const int end = i + window / 2 + 1 < v->frames ? i + window / 2 + 1 : v->frames;

        for (int k = 0; k < v->samples; k++)
            to->frame[i][k] = (uint16_t)combine(v, from, end, k, median);
    }
}

/* ---- cases ---- */

static void try_form(const struct form *f, bool median)
{
    static const char *const cuts[] = { "", "-j 1", "-j 3 --lanes 2", "--segment 300", "--memory 8M",
                                       "--lanes 1 -j 2" };
    static const int windows[] = { 1, 3, 5, 7, 9, 11, 31 };
    char in[100], out[100], arguments[100], what[200] = "";
    const char *wrong = "";

    snprintf(in, sizeof in, "%s/in.%s", folder, f->layout != NULL ? "y4m" : "pam");
    snprintf(out, sizeof out, "%s/out.%s", folder, f->layout != NULL ? "y4m" : "pam");
    for (int round = 0; round < 21 && wrong[0] == '\0'; round++) {
        const int window = windows[round % 7];
        struct video v, wanted;

        make_video(&v, f, 1 + (int)draw(round % 3 == 0 ? 300 : 40), 1 + (int)draw(30), 1 + (int)draw(12));
        make_wanted(&wanted, &v, window, median);
        write_video(&v, in);
        snprintf(arguments, sizeof arguments, "--video planes %s:%d %s", median ? "tmedian" : "tmean", window,
                 cuts[draw(6)]);
        snprintf(what, sizeof what, "%s of %dx%d, %d frames", arguments, v.width, v.height, v.frames);
        wrong = !run(in, arguments, out) ? "the run failed" : compare(&wanted, out, f->alpha && !median);
        free_video(&v);
        free_video(&wanted);
    }
    gf_ok(wrong[0] == '\0', "%s of %s are those of a slow reference", median ? "medians" : "means", f->name);
    if (wrong[0] != '\0')
        printf("# %s: %s\n", what, wrong);
    remove(in), remove(out);
}

int main(void)
{
    char said[100];

    program = getenv("GPUFILTER");
    if (program == NULL || mkdtemp(folder) == NULL) {
        printf("1..0 # SKIP GPUFILTER does not name the program\n");
        return 0;
    }
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        try_form(&forms[i], false);
        try_form(&forms[i], true);
    }
    snprintf(said, sizeof said, "%s/said", folder);
    remove(said);
    rmdir(folder);
    return gf_tap_end();
}
