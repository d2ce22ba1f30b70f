"""Filters one image or recording in a rule of Snakemake; meta.yaml says what the rule may have."""
__author__ = "The authors of gpufilter"
__copyright__ = "Copyright 2026, the authors of gpufilter"
__license__ = "MIT"

from snakemake.shell import shell

stages = snakemake.params.get("stages", "")
extra = snakemake.params.get("extra", "")
memory = snakemake.resources.get("mem_mb")
limit = "--memory %dM" % (memory * 3 // 4) if memory else ""
log = snakemake.log_fmt_shell(stdout=True, stderr=True)

shell("gpufilter -q -i {snakemake.input[0]:q} {stages} --jobs {snakemake.threads} {limit} {extra}"
      " -o {snakemake.output[0]:q} {log}")
