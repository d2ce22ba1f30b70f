# Known answers for stages that repair images, worked out by hand.
. "$(dirname "$0")/lib_answers.sh"

# tophat: open:1 makes 10 30 30 40 40 of this row, and close:1 makes 200 200 50 50 50.
gray 5 1  10 200 30 40 50
picture '0 170 0 0 10' tophat:1
picture '190 0 20 10 0' tophat:1,black
picture '0 170 0 0 10' tophat:1,white,edge=reflect
rgb 3 1  9 200 7  50 100 9  9 100 8
picture '0 100 0 41 0 1 0 0 0' tophat:1                # each channel separately
rm in.ppm

# background: a spot of 80 on 20 becomes three columns of 40 by the mean; a square of five columns removes them.
gray 9 1  20 20 20 20 80 20 20 20 20
picture '0 0 0 0 60 0 0 0 0' background:2
picture '51 51 51 51 111 51 51 51 51' background:2,level=0.2
gray 9 1  200 200 200 200 140 200 200 200 200
picture '255 255 255 255 195 255 255 255 255' background:2,light
picture '0 4 8 12 0 12 8 4 0' background:2             # a dark spot of 180 after the mean, then 12 less in five columns
gray 5 1  0 40 80 120 160
picture '0 0 0 0 0' background:1 levels:0.2,1          # a slope stays in the background, up to 20 at its ends

printf 'P7\nWIDTH 3\nHEIGHT 1\nDEPTH 2\nMAXVAL 255\nTUPLTYPE GRAYSCALE_ALPHA\nENDHDR\n\000\012\377\024\000\036' >in.pam
for stage in tophat:1 tophat:1,black background:1 background:1,light; do
    gf -i in.pam $stage -o out.pam
    is "$stage copies alpha" "$(tail -c 6 out.pam | numbers u1 | cut -d ' ' -f 2,4,6)" '10 20 30'
done

unlikely background:level '9 of 255 is 0.035' background:9,level=9
unlikely background:level ':128 of 255 is 0.5' background:9,level=128
finish
