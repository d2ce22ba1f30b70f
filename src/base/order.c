/*
 * Lets lanes write segments in order: a thread waits
 * until the segments before its own have passed.
 */
#include "base/order.h"

void gf_order_open(struct gf_order *order)
{
    pthread_mutex_init(&order->lock, NULL);
    pthread_cond_init(&order->moved, NULL);
    order->next = 0;
    order->failed = false;
}

void gf_order_close(struct gf_order *order)
{
    pthread_cond_destroy(&order->moved);
    pthread_mutex_destroy(&order->lock);
}

bool gf_order_wait(struct gf_order *order, int64_t index)
{
    bool failed;

    pthread_mutex_lock(&order->lock);
    while (order->next != index && !order->failed)
        pthread_cond_wait(&order->moved, &order->lock);
    failed = order->failed;
    pthread_mutex_unlock(&order->lock);
    return !failed;
}

void gf_order_pass(struct gf_order *order)
{
    pthread_mutex_lock(&order->lock);
    order->next++;
    pthread_cond_broadcast(&order->moved);
    pthread_mutex_unlock(&order->lock);
}

bool gf_order_fail(struct gf_order *order)
{
    bool first;

    pthread_mutex_lock(&order->lock);
    first = !order->failed;
    order->failed = true;
    pthread_cond_broadcast(&order->moved);
    pthread_mutex_unlock(&order->lock);
    return first;
}

bool gf_order_failed(struct gf_order *order)
{
    bool failed;

    pthread_mutex_lock(&order->lock);
    failed = order->failed;
    pthread_mutex_unlock(&order->lock);
    return failed;
}
