/* Memory that a run and the process that has its device have both mapped. */
#define _GNU_SOURCE
#include "device/stay/stay_remote_rooms.h"

#include "device/stay/stay_call.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define PIECE_BYTES ((size_t)1 << 20)

/* Maps memory that the process has made. Without its seals, it could shrink and end this process with SIGBUS. */
static void *map_room(int descriptor, size_t bytes)
{
    const int seals = fcntl(descriptor, F_GET_SEALS);
    struct stat st;
    void *data;

    if (seals < 0 || (seals & F_SEAL_SHRINK) == 0 || fstat(descriptor, &st) != 0 || st.st_size < 0
        || (uint64_t)st.st_size < bytes)
        return NULL;
    data = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    return data != MAP_FAILED ? data : NULL;
}

static int remember_room(struct gf_stay_remote *r, const struct gf_stay_mapped *room, struct gf_error *err)
{
    struct gf_stay_mapped *more;

    if ((r->rooms & (r->rooms - 1)) == 0) {              /* room for twice as many */
        more = realloc(r->room, (size_t)(r->rooms > 0 ? 2 * r->rooms : 1) * sizeof *more);
        if (more == NULL)
            return gf_fail_memory(err, NULL);
        r->room = more;
    }
    r->room[r->rooms++] = *room;
    return 0;
}

static int open_room(struct gf_stay_remote *r, struct gf_room *room, size_t bytes, struct gf_error *err)
{
    struct gf_stay_room request = { .bytes = bytes > 0 ? bytes : 1 }, answer;
    const struct gf_stay_part part = { &request, sizeof request };
    struct gf_stay_mapped mapped;
    int descriptor;

    *room = (struct gf_room) { 0 };
    if (gf_stay_call(r->socket, GF_STAY_ROOM, &part, 1, &answer, sizeof answer, &descriptor, err) != 0)
        return -1;
    mapped = (struct gf_stay_mapped) { .number = answer.number, .bytes = answer.bytes };
    mapped.data = answer.bytes >= request.bytes ? map_room(descriptor, answer.bytes) : NULL;
    close(descriptor);
    if (mapped.data == NULL)
        return gf_fail_memory_bytes(err, bytes, NULL);
    if (remember_room(r, &mapped, err) != 0) {
        munmap(mapped.data, mapped.bytes);
        return -1;
    }
    *room = (struct gf_room) { .data = mapped.data, .bytes = mapped.bytes };
    return 0;
}

static void close_room(struct gf_stay_remote *r, struct gf_room *room)
{
    for (int i = 0; room->data != NULL && i < r->rooms; i++)
        if (r->room[i].data == room->data) {
            const struct gf_stay_room request = { .number = r->room[i].number };
            const struct gf_stay_part part = { &request, sizeof request };
            struct gf_error none;

            munmap(r->room[i].data, r->room[i].bytes);
            r->room[i] = r->room[--r->rooms];
            (void)!gf_stay_call(r->socket, GF_STAY_ROOM_CLOSE, &part, 1, NULL, 0, NULL, &none);
            break;
        }
    *room = (struct gf_room) { 0 };
}

int gf_stay_remote_room_open(struct gf_device *d, struct gf_room *room, size_t bytes, struct gf_error *err)
{
    struct gf_stay_remote *r = d->state;
    int result;

    pthread_mutex_lock(&r->lock);
    result = open_room(r, room, bytes, err);
    pthread_mutex_unlock(&r->lock);
    return result;
}

void gf_stay_remote_room_close(struct gf_device *d, struct gf_room *room)
{
    struct gf_stay_remote *r = d->state;

    pthread_mutex_lock(&r->lock);
    close_room(r, room);
    pthread_mutex_unlock(&r->lock);
}

/* Finds the room that has these bytes. Call it with the lock held. */
static bool find_place(const struct gf_stay_remote *r, const void *data, size_t bytes, struct gf_stay_place *place)
{
    for (int i = 0; i < r->rooms; i++) {
        const uintptr_t start = (uintptr_t)r->room[i].data, at = (uintptr_t)data;

        if (at < start || at - start > r->room[i].bytes || bytes > r->room[i].bytes - (at - start))
            continue;
        *place = (struct gf_stay_place) { r->room[i].number, at - start };
        return true;
    }
    *place = (struct gf_stay_place) { -1, 0 };
    return false;
}

bool gf_stay_remote_place(struct gf_device *d, const void *data, size_t bytes, struct gf_stay_place *place)
{
    struct gf_stay_remote *r = d->state;
    bool found;

    pthread_mutex_lock(&r->lock);
    found = find_place(r, data, bytes, place);
    pthread_mutex_unlock(&r->lock);
    return found;
}

/* Prepares the memory of a second image. Call it with the lock held. */
static int begin_copy(struct gf_stay_remote *r, struct gf_stay_copy *copy, uint64_t number, size_t bytes,
                      struct gf_error *err)
{
    if (copy->room.data != NULL && copy->number == number)
        return 0;
    if (copy->room.bytes < bytes) {
        close_room(r, &copy->room);
        if (open_room(r, &copy->room, bytes, err) != 0)
            return -1;
    }
    copy->number = number;
    copy->begun = copy->done = 0;
    return 0;
}

/* Copies pieces that no other lane has begun, and waits for the others. Call it with the lock held. */
static void copy_pieces(struct gf_stay_remote *r, struct gf_stay_copy *copy, const void *data, size_t bytes)
{
    while (copy->begun < bytes) {
        const size_t at = copy->begun, piece = bytes - at < PIECE_BYTES ? bytes - at : PIECE_BYTES;

        copy->begun += piece;
        pthread_mutex_unlock(&r->lock);
        memcpy((char *)copy->room.data + at, (const char *)data + at, piece);
        pthread_mutex_lock(&r->lock);
        copy->done += piece;
        if (copy->done == bytes)
            pthread_cond_broadcast(&r->copied);
    }
    while (copy->done < bytes)
        pthread_cond_wait(&r->copied, &r->lock);
}

int gf_stay_remote_side(struct gf_device *d, const struct gf_step *s, const struct gf_beside *beside,
                        struct gf_stay_place *place, struct gf_error *err)
{
    struct gf_stay_remote *r = d->state;
    struct gf_stay_copy *copy = &r->side[s->side.number];
    const size_t bytes = (size_t)gf_span_units(beside->rows) * gf_unit_bytes(&s->side.format);
    int result;

    pthread_mutex_lock(&r->lock);
    result = begin_copy(r, copy, beside->number, bytes, err);
    if (result == 0) {
        copy_pieces(r, copy, beside->data, bytes);
        find_place(r, copy->room.data, bytes, place);
    }
    pthread_mutex_unlock(&r->lock);
    return result;
}
