/* Readers and writers over arrays of a caller, with any strides, and over its functions. */
#ifndef GF_LIBRARY_ARRAYS_H
#define GF_LIBRARY_ARRAYS_H

#include "device/device.h"
#include "io/io.h"
#include "library/gpufilter.h"

/* An array of samples of a format. */
struct gf_array {
    char *data;
    int64_t unit, pixel, channel;        /* strides in bytes */
    int64_t units, width;                /* as stored: a sample of a frame in planes is a unit */
    int channels;
    size_t sample_bytes;
    int where;
    bool half;                           /* floats are stored in 16 bits, on a GPU */
    bool packed;                         /* aligned and without gaps, so that it is used in place */
    int64_t next;                        /* the unit to read next in order */
};

/* Functions that deliver and take units in order. */
struct gf_array_calls {
    int64_t (*read)(void *context, void *units, int64_t count);
    int (*write)(void *context, const void *units, int64_t count);
    void *context;
};

/* The memory that arrays are in, and how floats are stored there. */
struct gf_array_place {
    int where;
    bool half;
};

/* Describes the array of a caller. It fails if that has no data, or is not where it should be. */
int gf_array_of(struct gf_array *a, const gpufilter_array *given, const struct gf_format *f,
                struct gf_array_place place, const char *name, struct gf_error *err) GF_MUST_CHECK;
/* Returns the place of an array in the memory of a GPU. */
static inline struct gf_strided gf_array_strided(const struct gf_array *a)
{
    return (struct gf_strided) { a->data, a->unit, a->pixel, a->channel, a->half };
}
/* Fails if the result would be written over the input, or over itself. */
int gf_array_check(const struct gf_array *in, const struct gf_array *out, struct gf_error *err) GF_MUST_CHECK;
/*
 * Fails if results of a batch would be written over each other or over one of its inputs. The arrays are those of the
 * first image, and the others follow at these distances.
 */
int gf_array_check_batch(const struct gf_array *in, const struct gf_array *out, int64_t count, int64_t in_step,
                         int64_t out_step, struct gf_error *err) GF_MUST_CHECK;
/* Copies units from the array to packed samples, or with `out` from packed samples to the array. */
void gf_array_copy(const struct gf_array *a, int64_t start, char *packed, int64_t count, bool out);
/*
 * Makes r read the array. It allocates nothing, and neither does the rest. Nobody reads or writes an array on a GPU:
 * its reader and its writer only say which units are where.
 */
void gf_array_reader(struct gf_reader *r, const struct gf_format *f, struct gf_array *a, const char *name);
void gf_array_writer(struct gf_writer *w, const struct gf_format *f, struct gf_array *a);
void gf_array_call_reader(struct gf_reader *r, const struct gf_format *f, struct gf_array_calls *calls);
void gf_array_call_writer(struct gf_writer *w, const struct gf_format *f, struct gf_array_calls *calls);

#endif
