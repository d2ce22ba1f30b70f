/* Threads of a team do each part of each call once, also after they have slept, and after the team has ended. */
#define _GNU_SOURCE
#include "base/threads.h"
#include "tests/tap.h"

#include <string.h>
#include <unistd.h>

#define MOST 9
#define ROUNDS 3000

struct round {
    atomic_int done[MOST];
    struct gf_team inner[MOST];          /* teams of the members, for calls within calls */
};

static void count_part(void *argument, int number)
{
    struct round *r = argument;

    atomic_fetch_add(&r->done[number], 1);
}

static void call_within(void *argument, int number)
{
    struct round *r = argument;
    struct round parts = { 0 };

    gf_team_run(&r->inner[number], 3, count_part, &parts);
    gf_team_run(&r->inner[number], 2, count_part, &parts);
    for (int i = 0; i < 3; i++)
        atomic_fetch_add(&r->done[number], atomic_load(&parts.done[i]));
    gf_team_close(&r->inner[number]);
}

/* Returns true if each of `count` parts was done `times` times, and no other part. */
static bool all_done(const struct round *r, int count, int times)
{
    for (int i = 0; i < MOST; i++)
        if (atomic_load(&r->done[i]) != (i < count ? times : 0))
            return false;
    return true;
}

static bool run_one(struct gf_team *team, int count, void (*work)(void *, int), int times)
{
    struct round r;

    memset(&r, 0, sizeof r);
    gf_team_run(team, count, work, &r);
    return all_done(&r, count, times);
}

int main(void)
{
    struct gf_team team = { 0 };
    bool good = true;

    gf_team_close(&team);                /* one without threads */
    for (int i = 0; i < ROUNDS; i++)
        good = run_one(&team, 1 + i * 7 % MOST, count_part, 1) && good;
    gf_ok(good, "calls of different sizes, one after another");
    good = true;
    for (int i = 0; i < 20; i++) {
        usleep((useconds_t)i * 20);
        good = run_one(&team, 2 + i % 3, count_part, 1) && good;
    }
    gf_ok(good, "calls after pauses, in which threads sleep");
    gf_ok(run_one(&team, 4, call_within, 5), "calls within calls");
    gf_team_close(&team);
    gf_ok(run_one(&team, 3, count_part, 1), "a team that was closed runs again");
    gf_team_close(&team);
    good = true;
    for (int i = 0; i < ROUNDS / 10; i++) {
        good = run_one(&team, 2, count_part, 1) && good;
        gf_team_close(&team);
    }
    gf_ok(good, "teams that end at once");
    return gf_tap_end();
}
