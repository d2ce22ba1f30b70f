/*
 * Types and helpers for calls of NPP. Prototypes are written next to the calls, as the headers of
 * NPP may be missing.
 */
#ifndef GF_BENCH_PEERS_NPP_CALL_H
#define GF_BENCH_PEERS_NPP_CALL_H

#include "bench/peers/driver.h"
#include "bench/peers/peer.h"

struct gf_npp_size { int width, height; };
struct gf_npp_point { int x, y; };
struct gf_npp_rectangle { int x, y, width, height; };

/* NppStreamContext */
struct gf_npp_context {
    void *stream;
    int device, processors, threads_processor, threads_block;
    size_t shared_block;
    int major, minor;
    unsigned flags;
    int reserved;
};

struct gf_npp_context gf_npp_context_of(const struct gf_peer_call *c);

static inline struct gf_npp_size gf_npp_size_of(const struct gf_block *b)
{
    return (struct gf_npp_size) { (int)b->width, (int)b->span.end };
}

/* Declares a pointer to a function of NPP, and returns -1 from the caller if it is missing. */
#define GF_NPP_FIND(type, variable, library, name) \
    type variable; \
    *(void **)&variable = gf_peer_symbol(library, name); \
    if (variable == NULL) \
        return -1

#endif
