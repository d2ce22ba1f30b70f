/* Mistakes in a list of cases: --check finds a form without a name, and two cases of one name. */
#include "bench/bench_call.h"
#include "bench/check/check.h"
#include "bench/check/check_slow.h"
#include "kernels/geometry/move.h"
#include "tests/tap.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void set_copy(struct gf_bench_call *m)
{
    *(struct gf_move *)m->params = (struct gf_move) { .xx = 1, .yy = 1 };
}

static const struct gf_bench_case cases[] = {
    { .name = "good", .forms = "u8", .set = set_copy },
    { .name = "strange", .forms = "u8, u9", .set = set_copy },
    { .name = "double", .forms = "u8", .set = set_copy },
    { .name = "double", .forms = "u16", .set = set_copy },
    { .name = NULL },
};

static void slow_copy(const struct gf_check *check, const struct gf_io *io, const void *params, int64_t x, int64_t y,
                      double *out)
{
    (void)params;
    gf_slow_load(check, io, x, y, out);
}

static const struct gf_bench_group group = { .name = "wrong", .op = &gf_op_move, .cases = cases, .slow = slow_copy };

/* These replace the groups that the build lists. */
const struct gf_bench_group *const gf_bench_groups[] = { &group };
const int gf_bench_group_count = 1;

/* Runs the checks on a CPU, and returns what they print. */
static const char *run_checks(int *failures)
{
    static char text[4000];
    const struct gf_check_request request = { .program = "./gpufilter-bench", .only = "wrong",
                                              .where = GF_CPU, .seed = 20 };
    const int saved = dup(STDOUT_FILENO);
    FILE *printed = tmpfile();
    struct gf_error err;
    size_t size = 0;

    *failures = -1;
    fflush(stdout);
    if (printed == NULL || dup2(fileno(printed), STDOUT_FILENO) < 0 || gf_check_run(&request, failures, &err) != 0)
        *failures = -1;
    fflush(stdout);
    dup2(saved, STDOUT_FILENO);
    close(saved);
    if (printed != NULL) {
        rewind(printed);
        size = fread(text, 1, sizeof text - 1, printed);
        fclose(printed);
    }
    text[size] = '\0';
    return text;
}

static void has(const char *text, const char *lines, const char *name)
{
    gf_ok(strstr(text, lines) != NULL, "%s", name);
    if (strstr(text, lines) == NULL)
        printf("# the output of %zu bytes is another\n", strlen(text));
}

int main(void)
{
    int failures;
    const char *text = run_checks(&failures);

    gf_is(failures, 2, "two failures");
    has(text, "ok 1 - good, u8, cpu\n", "a good case");
    has(text, "not ok 3 - strange, u9, cpu\n# strange: unknown sample format 'u9'; gf_forms has the names\n",
        "an unknown form is named");
    has(text, "# repeat: ./gpufilter-bench --check='=strange, u9, cpu' --seed=20\n", "the command that repeats it");
    has(text, "not ok 5 - double\n# wrong: two cases are called 'double'; rename one\n", "two cases of one name");
    has(text, "# 4 passed, 2 failed, 0 skipped\n", "the summary");
    return gf_tap_end();
}
