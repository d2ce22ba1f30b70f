/* Times OpenCV in a Python process, which reads a line for each case and answers with seconds. */
#define _GNU_SOURCE
#include "bench/peers/opencv.h"

#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/*
 * The result of the expression becomes `b`, to which the next call writes, so that warm calls
 * allocate nothing.
 */
static const char script[] =
    "import sys, time\n"
    "try:\n"
    "    import cv2, numpy\n"
    "except Exception as e:\n"
    "    print('no OpenCV:', e, flush=True)\n"
    "    sys.exit()\n"
    "cv2.setNumThreads(int(sys.argv[1]))\n"
    "print('OpenCV', cv2.__version__, flush=True)\n"
    "def image(kind, shape):\n"
    "    r = numpy.random.default_rng(1)\n"
    "    most = 65536 if kind == 'uint16' else 256\n"
    "    return r.random(shape, 'f') if kind == 'float32' else r.integers(0, most, shape, kind)\n"
    "for line in sys.stdin:\n"
    "    kind, rows, width, channels, words = line.rstrip('\\n').split('\\t')\n"
    "    shape = (int(rows), int(width)) + ((int(channels),) if channels != '1' else ())\n"
    "    def once():\n"
    "        names['b'] = eval(code, names)\n"
    "    try:\n"
    "        second = image(kind, shape)[::-1].copy()\n"
    "        names = { 'cv2': cv2, 'numpy': numpy, 'a': image(kind, shape), 'c': second, 'b': None }\n"
    "        code = compile(words, 'case', 'eval')\n"
    "        once()\n"
    "        start = time.perf_counter(); once(); one = time.perf_counter() - start\n"
    "        times, took = max(1, int(.02 / max(one, 1e-6))), []\n"
    "        for i in range(9 if one < 1 else 3):\n"
    "            start = time.perf_counter()\n"
    "            for k in range(times):\n"
    "                once()\n"
    "            took.append((time.perf_counter() - start) / times)\n"
    "        print(sorted(took)[len(took) // 2], flush=True)\n"
    "    except Exception as e:\n"
    "        print(-1, str(e).replace('\\n', ' '), flush=True)\n";

void gf_opencv_open(struct gf_opencv *o, int threads)
{
    const char *named = getenv("GPUFILTER_PYTHON");
    /* a virtual environment is found by argv[0] */
    char *python = (char *)(uintptr_t)(named != NULL ? named : "python3"), count[12];
    char *words[] = { python, "-c", (char *)(uintptr_t)script, count, NULL };
    posix_spawn_file_actions_t actions;
    int to[2], from[2];

    memset(o, 0, sizeof *o);
    snprintf(o->version, sizeof o->version, "no OpenCV: no %.60s", python);
    snprintf(count, sizeof count, "%d", threads);
    if (pipe2(to, O_CLOEXEC) != 0)
        return;
    if (pipe2(from, O_CLOEXEC) != 0) {
        close(to[0]);
        close(to[1]);
        return;
    }
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, to[0], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, from[1], STDOUT_FILENO);
    if (posix_spawnp(&o->child, python, &actions, NULL, words, environ) != 0)
        o->child = 0;
    posix_spawn_file_actions_destroy(&actions);
    close(to[0]);
    close(from[1]);
    o->to = fdopen(to[1], "w");
    o->from = fdopen(from[0], "r");
    if (o->to == NULL)
        close(to[1]);
    if (o->from == NULL)
        close(from[0]);
    if (o->child > 0 && o->to != NULL && o->from != NULL && fgets(o->version, sizeof o->version, o->from) != NULL)
        o->there = strncmp(o->version, "OpenCV ", 7) == 0;
    o->version[strcspn(o->version, "\n")] = '\0';
}

double gf_opencv_time(struct gf_opencv *o, const struct gf_bench_pick *pick, int64_t width, int64_t rows)
{
    const enum gf_type type = pick->form->type;
    char answer[400];

    if (!o->there || (pick->form->planar && pick->form->channels > 1))
        return -1;
    fprintf(o->to, "%s\t%lld\t%lld\t%d\t%s\n", type == GF_U8 ? "uint8" : type == GF_U16 ? "uint16" : "float32",
            (long long)rows, (long long)width, pick->form->channels, pick->one->opencv);
    if (fflush(o->to) != 0 || fgets(answer, sizeof answer, o->from) == NULL) {
        o->there = false;
        return -1;
    }
    return atof(answer);
}

void gf_opencv_close(struct gf_opencv *o)
{
    if (o->to != NULL)
        fclose(o->to);
    if (o->from != NULL)
        fclose(o->from);
    if (o->child > 0)
        waitpid(o->child, NULL, 0);
}
