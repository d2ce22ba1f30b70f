/*
 * Compares bytes in thousands of cases that are made from the descriptors of stages, so that nobody has to think of
 * them: every stage and random chains, on images, video and audio of many forms. A plain run is compared with one that
 * is cut, has other lanes, threads or memory, or reads or writes a pipe; with one that libgpufilter makes on arrays;
 * and on a machine with a GPU, a CPU with the GPU. One process makes all runs of the program (call_many.c). With
 * GPUFILTER_OTHER=PROGRAM, a call_many of another build or a script that starts one, plain runs of both are compared
 * instead.
 *
 * GPUFILTER_SEED makes other cases, and GPUFILTER_CASES more of them. GPUFILTER_KEEP=FOLDER leaves the inputs there.
 */
#define _GNU_SOURCE
#include "tests/promises/generated.h"

#include "base/sanitizer.h"
#include "device/device.h"
#include "tests/promises/call_many.h"
#include "tests/tap.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MOST_STAGES 4
#define LONGEST_SECONDS 60               /* a run that takes longer does not end */
#define CRASHED 1000                     /* statuses that no program has */
#define ENDLESS 1001

/* How a run differs from the plain one. */
struct way {
    int segment, lanes, threads, memory_mib;     /* 0: not given */
    bool gpu, pipe_in, open_end, pipe_out;       /* open_end: the header does not state the length */
    bool other;                                  /* by the other program */
    int arrays;                                  /* by libgpufilter, with samples in layout arrays - 1; 0: not */
};

struct made_case {
    struct gf_made_signal in;
    int stages;
    struct gf_drawn_stage stage[MOST_STAGES];
    const char *depth, *to;
    struct way way;
};

enum outcome { SAME, REFUSED, LITTLE_MEMORY, DIFFERENT, OUTCOMES };

struct server {
    char program[PATH_MAX];
    const char *socket;
    pid_t process;
};

static struct {
    struct server own, other;                    /* other.program is empty if there is none */
    char folder[PATH_MAX];
    bool gpu;
    uint64_t seed;
    int64_t count[OUTCOMES], arrays[2];          /* arrays: those by the CPU and by the GPU that gave a result */
} test;

/* ---- the process that makes all runs of a program ---- */

static bool start_server(struct server *s)
{
    const struct timespec moment = { .tv_nsec = 2000000 };

    unlink(s->socket);
    s->process = fork();
    if (s->process == 0) {
        const int nothing = open("/dev/null", O_RDWR);

        for (int i = 0; i < GF_CALL_STREAMS; i++)
            dup2(nothing, i);
        execl(s->program, s->program, "--serve", s->socket, (char *)NULL);
        _exit(GF_NOT_CALLED);
    }
    for (int i = 0; i < 5000 && s->process > 0; i++) {
        if (access(s->socket, F_OK) == 0)
            return true;
        if (waitpid(s->process, NULL, WNOHANG) != 0)
            break;
        nanosleep(&moment, NULL);
    }
    return false;
}

static void end_server(const struct server *s)
{
    if (s->process > 0 && kill(s->process, SIGKILL) == 0)
        waitpid(s->process, NULL, 0);
}

static bool is_ready(int descriptor)
{
    struct pollfd p = { .fd = descriptor, .events = POLLIN };

    return poll(&p, 1, LONGEST_SECONDS * 1000) > 0;
}

/* Returns the status of a run that has begun. */
static int end_run(struct server *s, int socket)
{
    int status;

    if (socket >= 0 && is_ready(socket)) {
        status = gf_call_end(socket);
        if (status != GF_NOT_CALLED)
            return status;
        status = CRASHED;
    } else {
        kill(s->process, SIGKILL);
        if (socket >= 0)
            close(socket);
        status = socket >= 0 ? ENDLESS : CRASHED;
    }
    waitpid(s->process, NULL, 0);
    if (!start_server(s))
        _exit(GF_NOT_CALLED);
    return status;
}

/* ---- one run ---- */

/* Starts a process that writes the file to a pipe, and returns the end to read from. */
static int feed(const char *name, bool open_end, pid_t *writer)
{
    int end[2];

    if (pipe2(end, O_CLOEXEC) != 0)
        return -1;
    *writer = fork();
    if (*writer == 0) {
        const int from = open(name, O_RDONLY);
        char bytes[4096];
        ssize_t got;

        close(end[0]);                                   /* so that a run that stops reading ends this process, too */
        for (bool first = true; (got = read(from, bytes, sizeof bytes)) > 0; first = false) {
            if (first && open_end) {                     /* the sizes of a WAV file that is still being written */
                memset(bytes + 4, 255, 4);
                memset(bytes + 40, 255, 4);
            }
            if (write(end[1], bytes, (size_t)got) != got)
                break;
        }
        _exit(0);
    }
    close(end[1]);
    return end[0];
}

/* Copies all of a pipe to a file. */
static void drain(int from, const char *name)
{
    FILE *to = fopen(name, "wb");
    char bytes[65536];
    ssize_t got;

    while (is_ready(from) && (got = read(from, bytes, sizeof bytes)) > 0)
        if (to != NULL)
            fwrite(bytes, 1, (size_t)got, to);
    if (to != NULL)
        fclose(to);
    close(from);
}

struct command {
    char *word[40], text[40][700];
    int count;
};

static void add(struct command *c, const char *format, ...) GF_PRINTF(2, 3);
static void add(struct command *c, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(c->text[c->count], sizeof c->text[0], format, args);
    va_end(args);
    c->word[c->count] = c->text[c->count];
    c->word[++c->count] = NULL;
}

static void make_command(struct command *c, const struct made_case *k, const struct way *w, const char *out)
{
    c->count = 0;
    add(c, "gpufilter");
    add(c, "--device");
    add(c, w->gpu ? "cuda" : "cpu");
    add(c, "-i");
    add(c, "%s", w->pipe_in ? "-" : k->in.name);
    for (int i = 0; i < k->stages; i++) {
        char text[sizeof c->text[0]];

        gf_drawn_stage_print(&k->stage[i], text, sizeof text);
        add(c, "%s", text);
    }
    if (k->depth != NULL)
        add(c, "--depth"), add(c, "%s", k->depth);
    if (k->to != NULL)
        add(c, "-t"), add(c, "%s", k->to);
    /* ISA-L compresses to other bytes on other processors */
    if (test.other.program[0] != '\0' && k->to != NULL && strcmp(k->to, "png") == 0)
        add(c, "--compression"), add(c, "0");
    if (w->segment > 0)
        add(c, "--segment"), add(c, "%d", w->segment);
    if (w->lanes > 0)
        add(c, "--lanes"), add(c, "%d", w->lanes);
    if (w->threads > 0)
        add(c, "-j"), add(c, "%d", w->threads);
    if (w->memory_mib > 0)
        add(c, "--memory"), add(c, "%dM", w->memory_mib);
    add(c, "-o");
    add(c, "%s", w->pipe_out ? "-" : out);
}

/* Runs a case; its messages go to `errors`. */
static int run(const struct made_case *k, const struct way *w, const char *out, const char *errors)
{
    int stream[GF_CALL_STREAMS] = { -1, -1, -1 }, out_pipe[2] = { -1, -1 }, socket, status;
    struct command c;
    pid_t writer = -1;
    struct server *const s = w->other ? &test.other : &test.own;

    unlink(out);
    if (w->arrays > 0) {
        status = gf_arrays_run(&k->in, k->stage, k->stages, k->depth != NULL && k->in.made == GF_MADE_IMAGE
                               && strcmp(k->depth, "16") == 0 ? "u16" : k->depth, w->arrays - 1, w->gpu, out, errors);
        test.arrays[w->gpu] += status == 0;
        return status;
    }
    make_command(&c, k, w, out);
    stream[0] = w->pipe_in ? feed(k->in.name, w->open_end, &writer) : open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (w->pipe_out && pipe2(out_pipe, O_CLOEXEC) == 0)
        stream[1] = out_pipe[1];
    else
        stream[1] = open("/dev/null", O_WRONLY | O_CLOEXEC);
    stream[2] = open(errors, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    socket = gf_call_begin(s->socket, c.word, stream);
    for (int i = 0; i < GF_CALL_STREAMS; i++)
        close(stream[i]);
    if (out_pipe[0] >= 0)
        drain(out_pipe[0], out);
    status = end_run(s, socket);
    if (writer > 0)
        waitpid(writer, NULL, 0);
    return status;
}

/* ---- comparison ---- */

static char *read_all(const char *name, size_t *size)
{
    FILE *f = fopen(name, "rb");
    struct stat s;
    char *bytes = NULL;

    *size = 0;
    if (f != NULL && fstat(fileno(f), &s) == 0 && (bytes = calloc(1, (size_t)s.st_size + 1)) != NULL)
        *size = fread(bytes, 1, (size_t)s.st_size, f);
    if (f != NULL)
        fclose(f);
    return bytes;
}

static bool has_text(const char *name, const char *text)
{
    size_t size;
    char *bytes = read_all(name, &size);
    const bool has = bytes != NULL && strstr(bytes, text) != NULL;

    free(bytes);
    return has;
}

/* Compares two files, both of which may be missing; the first difference goes to *at, -1 if only the lengths differ. */
static bool same_files(const char *a, const char *b, int64_t *at)
{
    size_t a_size, b_size;
    char *const x = read_all(a, &a_size), *const y = read_all(b, &b_size);
    bool same = (x == NULL) == (y == NULL) && a_size == b_size;

    *at = -1;
    for (size_t i = 0; x != NULL && y != NULL && i < a_size && i < b_size; i++)
        if (x[i] != y[i]) {
            *at = (int64_t)i;
            same = false;
            break;
        }
    free(x);
    free(y);
    return same;
}

static const char *status_text(int status, char *text, size_t room)
{
    if (status == CRASHED)
        snprintf(text, room, "crashes");
    else if (status == ENDLESS)
        snprintf(text, room, "does not end");
    else
        snprintf(text, room, "status %d", status);
    return text;
}

/* Runs a case plain and the other way. `why` is set if it fails. */
static enum outcome compare(const struct made_case *k, char *why, size_t room)
{
    static const struct way plain = { 0 };
    char first[40], second[40];
    int64_t at;
    int a, b;

    unlink("tee.pam");
    unlink("tee.au");
    unlink("plain.pam");
    unlink("plain.au");
    a = run(k, &plain, "plain.out", "plain.errors");
    rename("tee.pam", "plain.pam");
    rename("tee.au", "plain.au");
    if (a > 2) {
        snprintf(why, room, "the plain run: %s", status_text(a, first, sizeof first));
        return DIFFERENT;
    }
    b = run(k, &k->way, "other.out", "other.errors");
    if (a == 0 && b == 1 && k->way.memory_mib > 0 && has_text("other.errors", "memory"))
        return LITTLE_MEMORY;
    if (a != 0 && (b == 1 || b == 2))                    /* a chain with two mistakes may end at either */
        return REFUSED;
    if (a != b) {
        snprintf(why, room, "%s, but plain %s", status_text(b, second, sizeof second),
                 status_text(a, first, sizeof first));
        return DIFFERENT;
    }
    if (!same_files("plain.out", "other.out", &at)) {
        snprintf(why, room, "the first difference is at byte %lld", (long long)at);
        return DIFFERENT;
    }
    if (!same_files("plain.pam", "tee.pam", &at) || !same_files("plain.au", "tee.au", &at)) {
        snprintf(why, room, "another file of tee, from byte %lld on", (long long)at);
        return DIFFERENT;
    }
    return SAME;
}

/* ---- the shortest command ---- */

static bool still_fails(const struct made_case *k)
{
    char why[200];

    return compare(k, why, sizeof why) == DIFFERENT;
}

/* Keeps `shorter` if it fails like *k. */
static bool take_shorter(struct made_case *k, const struct made_case *shorter)
{
    if (!still_fails(shorter))
        return false;
    *k = *shorter;
    return true;
}

static bool drop_stage(struct made_case *k, int at)
{
    struct made_case shorter = *k;

    if (k->way.arrays > 0 && at == k->stages - 1)            /* which decides whether the result is a table */
        return false;
    memmove(shorter.stage + at, shorter.stage + at + 1, (size_t)(--shorter.stages - at) * sizeof *shorter.stage);
    return take_shorter(k, &shorter);
}

static bool drop_value(struct made_case *k, int stage, int value)
{
    struct made_case shorter = *k;
    struct gf_drawn_stage *s = &shorter.stage[stage];

    memmove(s->value + value, s->value + value + 1, (size_t)(--s->values - value) * sizeof *s->value);
    return take_shorter(k, &shorter);
}

/* Tries to run the other way with less that differs. */
static bool drop_from_way(struct made_case *k)
{
    const struct way w = k->way;
    const struct way tries[] = {
        { .gpu = w.gpu, .other = w.other, .arrays = w.arrays > 0 },
        { w.segment, 0, 0, 0, w.gpu, false, false, false, w.other, 0 },
        { w.segment, w.lanes, w.threads, 0, w.gpu, false, false, false, w.other, 0 },
        { 0, 0, 0, w.memory_mib, w.gpu, false, false, false, w.other, 0 },
        { 0, 0, 0, 0, w.gpu, w.pipe_in, w.open_end, false, w.other, 0 },
        { 0, 0, 0, 0, w.gpu, false, false, w.pipe_out, w.other, 0 },
        { w.segment, 0, 0, 0, w.gpu, w.pipe_in, w.open_end, false, w.other, 0 },
        { w.segment, w.lanes, w.threads, 0, w.gpu, w.pipe_in, w.open_end, false, w.other, 0 },
    };

    for (size_t i = 0; i < (w.arrays > 0 ? 1 : sizeof tries / sizeof *tries); i++) {
        struct made_case shorter = *k;

        shorter.way = tries[i];
        if (memcmp(&tries[i], &w, sizeof w) != 0 && take_shorter(k, &shorter))
            return true;
    }
    return false;
}

/* Removes stages, values and options as long as the case still fails. */
static void shorten(struct made_case *k)
{
    drop_from_way(k);
    for (int i = 0; i < k->stages;)
        i += !drop_stage(k, i);
    for (int i = 0; i < k->stages; i++)
        for (int v = 0; v < k->stage[i].values;)
            v += !drop_value(k, i, v);
    drop_from_way(k);
}

static void print_command(FILE *to, const struct made_case *k, const struct way *w)
{
    static const char *const layouts[GF_LAYOUTS] = { "without gaps", "mirrored with odd gaps", "in planes" };
    struct command c;

    if (w->arrays > 0) {
        fprintf(to, "#   by libgpufilter on arrays %s, device %s\n", layouts[w->arrays - 1], w->gpu ? "cuda" : "cpu");
        return;
    }
    make_command(&c, k, w, "out");
    fprintf(to, "#   %s", w->pipe_in ? "cat " : "");
    if (w->pipe_in)
        fprintf(to, "%s | ", k->in.name);
    for (int i = 0; i < c.count; i++)
        if (i == 0 && w->other)
            fprintf(to, "%s ", test.other.program);
        else
            fprintf(to, strpbrk(c.word[i], " ;*?#[<>") != NULL ? "'%s' " : "%s ", c.word[i]);
    fprintf(to, "%s\n", w->open_end ? " # the header does not state the length" : "");
}

/* ---- making cases ---- */

/* True if the result has the name of the input in it: drawings, and labels of images. */
static bool names_input(const struct made_case *k)
{
    for (int i = 0; i < k->stages; i++)
        for (int v = 0; v < k->stage[i].values; v++)
            if (strcmp(k->stage[i].value[v], "label=on") == 0)
                return true;
    return k->to != NULL && strcmp(k->to, "png") == 0;
}

static void draw_way(struct way *w, const struct made_case *k, struct gf_dice *d)
{
    static const int segments[] = { 700, 17, 4096, 64, 1 };
    const bool sound = k->in.made == GF_MADE_SOUND, padded = k->in.units * k->in.channels * k->in.bits / 8 % 2 == 1;

    *w = (struct way) { .other = test.other.program[0] != '\0' };
    w->gpu = !w->other && test.gpu && gf_dice_draw(d, 4) != 0;
    if (w->other || (w->gpu && gf_dice_draw(d, 2) == 0))
        return;
    if (gf_dice_draw(d, 4) != 0) {
        w->segment = segments[gf_dice_draw(d, sound && k->in.units > 1001 ? 3 : 5)];
        w->lanes = 1 + (int)gf_dice_draw(d, 5);
        w->threads = 1 + (int)gf_dice_draw(d, 3);
    }
    if (gf_dice_draw(d, 5) == 0)
        w->memory_mib = 1 << gf_dice_draw(d, 7);
    w->pipe_in = gf_dice_draw(d, 3) == 0 && !names_input(k);
    w->open_end = w->pipe_in && sound && !padded && gf_dice_draw(d, 3) != 0;
    w->pipe_out = gf_dice_draw(d, 4) == 0;
}

/* Draws the format of the result. */
static void draw_output(struct made_case *k, struct gf_dice *d)
{
    static const char *const image_depths[] = { "8", "f32", "16" };
    static const char *const sound_depths[] = { "f32", "16", "24", "8" };
    static const char *const tables[] = { "tsv", "json", "png", "csv" };
    const struct gf_stage *last = k->stages > 0 ? k->stage[k->stages - 1].stage : NULL;

    if (last != NULL && last->ends != GF_ENDS_SIGNAL) {
        k->to = tables[gf_dice_draw(d, 4)];
    } else if (k->in.made == GF_MADE_SOUND) {
        k->depth = sound_depths[gf_dice_draw(d, 4)];
        k->to = "raw";
    } else if (k->in.made == GF_MADE_VIDEO && gf_dice_draw(d, 4) != 0) {
        k->to = "y4m";
    } else {
        k->depth = image_depths[gf_dice_draw(d, 3)];
        if (k->in.made == GF_MADE_VIDEO)                 /* a TIFF of several images cannot go to a pipe */
            k->depth = "16";
        k->to = strcmp(k->depth, "f32") == 0 ? "tif" : "pam";
    }
}

/* Returns true if a stage looks at images first, which only the command does after other stages. */
static bool looks_first(const struct gf_drawn_stage *s)
{
    char text[700];

    gf_drawn_stage_print(s, text, sizeof text);
    return s->stage->look != NULL && (s->stage->looks == NULL || strstr(text, "area=") != NULL);
}

/* Returns true if only the command has a stage: it writes files, or takes several inputs. */
static bool needs_command(const struct gf_drawn_stage *s)
{
    return strcmp(s->stage->name, "tee") == 0 || s->stage->joins != NULL || s->stage->frames != NULL
        || s->stage->splits != NULL || s->stage->inserts != NULL || s->stage->keeps != NULL || s->stage->evens_sides;
}

/* Draws a run on arrays, with a result that is written as they are. */
static void draw_arrays(struct made_case *k, struct gf_dice *d)
{
    static const char *const image_depths[] = { "8", "f32", "16" }, *const sound_depths[] = { "f32", "16", "32" };

    for (int i = 0; i < k->stages; i++)
        if (needs_command(&k->stage[i]) || (i > 0 && looks_first(&k->stage[i])))
            return;
    k->way = (struct way) { .arrays = 1 + (int)gf_dice_draw(d, GF_LAYOUTS) };
    k->way.gpu = test.gpu && gf_dice_draw(d, 2) == 0;
    if (k->stages > 0 && k->stage[k->stages - 1].stage->ends != GF_ENDS_SIGNAL) {
        k->to = "tsv";
        return;
    }
    k->depth = (k->in.made == GF_MADE_SOUND ? sound_depths : image_depths)[gf_dice_draw(d, 3)];
    k->to = "raw";
}

static const struct gf_stage *draw_stage(enum gf_kind kind, bool last, struct gf_dice *d)
{
    for (;;) {
        const struct gf_stage *s = gf_stages[gf_dice_draw(d, (uint32_t)gf_stage_count)];

        /* tiles are many files; tests/stages/tile.sh cuts them */
        if (s->kind == kind && s->ends != GF_ENDS_TILES && s->splits == NULL && (last || s->ends == GF_ENDS_SIGNAL))
            return s;
    }
}

/* Makes case `number` of a group: `only`, or a random chain. */
static bool make_case(struct made_case *k, enum gf_made made, const struct gf_stage *only, uint64_t group, int number)
{
    struct gf_dice d = gf_dice_of(test.seed, group, (uint64_t)number);

    memset(k, 0, sizeof *k);
    /* a stage alone goes through all forms in turn; each seed begins elsewhere */
    gf_made_choose(&k->in, made, only != NULL ? (int)(((uint64_t)number + 29 * (test.seed - 1)) % 10000) : -1, &d);
    if (!gf_made_write(&k->in))
        return false;
    k->stages = only != NULL ? 1 : 2 + (int)gf_dice_draw(&d, MOST_STAGES - 1);
    for (int i = 0; i < k->stages; i++) {
        const struct gf_stage *s = only != NULL ? only
            : draw_stage(made == GF_MADE_SOUND ? GF_AUDIO : GF_IMAGE, i == k->stages - 1, &d);

        if (!gf_drawn_stage_draw(&k->stage[i], s, &k->in, &d))
            return false;
    }
    draw_output(k, &d);
    draw_way(&k->way, k, &d);
    if (made != GF_MADE_VIDEO && !k->way.other && gf_dice_draw(&d, 4) == 0)
        draw_arrays(k, &d);
    return true;
}

/* ---- groups of cases ---- */

#define SHOWN 3                          /* failures of a group that are printed */

static void fail_case(FILE *notes, struct made_case *k, int number, int failures)
{
    static const struct way plain = { 0 };
    char why[200] = "";

    if (failures > SHOWN)
        return;
    shorten(k);
    compare(k, why, sizeof why);
    fprintf(notes, "# case %d of seed %llu: %s\n", number, (unsigned long long)test.seed, why);
    print_command(notes, k, &plain);
    print_command(notes, k, &k->way);
}

static void print_counts(const int64_t *count)
{
    printf("# %lld the same, %lld refused both ways, %lld with too little memory, %lld differ\n",
           (long long)count[SAME], (long long)count[REFUSED], (long long)count[LITTLE_MEMORY],
           (long long)count[DIFFERENT]);
}

static void run_group(const char *name, enum gf_made made, const struct gf_stage *only, uint64_t group, int cases)
{
    int64_t count[OUTCOMES] = { 0 };
    char *text = NULL, why[200];
    size_t size;
    FILE *notes;

    if (!gf_is_chosen(name))
        return;
    notes = open_memstream(&text, &size);
    for (int i = 0; i < cases && notes != NULL; i++) {
        const enum gf_made other = made == GF_MADE_IMAGE && i % 8 == 7 ? GF_MADE_VIDEO : made;
        struct made_case k;
        enum outcome o;

        if (!make_case(&k, only != NULL ? other : made, only, group, i)) {
            fprintf(notes, "# writing an input: %s\n", strerror(errno));
            count[DIFFERENT]++;
            continue;
        }
        o = compare(&k, why, sizeof why);
        count[o]++;
        if (o == DIFFERENT)
            fail_case(notes, &k, i, (int)count[DIFFERENT]);
    }
    gf_ok(notes != NULL && count[DIFFERENT] == 0 && (count[SAME] > 0 || cases < 8), "%s", name);
    print_counts(count);
    if (notes != NULL && fclose(notes) == 0)
        fputs(text, stdout);
    free(text);
    fflush(stdout);
    for (int o = 0; o < OUTCOMES; o++)
        test.count[o] += count[o];
}

static void run_all(int cases)
{
    static const char *const chains[] = { "chains of images", "chains of video", "chains of audio" };
    static const int parts[] = { 16, 4, 20 };                /* of 100 cases */
    const int each = cases * 60 / 100 / gf_stage_count;

    for (int i = 0; i < gf_stage_count; i++) {
        const struct gf_stage *s = gf_stages[i];
        char name[100];

        if (s->ends == GF_ENDS_TILES || s->splits != NULL)
            continue;
        snprintf(name, sizeof name, "%s, %s", s->name, s->kind == GF_AUDIO ? "audio" : "images");
        run_group(name, s->kind == GF_AUDIO ? GF_MADE_SOUND : GF_MADE_IMAGE, s, (uint64_t)i, each);
    }
    for (int i = 0; i < 3; i++)
        run_group(chains[i], (enum gf_made)i, NULL, (uint64_t)(1000 + i), cases * parts[i] / 100);
}

/* ---- */

static int64_t number_from(const char *name, int64_t otherwise)
{
    const char *text = getenv(name);

    return text != NULL && text[0] != '\0' ? strtoll(text, NULL, 10) : otherwise;
}

/* Finds the program that makes calls next to this one, and a folder for files. */
static bool find_places(void)
{
    const char *tmp = getenv("TMPDIR"), *keep = getenv("GPUFILTER_KEEP"), *other = getenv("GPUFILTER_OTHER");
    char own[PATH_MAX - 20];
    const ssize_t length = readlink("/proc/self/exe", own, sizeof own - 1);
    char *slash;

    own[length > 0 ? length : 0] = '\0';
    slash = strrchr(own, '/');
    if (slash == NULL)
        return false;
    *slash = '\0';
    snprintf(test.own.program, sizeof test.own.program, "%s/call_many", own);
    if (other != NULL && other[0] != '\0' && realpath(other, test.other.program) == NULL)
        return false;
    if (keep != NULL)
        snprintf(test.folder, sizeof test.folder, "%s", keep);
    else
        snprintf(test.folder, sizeof test.folder, "%s/gpufilter-test.XXXXXX", tmp != NULL ? tmp : "/tmp");
    if (keep == NULL ? mkdtemp(test.folder) == NULL : mkdir(keep, 0777) != 0 && errno != EEXIST)
        return false;
    if (chdir(test.folder) != 0)
        return false;
    test.own.socket = "calls.socket";
    test.other.socket = "other.socket";
    return true;
}

static void remove_folder(void)
{
    if (getenv("GPUFILTER_KEEP") == NULL && fork() == 0)
        execlp("rm", "rm", "-rf", test.folder, (char *)NULL);
    wait(NULL);
}

int main(void)
{
#ifdef GF_SANITIZER
    const int usual = 800;
#else
    const int usual = 5000;
#endif
    const int cases = (int)number_from("GPUFILTER_CASES", usual);
    struct gf_device_facts facts;
    struct timespec begin, end;
    char why[300];

    clock_gettime(CLOCK_MONOTONIC, &begin);
    test.seed = (uint64_t)number_from("GPUFILTER_SEED", 1);
    gf_device_cuda.facts(0, &facts, why, sizeof why);
    test.gpu = facts.present;
    if (!test.gpu)
        gf_no_gpu("CPU and GPU", why);
    if (!gf_arrays_open(test.gpu) || !find_places() || !start_server(&test.own)
        || (test.other.program[0] != '\0' && !start_server(&test.other))) {
        printf("Bail out! %s %s: %s\n", test.own.program, test.other.program, strerror(errno));
        return 1;
    }
    printf("# seed %llu\n", (unsigned long long)test.seed);
    run_all(cases);
    clock_gettime(CLOCK_MONOTONIC, &end);
    printf("# seed %llu, %d s\n", (unsigned long long)test.seed, (int)(end.tv_sec - begin.tv_sec));
    print_counts(test.count);
    printf("# arrays gave %lld results on the CPU, and %lld on a GPU\n", (long long)test.arrays[0],
           (long long)test.arrays[1]);
    if (usual == cases && test.other.program[0] == '\0' && (getenv("ONLY") == NULL || getenv("ONLY")[0] == '\0'))
        gf_ok(test.arrays[0] + test.arrays[1] >= cases / 10 && (!test.gpu || test.arrays[1] >= cases / 25),
              "arrays give many results");
    gf_arrays_close();
    end_server(&test.own);
    end_server(&test.other);
    remove_folder();
    return gf_tap_end();
}
