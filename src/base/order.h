/* Lets threads deliver segments of a signal, or tasks of a pool, in order. */
#ifndef GF_BASE_ORDER_H
#define GF_BASE_ORDER_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Lets one segment pass at a time, in order. */
struct gf_order {
    pthread_mutex_t lock;
    pthread_cond_t moved;
    int64_t next;
    bool failed;
};

void gf_order_open(struct gf_order *order);
/* Waits for the turn of segment `index`. Returns false if gf_order_fail() was called. */
bool gf_order_wait(struct gf_order *order, int64_t index);
void gf_order_pass(struct gf_order *order);
/* Wakes all waiting threads. Returns true for the first caller. */
bool gf_order_fail(struct gf_order *order);
bool gf_order_failed(struct gf_order *order);
void gf_order_close(struct gf_order *order);

#ifdef __cplusplus
}
#endif
#endif
