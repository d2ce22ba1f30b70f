/*
 * Peers that are templates or need kernels of their own: CUB, and a long filter around cuFFT. They are in a shared object of its own,
 * which `make peers` builds, and which is opened at run time where it lies beside the program.
 */
#ifndef GF_BENCH_PEERS_CUDA_PEERS_H
#define GF_BENCH_PEERS_CUDA_PEERS_H

#include "bench/peers/peer.h"

/* "CUB 3.0.1"; "no CUB" if the object is not there. */
const char *gf_cub_version(void);

gf_peer_run gf_cub_histogram, gf_cub_scan, gf_cub_sum, gf_cub_records, gf_oaconvolve;

/* Functions of the object. */
#define GF_CUDA_PEERS "gpufilter-bench-peers.so"
typedef const char *gf_cuda_peers_version(void);

#endif
