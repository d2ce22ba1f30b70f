/*
 * The program with a wrapper that writes its passes to files in $PASSES_TO, or replaces them by
 * passes that another process wrote to $PASSES_FROM. Linked with --wrap=gf_plan_make and
 * --wrap=gf_run_sandbox_enter, for tests/plan/passes.sh.
 */
#include "chain/binding.h"
#include "plan/plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int __real_gf_plan_make(struct gf_plan *plan, const struct gf_plan_request *request, struct gf_error *err);
int __wrap_gf_plan_make(struct gf_plan *plan, const struct gf_plan_request *request, struct gf_error *err);

/* Passes are in files that the sandbox does not know of. */
int __wrap_gf_run_sandbox_enter(void);
int __wrap_gf_run_sandbox_enter(void)
{
    return 0;
}

static void give_up(const char *what, const char *path)
{
    fprintf(stderr, "passes: %s: %s\n", path, what);
    exit(99);
}

/* Names a plan after its inputs, so that the same plan has the same name in both processes. */
static void name_plan(char *path, size_t room, const char *folder, const struct gf_plan *plan,
                      const struct gf_plan_request *request)
{
    const struct gf_binding *binding = request->binding;
    const struct gf_format *ends[] = { &plan->in, &plan->out };
    unsigned words = 0;

    for (int i = 0; i < binding->words; i++)
        for (const char *c = binding->chain->word[i].text; *c != '\0'; c++)
            words = words * 31 + (unsigned char)*c;
    snprintf(path, room, "%s/%d-%d-%u-%lld-%d", folder, plan->cuda, plan->passes, words,
             (long long)request->limits->memory_bytes, request->source.again);
    for (int e = 0; e < 2; e++)
        snprintf(path + strlen(path), room - strlen(path), "-%d.%d.%d.%lldx%lld", (int)ends[e]->type, ends[e]->bits,
                 ends[e]->channels, (long long)ends[e]->width, (long long)ends[e]->units);
}

static void write_passes(const struct gf_plan *plan, const char *path)
{
    char part[600];
    int at, bad;
    FILE *f;

    snprintf(part, sizeof part, "%s.XXXXXX", path);      /* unique, because workers plan at the same time */
    at = mkstemp(part);
    f = at >= 0 ? fdopen(at, "wb") : NULL;
    if (f == NULL)
        give_up("can't be written", part);
    for (int p = 0; p < plan->passes; p++)
        fwrite(plan->pass[p], 1, plan->pass[p]->bytes, f);
    bad = ferror(f);
    if (fclose(f) != 0 || bad || rename(part, path) != 0)
        give_up("can't be written", path);
}

static void read_passes(struct gf_plan *plan, const char *path)
{
    FILE *f = fopen(path, "rb");

    for (int p = 0; p < plan->passes; p++) {
        struct gf_pass *own = plan->pass[p];
        size_t bytes = 0;

        if (f == NULL || fread(&bytes, sizeof bytes, 1, f) != 1 || bytes < sizeof *own)
            give_up("there is no such plan", path);
        plan->pass[p] = malloc(bytes);
        if (plan->pass[p] == NULL || fseek(f, -(long)sizeof bytes, SEEK_CUR) != 0
            || fread(plan->pass[p], 1, bytes, f) != bytes)
            give_up("can't be read", path);
        memset(own, 0x5A, own->bytes);
        free(own);
    }
    if (fgetc(f) != EOF)
        give_up("is longer than the plan", path);
    fclose(f);
}

int __wrap_gf_plan_make(struct gf_plan *plan, const struct gf_plan_request *request, struct gf_error *err)
{
    const char *to = getenv("PASSES_TO"), *from = getenv("PASSES_FROM");
    const int result = __real_gf_plan_make(plan, request, err);
    char path[500];

    if (result == 0)
        name_plan(path, sizeof path, to != NULL ? to : from != NULL ? from : ".", plan, request);
    if (result == 0 && to != NULL)
        write_passes(plan, path);
    else if (result == 0 && from != NULL)
        read_passes(plan, path);
    return result;
}
