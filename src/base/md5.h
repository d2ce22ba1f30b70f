/* MD5 (RFC 1321), the checksum that FLAC stores. It protects against damage only, not against forgery. */
#ifndef GF_BASE_MD5_H
#define GF_BASE_MD5_H

#include <stddef.h>
#include <stdint.h>

#define GF_MD5_BYTES 16

struct gf_md5 {
    uint32_t state[4];
    uint64_t bytes;
    unsigned char held[64];              /* an incomplete block */
};

void gf_md5_begin(struct gf_md5 *m);
void gf_md5_add(struct gf_md5 *m, const void *bytes, size_t size);
void gf_md5_end(struct gf_md5 *m, unsigned char *sum);

#endif
