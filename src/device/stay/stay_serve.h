/*
 * Shared by the parts of the process that stays: stay_serve.c (its life, and runs), stay_serve_shared.c (threads, and
 * memory that runs lease), stay_serve_device.c and stay_serve_lane.c.
 */
#ifndef GF_STAY_STAY_SERVE_H
#define GF_STAY_STAY_SERVE_H

#include "device/kept.h"
#include "device/stay/stay_messages.h"

#include <pthread.h>
#include <stdatomic.h>

/* Memory that the process has made, for a run to map. It returns to the process when the run is done with it. */
struct gf_served_room {
    struct gf_served_room *next;         /* in the list of a device, or of those that are free */
    struct gf_room room;
    int descriptor;
    int32_t number;                      /* in the device that has it */
    atomic_bool pinned;
};

struct gf_server {
    struct gf_device device;             /* for memory that outlives a run */
    int socket, wake;                    /* that it listens to; an eventfd */
    struct gf_stay_key key;
    bool any_group;                      /* systemd has started it, in a control group of its own */
    pthread_mutex_t lock;                /* protects the members below */
    int runs, users;                     /* runs; and threads that serve them, or guests */
    int guests;                          /* connections that are no run's yet; they do not keep the process */
    bool ended;                          /* no guest becomes a run any more */
    bool served;                         /* a run has come */
    double idle_since, until;            /* it ends then, unless a run uses it */
    int64_t host_bytes, device_bytes;    /* of runs at present */
    int64_t most_bytes;                  /* the ceiling of either, in the host */
    struct gf_served_room *free_rooms;
    int free_count;
    int64_t free_bytes;
    pthread_cond_t answer;
    bool relaxed;                        /* it has left memory to others since the last run */
    bool answered;                       /* the driver has */
    struct gf_stay_facts facts;
    bool stopped;                        /* ends as soon as no run uses it */
};

struct gf_served_device {
    struct gf_server *server;
    int socket;
    struct gf_device device;
    pthread_mutex_t lock;                /* protects the members below */
    pthread_cond_t changed;              /* a lane has ended */
    struct gf_served_lane *lanes;
    int lane_count;
    int running;                         /* jobs: memory and pools do not change meanwhile */
    struct gf_served_room *rooms;
    int room_count;
    int32_t next_number;
    size_t result_bytes[GF_PASSES], state_bytes[GF_PASSES];      /* 0: not kept */
    float *pools;
    int64_t mask_count, table_count, pool_bytes;
    bool broken;                         /* the run has not kept to the protocol, and may still write to its rooms */
    bool gone;                           /* the run has ended: jobs stop; written atomically */
};

struct gf_served_lane {
    struct gf_served_lane *next;
    struct gf_served_device *owner;
    int socket;
    struct gf_lane lane;
    struct gf_pass *pass;
    int64_t mask_count, table_count;     /* of the pools that the pass was checked for */
    bool counted;                        /* its memory is */
    bool lost;                           /* the run has not answered */
};

/* Returns memory of at least `bytes`, or NULL. */
struct gf_served_room *gf_server_lease_room(struct gf_server *s, size_t bytes, struct gf_error *err);
/* Takes memory back; it is freed instead if the run may still write to it. */
void gf_server_return_room(struct gf_server *s, struct gf_served_room *room, bool again);
/* Frees memory that no run has, down to `most` bytes. */
void gf_server_free_rooms(struct gf_server *s, int64_t most);

/* Counts memory; -1 if that would be more than the ceiling. */
int gf_server_count_host_bytes(struct gf_server *s, int64_t bytes, struct gf_error *err) GF_MUST_CHECK;
int gf_server_count_device_bytes(struct gf_server *s, int64_t bytes, struct gf_error *err) GF_MUST_CHECK;

/* Starts a thread that serves a device, or a lane; *other becomes the end of its connection for the run. */
int gf_server_open_device(struct gf_server *s, int *other, struct gf_error *err) GF_MUST_CHECK;
int gf_server_open_lane(struct gf_served_device *d, const struct gf_stay_lane *request, struct gf_pass *pass,
                        int *other, struct gf_error *err) GF_MUST_CHECK;

/* Starts a thread of the process, which calls gf_server_end_thread() when it ends. */
int gf_server_start_thread(struct gf_server *s, void *(*run)(void *), void *argument,
                           struct gf_error *err) GF_MUST_CHECK;
void gf_server_end_thread(struct gf_server *s);
/* Ends the process at once, because its device does not work any more. */
void gf_server_kill(void);
/* Lets the first thread look at the time again. */
void gf_server_wake(struct gf_server *s);

#endif
