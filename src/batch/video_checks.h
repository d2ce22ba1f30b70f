/* Checks and warnings for video: fields of interlaced frames, and pixels that are not square. */
#ifndef GF_BATCH_VIDEO_CHECKS_H
#define GF_BATCH_VIDEO_CHECKS_H

#include "run/worker.h"

/*
 * Refuses outputs that cannot join fields to frames:
 * other formats than Y4M, and one file per image.
 */
int gf_video_checks_fields(const struct gf_format *f, const struct gf_writer *w, bool numbered,
                           struct gf_error *err) GF_MUST_CHECK;
/*
 * Warns about stages and outputs that do not suit the
 * video `name`, planned in `w`; `format` is the output's.
 */
void gf_video_checks_warn(const struct gf_worker *w, const char *name, const char *format, struct gf_notices *n);

#endif
