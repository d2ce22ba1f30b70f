/* Memory of a run that its device in another process uses, too. */
#ifndef GF_STAY_STAY_REMOTE_ROOMS_H
#define GF_STAY_STAY_REMOTE_ROOMS_H

#include "chain/side.h"
#include "device/stay/stay_messages.h"

#include <pthread.h>

/* Memory that both processes have mapped. */
struct gf_stay_mapped {
    void *data;
    size_t bytes;
    int32_t number;
};

/* A second image in such memory. All lanes that need it copy pieces of it. */
struct gf_stay_copy {
    struct gf_room room;
    uint64_t number;             /* of the image (struct gf_beside) */
    size_t begun, done;          /* bytes that a lane has begun to copy, and those that are there */
};

/* A device. */
struct gf_stay_remote {
    int socket;
    pthread_mutex_t lock;        /* held for a request and its answer, and to use the members below */
    struct gf_stay_mapped *room;
    int rooms;
    struct gf_stay_copy side[GF_CHAIN_SIDES];
    pthread_cond_t copied;       /* a second image is there */
    bool result[GF_PASSES], carry[GF_PASSES];    /* the process keeps these */
};

int gf_stay_remote_room_open(struct gf_device *d, struct gf_room *room, size_t bytes, struct gf_error *err);
void gf_stay_remote_room_close(struct gf_device *d, struct gf_room *room);
/* Finds the room that has these bytes; false: none has. */
bool gf_stay_remote_place(struct gf_device *d, const void *data, size_t bytes, struct gf_stay_place *place);
/* Copies the second image of a step to memory of both processes, unless it is there. */
int gf_stay_remote_side(struct gf_device *d, const struct gf_step *s, const struct gf_beside *beside,
                        struct gf_stay_place *place, struct gf_error *err) GF_MUST_CHECK;

#endif
