# Halos: an image or a sound that is cut into pieces with their halo gives the bytes of the whole, for generated chains
# of all stages.
. "$(dirname "$0")/../lib.sh"
[ -f "$tree/tests/library/halo.py" ] || skip_all 'there is no tests/library/halo.py here'
need_python
cp "$GPUFILTER_SAMPLES"/* .
python3 -W ignore "$tree/tests/library/halo.py" >cases 2>errors || :
note <errors
while read -r line; do
    name=${line#*- }
    case $line in
    'ok '*) pass "$name" ;;
    'not ok '*) fail "$name" ;;
    '#'*) printf '%s\n' "$line" | note ;;
    esac
done <cases
is 'the script of halos ends' "$(tail -n 1 cases | cut -c 1-3)" 1..
finish
