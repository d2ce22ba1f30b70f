/* Prints the parts of the manuals that come from tables and descriptors. */
#ifndef GF_CLI_MANUAL_H
#define GF_CLI_MANUAL_H

struct gf_cli_option;

/* These print parts of the manual pages. */
void gf_manual_options(const struct gf_cli_option *row);
void gf_manual_stages(void);
void gf_manual_formats(void);
void gf_manual_notes(void);
void gf_manual_examples(void);

/*
 * For the web page: the stages, a gallery that leads to them, and a line for each picture: the name of the
 * file without .png, the sample, and the stages.
 */
void gf_manual_html(void);
void gf_manual_gallery(void);
void gf_manual_pictures(void);

#endif
