/*
 * Peers that are templates or need CUDA kernels: CUB, and a long filter around cuFFT. `make peers`
 * builds a shared object with them, which is opened at run time if it is next to the program.
 */
#ifndef GF_BENCH_PEERS_CUDA_PEERS_H
#define GF_BENCH_PEERS_CUDA_PEERS_H

#include "bench/peers/peer.h"

/* Returns "CUB 3.0.1", or "no CUB" if the object is missing. */
const char *gf_cub_version(void);

gf_peer_run gf_cub_histogram, gf_cub_scan, gf_cub_sum, gf_cub_records, gf_oaconvolve;

/* The file name of the object, and the type of its version function. */
#define GF_CUDA_PEERS "gpufilter-bench-peers.so"
typedef const char *gf_cuda_peers_version(void);

#endif
