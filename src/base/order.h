/* Turns: what is done in the order of segments, whichever lanes they are in. */
#ifndef GF_TURN_H
#define GF_TURN_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Lets one segment at a time on, in order. */
struct gf_turn {
    pthread_mutex_t lock;
    pthread_cond_t moved;
    int64_t next;
    bool failed;
};

void gf_turn_open(struct gf_turn *t);
/* Waits until it is segment `index`'s turn: true; or until something failed. */
bool gf_turn_wait(struct gf_turn *t, int64_t index);
void gf_turn_pass(struct gf_turn *t);
/* Wakes everybody up; the first caller is told so. */
bool gf_turn_fail(struct gf_turn *t);
bool gf_turn_failed(struct gf_turn *t);
void gf_turn_close(struct gf_turn *t);

#ifdef __cplusplus
}
#endif
#endif
