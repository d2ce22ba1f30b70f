/* Reserves the space of a large output file in advance, so that threads can fill it at the same time. */
#ifndef GF_IO_OUTPUT_RESERVE_H
#define GF_IO_OUTPUT_RESERVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct gf_output_reserve;

/*
 * Reserves the first `bytes` of a new file, at most `ahead` bytes beyond its data. Returns NULL if the
 * file is too small to gain anything. If there is no space, writing reports it. The file may become
 * longer than its data: the caller truncates it.
 */
struct gf_output_reserve *gf_output_reserve_open(int fd, int64_t bytes, int64_t ahead);
/*
 * Copies bytes to their place in the file, on any thread. Returns false if that must be written in
 * the usual way.
 */
bool gf_output_reserve_copy(struct gf_output_reserve *r, int64_t offset, const void *bytes, size_t size);
/* Stops reserving. NULL is fine. */
void gf_output_reserve_close(struct gf_output_reserve *r);

#endif
