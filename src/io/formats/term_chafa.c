/* Shows images through libchafa, opened at run time: characters, sixels, kitty graphics. */
#define _GNU_SOURCE
#include "base/late_library.h"
#include "io/formats/term.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#define CHAFA_FILE "libchafa.so.0"

/* Constants of this library. They cannot change while its interface stays compatible. */
#define PIXELS_RGB8 8
#define SEQ_SIXELS 42
#define SEQ_KITTY 45

/* Layout of GLib's GString. */
struct text {
    char *bytes;
    size_t size, room;
};

static struct library {
    void *(*config_new)(void);
    void (*config_unref)(void *config);
    void (*set_geometry)(void *config, int cells_x, int cells_y);
    void (*set_cell_geometry)(void *config, int x, int y);
    void (*set_pixel_mode)(void *config, int mode);
    void *(*canvas_new)(const void *config);
    void (*canvas_unref)(void *canvas);
    void (*draw)(void *canvas, int kind, const unsigned char *pixels, int width, int height, int row_bytes);
    struct text *(*print)(void *canvas, void *info);
    void *(*term_db)(void);
    void *(*detect)(void *db, char **environment);
    int (*have)(const void *info, int sequence);
    void (*info_unref)(void *info);
    char *(*text_free)(struct text *text, int with_bytes);
} lib;

static const struct {
    const char *name;
    size_t offset;
} functions[] = {
    { "chafa_canvas_config_new", offsetof(struct library, config_new) },
    { "chafa_canvas_config_unref", offsetof(struct library, config_unref) },
    { "chafa_canvas_config_set_geometry", offsetof(struct library, set_geometry) },
    { "chafa_canvas_config_set_cell_geometry", offsetof(struct library, set_cell_geometry) },
    { "chafa_canvas_config_set_pixel_mode", offsetof(struct library, set_pixel_mode) },
    { "chafa_canvas_new", offsetof(struct library, canvas_new) },
    { "chafa_canvas_unref", offsetof(struct library, canvas_unref) },
    { "chafa_canvas_draw_all_pixels", offsetof(struct library, draw) },
    { "chafa_canvas_print", offsetof(struct library, print) },
    { "chafa_term_db_get_default", offsetof(struct library, term_db) },
    { "chafa_term_db_detect", offsetof(struct library, detect) },
    { "chafa_term_info_have_seq", offsetof(struct library, have) },
    { "chafa_term_info_unref", offsetof(struct library, info_unref) },
    { "g_string_free", offsetof(struct library, text_free) },     /* from GLib, which libchafa loads */
};

GF_LATE_NOTE(CHAFA_FILE, "term", "images in a terminal", "suggested");

static bool is_there;

/* Opens libchafa once. It stays open until the program ends. */
static void open_library(void)
{
    void *handle = dlopen(CHAFA_FILE, RTLD_NOW | RTLD_LOCAL);

    is_there = handle != NULL;
    for (size_t i = 0; is_there && i < sizeof functions / sizeof functions[0]; i++) {
        void *found = dlsym(handle, functions[i].name);

        is_there = found != NULL;
        memcpy((char *)&lib + functions[i].offset, &found, sizeof found);
    }
}

bool gf_chafa_is_there(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, open_library);
    return is_there;
}

enum gf_term_way gf_chafa_best_way(void)
{
    void *info = lib.detect(lib.term_db(), environ);
    enum gf_term_way way = GF_TERM_SYMBOLS;

    if (info != NULL)
        way = lib.have(info, SEQ_KITTY) ? GF_TERM_KITTY : lib.have(info, SEQ_SIXELS) ? GF_TERM_SIXEL : GF_TERM_SYMBOLS;
    if (info != NULL)
        lib.info_unref(info);
    return way;
}

int gf_chafa_put(const struct gf_term *t, const unsigned char *rgb, int width, int height, int cells_x,
                 int cells_y, FILE *to, struct gf_error *err)
{
    void *config = lib.config_new(), *canvas;
    struct text *text;

    lib.set_geometry(config, cells_x, cells_y);
    lib.set_cell_geometry(config, t->cell_x, t->cell_y);
    lib.set_pixel_mode(config, (int)t->way - 1);
    canvas = lib.canvas_new(config);
    lib.config_unref(config);
    if (canvas == NULL)
        return gf_fail(err, GF_FAILED, "libchafa can't make an image of %dx%d cells", cells_x, cells_y);
    lib.draw(canvas, PIXELS_RGB8, rgb, width, height, 3 * width);
    text = lib.print(canvas, NULL);              /* NULL selects the common escape sequences */
    lib.canvas_unref(canvas);
    if (text == NULL)
        return gf_fail(err, GF_FAILED, "libchafa can't print an image of %dx%d cells", cells_x, cells_y);
    fwrite(text->bytes, 1, text->size, to);
    fputc('\n', to);
    lib.text_free(text, 1);
    return 0;
}
