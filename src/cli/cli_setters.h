/*
 * Setters of options whose values are more than a number or a name. Each reads `value` into the
 * request.
 */
#ifndef GF_CLI_CLI_SETTERS_H
#define GF_CLI_CLI_SETTERS_H

#include "cli/request.h"

int gf_cli_set_input(struct gf_request *r, const char *value, struct gf_error *err) GF_MUST_CHECK;
int gf_cli_set_channels(struct gf_request *r, const char *value, struct gf_error *err) GF_MUST_CHECK;
int gf_cli_set_device(struct gf_request *r, const char *value, struct gf_error *err) GF_MUST_CHECK;
int gf_cli_set_shard(struct gf_request *r, const char *value, struct gf_error *err) GF_MUST_CHECK;
int gf_cli_set_rate(struct gf_request *r, const char *value, struct gf_error *err) GF_MUST_CHECK;
int gf_cli_set_latency(struct gf_request *r, const char *value, struct gf_error *err) GF_MUST_CHECK;
int gf_cli_set_seconds(struct gf_request *r, const char *value, struct gf_error *err);
int gf_cli_set_icc(struct gf_request *r, const char *value, struct gf_error *err) GF_MUST_CHECK;
int gf_cli_set_stats(struct gf_request *r, const char *value, struct gf_error *err) GF_MUST_CHECK;
int gf_cli_set_trace(struct gf_request *r, const char *value, struct gf_error *err) GF_MUST_CHECK;

#endif
