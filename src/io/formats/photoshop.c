/* Reads and writes Photoshop resources, one of which has IPTC. */
#include "io/formats/photoshop.h"

#include "io/bytes.h"

#include <string.h>

/*
 * A resource is "8BIM", a number, a name with its length first, a length and data. Name and data
 * are padded to even sizes.
 */

#define RESOURCE_IPTC 0x0404
#define FIRST_PATH 2000
#define LAST_PATH 2998

int gf_photoshop_take(struct gf_meta *m, const unsigned char *b, size_t size, struct gf_error *err)
{
    for (size_t at = 0; size - at >= GF_PHOTOSHOP_HEAD_BYTES && memcmp(b + at, "8BIM", 4) == 0;) {
        const unsigned id = (unsigned)(b[at + 4] << 8 | b[at + 5]);
        const size_t data = at + 6 + (b[at + 6] / 2u + 1) * 2u + 4;
        size_t length;

        if (data > size)
            break;
        length = gf_get32(b + data - 4, true);
        if (length > size - data)
            break;
        if (id >= FIRST_PATH && id <= LAST_PATH)
            m->parts |= GF_PART_PATHS;
        if (id == RESOURCE_IPTC && m->iptc == NULL && length > 0 && gf_meta_set_iptc(m, b + data, length, err) != 0)
            return -1;
        if (length + (length & 1) > size - data)
            break;
        at = data + length + (length & 1);
    }
    return 0;
}

void gf_photoshop_put_head(unsigned char *to, size_t iptc_bytes)
{
    memcpy(to, "8BIM\4\4\0\0", 8);
    gf_put32(to + 8, (uint32_t)iptc_bytes);
}
