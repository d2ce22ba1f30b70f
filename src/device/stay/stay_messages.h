/*
 * The messages between a run and the process that keeps a device ready (--stay). Both are the same program, so structs
 * travel as they are in memory.
 *
 * A run has three kinds of connections, all of them Unix sockets of streams. The first leads to the process; it opens
 * one for each device (struct gf_device), and that opens one for each lane. A message is a head and its payload. A
 * request gets one answer, GF_STAY_DONE or GF_STAY_FAILED, before the next request. Samples never travel: they are in
 * memory that both have mapped. Only the process sends descriptors. A connection that ends takes all that it opened
 * with it. What the process sends has no bytes of its memory between members, or after the end of a text.
 */
#ifndef GF_STAY_STAY_MESSAGES_H
#define GF_STAY_STAY_MESSAGES_H

#include "base/md5.h"
#include "device/device.h"

#define GF_STAY_MAGIC "gfstay1"
#define GF_STAY_MOST_ROOMS 8192          /* of a device */
#define GF_STAY_MOST_LANES 1024          /* of a device */
#define GF_STAY_MOST_BYTES (1u << 30)    /* of a message */
#define GF_STAY_MOST_PASS  (16u << 20)   /* bytes of a pass */
#define GF_STAY_WHY 300                  /* room for the answer of a driver as text */

enum gf_stay_type {
    /* from the run, on its first connection */
    GF_STAY_HELLO = 1,           /* struct gf_stay_hello; the answer is struct gf_stay_welcome */
    GF_STAY_FACTS,               /* struct gf_stay_ask; struct gf_stay_facts is the answer */
    /* --devices and --stop ask processes of any version: the next two keep their numbers, and DONE does */
    GF_STAY_STATUS = 3,          /* struct gf_stay_status is the answer; it needs no HELLO */
    GF_STAY_STOP = 4,            /* the process ends when no run uses it; it needs no HELLO */
    GF_STAY_OPEN,                /* the answer has the connection of a device */
    /* on the connection of a device */
    GF_STAY_POOLS,               /* struct gf_stay_pools, the masks, the tables */
    GF_STAY_ROOM,                /* struct gf_stay_room; the answer is the same, with a descriptor of the memory */
    GF_STAY_ROOM_CLOSE,          /* struct gf_stay_room */
    GF_STAY_KEEP,                /* struct gf_stay_keep */
    GF_STAY_LANE,                /* struct gf_stay_lane, the pass; the answer has the connection of the lane */
    /* on the connection of a lane */
    GF_STAY_RUN,                 /* struct gf_stay_run, and a struct gf_stay_side for each second source */
    GF_STAY_RESULT,              /* struct gf_stay_counts; the answer has the bytes */
    GF_STAY_SUMS,                /* struct gf_stay_counts, the counts; the answer has the sums */
    /* from the process, before it answers GF_STAY_RUN */
    GF_STAY_NOTE,                /* struct gf_interval */
    GF_STAY_FETCH,               /* struct gf_stay_region; the run reads the region, and says DONE or FAILED */
    /* answers */
    GF_STAY_DONE = 16,
    GF_STAY_FAILED               /* struct gf_error */
};

struct gf_stay_head {
    uint32_t type;               /* enum gf_stay_type */
    uint32_t bytes;              /* of the payload, which follows */
};

/* Whose process it is: the build, the user, the device, and what else must be equal. */
struct gf_stay_key {
    unsigned char same[GF_MD5_BYTES];
    unsigned char group[GF_MD5_BYTES];   /* of the control group, which systemd chooses for its services */
};

struct gf_stay_hello {
    char magic[8];
    struct gf_stay_key key;
    double idle_seconds;         /* the process stays for this time after the run */
};

struct gf_stay_welcome {
    int32_t pid;
};

struct gf_stay_ask {
    int32_t waits;               /* 1: the answer comes when the driver has answered, 0: at once */
};

struct gf_stay_facts {
    struct gf_device_facts facts;
    bool ready;                  /* the device has started */
    char why[GF_STAY_WHY];
};

/* Other versions may only add members at the end. */
struct gf_stay_status {
    int32_t pid;
    int32_t runs;                /* at present */
    double idle_seconds, most_seconds;   /* since the last run, and when the process ends */
    int64_t host_bytes, device_bytes;
    char device[24];             /* "cuda:0" */
};

struct gf_stay_pools {
    int64_t mask_count, table_count;
};

struct gf_stay_room {
    uint64_t bytes;
    int32_t number;              /* chosen by the process */
    int32_t unused;
};

struct gf_stay_keep {
    int32_t what;                /* enum gf_keep */
    int32_t pass;
    uint64_t bytes;
};

struct gf_stay_lane {
    int32_t number, pass_number;
    int32_t records, every;      /* as in struct gf_lane; 0 or 1 */
};

/* Bytes of a room; room -1: none. */
struct gf_stay_place {
    int32_t room;
    uint64_t at;
};

struct gf_stay_run {
    struct gf_span in, out;
    int64_t signal, in_units, index;
    int32_t ahead;
    struct gf_stay_place from, to, region;
};

struct gf_stay_side {
    struct gf_stay_place place;
    struct gf_span rows;
    uint64_t number;
};

struct gf_stay_counts {
    uint64_t bytes;
    int32_t rows, bins;
};

struct gf_stay_region {
    int64_t x, y, columns, rows;
};

#endif
