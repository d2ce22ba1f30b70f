/* Memory of results that outlives their jobs, and its export to other packages by DLPack. */
#include "library/memory.h"

#include "library/library.h"

#include "base/late_library.h"

#include <stdlib.h>
#include <unistd.h>

struct gpufilter_memory {
    atomic_int holders;                  /* the caller, and exported views */
    pid_t process;
    int where;
    void *data;
};

/* ---- users of GPUs ---- */

static atomic_int users;

void gf_library_add_gpu_user(void)
{
    atomic_fetch_add(&users, 1);
}

/* Memory stays in a pool if it has been freed on a stream whose work has not come so far yet. */
void gf_library_drop_gpu_user(void)
{
    struct gf_device d = { .kind = &gf_device_cuda };

    if (atomic_fetch_sub(&users, 1) > 1 || gf_device_cuda.relax == NULL)
        return;
    for (; d.index < GF_MOST_DEVICES; d.index++)
        gf_device_cuda.relax(&d);
}

/* ---- memory ---- */

struct gpufilter_memory *gf_memory_new(struct gf_device *device, int where, size_t bytes, void *stream, void **data,
                                       struct gf_error *err)
{
    struct gpufilter_memory *m = calloc(1, sizeof *m);

    if (m == NULL) {
        gf_fail_memory(err, NULL);
        return NULL;
    }
    atomic_store(&m->holders, 1);
    m->process = getpid();
    m->where = where;
    if (where == GPUFILTER_HOST ? (m->data = malloc(bytes + 1)) == NULL
        : device->kind->result_alloc(device, bytes, stream, &m->data, err) != 0) {
        if (where == GPUFILTER_HOST)
            gf_fail_memory_bytes(err, bytes, NULL);
        free(m);
        return NULL;
    }
    if (where != GPUFILTER_HOST)
        gf_library_add_gpu_user();
    *data = m->data;
    return m;
}

void gpufilter_release(gpufilter_memory *memory)
{
    gpufilter_release_on(memory, NULL);
}

void gpufilter_release_on(gpufilter_memory *memory, void *stream)
{
    /* a forked process cannot use the GPU of its parent */
    const bool on_gpu = memory != NULL && memory->where != GPUFILTER_HOST && memory->process == getpid();

    if (memory == NULL)
        return;
    if (on_gpu && stream != NULL && atomic_load(&memory->holders) > 1)
        gf_device_cuda.result_follow(memory->where - GPUFILTER_GPU, stream);         /* the last holder frees it */
    if (atomic_fetch_sub(&memory->holders, 1) > 1)
        return;
    if (memory->where == GPUFILTER_HOST)
        free(memory->data);
    if (on_gpu) {
        gf_device_cuda.result_free(memory->where - GPUFILTER_GPU, memory->data, stream);
        gf_library_drop_gpu_user();
    }
    free(memory);
}

int gpufilter_where(const void *address)
{
    const int owner = gf_device_cuda.owner(address);

    return owner < 0 ? GPUFILTER_HOST : GPUFILTER_GPU + owner;
}

/* ---- DLPack, version 1.0, https://dmlc.github.io/dlpack/latest/c_api.html ---- */

#define MOST_DIMENSIONS 4

enum { DLPACK_CPU = 1, DLPACK_CUDA = 2 };
enum { DLPACK_INT = 0, DLPACK_UINT = 1, DLPACK_FLOAT = 2 };

struct dlpack_type {
    uint8_t code, bits;
    uint16_t lanes;
};

struct dlpack_tensor {
    void *data;
    int32_t device_type, device_id;
    int32_t dimensions;
    struct dlpack_type type;
    int64_t *shape, *strides;
    uint64_t byte_offset;
};

struct dlpack_managed {
    struct dlpack_tensor tensor;
    void *context;
    void (*deleter)(struct dlpack_managed *self);
};

struct dlpack_versioned {
    uint32_t major, minor;
    void *context;
    void (*deleter)(struct dlpack_versioned *self);
    uint64_t flags;
    struct dlpack_tensor tensor;
};

/* One block of memory, which the deleter frees; shape and strides are in it. */
struct exported {
    union {
        struct dlpack_managed managed;
        struct dlpack_versioned versioned;
    } as;
    struct gpufilter_memory *memory;
    int64_t shape[MOST_DIMENSIONS], strides[MOST_DIMENSIONS];
};

static void drop(struct exported *e)
{
    gpufilter_release(e->memory);
    free(e);
}

static void drop_managed(struct dlpack_managed *self)
{
    drop(self->context);
}

static void drop_versioned(struct dlpack_versioned *self)
{
    drop(self->context);
}

static struct dlpack_type type_of(int type)
{
    static const struct dlpack_type types[] = {
        [GPUFILTER_U8] = { DLPACK_UINT, 8, 1 }, [GPUFILTER_U16] = { DLPACK_UINT, 16, 1 },
        [GPUFILTER_S16] = { DLPACK_INT, 16, 1 }, [GPUFILTER_S32] = { DLPACK_INT, 32, 1 },
        [GPUFILTER_F32] = { DLPACK_FLOAT, 32, 1 }, [GPUFILTER_F64] = { DLPACK_FLOAT, 64, 1 },
        [GPUFILTER_F16] = { DLPACK_FLOAT, 16, 1 },
    };

    return types[type];
}

static void describe(struct dlpack_tensor *to, struct exported *e, const gpufilter_tensor *from)
{
    const int where = from->memory->where;

    to->data = from->data;
    to->device_type = where == GPUFILTER_HOST ? DLPACK_CPU : DLPACK_CUDA;
    to->device_id = where == GPUFILTER_HOST ? 0 : where - GPUFILTER_GPU;
    to->dimensions = from->dimensions;
    to->type = type_of(from->type);
    to->shape = e->shape;
    to->strides = e->strides;
    for (int i = 0; i < from->dimensions; i++) {
        e->shape[i] = from->shape[i];
        e->strides[i] = from->strides[i];
    }
}

static int check(gpufilter_tensor *t, const gpufilter_tensor *given, int version, struct gf_error *err)
{
    if (!gf_library_copy(t, sizeof *t, given, sizeof *t))
        return gf_fail(err, GF_MISUSED, "tensor: size is wrong; set it to sizeof(gpufilter_tensor)");
    if (t->memory == NULL || t->data == NULL || t->type < GPUFILTER_U8 || t->type > GPUFILTER_F16)
        return gf_fail(err, GF_MISUSED, "tensor: has no memory that gpufilter_allocate() made, or no type");
    if (t->dimensions < 0 || t->dimensions > MOST_DIMENSIONS || t->shape == NULL || t->strides == NULL)
        return gf_fail(err, GF_MISUSED, "tensor: must have 0 to %d dimensions", MOST_DIMENSIONS);
    return version == 0 || version == 1 ? 0 : gf_fail(err, GF_MISUSED, "version: must be 0 or 1, not %d", version);
}

void *gpufilter_export(const gpufilter_tensor *tensor, int version, gpufilter_error *error)
{
    struct gf_error err = { 0 };
    struct exported *e = NULL;
    gpufilter_tensor t;

    if (check(&t, tensor, version, &err) == 0 && (e = calloc(1, sizeof *e)) == NULL)
        gf_fail_memory(&err, NULL);
    if (e == NULL) {
        gf_library_fail(error, &err);
        return NULL;
    }
    atomic_fetch_add(&t.memory->holders, 1);
    e->memory = t.memory;
    if (version == 0) {
        e->as.managed = (struct dlpack_managed) { .context = e, .deleter = drop_managed };
        describe(&e->as.managed.tensor, e, &t);
        return &e->as.managed;
    }
    e->as.versioned = (struct dlpack_versioned) { .major = 1, .context = e, .deleter = drop_versioned };
    describe(&e->as.versioned.tensor, e, &t);
    return &e->as.versioned;
}

/* ---- capsules of Python ---- */

#define PYTHON_CALLS(M) M(PyCapsule_IsValid) M(PyCapsule_GetPointer)

struct gf_python {
    int (*is_valid)(void *capsule, const char *name);
    void *(*pointer)(void *capsule, const char *name);
};

extern struct gf_python gf_python;
int gf_python_open(struct gf_error *err);
/* no file: the process has made the capsule, so it has Python */
GF_LATE_OPEN(gf_python, NULL, PYTHON_CALLS)

/*
 * A destructor that is written in Python would lose the exception that is pending if a capsule is freed because a call
 * failed. The functions that are called here neither read nor set one.
 */
void gpufilter_free_capsule(void *capsule)
{
    struct gf_error ignored = { 0 };
    struct dlpack_managed *m;
    struct dlpack_versioned *v;

    if (gf_python_open(&ignored) != 0)
        return;
    if (gf_python.is_valid(capsule, "dltensor")) {
        m = gf_python.pointer(capsule, "dltensor");
        if (m->deleter != NULL)
            m->deleter(m);
    } else if (gf_python.is_valid(capsule, "dltensor_versioned")) {
        v = gf_python.pointer(capsule, "dltensor_versioned");
        if (v->deleter != NULL)
            v->deleter(v);
    }
}
