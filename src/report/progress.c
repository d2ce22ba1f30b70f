/* Draws the progress line in a thread of its own; workers only count. */
#include "report/progress.h"

#include "base/clock.h"
#include "base/terminal.h"
#include "base/thread.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define EACH_SECONDS  0.1                /* seconds between two lines, at least */
#define WAIT_SECONDS  0.4                /* a shorter run draws no line */
#define PAUSE_SECONDS 0.5                /* seconds without a line after a message */

struct gf_progress {
    pthread_mutex_t lock;
    pthread_cond_t ended;
    pthread_t thread;
    bool end;
    double start, next;                  /* start of the run, and time of the next line */
    int64_t bytes, signals, position, size;
    double share;                        /* share of the current signal */
    int files, file_count;
};

/* Writes "1:02:03" or "4:05". */
static void time_text(double seconds, char *text, size_t size)
{
    const long s = (long)(seconds + 0.5);

    if (s >= 3600)
        snprintf(text, size, "%ld:%02ld:%02ld", s / 3600, s / 60 % 60, s % 60);
    else
        snprintf(text, size, "%ld:%02ld", s / 60, s % 60);
}

/* Returns the share of the whole run that is done, 0 to 1, or 0 if it is unknown. */
static double share_of(const struct gf_progress *p)
{
    if (p->file_count > 1)
        return (double)p->files / p->file_count;
    if (p->signals > 0)
        return p->size > 0 ? (double)p->position / (double)p->size : 0;
    return p->share;
}

static void draw_line(const struct gf_progress *p)
{
    const double elapsed = gf_clock_seconds() - p->start, share = share_of(p) < 1 ? share_of(p) : 1;
    char text[160], left[40];
    int n = 0;

    if (p->file_count > 1)
        n += snprintf(text + n, sizeof text - (size_t)n, "%d of %d files, ", p->files, p->file_count);
    else if (p->signals > 0)
        n += snprintf(text + n, sizeof text - (size_t)n, "%lld frame%s, ", (long long)p->signals,
                      p->signals == 1 ? "" : "s");
    if (share > 0)
        n += snprintf(text + n, sizeof text - (size_t)n, "%.0f%%, ", 100 * share);
    if (p->signals > 1 && p->file_count <= 1)
        n += snprintf(text + n, sizeof text - (size_t)n, "%.1f frames/s, ", (double)p->signals / elapsed);
    n += snprintf(text + n, sizeof text - (size_t)n, "%.0f MB/s", elapsed > 0 ? (double)p->bytes / elapsed / 1e6 : 0);
    if (share > 0.005 && elapsed > WAIT_SECONDS) {
        time_text(elapsed * (1 - share) / share, left, sizeof left);
        snprintf(text + n, sizeof text - (size_t)n, ", %s left", left);
    }
    gf_terminal_show(text, PAUSE_SECONDS);
}

static void *keep_drawing(void *argument)
{
    struct gf_progress *p = argument;

    pthread_mutex_lock(&p->lock);
    while (!p->end) {
        const double now = gf_clock_seconds();
        struct timespec until;

        if (now >= p->next) {
            draw_line(p);
            p->next = now + EACH_SECONDS;
        }
        until.tv_sec = (time_t)p->next;
        until.tv_nsec = (long)((p->next - (double)until.tv_sec) * 1e9);
        pthread_cond_timedwait(&p->ended, &p->lock, &until);
    }
    pthread_mutex_unlock(&p->lock);
    return NULL;
}

struct gf_progress *gf_progress_new(bool at_once)
{
    struct gf_progress *p = calloc(1, sizeof *p);
    pthread_condattr_t clock;

    if (p == NULL)
        return NULL;
    p->start = gf_clock_seconds();
    p->next = p->start + (at_once ? 0 : WAIT_SECONDS);
    p->size = -1;
    pthread_mutex_init(&p->lock, NULL);
    pthread_condattr_init(&clock);
    pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);          /* the clock of gf_clock_seconds() */
    pthread_cond_init(&p->ended, &clock);
    pthread_condattr_destroy(&clock);
    if (gf_thread_start(&p->thread, keep_drawing, p) == 0)
        return p;
    pthread_cond_destroy(&p->ended);
    pthread_mutex_destroy(&p->lock);
    free(p);
    return NULL;
}

void gf_progress_free(struct gf_progress *p)
{
    if (p == NULL)
        return;
    pthread_mutex_lock(&p->lock);
    p->end = true;
    pthread_cond_signal(&p->ended);
    pthread_mutex_unlock(&p->lock);
    pthread_join(p->thread, NULL);
    gf_terminal_erase();
    pthread_cond_destroy(&p->ended);
    pthread_mutex_destroy(&p->lock);
    free(p);
}

/* ---- counting ---- */

void gf_progress_files(struct gf_progress *p, int count)
{
    if (p == NULL)
        return;
    pthread_mutex_lock(&p->lock);
    p->file_count = count;
    pthread_mutex_unlock(&p->lock);
}

void gf_progress_part(struct gf_progress *p, int64_t bytes, double share)
{
    if (p == NULL)
        return;
    pthread_mutex_lock(&p->lock);
    p->bytes += bytes;
    p->share += share;
    pthread_mutex_unlock(&p->lock);
}

void gf_progress_signal(struct gf_progress *p, int64_t position, int64_t size)
{
    if (p == NULL)
        return;
    pthread_mutex_lock(&p->lock);
    p->signals++;
    p->share = 0;
    p->position = position > p->position ? position : p->position;
    p->size = size;
    pthread_mutex_unlock(&p->lock);
}

void gf_progress_file(struct gf_progress *p)
{
    if (p == NULL)
        return;
    pthread_mutex_lock(&p->lock);
    p->files++;
    pthread_mutex_unlock(&p->lock);
}
