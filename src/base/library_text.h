/* Lines that libraries print to standard error on their own, such as libmpg123 about damage. */
#ifndef GF_BASE_LIBRARY_TEXT_H
#define GF_BASE_LIBRARY_TEXT_H

#include "base/notice.h"

/*
 * From now on such lines are messages like others: escaped, and not printed if `quiet` is set. The last one
 * before abort() is always printed. Call it while there is only one thread.
 */
void gf_library_text_catch(bool quiet);
/*
 * Lines that libraries print in this thread become warnings about the file `name`, until the next
 * call; NULL ends this.
 */
void gf_library_text_about(struct gf_notices *n, const char *name);

#endif
