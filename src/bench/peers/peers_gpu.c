/*
 * Times cases and their peers in a GPU's memory, on the same data, which is larger than the L2
 * cache.
 */
#include "bench/peers/peers.h"

#include "base/words.h"
#include "bench/bench_gpu.h"
#include "bench/bench_profile.h"
#include "bench/peers/cuda_peers.h"
#include "bench/peers/npp.h"

#include <stdlib.h>
#include <string.h>

#define SETS 4                           /* sets of data, which calls use in turn */
#define SET_BYTES ((size_t)256 << 20)
#define NOISE_BYTES ((size_t)16 << 20)
#define CARRY_BYTES ((size_t)4 << 20)
#define SIDE 8192
#define CALLS 3                          /* of a case: its own, and those in `next` */

/* The GPU and its memory. */
struct bench_gpu {
    struct gf_device device;
    char *in[SETS], *out[SETS];
    void *carry;
    enum gf_bench_fill fill;
    bool filled;
    double copy_rate;                    /* bytes per second, reads and writes counted */
};

/* The calls of a case, ready to be made. */
struct ready {
    struct bench_gpu *gpu;
    struct gf_bench_call call[CALLS];
    bool rereads[CALLS];                 /* a call reads the source of the one before it, not the result */
    int calls, turn;
    struct gf_work work;
    const struct gf_bench_peer *peer;    /* NULL: gpufilter's own */
};

/* ---- memory ---- */

/* Fills all sets with copies of the same 16 MB of noise, copied within the GPU. */
static int fill(struct bench_gpu *g, enum gf_bench_fill fill, struct gf_error *err)
{
    const struct gf_device_kind *kind = g->device.kind;
    char *noise = malloc(NOISE_BYTES);
    int result;

    if (noise == NULL)
        return gf_fail_memory(err, NULL);
    gf_bench_fill_noise(fill, noise, NOISE_BYTES);
    result = kind->upload(&g->device, g->in[0], noise, NOISE_BYTES, err);
    for (size_t done = NOISE_BYTES; result == 0 && done < SET_BYTES; done *= 2)
        result = gf_bench_profile_copy(&g->device, g->in[0] + done, g->in[0], done, err);
    for (int s = 1; result == 0 && s < SETS; s++)
        result = gf_bench_profile_copy(&g->device, g->in[s], g->in[0], SET_BYTES, err);
    free(noise);
    g->fill = fill;
    g->filled = result == 0;
    return result == 0 ? kind->wait(&g->device, err) : -1;
}

struct copies {
    struct bench_gpu *gpu;
    int turn;
};

static int copy_set(void *argument, struct gf_error *err)
{
    struct copies *c = argument;
    const int s = c->turn++ % SETS;

    return gf_bench_profile_copy(&c->gpu->device, c->gpu->out[s], c->gpu->in[s], SET_BYTES, err);
}

static int open_gpu(struct bench_gpu *g, const struct gf_peers_request *r, struct gf_error *err)
{
    const struct gf_device_kind *kind = &gf_device_cuda;
    struct copies copies = { g, 0 };
    char zeros[4096] = { 0 };
    double seconds = 0;

    g->device.kind = kind;
    if (kind->open(&g->device, r->gpu, err) != 0 || kind->wait(&g->device, err) != 0
        || kind->alloc(&g->device, CARRY_BYTES, &g->carry, err) != 0)
        return -1;
    for (size_t done = 0; done < CARRY_BYTES; done += sizeof zeros)
        if (kind->upload(&g->device, (char *)g->carry + done, zeros, sizeof zeros, err) != 0)
            return -1;
    for (int s = 0; s < SETS; s++)
        if (kind->alloc(&g->device, SET_BYTES, (void **)&g->in[s], err) != 0
            || kind->alloc(&g->device, SET_BYTES, (void **)&g->out[s], err) != 0)
            return -1;
    if (fill(g, GF_BENCH_BYTES, err) != 0 || gf_bench_gpu_time(&g->device, copy_set, &copies, &seconds, err) != 0)
        return -1;
    g->copy_rate = 2.0 * (double)SET_BYTES / seconds;
    return 0;
}

static void close_gpu(struct bench_gpu *g)
{
    for (int s = 0; s < SETS; s++) {
        g->device.kind->release(&g->device, g->in[s]);
        g->device.kind->release(&g->device, g->out[s]);
    }
    g->device.kind->release(&g->device, g->carry);
    g->device.kind->close(&g->device);
}

/* ---- calls ---- */

static void release(struct ready *r)
{
    for (int i = 0; i < r->calls; i++)
        gf_bench_call_release(&r->call[i]);
    r->calls = 0;
}

static bool fits(const struct gf_bench_call *m)
{
    return m->src_bytes <= SET_BYTES && m->dst_bytes <= SET_BYTES && m->carry_bytes <= CARRY_BYTES;
}

/*
 * Makes the call for an image of 8192 columns and as many rows as fit, and the calls that follow.
 */
static int make_calls(struct ready *r, const struct gf_bench_pick *pick, struct gf_error *err)
{
    const struct gf_bench_case *one = pick->one;
    int64_t rows = SIDE / (one->part > 0 ? one->part : 1);

    for (r->calls = 0; r->calls == 0 || !fits(&r->call[0]); rows /= 2) {
        release(r);
        if (rows == 0)
            return gf_fail(err, GF_FAILED, "case %s: does not fit into the GPU's buffers", one->name);
        if (gf_bench_call_make(pick, SIDE, rows, &pick->group->op->cuda, &r->call[0], err) != 0)
            return -1;
        r->calls = 1;
    }
    rows = r->call[0].src_units;
    for (int i = 1; i < CALLS && one->next[i - 1].group != NULL; i++) {
        const struct gf_bench_next *next = &one->next[i - 1];
        const struct gf_bench_pick pick_next = gf_bench_pick_first(next->group, next->one);
        struct gf_bench_call *m = &r->call[i];
        const struct gf_block *source = next->rereads ? &r->call[i - 1].src : &r->call[i - 1].dst;

        if (gf_bench_call_make(&pick_next, SIDE, rows, &next->group->op->cuda, m, err) != 0)
            return -1;
        r->calls++;
        r->rereads[i] = next->rereads;
        if (m->src.planar != source->planar)
            m->src = *source;
    }
    return 0;
}

/* Sets the pools. Only one of the calls may have masks or tables, as their offsets begin at 0. */
static int set_pools(struct ready *r, struct gf_error *err)
{
    const struct gf_bench_call *m = NULL;
    struct gf_pools pools;

    for (int i = 0; i < r->calls; i++) {
        const bool uses = r->call[i].mask_count + r->call[i].table_count > 0;

        if (uses && m != NULL)
            return gf_fail(err, GF_FAILED, "two calls of one case have masks or tables");
        m = uses ? &r->call[i] : m;
    }
    m = m != NULL ? m : &r->call[0];
    pools = (struct gf_pools) { m->masks, m->tables, m->mask_count, m->table_count };
    if (r->gpu->device.kind->set_pools(&r->gpu->device, &pools, err) != 0)
        return -1;
    r->work = r->gpu->device.kind->work(&r->gpu->device);
    r->work.carry = r->gpu->carry;
    return 0;
}

static int run_ours(void *argument, struct gf_error *err)
{
    struct ready *r = argument;
    const struct bench_gpu *g = r->gpu;
    const int set = r->turn++ % SETS;
    char *from = g->in[set], *to = NULL;
    int result = 0;

    for (int i = 0; result == 0 && i < r->calls; i++) {
        struct gf_io io;

        if (i > 0 && !r->rereads[i])
            from = to;
        to = g->out[(set + r->calls - 1 - i) % SETS];
        io = gf_bench_call_io(&r->call[i], from, to);
        if (r->call[i].beside)
            io.beside.data = g->in[(set + 1) % SETS];
        result = r->call[i].op->cuda.body(&r->work, &io, r->call[i].params, err);
    }
    return result;
}

static int run_peer(void *argument, struct gf_error *err)
{
    struct ready *r = argument;
    const struct bench_gpu *g = r->gpu;
    const struct gf_bench_call *first = &r->call[0], *last = &r->call[r->calls - 1];
    const int set = r->turn++ % SETS;
    struct gf_peer_call c = { .src = first->src, .dst = last->dst, .beside = first->src, .op = first->op,
                              .params = first->params, .number = first->number, .masks = r->work.masks,
                              .stream = r->work.stream };

    c.src.data = g->in[set];
    c.dst.data = g->out[set];
    c.beside.data = g->in[(set + 1) % SETS];
    return r->peer->run(&c) == 0 ? 0 : gf_fail(err, GF_FAILED, "%s: not available", r->peer->name);
}

/* ---- rows ---- */

static void print_size(FILE *to, const struct gf_block *b)
{
    if (b->width == 1)
        fprintf(to, "%lldM frames", (long long)(b->span.end >> 20));
    else
        fprintf(to, "%lldx%lld", (long long)b->width, (long long)b->span.end);
}

static void print_row(FILE *to, const struct ready *r, const struct gf_bench_pick *pick, double ours, double theirs)
{
    const struct gf_bench_call *first = &r->call[0], *last = &r->call[r->calls - 1];
    const double bytes = r->calls > 1 ? (double)first->src_bytes + (double)last->dst_bytes : first->moved;

    fprintf(to, "| %s | %s | ", pick->one->name, pick->form->name);
    print_size(to, &first->src);
    if (!first->records && first->src.width * first->src.span.end != last->dst.width * last->dst.span.end) {
        fprintf(to, " to ");
        print_size(to, &last->dst);
    }
    fprintf(to, " | %.1f | %.1f | %.0f | %.0f %% | ", ours * 1e6, bytes * 1e-6, bytes / ours * 1e-9,
            100 * bytes / ours / r->gpu->copy_rate);
    if (r->peer != NULL && theirs > 0)
        fprintf(to, "%s | %.1f | %.2f |\n", r->peer->name, theirs * 1e6, theirs / ours);
    else
        fprintf(to, "%s | - | - |\n", r->peer != NULL ? r->peer->name : "-");
    fflush(to);
}

static int time_form(struct bench_gpu *g, const struct gf_bench_pick *pick, FILE *to, struct gf_error *err)
{
    struct ready r = { .gpu = g };
    struct gf_error no_peer;
    double ours = 0, theirs;
    bool told = false;
    int result = make_calls(&r, pick, err) != 0 || set_pools(&r, err) != 0
              || ((!g->filled || g->fill != r.call[0].fill) && fill(g, r.call[0].fill, err) != 0)
              || gf_bench_gpu_time(&g->device, run_ours, &r, &ours, err) != 0 ? -1 : 0;

    for (size_t i = 0; result == 0 && i < sizeof pick->one->peers / sizeof *pick->one->peers; i++) {
        const struct gf_bench_peer *peer = &pick->one->peers[i];

        if (peer->name == NULL || (peer->form != NULL && strcmp(peer->form, pick->form->name) != 0))
            continue;
        r.peer = peer;
        theirs = -1;
        if (gf_bench_gpu_time(&g->device, run_peer, &r, &theirs, &no_peer) != 0)
            theirs = -1;
        print_row(to, &r, pick, ours, theirs);
        told = true;
    }
    r.peer = NULL;
    if (result == 0 && !told)
        print_row(to, &r, pick, ours, -1);
    release(&r);
    return result;
}

int gf_peers_run_gpu(const struct gf_peers_request *r, struct gf_error *err)
{
    struct bench_gpu *g = calloc(1, sizeof *g);
    struct gf_device_facts facts = { 0 };
    char said[512] = "";
    int result;

    if (g == NULL)
        return gf_fail_memory(err, NULL);
    gf_device_cuda.facts(r->gpu, &facts, said, sizeof said);
    result = facts.present ? open_gpu(g, r, err) : gf_fail(err, GF_FAILED, "no GPU: %s", said);
    if (result == 0)
        fprintf(r->to, "## On %.*s\n\n%s, %s. Copy from device to device: %.0f GB/s, read and written.\n\n"
                "| case | samples | size | µs | MB at least | GB/s | of copy | peer | its µs | peer / ours |\n"
                "|---|---|---|---|---|---|---|---|---|---|\n", (int)strcspn(said, ","), said, gf_npp_version(),
                gf_cub_version(), g->copy_rate * 1e-9);
    for (int i = 0; result == 0 && i < gf_bench_group_count; i++)
        for (const struct gf_bench_case *one = gf_bench_groups[i]->cases; result == 0 && one != NULL
             && one->name != NULL; one++)
            for (const char *at = one->forms; result == 0 && at != NULL
                 && gf_bench_is_selected(r->only, gf_bench_groups[i], one->name);
                 at = gf_bench_form_next(at)) {
                const struct gf_bench_pick pick = { gf_bench_groups[i], one, gf_bench_form_at(at) };

                result = time_form(g, &pick, r->to, err);
            }
    if (g->device.kind != NULL)
        close_gpu(g);
    gf_device_cuda.settle();
    free(g);
    return result;
}
