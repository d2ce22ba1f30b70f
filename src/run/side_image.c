/* Images beside the input: reads them whole, and keeps them while anything uses them. */
#include "run/side_image.h"

#include "io/memory.h"

#include <stdlib.h>

void gf_side_image_release(struct gf_side_image *p)
{
    if (p == NULL || atomic_fetch_sub(&p->holders, 1) > 1)
        return;
    gf_spool_close(&p->pixels);
    gf_spool_close(&p->samples);
    pthread_mutex_destroy(&p->lock);
    free(p);
}

struct gf_side_samples gf_side_image_samples(const struct gf_side_image *p)
{
    return (struct gf_side_samples) { p->pixels.memory, gf_side_image_on_disk(p) ? &p->pixels : NULL, p->number };
}

const void *gf_side_image_stored(const struct gf_side_image *p)
{
    return gf_side_image_is_packed(&p->packed) ? p->samples.memory : p->pixels.memory;
}

struct gf_side_image *gf_side_image_new(const struct gf_reader *r, size_t most, struct gf_error *err)
{
    static atomic_ullong numbers;
    struct gf_side_image *const p = calloc(1, sizeof *p);

    if (p == NULL) {
        gf_fail_memory(err, NULL);
        return NULL;
    }
    atomic_store(&p->holders, 1);
    p->number = atomic_fetch_add(&numbers, 1) + 1;
    pthread_mutex_init(&p->lock, NULL);
    p->format = gf_unpacked_format(&r->format);
    p->packed = r->format;
    p->most = most;
    return p;
}

int gf_side_image_reserve(struct gf_side_image *p, struct gf_error *err)
{
    return p->pixels.memory != NULL ? 0
        : gf_spool_reserve(&p->pixels, (size_t)p->format.units * gf_unit_bytes(&p->format), p->most, err);
}

int gf_side_image_read(struct gf_side_image *p, struct gf_reader *r, struct gf_error *err)
{
    const struct gf_format stored = gf_stored_format(&r->format);
    const bool packed = gf_side_image_is_packed(&p->packed);
    const size_t unit = gf_unit_bytes(&stored);
    struct gf_spool *const to = packed ? &p->samples : &p->pixels;
    int64_t done = 0, got;

    if (packed ? gf_spool_reserve(to, (size_t)stored.units * unit, p->most, err) != 0
               : gf_side_image_reserve(p, err) != 0)
        return -1;
    for (; done < stored.units; done += got) {
        got = gf_reader_read(r, (char *)to->memory + (size_t)done * unit, stored.units - done, err);
        if (got < 0)
            return -1;
        if (got == 0)
            return gf_fail(err, GF_FAILED, "%s: the image is truncated", r->name);
    }
    return 0;
}

int gf_side_image_begin_unpacking(struct gf_side_image *p, struct gf_reader *from, struct gf_writer *to,
                                  struct gf_error *err)
{
    int result;

    pthread_mutex_lock(&p->lock);
    result = p->samples.memory == NULL || p->unpacked ? 0 : gf_side_image_reserve(p, err) == 0 ? 1 : -1;
    if (result != 1) {
        pthread_mutex_unlock(&p->lock);
        return result;
    }
    gf_memory_reader(from, &p->packed, p->samples.memory, "the second image");
    gf_memory_writer(to, &p->format, p->pixels.memory, "the second image");
    return 1;
}

void gf_side_image_end_unpacking(struct gf_side_image *p, bool done)
{
    p->unpacked = done;
    if (done && !p->keeps)
        gf_spool_close(&p->samples);
    pthread_mutex_unlock(&p->lock);
}
