/* Outputs are complete or absent. Other outputs are pipes, devices and standard output. */
#define _GNU_SOURCE
#include "io_common.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

static int files_here(void)
{
    DIR *d = opendir(".");
    int count = 0;

    while (d != NULL && readdir(d) != NULL)
        count++;
    if (d != NULL)
        closedir(d);
    return count;
}

static mode_t mode_of(const char *name)
{
    struct stat st;

    return stat(name, &st) == 0 ? st.st_mode & 07777 : 0;
}

void gf_test_whole_or_not(void)
{
    struct gf_write_options o = { .compression = -1 }, keep = { .compression = -1, .keep = true };
    struct gf_error err = { 0 };
    struct gf_writer *w;
    struct stat st;
    int before;

    gf_put_file("w.pgm", "old", 3);
    chmod("w.pgm", 0640);
    before = files_here();
    w = gf_writer_open("w.pgm", &o, &gf_gray8, false, &err);
    gf_ok(w != NULL && gf_writer_begin(w, &gf_gray8, &err) == 0 && gf_writer_write(w, "abcd", 1, &err) == 0
          && gf_file_is("w.pgm", "old", 3), "the target is untouched while it is written");
    gf_writer_close(w);
    gf_ok(gf_file_is("w.pgm", "old", 3) && files_here() == before, "giving up leaves the target and no other file");
    gf_ok(gf_write_one("w.pgm", &o, &gf_gray8, "abcd", false, NULL) == 0
          && gf_file_is("w.pgm", BYTES("P5\n2 2\n255\nabcd"))
          && mode_of("w.pgm") == 0640 && files_here() == before, "a target that is replaced keeps its mode");
    if (symlink("w.pgm", "link.pgm") != 0 || symlink("fresh.pgm", "dangling.pgm") != 0)
        exit(1);
    gf_ok(gf_write_one("link.pgm", &o, &gf_gray8, "efgh", false, NULL) == 0 && lstat("link.pgm", &st) == 0
          && S_ISLNK(st.st_mode) && gf_file_is("w.pgm", BYTES("P5\n2 2\n255\nefgh")), "a link stays a link");
    gf_ok(gf_write_one("dangling.pgm", &o, &gf_gray8, "efgh", false, NULL) == 0 && lstat("dangling.pgm", &st) == 0
          && S_ISLNK(st.st_mode) && gf_file_is("fresh.pgm", BYTES("P5\n2 2\n255\nefgh")), "a dangling link stays one");
    umask(027);
    gf_ok(gf_write_one("u.pgm", &o, &gf_gray8, "efgh", false, NULL) == 0 && mode_of("u.pgm") == 0640, "umask is kept");
    gf_ok(gf_write_one("w.pgm", &keep, &gf_gray8, "xxxx", false, NULL) < 0 && gf_said.status == GF_FAILED
          && gf_file_is("w.pgm", BYTES("P5\n2 2\n255\nefgh")), "--no-clobber keeps what is there");
    w = gf_writer_open("race.pgm", &keep, &gf_gray8, false, &err);
    before = files_here();
    if (w == NULL || gf_writer_begin(w, &gf_gray8, &err) != 0 || gf_writer_write(w, "abcd", 2, &err) != 0
        || gf_writer_end(w, &err) != 0)
        gf_ok(false, "a writer begins");
    gf_put_file("race.pgm", "first", 5);
    gf_ok(gf_writer_commit(w, &err) < 0 && gf_file_is("race.pgm", "first", 5) && files_here() == before + 1,
          "--no-clobber keeps what came in between");
    gf_writer_close(w);
    gf_ok(gf_write_one("folder", &o, &gf_gray8, "abcd", false, NULL) < 0
          && strstr(gf_said.text, "is a folder") != NULL, "a folder as the output");
    gf_ok(gf_write_one("no/where.pgm", &o, &gf_gray8, "abcd", false, NULL) == 0
          && gf_file_is("no/where.pgm", BYTES("P5\n2 2\n255\nabcd"))
          && unlink("no/where.pgm") == 0, "a folder that is missing is made");
    gf_ok(gf_write_one("w.pgm/here.pgm", &o, &gf_gray8, "abcd", false, NULL) < 0 && gf_said.status == GF_FAILED
          && strstr(gf_said.text, "Not a directory") != NULL && gf_file_is("w.pgm", BYTES("P5\n2 2\n255\nefgh")),
          "a folder is not made where a file is");
    gf_ok(gf_write_one("/dev/null", &o, &gf_gray8, "abcd", false, NULL) == 0 && stat("/dev/null", &st) == 0
          && S_ISCHR(st.st_mode), "/dev/null is written to, not replaced");
    gf_ok(gf_write_one("/dev/full", &o, &gf_gray8, "abcd", false, NULL) < 0 && gf_said.status == GF_FAILED
          && strstr(gf_said.text, "No space left") != NULL, "a full device is noticed");
}

void gf_test_pipes(void)
{
    struct gf_write_options o = { .compression = -1 };
    struct gf_format f = gf_sound_format(GF_S16, 16, 1, 2), p = gf_picture_format(GF_F32, 1, 1, false, 1, 2);
    int16_t s16[] = { 1, 2 };
    float floats[] = { 2, 1 };
    unsigned char got[4096];
    int ends[2];
    ssize_t size;

    if (mkfifo("fifo", 0666) != 0)
        exit(1);
    ends[0] = open("fifo", O_RDONLY | O_NONBLOCK);
    o.to = "wav";
    gf_ok(gf_write_one("fifo", &o, &f, s16, true, NULL) == 0, "WAV to a FIFO");
    size = read(ends[0], got, sizeof got);
    gf_ok(size == 48 && memcmp(got, "RIFF\x28\0\0\0WAVE", 12) == 0 && memcmp(got + 36, "data\4\0\0\0\1\0\2", 11) == 0,
          "WAV to a FIFO has its sizes");
    f.units = GF_UNKNOWN;
    gf_ok(gf_write_one("fifo", &o, &f, s16, true, NULL) == 0, "WAV of unknown length to a FIFO");
    size = read(ends[0], got, sizeof got);
    gf_ok(size >= 44 && memcmp(got, "RIFF\xFF\xFF\xFF\xFFWAVE", 12) == 0
          && memcmp(got + 36, "data\xFF\xFF\xFF\xFF", 8) == 0, "WAV of unknown length to a FIFO has open sizes");
    f.units = 2;
    o.to = "pfm";
    gf_ok(gf_write_one("fifo", &o, &p, floats, false, NULL) == 0, "PFM to a FIFO");
    size = read(ends[0], got, sizeof got);
    gf_ok(size == 20 && memcmp(got, "Pf\n1 2\n-1.0\n\0\0\x80\x3F\0\0\0\x40", 20) == 0,
          "PFM to a FIFO begins with its last row");
    o.to = "flac";
    gf_ok(gf_write_one("fifo", &o, &f, s16, false, NULL) == 0 && read(ends[0], got, sizeof got) > 42
          && memcmp(got, "fLaC", 4) == 0, "FLAC to a FIFO");
    close(ends[0]);
    if (pipe(ends) != 0)
        exit(1);
    close(ends[0]);
    int saved = dup(STDOUT_FILENO);
    fflush(stdout);
    dup2(ends[1], STDOUT_FILENO);
    int result = gf_write_one(NULL, &(struct gf_write_options) { .compression = -1 }, &gf_gray8, "abcd", false, NULL);
    dup2(saved, STDOUT_FILENO);
    close(saved);
    close(ends[1]);
    gf_ok(result < 0 && gf_said.status == 0, "a reader that has gone away is not an error with a message");
}

/* Returns a socket that fails after `size` bytes, because the other end leaves a byte unread. */
static int break_after(const void *bytes, size_t size)
{
    int ends[2];

    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0 || write(ends[0], "x", 1) != 1
        || write(ends[1], bytes, size) != (ssize_t)size)
        exit(1);
    close(ends[1]);
    return ends[0];
}

/* Counts the images on standard input, which is `fd`. Stores an error in gf_said. */
static int count_images(int fd)
{
    const struct gf_read_options o = { .max_pixels = 1000 };
    struct gf_error err = { 0 };
    const int saved = dup(STDIN_FILENO);
    struct gf_reader *r;
    int images = 0;

    dup2(fd, STDIN_FILENO);
    close(fd);
    r = gf_reader_open("-", &o, &err);
    for (int more = r != NULL; more == 1; more = gf_reader_next(r, &err))
        images++;
    if (r != NULL)
        gf_reader_close(r);
    dup2(saved, STDIN_FILENO);
    close(saved);
    gf_said = err;
    return images;
}

/*
 * A GIF of two frames. If it is cut short or damaged it ends after its first frame; a read error is
 * a failure.
 */
void gf_test_broken_input(void)
{
    unsigned char gif[] = "GIF89a\1\0\1\0\200\0\0\0\0\0\377\377\377,\0\0\0\0\1\0\1\0\0\7\3\200\1\201\0"
                          ",\0\0\0\0\1\0\1\0\0\7\3\200\1\201\0;";
    const size_t size = sizeof gif - 1;
    int fd;

    gf_put_file("two.gif", gif, size);
    gf_ok(count_images(open("two.gif", O_RDONLY)) == 2 && gf_said.text[0] == '\0', "a GIF has two frames");
    gf_put_file("two.gif", gif, size - 4);
    gf_ok(count_images(open("two.gif", O_RDONLY)) == 1 && gf_said.text[0] == '\0' && gf_said.cause == GF_CAUSE_OTHER,
          "a cut GIF ends after its first frame");
    fd = break_after(gif, size - 4);
    gf_ok(count_images(fd) == 1 && strstr(gf_said.text, strerror(ECONNRESET)) != NULL,
          "a GIF that cannot be read fails");
    gif[size - 4] = 250;
    gf_put_file("two.gif", gif, size);
    gf_ok(count_images(open("two.gif", O_RDONLY)) == 1 && gf_said.text[0] == '\0' && gf_said.cause == GF_CAUSE_OTHER,
          "a damaged GIF ends after its first frame");
}

void gf_test_standard_output(void)
{
    struct gf_write_options o = { .compression = -1 };
    int saved, fd = open("redirected", O_WRONLY | O_CREAT | O_TRUNC, 0666), result;

    fflush(stdout);
    saved = dup(STDOUT_FILENO);
    dup2(fd, STDOUT_FILENO);
    result = write(STDOUT_FILENO, "before\n", 7) == 7 ? gf_write_one("-", &o, &gf_gray8, "abcd", true, NULL) : -1;
    result |= write(STDOUT_FILENO, "after\n", 6) == 6 ? 0 : -1;
    dup2(saved, STDOUT_FILENO);
    close(saved);
    close(fd);
    gf_ok(result == 0 && gf_file_is("redirected", BYTES("before\nP5\n2 2\n255\nabcdafter\n")),
          "a redirected standard output goes on where it stood");
}
