/* An album: a stage measures all inputs of a run together before any of them is processed. */
#ifndef GF_CHAIN_ALBUM_H
#define GF_CHAIN_ALBUM_H

#include <stdbool.h>
#include <stdint.h>

/* The measurements of a stage. The words of a chain and of its parts share them. */
struct gf_album {
    bool used;                           /* there are several inputs; otherwise the stage measures each by itself */
    bool measuring;                      /* the stage ends the chain, and adds to the values; later it uses them */
    double *value;
    int64_t count, room;
};

#endif
