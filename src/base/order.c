/* Lets lanes write segments in order: a thread waits until the segments before its own have passed. */
#include "base/order.h"

void gf_order_open(struct gf_order *t)
{
    pthread_mutex_init(&t->lock, NULL);
    pthread_cond_init(&t->moved, NULL);
    t->next = 0;
    t->failed = false;
}

void gf_order_close(struct gf_order *t)
{
    pthread_cond_destroy(&t->moved);
    pthread_mutex_destroy(&t->lock);
}

bool gf_order_wait(struct gf_order *t, int64_t index)
{
    bool failed;

    pthread_mutex_lock(&t->lock);
    while (t->next != index && !t->failed)
        pthread_cond_wait(&t->moved, &t->lock);
    failed = t->failed;
    pthread_mutex_unlock(&t->lock);
    return !failed;
}

void gf_order_pass(struct gf_order *t)
{
    pthread_mutex_lock(&t->lock);
    t->next++;
    pthread_cond_broadcast(&t->moved);
    pthread_mutex_unlock(&t->lock);
}

bool gf_order_fail(struct gf_order *t)
{
    bool first;

    pthread_mutex_lock(&t->lock);
    first = !t->failed;
    t->failed = true;
    pthread_cond_broadcast(&t->moved);
    pthread_mutex_unlock(&t->lock);
    return first;
}

bool gf_order_failed(struct gf_order *t)
{
    bool failed;

    pthread_mutex_lock(&t->lock);
    failed = t->failed;
    pthread_mutex_unlock(&t->lock);
    return failed;
}
