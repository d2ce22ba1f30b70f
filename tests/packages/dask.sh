# Dask on this machine: arrays in chunks and bags of files, on workers that are processes of their own. One of them is
# killed in the middle. Results are compared with those of one run.
. "$(dirname "$0")/../lib.sh"
. "$here/lib_venv.sh"
new_venv 'dask[array]' distributed
cp "$GPUFILTER_SAMPLES"/* .
# These are the blocks of the page "From Python" for Dask.
${AWK:-awk} '/^```python$/ { inside = 1; text = ""; next }
    /^```/ && inside && text ~ /dask/ { printf "%s", text >("block" ++n ".py") }
    /^```/ { inside = 0 }
    inside { text = text $0 "\n" }' "$tree/man/python.md"
is 'the page has two blocks for Dask' "$(ls block*.py | wc -l)" 2
for block in block*.py; do
    works "the page says how: $block runs" python3 "$block"
    is "the page says how: $block prints what it shows" "$(cat out)" "$(sed -n 's/^ *print(.*)    # //p' "$block")"
done
python_cases "$here/engine_dask.py"
finish
