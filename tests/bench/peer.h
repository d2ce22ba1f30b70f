/* What others do on the same data: NPP, opened at run time, and CUB. Each returns 0, or -1 where there is no such peer. */
#ifndef PEER_H
#define PEER_H

#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>

void peer_open(cudaStream_t stream);
/* "NPP 13.0.1, CUB 3.0.0" */
const char *peer_versions(void);

int peer_gray(const void *src, int src_step, void *dst, int dst_step, int width, int height);
int peer_scale(const void *src, void *dst, int step, int width, int height);                     /* f32 times a constant */
int peer_gauss(const void *src, void *dst, int step, int width, int height, int side);           /* u8 */
int peer_filter(const void *src, void *dst, int step, int width, int height, const float *device_mask, int side);  /* f32 */
int peer_box(const void *src, void *dst, int step, int width, int height, int side);             /* u8 */
int peer_sobel(const void *src, void *dst, int step, int width, int height);                     /* u8, along x */
int peer_sobel_mag(const void *src, void *dst, int step, int width, int height);                 /* u8 to 16 bits, root of squares */
int peer_unsharp(const void *src, void *dst, int step, int width, int height, float radius, float sigma);    /* u8 */
/* u8, three or one channel by name; sigmas of a tenth of white and of 1.5 pixels */
int peer_bilateral(const void *src, void *dst, int step, int width, int height, int radius, const char *name);
int peer_canny(const void *src, void *dst, int step, int width, int height, int low, int high);  /* u8 */
int peer_mixed(const void *above, const void *below, void *dst, int step, int width, int height, int alpha);   /* u8, a part of 255 */
int peer_over(const void *above, const void *below, void *dst, int step, int width, int height); /* u8 rgba */
int peer_difference(const void *a, const void *b, void *dst, int step, int width, int height);   /* u8 */
int peer_rotate(const void *src, void *dst, int step, int width, int height, double degrees, const char *name);    /* linear */
int peer_resize(const void *src, void *dst, int width, int height, int to_width, int to_height, int filter, const char *name, int pixel_bytes);
int peer_median(const void *src, void *dst, int step, int width, int height, int side);          /* u8 */
int peer_rank(const void *src, void *dst, int step, int width, int height, int side, const char *name);   /* u8; FilterMin or FilterMax */
int peer_dilate3(const void *src, void *dst, int step, int width, int height);                   /* u8 */
int peer_mirror(const void *src, void *dst, int step, int width, int height, int axis);          /* u8; 0: top to bottom, 1: left to right */
int peer_transpose(const void *src, void *dst, int step, int width, int height);                 /* u8; dst is height by width */
int peer_border(const void *src, int side, void *dst, int to_side, int border, const char *name, int value);   /* u8, squares; value: one is given */
int peer_integral(const void *src, void *dst, int width, int height);                            /* u8 to s32, one column and row more */
int peer_npp_histogram(const void *src, int width, int height, void *counts);                    /* u8, 256 bins */
int peer_cub_histogram_u8(const void *src, int64_t count, void *counts);
int peer_cub_histogram_u16(const void *src, int64_t count, void *counts);
int peer_cub_scan(const void *src, void *dst, int64_t count);
int peer_cub_sum(const void *src, void *dst, int64_t count);                                     /* f32 */
int peer_cub_records(const void *src, void *dst, int64_t count);                                 /* f32 to one record of six fields */

#endif
