# The package for Python: arrays give the bytes of the program, for the examples of all stages.
. "$(dirname "$0")/../lib.sh"
[ -f "$tree/tests/library/python.py" ] || skip_all 'there is no tests/library/python.py here'
need_python
cp "$GPUFILTER_SAMPLES"/* .
python3 -W ignore "$tree/tests/library/python.py" >cases 2>errors || :
note <errors
while read -r line; do
    name=${line#*- }
    case $line in
    'ok '*) pass "$name" ;;
    'not ok '*) fail "$name" ;;
    '#'*) printf '%s\n' "$line" | note ;;
    esac
done <cases
is 'the script for Python ends' "$(tail -n 1 cases | cut -c 1-3)" 1..
finish
