/* Changes the number in the header of a FLAC frame, and the two checksums. */
#ifndef GF_FORMATS_FLAC_RENUMBER_H
#define GF_FORMATS_FLAC_RENUMBER_H

#include <stddef.h>
#include <stdint.h>

#define GF_FLAC_LONGER 6                 /* bytes that a frame can grow by */

/* Copies a frame of `size` bytes, with another number. Returns its new size; 0 if it is not a valid frame. */
size_t gf_flac_renumber(const unsigned char *frame, size_t size, uint64_t number, unsigned char *to);

#endif
