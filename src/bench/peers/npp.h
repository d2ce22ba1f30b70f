/* Functions of NVIDIA's NPP that do the same as cases, opened at run time. */
#ifndef GF_BENCH_PEERS_NPP_H
#define GF_BENCH_PEERS_NPP_H

#include "bench/peers/peer.h"

/* Returns "NPP 13.0.1", or "no NPP" if it is not installed. */
const char *gf_npp_version(void);

gf_peer_run gf_npp_gray, gf_npp_scale, gf_npp_lab;
gf_peer_run gf_npp_gauss, gf_npp_filter, gf_npp_box, gf_npp_sobel, gf_npp_sobel_size, gf_npp_unsharp, gf_npp_bilateral,
    gf_npp_canny;
gf_peer_run gf_npp_mixed, gf_npp_over, gf_npp_difference;
gf_peer_run gf_npp_rotate, gf_npp_warp, gf_npp_resize, gf_npp_mirror, gf_npp_transpose, gf_npp_border;
gf_peer_run gf_npp_median, gf_npp_rank;
gf_peer_run gf_npp_integral, gf_npp_histogram;

#endif
