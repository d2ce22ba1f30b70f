/* Builds a command line for a shell, with quotes where a shell needs them. */
#include "base/shell_line.h"

#include <string.h>

void gf_shell_line_put(struct gf_shell_line *line, const char *text)
{
    const size_t length = strlen(text);

    line->full = line->full || line->used + length >= sizeof line->text;
    if (line->full)
        return;
    memcpy(line->text + line->used, text, length + 1);
    line->used += length;
}

void gf_shell_line_put_name(struct gf_shell_line *line, const char *option, const char *name)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./@%+=:,{}-";
    char letter[2] = "";

    gf_shell_line_put(line, option);
    if (name[0] != '\0' && strspn(name, plain) == strlen(name)) {
        gf_shell_line_put(line, name);
        return;
    }
    gf_shell_line_put(line, "'");
    for (; *name != '\0'; name++) {
        letter[0] = *name;
        gf_shell_line_put(line, *name == '\'' ? "'\\''" : letter);
    }
    gf_shell_line_put(line, "'");
}
