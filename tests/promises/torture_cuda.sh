# Calls of the CUDA runtime fail in turn: allocations, pinning, copies, launches. Each run makes the
# same bytes, or prints one clear error and keeps the old output. GPUFILTER_TORTURE is the number of
# runs for each job.
. "$(dirname "$0")/../lib.sh"
need_cuda
tools=$(dirname "$GPUFILTER")/tests/promises
known=$here/torture.known
TORTURE_LIBRARY=$tools/failing_calls.so
TORTURE_KINDS=gpu
export TORTURE_LIBRARY TORTURE_KINDS
image in.ppm 300 200 3 255 1
image second.pam 20 20 4 255 2
image in.pgm 64 48 1 255 3
sound in.wav 30000 2 1
{ printf 'YUV4MPEG2 W64 H48 F25:1 It C420jpeg\n'; for i in 1 2; do printf 'FRAME\n%04608d' $i; done; } >film.y4m
mkdir in
for i in 1 2 3; do image in/$i.ppm 60 50 3 255 $i; done
ls in/*.ppm | sed 's,^,../,' >list
{
    printf 'point stages\tout.ppm\told\t-\t--device\tcuda\t-i\t../in.ppm\tgamma:1.2\tcontrast:1.1\t-o\tout.ppm\n'
    printf 'neighborhood\tout.ppm\told\t-\t--device\tcuda\t-i\t../in.ppm\tblur:2\tmedian:2\t-o\tout.ppm\n'
    printf 'geometry\tout.ppm\told\t-\t--device\tcuda\t-i\t../in.ppm\trotate:20\tresize:50%%\t-o\tout.ppm\n'
    printf 'measured\tout.ppm\told\t-\t--device\tcuda\t-i\t../in.ppm\tequalize\t-o\tout.ppm\n'
    printf 'a second image\tout.ppm\told\t-\t--device\tcuda\t-i\t../in.ppm\tover:../second.pam,3,3\t-o\tout.ppm\n'
    printf 'a table\tout.tsv\told\t-\t--device\tcuda\t-i\t../in.ppm\tstats\t-o\tout.tsv\n'
    printf 'audio\tout.wav\told\t-\t--device\tcuda\t-i\t../in.wav\tlowpass:1k\tnormalize\t-o\tout.wav\n'
    printf 'video\tout.y4m\told\t-\t--device\tcuda\t-i\t../film.y4m\tblur:1\t-o\tout.y4m\n'
    printf 'connected edges\tout.pgm\told\t-\t--device\tcuda\t-i\t../in.pgm\tcanny\t-o\tout.pgm\n'
    printf 'a batch\tnew/1.ppm new/2.ppm new/3.ppm\tmany\t-\t--device\tcuda\t-q\t-j\t2'
    printf '\t--files-from\t../list\tblur:1\t-o\tnew/\n'
} >jobs
GPUFILTER=$tools/failing_gpu "$tools/torture" jobs "$known" "${GPUFILTER_TORTURE:-20}"
