/* Helpers of the translations from other programs. */
#include "chain/foreign.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

bool gf_foreign_put(struct gf_foreign_words *words, const char *format, ...)
{
    const size_t used = strlen(words->text), gap = used > 0;
    va_list args;
    int length;

    if (used + gap + 1 >= sizeof words->text)
        return false;
    va_start(args, format);
    length = vsnprintf(words->text + used + gap, sizeof words->text - used - gap, format, args);
    va_end(args);
    if (length < 0 || (size_t)length >= sizeof words->text - used - gap) {
        words->text[used] = '\0';
        return false;
    }
    if (gap > 0)
        words->text[used] = ' ';
    return true;
}

bool gf_foreign_number(const char *text, double *number)
{
    char *end;

    if (text == NULL || text[strspn(text, "+-0123456789.")] != '\0')
        return false;                            /* strtod() also reads hexadecimals, inf and nan */
    *number = strtod(text, &end);
    return end != text && *end == '\0';
}

double gf_foreign_decibels(double factor)
{
    return round(2000 * log10(factor)) / 100;
}

bool gf_foreign_put_volume(struct gf_foreign_words *words, const char *volume)
{
    const size_t length = volume != NULL ? strlen(volume) : 0;
    char digits[32];
    double factor;
    bool decibels = false, percent = false;

    if (length == 0 || length >= sizeof digits)
        return false;
    memcpy(digits, volume, length + 1);
    if (length > 2 && strcasecmp(digits + length - 2, "dB") == 0) {
        decibels = true;
        digits[length - 2] = '\0';
    } else if (digits[length - 1] == '%') {
        percent = true;
        digits[length - 1] = '\0';
    }
    if (!gf_foreign_number(digits, &factor))
        return false;
    if (decibels)
        return gf_foreign_put(words, "gain:%g", factor);
    if (percent)
        factor /= 100;
    if (factor < 0)                              /* a negative factor also inverts the polarity */
        return gf_foreign_put(words, factor == -1 ? "invert" : "invert gain:%g", gf_foreign_decibels(-factor));
    return gf_foreign_put(words, "gain:%g", factor == 0 ? -300 : gf_foreign_decibels(factor));
}

bool gf_foreign_put_echoes(struct gf_foreign_words *words, double in_gain, double out_gain, const char *delays,
                           const char *decays)
{
    char text[200];
    size_t used = 0;

    for (int i = 0; i < 4 && in_gain > 0 && out_gain > 0; i++) {
        const size_t delay = strcspn(delays, "|"), decay = strcspn(decays, "|");

        used += (size_t)snprintf(text + used, sizeof text - used, "%s%.*sms,%.4g", i > 0 ? "," : "", (int)delay, delays,
                                 strtod(decays, NULL) / in_gain);
        if (used >= sizeof text || (delays[delay] == '\0') != (decays[decay] == '\0'))
            return false;
        if (delays[delay] == '\0')
            return gf_foreign_put(words, "echo:%s", text)
                && (in_gain * out_gain == 1 || gf_foreign_put(words, "gain:%g",
                                                              gf_foreign_decibels(in_gain * out_gain)));
        delays += delay + 1;
        decays += decay + 1;
    }
    return false;
}
