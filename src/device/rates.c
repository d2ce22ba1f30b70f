/*
 * Reads the file of rates with checks, replaces it atomically, and makes the keys that identify
 * machines.
 */
#define _GNU_SOURCE
#include <config.h>
#include "device/rates.h"

#include "base/files.h"
#include "device/device.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#define MOST_BYTES 49152
#define MOST_LINES 100                   /* lines: several machines may share the file */
#define OLD_SECONDS 86400                /* seconds after which an answer expires, because GPUs come and go */
#define FILE_NAME "/gpufilter/rates"
#define SKEW_SECONDS 60                  /* seconds by which clocks of machines with one file may differ */

/* ---- keys ---- */

static void mix(uint64_t *hash, const void *bytes, size_t size)
{
    const unsigned char *b = bytes;

    for (size_t i = 0; i < size; i++)
        *hash = (*hash ^ b[i]) * UINT64_C(0x100000001b3);        /* FNV-1a */
}

static void mix_text(uint64_t *hash, const char *text)
{
    mix(hash, text ? text : "", text ? strlen(text) + 1 : 1);
}

/* Reads the beginning of a file as text; the text is empty if there is no file. */
static void read_start(const char *path, char *text, size_t room)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    ssize_t got = 0;
    size_t done = 0;
    struct stat st;

    if (fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
        while (done < room - 1 && (got = read(fd, text + done, room - 1 - done)) > 0)
            done += (size_t)got;
    text[done] = '\0';
    if (fd >= 0)
        close(fd);
}

/* Reads "model name : …" of the first core; other processors have other labels. */
static void cpu_model(char *model, size_t room)
{
    static const char *const words[] = { "model name", "CPU part", "cpu model", "cpu\t\t:" };
    char text[4096];
    const char *at = NULL;

    read_start("/proc/cpuinfo", text, sizeof text);
    for (size_t i = 0; at == NULL && i < sizeof words / sizeof *words; i++)
        at = strstr(text, words[i]);
    at = at ? strchr(at, ':') : NULL;
    at = at ? at + 1 + strspn(at + 1, " \t") : "processor";
    snprintf(model, room, "%.*s", (int)strcspn(at, "\n"), at);
}

static void mix_cpu(uint64_t *hash)
{
    char model[200];
    cpu_set_t set;
    const int cores = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;

    cpu_model(model, sizeof model);
    mix_text(hash, model);
    mix(hash, &cores, sizeof cores);
}

/*
 * Hashes what can be found out about the driver and its GPUs without opening it, and the
 * architectures of this build.
 */
static void mix_driver(uint64_t *hash)
{
    char text[1024];
    struct dirent **gpus = NULL;
    const int count = scandir("/proc/driver/nvidia/gpus", &gpus, NULL, alphasort);

#ifdef GF_HAVE_CUDA
    mix_text(hash, GF_CUDA_ARCHS);
#endif
    read_start("/proc/driver/nvidia/version", text, sizeof text);
    mix_text(hash, text);
    mix_text(hash, getenv("CUDA_VISIBLE_DEVICES"));
    mix_text(hash, access("/dev/nvidiactl", F_OK) == 0 ? "open" : "shut");
    for (int i = 0; i < count; i++) {
        mix_text(hash, gpus[i]->d_name);
        free(gpus[i]);
    }
    free(gpus);
}

/* The key does not depend on the build, because gpufilter reads what gpufilter-bench has written. */
static void make_key(const char *device, char *key)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    struct utsname host;

    mix_text(&hash, uname(&host) == 0 ? host.nodename : "");
    if (strcmp(device, "cpu") == 0)
        mix_cpu(&hash);
    else
        mix_driver(&hash);
    snprintf(key, GF_RATES_KEY, "%016llx", (unsigned long long)hash);
}

/* ---- lines ---- */

/* Accepts 0 (not measured) and rates that a real machine can have. */
static bool is_rate(double r)
{
    return r == 0 || (r >= 1e6 && r <= 1e16);
}

bool gf_rates_parse(const char *text, int64_t now, struct gf_rates_line *line)
{
    struct gf_rates *r = &line->rates;
    char answer[12];
    long long when;
    int at = 0;

    memset(line, 0, sizeof *line);
    if (sscanf(text, "%15s %16s %18lld %11s %lf %lf %lf %lf %n", line->device, line->key, &when, answer,
               &r->start_seconds,
               &r->copy_bytes_per_second, &r->work_bytes_per_second, &r->conv_bytes_per_second, &at) != 8 || at == 0
        || when > now + SKEW_SECONDS || !(r->start_seconds >= 0 && r->start_seconds <= 600)
        || !is_rate(r->copy_bytes_per_second) || !is_rate(r->work_bytes_per_second)
        || !is_rate(r->conv_bytes_per_second))
        return false;
    line->when = when;
    r->measured = strcmp(answer, "measured") == 0;
    r->present = r->measured || strcmp(answer, "assumed") == 0;
    r->known = (r->measured || when >= now - OLD_SECONDS)
            && (r->present ? r->work_bytes_per_second > 0 : strcmp(answer, "absent") == 0);
    snprintf(r->name, sizeof r->name, "%.*s", (int)strcspn(text + at, "\n"), text + at);
    return r->known;
}

void gf_rates_text(const struct gf_rates_line *line, char *text)
{
    const struct gf_rates *r = &line->rates;

    snprintf(text, GF_RATES_TEXT, "%s %s %lld %s %.4f %.4g %.4g %.4g %s\n", line->device, line->key,
             (long long)line->when,
             !r->present ? "absent" : r->measured ? "measured" : "assumed", r->start_seconds, r->copy_bytes_per_second,
             r->work_bytes_per_second, r->conv_bytes_per_second, r->name);
}

/* ---- the file ---- */

/* Returns the next valid line; its text ends at *at. */
static bool next_line(char **at, int64_t now, struct gf_rates_line *line)
{
    while (**at != '\0') {
        char *text = *at;
        const size_t length = strcspn(text, "\n");

        *at += length + (text[length] == '\n');
        text[length] = '\0';
        if (gf_rates_parse(text, now, line))
            return true;
    }
    return false;
}

static void read_file(const char *folder, char *text)
{
    char path[PATH_MAX + 32];

    snprintf(path, sizeof path, "%s" FILE_NAME, folder);
    read_start(path, text, MOST_BYTES);
}

bool gf_rates_folder(char *path, size_t room, bool make)
{
    char folder[PATH_MAX];

    if (!gf_files_user_folder("XDG_CACHE_HOME", ".cache", folder, sizeof folder))
        return false;
    snprintf(path, room, "%s/gpufilter", folder);
    if (make) {
        mkdir(folder, 0700);
        mkdir(path, 0700);
    }
    return true;
}

void gf_rates_tidy(void)
{
    char path[PATH_MAX + 32];

    if (gf_rates_folder(path, sizeof path, false))
        rmdir(path);
}

bool gf_rates_file(char *path, size_t room)
{
    char folder[PATH_MAX];

    if (!gf_files_user_folder("XDG_CACHE_HOME", ".cache", folder, sizeof folder))
        return false;
    snprintf(path, room, "%s" FILE_NAME, folder);
    return true;
}

/* Finds the first line of a device, or the first with measured rates. */
static void find_line(const char *device, bool measured, struct gf_rates *r)
{
    char folder[PATH_MAX], key[GF_RATES_KEY], *text, *at;
    struct gf_rates_line line;

    memset(r, 0, sizeof *r);
    if (!gf_files_user_folder("XDG_CACHE_HOME", ".cache", folder, sizeof folder))
        return;
    text = at = malloc(MOST_BYTES);
    if (text == NULL)
        return;
    read_file(folder, text);
    make_key(device, key);
    while (!r->known && next_line(&at, time(NULL), &line))
        if (strcmp(line.device, device) == 0 && strcmp(line.key, key) == 0 && (!measured || line.rates.measured))
            *r = line.rates;
    free(text);
}

void gf_rates_find(const char *device, struct gf_rates *r)
{
    find_line(device, false, r);
}

/* Writes a temporary file and renames it, so that no reader sees half a file. */
static bool write_file(const char *folder, const char *text)
{
    char path[PATH_MAX + 32], temporary[PATH_MAX + 32];
    const size_t size = strlen(text);
    bool whole;
    int fd;

    gf_rates_folder(path, sizeof path, true);
    snprintf(path, sizeof path, "%s" FILE_NAME, folder);
    snprintf(temporary, sizeof temporary, "%s" FILE_NAME ".XXXXXX", folder);
    fd = mkostemp(temporary, O_CLOEXEC);
    if (fd < 0)
        return false;
    whole = write(fd, text, size) == (ssize_t)size;
    if (close(fd) == 0 && whole && rename(temporary, path) == 0)
        return true;
    unlink(temporary);
    return false;
}

bool gf_rates_keep(const char *device, const struct gf_rates *r)
{
    char folder[PATH_MAX], *old, *new, *at, *to;
    struct gf_rates_line own = { .when = time(NULL), .rates = *r }, line;
    bool kept;

    if (!gf_files_user_folder("XDG_CACHE_HOME", ".cache", folder, sizeof folder))
        return false;
    old = at = malloc(MOST_BYTES + GF_RATES_TEXT * (MOST_LINES + 1));
    if (old == NULL)
        return false;
    new = to = old + MOST_BYTES;
    for (char *c = own.rates.name; *c != '\0'; c++)
        *c = *c >= ' ' && *c < 127 ? *c : ' ';
    snprintf(own.device, sizeof own.device, "%s", device);
    make_key(device, own.key);
    to += sprintf(to, "# How fast devices are, as gpufilter-bench --rates measured it; this file may be deleted.\n");
    gf_rates_text(&own, to);
    read_file(folder, old);
    for (int lines = 1; lines < MOST_LINES && next_line(&at, own.when, &line);) {
        if (strcmp(line.device, own.device) == 0 && strcmp(line.key, own.key) == 0
            && (r->present || !line.rates.measured))
            continue;
        to += strlen(to);
        gf_rates_text(&line, to);
        lines++;
    }
    kept = write_file(folder, new);
    free(old);
    return kept;
}

/* ---- what it means ---- */

void gf_rates_apply(const struct gf_rates *r, struct gf_device_facts *facts)
{
    facts->measured = r->measured;
    facts->start_seconds = r->start_seconds;
    facts->copy_bytes_per_second = r->copy_bytes_per_second;
    facts->work_bytes_per_second = r->work_bytes_per_second;
    facts->conv_bytes_per_second = r->conv_bytes_per_second;
}

void gf_rates_keep_gpu(int index, const char *said, struct gf_device_facts *facts)
{
    struct gf_rates r, heard = { .present = facts->present, .start_seconds = facts->start_seconds,
                                 .copy_bytes_per_second = facts->copy_bytes_per_second,
                                 .work_bytes_per_second = facts->work_bytes_per_second,
                                 .conv_bytes_per_second = facts->conv_bytes_per_second };
    char device[16];

    if (gf_device_cuda.missing != NULL)               /* this build has no GPU code */
        return;
    snprintf(device, sizeof device, "cuda:%d", index);
    snprintf(heard.name, sizeof heard.name, "%.*s", (int)sizeof heard.name - 1, said);
    gf_rates_find(device, &r);
    if (r.known && !r.present && heard.present) {       /* it answers again */
        struct gf_rates measured;

        find_line(device, true, &measured);
        if (measured.known && strcmp(measured.name, heard.name) == 0 && gf_rates_keep(device, &measured))
            r = measured;
    }
    if (!r.known || r.present != heard.present || strcmp(r.name, heard.name) != 0)
        gf_rates_keep(device, &heard);
    else if (r.present)
        gf_rates_apply(&r, facts);
}

bool gf_rates_find_gpu(int index, struct gf_device_facts *facts)
{
    struct gf_rates r;
    char device[16];

    memset(facts, 0, sizeof *facts);
    if (gf_device_cuda.missing != NULL)
        return false;
    snprintf(device, sizeof device, "cuda:%d", index);
    gf_rates_find(device, &r);
    facts->present = facts->fuses = r.present;
    if (r.present)
        gf_rates_apply(&r, facts);
    return r.known;
}
