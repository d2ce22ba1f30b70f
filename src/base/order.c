/* Turns: threads that let each other pass in the order of their segments. */
#include "base/order.h"

void gf_turn_open(struct gf_turn *t)
{
    pthread_mutex_init(&t->lock, NULL);
    pthread_cond_init(&t->moved, NULL);
    t->next = 0;
    t->failed = false;
}

void gf_turn_close(struct gf_turn *t)
{
    pthread_cond_destroy(&t->moved);
    pthread_mutex_destroy(&t->lock);
}

bool gf_turn_wait(struct gf_turn *t, int64_t index)
{
    bool failed;

    pthread_mutex_lock(&t->lock);
    while (t->next != index && !t->failed)
        pthread_cond_wait(&t->moved, &t->lock);
    failed = t->failed;
    pthread_mutex_unlock(&t->lock);
    return !failed;
}

void gf_turn_pass(struct gf_turn *t)
{
    pthread_mutex_lock(&t->lock);
    t->next++;
    pthread_cond_broadcast(&t->moved);
    pthread_mutex_unlock(&t->lock);
}

bool gf_turn_fail(struct gf_turn *t)
{
    bool first;

    pthread_mutex_lock(&t->lock);
    first = !t->failed;
    t->failed = true;
    pthread_cond_broadcast(&t->moved);
    pthread_mutex_unlock(&t->lock);
    return first;
}

bool gf_turn_failed(struct gf_turn *t)
{
    bool failed;

    pthread_mutex_lock(&t->lock);
    failed = t->failed;
    pthread_mutex_unlock(&t->lock);
    return failed;
}
