/* The forms in which --info writes the facts of a file. */
#ifndef GF_BATCH_INFO_FORMS_H
#define GF_BATCH_INFO_FORMS_H

#include "batch/info_facts.h"

/* Writes a line for people, and with `texts` a line for each text of the metadata. Controls are escaped. */
void gf_info_put_line(FILE *to, const struct gf_info_facts *f, bool texts);
/* Writes the header of the table, and a row. With `shown`, they go to a terminal, and controls are escaped. */
void gf_info_put_header(FILE *to, char separator);
void gf_info_put_row(FILE *to, const struct gf_info_facts *f, char separator, bool shown);
/* Writes a JSON object without a newline. */
void gf_info_put_json(FILE *to, const struct gf_info_facts *f);

#endif
