/* Decodes the symbols of kernels, and computes what limits how many blocks run at once. */
#include "bench/bench_kernel_facts.h"

#include "base/signal.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- names ---- */

struct cursor {
    const char *at;
    char *to;
    size_t room;
    bool lost;                   /* the symbol has a form that is not supported */
};

static void put(struct cursor *c, const char *text, size_t length)
{
    const size_t n = length < c->room - 1 ? length : c->room - 1;

    memcpy(c->to, text, n);
    c->to += n;
    c->room -= n;
    *c->to = '\0';
}

/* Reads a length and a word, as in "5count". */
static void put_word(struct cursor *c, bool shown)
{
    char *end;
    const unsigned long length = strtoul(c->at, &end, 10);

    if (end == c->at || length > strlen(end)) {
        c->lost = true;
        return;
    }
    if (shown)
        put(c, end, length);
    c->at = end + length;
}

/* Reads a template argument: a value or a type. */
static void put_argument(struct cursor *c)
{
    static const struct { char letter; const char *word; } types[] = {
        { 'h', "u8" }, { 't', "u16" }, { 's', "s16" }, { 'i', "s32" }, { 'j', "u32" }, { 'f', "f32" }, { 'd', "f64" },
            { 'y', "u64" },
        { 'm', "u64" }, { 'x', "s64" }, { 'l', "s64" }, { 'b', "bool" },
    };

    if (*c->at == 'L') {                                     /* a value: its type, then its digits */
        const char *end = strchr(c->at, 'E');
        const char *digits = c->at + 1;

        if (*digits >= '0' && *digits <= '9') {              /* the type is an enumeration */
            c->at = digits;
            put_word(c, false);
            digits = c->at;
            end = strchr(c->at, 'E');
        } else if (*digits != '\0')
            digits++;
        c->lost = c->lost || end == NULL || end < digits;
        if (c->lost)
            return;
        if (*digits == 'n') {
            put(c, "-", 1);
            digits++;
        }
        put(c, digits, (size_t)(end - digits));
        c->at = end + 1;
        return;
    }
    if (*c->at >= '0' && *c->at <= '9') {
        put_word(c, true);
        return;
    }
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (*c->at == types[i].letter) {
            put(c, types[i].word, strlen(types[i].word));
            c->at++;
            return;
        }
    c->lost = true;
}

void gf_bench_kernel_facts_name(const char *symbol, char *name, size_t room)
{
    struct cursor c = { .at = symbol, .to = name, .room = room };

    *name = '\0';
    c.lost = strncmp(symbol, "_Z", 2) != 0;
    c.at += c.lost ? 0 : 2;
    if (*c.at == 'N') {                                      /* in a namespace: only the last word is shown */
        c.at++;
        for (const char *next = c.at; !c.lost && *next >= '0' && *next <= '9'; next = c.at) {
            c.to = name;
            c.room = room;
            put_word(&c, true);
        }
    } else {
        c.at += *c.at == 'L';                                /* a static function */
        put_word(&c, true);
    }
    if (!c.lost && *c.at == 'I') {
        put(&c, "<", 1);
        for (c.at++; !c.lost && *c.at != 'E'; ) {
            put_argument(&c);
            if (*c.at != 'E')
                put(&c, ",", 1);
        }
        put(&c, ">", 1);
    }
    if (c.lost)
        snprintf(name, room, "%s", symbol);
}

/* ---- room ---- */

/*
 * Each quarter of a multiprocessor allocates registers to its warps in units of 256. Shared memory
 * is allocated in units of 128 bytes.
 */
#define REGISTERS_AT_ONCE 256
#define QUARTERS 4
#define BYTES_AT_ONCE 128

struct gf_kernel_room gf_bench_kernel_facts_room(const struct gf_kernel_fact *f, const struct gf_multiprocessor *m)
{
    const int warps = (int)gf_ceil_div(f->threads, m->warp);
    const int64_t shared = gf_round_up((int64_t)(f->shared_bytes + f->dynamic_bytes + m->reserved_bytes),
                                       m->shared_unit > 0 ? m->shared_unit : BYTES_AT_ONCE);
    const int unit = m->register_unit > 0 ? m->register_unit : REGISTERS_AT_ONCE;
    const int parts = m->parts > 0 ? m->parts : QUARTERS;
    const int64_t registers = gf_round_up((int64_t)f->registers * m->warp, unit);
    struct gf_kernel_room r = { .warps = INT_MAX, .blocks = m->blocks, .registers = INT_MAX, .shared = INT_MAX };

    if (warps > 0)
        r.warps = m->threads / m->warp / warps;
    if (warps > 0 && registers > 0 && m->registers_by_block)
        r.registers = (int)(m->registers / gf_round_up(gf_round_up(warps, 2) * f->registers * m->warp, unit));
    else if (warps > 0 && registers > 0)
        r.registers = (int)(m->registers / parts / registers * parts / warps);
    if (f->shared_bytes + f->dynamic_bytes > 0)
        r.shared = (int)((int64_t)m->shared_bytes / shared);
    return r;
}

double gf_bench_kernel_facts_occupancy(const struct gf_multiprocessor *m, int blocks, int threads)
{
    if (m->warp <= 0 || m->threads <= 0)
        return 0;
    return 100.0 * (double)(blocks * gf_ceil_div(threads, m->warp) * m->warp) / m->threads;
}

const int gf_block_sizes[GF_BLOCK_SIZES] = { 64, 128, 256, 512, 1024 };

void gf_bench_kernel_facts_sizes(const struct gf_kernel_fact *f, const struct gf_multiprocessor *m, char *text,
                                 size_t room)
{
    size_t used = 0;

    for (int i = 0; i < GF_BLOCK_SIZES && used < room; i++)
        if (f->other_fit[i] < 0)
            used += (size_t)snprintf(text + used, room - used, "%5s", "-");
        else
            used += (size_t)snprintf(text + used, room - used, "%5.0f",
                                     gf_bench_kernel_facts_occupancy(m, f->other_fit[i], gf_block_sizes[i]));
    if (used < room && f->best_threads > 0)
        snprintf(text + used, room - used, "%6d", f->best_threads);
    else if (used < room)
        snprintf(text + used, room - used, "%6s", "-");
}

void gf_bench_kernel_facts_limit(const struct gf_kernel_room *r, char *text, size_t room)
{
    const struct { int blocks; const char *word; } parts[] = {
        { r->registers, "registers" }, { r->shared, "shared memory" }, { r->warps, "warps" }, { r->blocks, "blocks" },
    };
    int least = INT_MAX;
    size_t used = 0;

    for (int i = 0; i < 4; i++)
        least = parts[i].blocks < least ? parts[i].blocks : least;
    *text = '\0';
    for (int i = 0; i < 4; i++)
        if (parts[i].blocks == least && used < room)
            used += (size_t)snprintf(text + used, room - used, "%s%s", used > 0 ? " and " : "", parts[i].word);
}
