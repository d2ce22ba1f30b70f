/* Lets a lesson add to what is printed after its table. */
#include "kernels/lessons/lesson.h"

#include <stdarg.h>
#include <stdio.h>

void gf_lesson_say(const struct gf_lesson_report *report, const char *format, ...)
{
    char line[400];
    va_list args;

    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    report->add_line(report->context, line);
}
