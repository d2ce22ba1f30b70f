# Shared by tests of the order of files: images whose values say which file they are.
. "$(dirname "$0")/../lib.sh"

# number FILE...: writes images of one pixel, whose value is the place of its name.
number()
{
    place=0
    for file; do
        place=$((place + 1))
        printf 'P2 1 1 255 %d\n' $place >"$file"
    done
}
