/*
 * Times stages on CPU cores, from memory to memory as in a run, plain copies of as many bytes, and OpenCV on
 * an image of the same size.
 */
#include "bench/peers/peers.h"

#include "base/clock.h"
#include "base/pages.h"
#include "base/words.h"
#include "bench/bench_call.h"
#include "bench/bench_results.h"
#include "bench/peers/copy.h"
#include "bench/peers/opencv.h"
#include "io/memory.h"
#include "run/worker.h"

#include <stdlib.h>
#include <string.h>

#define WIDTH 4096
#define ROWS 3072
#define RUNS 9
#define SLOW_RUNS 3
#define SLOW_SECONDS 1.0
#define SAME 1.005                       /* times OpenCV's time: up to here the table shows 1.00 */
#define WORDS 8                          /* stages of a case, at most */

/* A worker with its chain, and its input and output, in large pages like the arrays of Python. */
struct stages {
    struct gf_run_context context;
    char text[200];
    struct gf_chain stages;
    struct gf_worker *worker;
    struct gf_format format;
    void *in, *out;
};

/* Parses "blur:2 gray". */
static int parse_words(struct stages *s, const char *text, struct gf_error *err)
{
    char *rest = s->text, *word;
    const char *words[WORDS];
    int count = 0;

    snprintf(s->text, sizeof s->text, "%s", text);
    s->context.chain = &s->stages;
    while (count < WORDS && (word = strsep(&rest, " ")) != NULL)
        words[count++] = word;
    return gf_chain_parse(&s->stages, words, NULL, count, 0, err) != 0 ? -1 : gf_chain_load(&s->stages, NULL, err);
}

/* Accepts every format, so that results keep the type of the chain. */
static int keep_format(struct gf_writer *w, struct gf_format *f, struct gf_error *err)
{
    (void)w;
    (void)f;
    (void)err;
    return 0;
}

static int open_stages(struct stages *s, const struct gf_peers_request *r, const struct gf_bench_pick *pick,
                       struct gf_error *err)
{
    const struct gf_form *f = pick->form;
    static const struct gf_writer_ops planned = { .name = "memory", .kind = GF_IMAGE, .fit = keep_format };
    struct gf_writer writer = { .ops = &planned, .name = "result" };
    const struct gf_sink sink = { .writer = &writer };
    const struct gf_format *stored;
    struct gf_reader reader;
    size_t bytes;

    memset(s, 0, sizeof *s);
    s->context.where = GF_CPU;
    s->context.limits.threads = r->threads;
    s->format = (struct gf_format) { .kind = GF_IMAGE, .type = f->type, .bits = f->bits, .maxval = f->maxval,
                                     .channels = f->channels, .width = WIDTH, .units = ROWS };
    if (parse_words(s, pick->one->stages, err) != 0)
        return -1;
    bytes = (size_t)ROWS * gf_unit_bytes(&s->format);
    if (gf_pages_alloc(bytes, &s->in, err) != 0)
        return -1;
    gf_bench_fill_noise(f->type == GF_F32 ? GF_BENCH_FLOATS : GF_BENCH_BYTES, s->in, bytes);
    gf_memory_reader(&reader, &s->format, s->in, "noise");
    if (gf_run_context_find_devices(&s->context, 1, err) != 0
        || (s->worker = gf_worker_new(&s->context, &s->context.limits, -1, err)) == NULL
        || gf_task_bind(s->worker, &s->format, "noise", err) != 0
        || gf_task_plan(s->worker, &reader, &sink, err) != 0)
        return -1;
    stored = &s->worker->task.outputs.stored[0];
    return gf_pages_alloc((size_t)stored->units * gf_unit_bytes(stored), &s->out, err);
}

static void close_stages(struct stages *s)
{
    if (s->worker != NULL)
        gf_worker_free(s->worker);
    gf_chain_release(&s->stages);
    free(s->in);
    free(s->out);
}

static int run_once(struct stages *s, double *seconds, struct gf_error *err)
{
    struct gf_run_results results;
    struct gf_reader reader;
    struct gf_writer writer, *writers[] = { &writer };
    const double start = gf_clock_seconds();

    gf_memory_reader(&reader, &s->format, s->in, "noise");
    gf_memory_writer(&writer, &s->worker->task.outputs.stored[0], s->out, "result");
    if (gf_task_run(s->worker, &reader, writers, &results, err) != 0)
        return -1;
    *seconds = gf_clock_seconds() - start;
    return 0;
}

/* Measures the median of several runs, after two that warm up. */
static int time_stages(struct stages *s, double *seconds, struct gf_error *err)
{
    double took[RUNS];
    int runs;

    if (run_once(s, seconds, err) != 0 || run_once(s, seconds, err) != 0)
        return -1;
    runs = *seconds > SLOW_SECONDS ? SLOW_RUNS : RUNS;
    for (int i = 0; i < runs; i++)
        if (run_once(s, &took[i], err) != 0)
            return -1;
    *seconds = gf_bench_results_median(took, runs);
    return 0;
}

/* Returns half of the bytes that the stages read and write together, which is what a copy of as many bytes copies. */
static size_t bytes_of_copy(const struct stages *s)
{
    const struct gf_format *out = &s->worker->task.outputs.stored[0];

    return ((size_t)ROWS * gf_unit_bytes(&s->format) + (size_t)out->units * gf_unit_bytes(out)) / 2;
}

/* Prints the row of a case. Returns true if it is slower than OpenCV, but not slower than the copy. */
static bool print_row(FILE *to, const struct gf_bench_pick *pick, double ours, double copy, double theirs)
{
    const bool limited = theirs > 0 && ours > SAME * theirs && ours <= copy;

    fprintf(to, "| %s | %s | `%s` | %.2f | %.2f | ", pick->one->name, pick->form->name, pick->one->stages, ours * 1e3,
            copy * 1e3);
    if (theirs > 0)
        fprintf(to, "%.2f | %.2f%s |\n", theirs * 1e3, ours / theirs, limited ? " (copy)" : "");
    else
        fprintf(to, "- | - |\n");
    fflush(to);
    return limited;
}

static int time_form(const struct gf_peers_request *r, const struct gf_bench_pick *pick, struct gf_opencv *opencv,
                     bool *limited, struct gf_error *err)
{
    struct stages s;
    double ours, copy;
    const int result = open_stages(&s, r, pick, err) != 0 || time_stages(&s, &ours, err) != 0
                    || gf_copy_time(bytes_of_copy(&s), r->threads, &copy, err) != 0 ? -1 : 0;

    close_stages(&s);
    if (result == 0 && print_row(r->to, pick, ours, copy, gf_opencv_time(opencv, pick, WIDTH, ROWS)))
        *limited = true;
    return result;
}

int gf_peers_run_cpu(const struct gf_peers_request *r, struct gf_error *err)
{
    struct gf_peers_request all = *r;
    struct gf_device_facts host = { 0 };
    struct gf_opencv opencv;
    char said[200] = "";
    bool limited = false;
    int result = 0;

    gf_device_cpu.facts(0, &host, said, sizeof said);
    all.threads = r->threads > 0 ? r->threads : host.cores;
    gf_opencv_open(&opencv, all.threads);
    fprintf(r->to, "## On CPU cores\n\n%d thread%s each, images of %dx%d in memory, warm. Peer: %s.\n\n"
            "| case | samples | stages | ours, ms | copy, ms | OpenCV, ms | ours / OpenCV |\n"
            "|---|---|---|---|---|---|---|\n",
            all.threads, all.threads == 1 ? "" : "s", WIDTH, ROWS, opencv.version);
    for (int i = 0; result == 0 && i < gf_bench_group_count; i++)
        for (const struct gf_bench_case *one = gf_bench_groups[i]->cases; result == 0 && one != NULL
             && one->name != NULL; one++)
            for (const char *at = one->stages != NULL && one->opencv != NULL ? one->forms : NULL; result == 0
                 && at != NULL && gf_bench_is_selected(r->only, gf_bench_groups[i], one->name);
                 at = gf_bench_form_next(at)) {
                const struct gf_bench_pick pick = { gf_bench_groups[i], one, gf_bench_form_at(at) };

                if (!pick.form->planar || pick.form->channels == 1)
                    result = time_form(&all, &pick, &opencv, &limited, err);
            }
    gf_opencv_close(&opencv);
    if (limited)
        fprintf(r->to, "\n(copy): slower than OpenCV, but not slower than a copy of as many bytes.\n");
    return result;
}
