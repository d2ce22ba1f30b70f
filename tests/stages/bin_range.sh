# Known answers for range=LO,HI, worked out by hand: bins span this range instead of 0 to 1.
. "$(dirname "$0")/lib_answers.sh"

# values WANTED ARGUMENT...: tests the result for in.pfm, as floats.
values()
{
    wanted=$1
    shift
    found=$(gf -i in.pfm "$@" -t raw:type=f32 2>&1 | numbers f4 |
        ${AWK:-awk} '{ for (i = 1; i <= NF; i++) printf "%.5g%s", $i, i < NF ? " " : "" }')
    is "$*: $wanted" "$found" "$wanted"
}
# bins WANTED ARGUMENT...: tests the second column of the table.
bins() { wanted=$1; shift; is "$*: $wanted" \
    "$(gf -q -i in.pfm "$@" --to tsv 2>&1 | tail -n +2 | cut -f 2 | tr '\n' ' ')" "$wanted "; }

m1='\000\000\200\277' v0='\000\000\000\000' v1='\000\000\200\077' v3='\000\000\100\100' v2='\000\000\000\100' \
    v4='\000\000\200\100'
{ printf 'Pf\n4 1\n-1.0\n'; printf "$m1$v0$v1$v3"; } >in.pfm
bins '2 0 0 2' histogram:4                           # -1 and 0, 1 and 3: in the outermost bins
bins '1 1 1 1' histogram:4,range=-1,3                # 0, 1/4, 1/2, 1
bins '0 1 1 2' histogram:bins=4,range=-2,2           # 1/4, 1/2, 3/4 and beyond the end: bins 1, 2, 3, 3
values '-1 0.33333 1.6667 3' equalize:range=-1,3       # ranks 0, 1/3, 2/3, 1 of -1 to 3
values '0 0 0 1' threshold:otsu,range=-1,3           # 3·(0 - 3)² = 27 is more than 4·(-1/2 - 2)² = 25
{ printf 'Pf\n4 1\n-1.0\n'; printf "$v2$v2$v3$v4"; } >in.pfm
values '0 0 1 1' threshold:otsu,range=0,8            # 4·(2 - 7/2)² = 9 is more than 3·(7/3 - 4)²
rm in.pfm
gray 4 1  10 10 20 30                                # four times as much, and back
picture '0 0 128 255' levels:0,25% equalize:range=0,4 levels:0,4
picture '0 0 128 255' equalize:range=0,1
picture '0 0 13 26' equalize:range=0,10% \
    # bins 100, 100, 200, 255 become 0, 0, 128, 255 of 255, and a tenth of that
gray 4 1  10 10 20 40
picture '128 128 191 255' levels:0,25% clahe:1,clip=0,range=0,4 levels:0,4
gray 10 1  0 50 90 90 130 130 170 210 250 255
picture '0 0 51 51 102 102 153 204 255 255' levels:0,25% autolevel:10%,range=0,4
picture '0 0 51 51 102 102 153 204 255 255' autolevel:10%,range=0,1
rgb 2 1  10 10 10 200 100 50
picture '0 0 0 255 231 181' levels:0,25% equalize:range=0,4 levels:0,4
refuses 2 "range=1: must be two numbers LO,HI" 'range= with only one number' gf -i in.ppm histogram:range=1
refuses 2 'the first number must be less than the second' 'range= with numbers in the wrong order' gf -i in.ppm \
    histogram:4,range=1,0
refuses 2 "range=a: must be" 'range= with words' gf -i in.ppm histogram:range=a,b
refuses 2 'range is given twice' 'range= given twice' gf -i in.ppm histogram:range=0,1,range=0,2
refuses 2 'range= needs threshold:otsu' 'range= with a threshold that is given' \
    gf -i in.ppm threshold:50%,range=0,1 -o o.ppm
refuses 2 'range= needs a clip' 'range= of autolevel without a clip' gf -i in.ppm autolevel:range=0,1 -o o.ppm
works 'range= with other options after it' gf -i in.ppm equalize:range=0,1,mode=rgb -o o.ppm
# The median of floats is computed in 65534 steps: five decimals from 0 to 1, two decimals from 0 to
# 1000.
median() { gf -i in.pfm "$@" stats --to tsv | tail -n 1 | cut -f 6; }
{ printf 'Pf\n3 1\n-1.0\n'; printf "$v1"'\253\252\252\076'"$v0"; } >in.pfm
is 'the median of 0, 1/3, 1' "$(median)" 0.33333
is 'the median of 0, 333.3, 1000' "$(median levels:0,0.001)" 333.33
{ printf 'Pf\n3 1\n-1.0\n'; printf "$v3$v3$v3"; } >in.pfm
is 'the median of one value is that value' "$(median)" 3
finish
