/* The table of options of the command line. */
#include "cli/cli_options.h"

#include "cli/cli_setters.h"

#define AT(member) offsetof(struct gf_request, member)

const struct gf_cli_option gf_cli_options[] = {
    { .name = "input", .letter = 'i', .type = GF_CLI_CUSTOM, .set = gf_cli_set_input, .argument = "FILE", .files = true,
      .text = "read FILE, or the files of a folder; '-' or none is standard input",
      .more = "It may be given many times; outputs then need names of their own, but for tables. A name with *, ? or [ in it stands for "
              "the files that it matches, as it does for a shell; where the shell has put them there, those behind the first are inputs, "
              "too. Folders inside a folder are passed over, and so are files that are neither pictures nor recordings, which is told." },
    { .name = "output", .letter = 'o', .once = true, .type = GF_CLI_TEXT, .offset = AT(output), .argument = "FILE", .files = true,
      .text = "write FILE; '-' or none is standard output, 'term:' shows it there",
      .more = "A regular file appears whole or not at all, so it may be the input itself. A name that ends in / is a "
              "folder, and so is the name of an existing folder: outputs get their inputs' names in it. Missing folders are created, which is "
              "noted. {stem}, {ext} and {dir} are filled in from the input's name, {n} with its number, {n:4} with 4 digits of it; in the "
              "name of a folder, small/{dir}/, too. Names that are filled in stay in the folder before the first of these words: {dir} loses "
              "a leading / or ../, a .. inside it is an error, and so is a link that leads out. A name that begins with {dir} is beside the "
              "input. No output replaces another output of the run, or an input other than its own." },
    { .name = "files-from", .type = GF_CLI_TEXT, .offset = AT(files_from), .argument = "LIST", .files = true,
      .text = "read the names of further inputs from LIST, one a line; '-' is standard input" },
    { .name = "null", .letter = '0', .type = GF_CLI_FLAG, .offset = AT(nul),
      .text = "names in LIST end in zero bytes, as find -print0 writes them" },
    { .name = "from", .letter = 'f', .type = GF_CLI_TEXT, .offset = AT(read.from), .argument = "FORMAT",
      .text = "format of the input, where its content does not tell",
      .more = "--list names the formats. It is an error if the content is that of another format, except for raw samples." },
    { .name = "channels", .type = GF_CLI_CUSTOM, .set = gf_cli_set_channels, .argument = "N,M,...",
      .text = "read up to four channels of a TIFF or PAM, counted from 1",
      .more = "Needed if an image has more than four. One channel is read as gray, two as gray and data, three as RGB, four as RGB and "
              "data; --channels 3,1,2 changes their order. The last is alpha if the file says so." },
    { .name = "to", .letter = 't', .type = GF_CLI_TEXT, .offset = AT(write.to), .argument = "FORMAT",
      .text = "format of the output, where its name does not tell",
      .more = "Without either, an image is written as PGM, PPM or PAM, sound as WAV, a table as TSV; what spectrogram and waveform make, as a "
              "drawing in PNG. Where the name has an ending, which is none of a format's then, that is told; so it is where standard output "
              "is a file whose name tells of another format, for a name behind > chooses none. Names that are made in a folder end in the word "
              "as it is written: -t jpeg makes .jpeg, -t jpg makes .jpg." },
    { .name = "depth", .type = GF_CLI_CHOICE, .offset = AT(write.depth), .argument = "1|2|4|8|16|24|32|f32",
      .values = (const int[]) { 1, 2, 4, 8, 16, 24, 32, -32 },
      .text = "bits of a stored sample; the input's by default",
      .more = "1, 2 and 4 are for gray PNG and the PNM family, 24 and 32 for sound." },
    { .name = "quality", .type = GF_CLI_INT, .offset = AT(write.quality), .argument = "N", .least = 1, .most = 100,
      .text = "quality of a lossy output, 1 to 100",
      .more = "JPEG has 92 by default, WebP 75; 100 makes WebP lossless. Ogg and MP3: see FORMATS. gpufilter warns if no output uses "
              "--depth, --quality, --compression, --subsampling or --progressive." },
    { .name = "rate", .letter = 'r', .type = GF_CLI_CUSTOM, .set = gf_cli_set_rate, .argument = "RATE",
      .text = "pictures a second that Y4M is told: 25, 29.97, 30000/1001",
      .more = "No picture is added or left out. Without it, video keeps its rate, an animation has its own, and other pictures have 25 a second." },
    { .name = "interlaced", .type = GF_CLI_CHOICE, .offset = AT(read.interlaced), .argument = "off|fields",
      .values = (const int[]) { GF_INTERLACED_OFF, GF_INTERLACED_FIELDS },
      .text = "process each field of interlaced Y4M, or take it as progressive",
      .more = "Interlaced video has It, Ib or Im in its header. off: frames are whole images whatever the header says, and the output's "
              "header says Ip. fields: each field (every other row of a frame) is an image of half the height, and goes through the "
              "stages alone; two results are one frame of the output, which must be Y4M. Sizes and places that stages name are those "
              "of a field: of 720x576, crop:720x200+0+40 keeps 400 rows. See FORMATS." },
    { .name = "compression", .type = GF_CLI_INT, .offset = AT(write.compression), .argument = "N", .least = 0, .most = 9,
      .text = "effort of a lossless output, 0 to 9" },
    { .name = "subsampling", .type = GF_CLI_CHOICE, .offset = AT(write.subsampling), .argument = "444|422|420",
      .values = (const int[]) { 444, 422, 420 },
      .text = "how much of the colour a JPEG keeps",
      .more = "444 keeps all of it, 422 every other column, 420 every other column and row. By default it is 420 up to "
              "--quality 90, 444 above." },
    { .name = "progressive", .type = GF_CLI_FLAG, .offset = AT(write.progressive),
      .text = "write a JPEG that appears in steps, and is a little smaller" },
    { .name = "strip", .type = GF_CLI_FLAG, .offset = AT(write.strip),
      .text = "write samples alone: no profile, no EXIF, no XMP, no IPTC, no resolution, no text",
      .more = "The orientation in EXIF or XMP is applied all the same. Audio loses its tags, markers and broadcast data. There is no "
              "warning about metadata that is lost. With a profile other than sRGB, add --icc convert, or the colours change." },
    { .name = "icc", .type = GF_CLI_CUSTOM, .set = gf_cli_set_icc, .argument = "keep|convert",
      .text = "keep an embedded colour profile, or convert to sRGB by it",
      .more = "By default, samples stay as they are and the profile is kept. convert makes sRGB of them as they are read, relative "
              "colorimetric with black point compensation, and leaves the profile out; alpha and depth stay, gray stays gray, and "
              "CMYK of a JPEG or TIFF becomes RGB by its profile. A PNG without a profile is converted by its gamma and primaries (chunks "
              "gAMA and cHRM). Other images without a profile are taken as sRGB. Images that stages name are converted, too." },
    { .name = "device", .type = GF_CLI_CUSTOM, .set = gf_cli_set_device, .argument = "auto|cpu|cuda[:N,M]|all",
      .text = "where it runs; auto picks what finishes first",
      .more = "cuda fails where there is no GPU to use; it never falls back. With several GPUs, files, frames and, "
              "where nothing has to see the whole signal, the segments of one are dealt out to them; all takes all there are." },
    { .name = "memory", .type = GF_CLI_BYTES, .offset = AT(limits.memory_bytes), .argument = "SIZE",
      .least = 1 << 20, .most = 9e18,
      .text = "ceiling of the working memory, on the host and on the device",
      .more = "Formats that are encoded as a whole (WebP, BMP, TGA) hold the picture "
              "beside it, and so do readers of those that are decoded as a whole (WebP, GIF, HDR, PIC); --max-memory is the ceiling of those." },
    { .name = "segment", .type = GF_CLI_BYTES, .offset = AT(limits.segment_bytes), .argument = "SIZE",
      .least = 1, .most = 9e18,
      .text = "bytes a segment; never changes the result" },
    { .name = "lanes", .type = GF_CLI_INT, .offset = AT(limits.lanes), .argument = "N", .least = 1, .most = 64,
      .text = "segments in flight; never changes the result" },
    { .name = "latency", .type = GF_CLI_CUSTOM, .set = gf_cli_set_latency, .argument = "MS",
      .text = "let no sound wait longer than MS milliseconds for what follows it",
      .more = "MS may have a unit, 20ms or 0.02s. Of sound, a segment then holds no more than that, and is written as "
              "soon as it is done; stages that look ahead add what they see; --explain tells the sum. Filters of more "
              "than 64 taps work in other blocks then, so the last bits of their samples may be others than without "
              "it. Of pictures in a row, each is handed on before the next is read. What has to see or decode all of a "
              "pipe first is refused." },
    { .name = "jobs", .letter = 'j', .type = GF_CLI_INT, .offset = AT(limits.threads), .argument = "N",
      .least = 1, .most = 1024,
      .text = "CPU threads; as many as cores by default" },
    { .name = "explain", .type = GF_CLI_FLAG, .offset = AT(explain),
      .text = "print the plan and why, and run nothing" },
    { .name = "stats", .type = GF_CLI_CUSTOM, .set = gf_cli_set_stats, .argument = "json", .optional = true,
      .text = "times, bytes and rates by stage, on standard error",
      .more = "The last line names the bottleneck." },
    { .name = "trace", .type = GF_CLI_CUSTOM, .set = gf_cli_set_trace, .argument = "FILE", .files = true,
      .text = "write who was busy when to FILE.json or FILE.svg",
      .more = "The first is for a viewer of Chrome's trace format, the second is a drawing. Both may be asked for." },
    { .name = "progress", .type = GF_CLI_CHOICE, .offset = AT(progress), .argument = "auto|always|never",
      .values = (const int[]) { GF_PROGRESS_AUTO, GF_PROGRESS_ALWAYS, GF_PROGRESS_NEVER },
      .text = "tell how far it is on standard error; auto: on a terminal" },
    { .name = "quiet", .letter = 'q', .type = GF_CLI_FLAG, .offset = AT(quiet),
      .text = "print errors only, no warnings" },
    { .name = "strict", .type = GF_CLI_FLAG, .offset = AT(strict),
      .text = "turn every warning into an error",
      .more = "The input fails with exit status 1, and its output is not written." },
    { .name = "verbose", .letter = 'v', .type = GF_CLI_FLAG, .offset = AT(verbose),
      .text = "say what is done",
      .more = "That is the plan; of several files the plan of one, and the names of each; with --update, too, how many are up to date." },
    { .name = "no-clobber", .letter = 'n', .type = GF_CLI_FLAG, .offset = AT(write.keep),
      .text = "keep an output that exists" },
    { .name = "update", .type = GF_CLI_FLAG, .offset = AT(update),
      .text = "pass over inputs whose output is newer",
      .more = "Files that stages name, masks or second pictures, are not looked at." },
    { .name = "fail-fast", .type = GF_CLI_FLAG, .offset = AT(fail_fast),
      .text = "stop a batch at the first failure" },
    { .name = "shard", .type = GF_CLI_CUSTOM, .set = gf_cli_set_shard, .argument = "K/N",
      .text = "take every N-th input only, from the K-th" },
    { .name = "salvage", .type = GF_CLI_FLAG, .offset = AT(read.salvage),
      .text = "take what is there of an input that ends too early",
      .more = "Without it, an input with less than its header promises is an error. With it, a warning says how much is missing. "
              "A sequence of images or an animation keeps its whole images; a single image that is cut stays an error." },
    { .name = "max-pixels", .type = GF_CLI_COUNT, .offset = AT(read.max_pixels), .argument = "N",
      .least = 1, .most = 9e18,
      .text = "refuse larger images before decoding them; 4G by default" },
    { .name = "max-memory", .type = GF_CLI_BYTES, .offset = AT(read.max_bytes), .argument = "SIZE",
      .least = 1, .most = 9e18,
      .text = "refuse inputs that need more memory to decode; 16G by default" },
    { .name = "list", .type = GF_CLI_ASK, .ask = GF_ASK_LIST,
      .text = "list the stages, your named chains and the formats" },
    { .name = "help", .letter = 'h', .type = GF_CLI_ASK, .ask = GF_ASK_HELP, .argument = "STAGE", .optional = true,
      .text = "this help, or all about one stage or named chain" },
    { .name = "devices", .type = GF_CLI_ASK, .ask = GF_ASK_DEVICES,
      .text = "what there is to run on, and why a GPU is not used",
      .more = "With --verbose, what the kernels of a GPU take of it: registers, shared memory, how many threads are at work at once, and "
              "what keeps more of them away." },
    { .name = "bench", .type = GF_CLI_ASK, .ask = GF_ASK_BENCH, .argument = "OPERATION[:SIZE]", .optional = true,
      .text = "how fast an operation is on this machine, from 1K samples on; without one, all of them",
      .more = "SIZE is the most samples that are tried, as in histogram:1M; --memory is a ceiling, too. The name of a stage measures the first "
              "operation that it works with. The table goes where --output says, "
              "as TSV, CSV, JSON, or drawn as SVG or PNG; what it comes to is told on standard error. On a GPU, histogram, reduce, scan, stencil "
              "and streams are lessons: the steps of a classic optimisation, each checked, then timed beside what "
              "gpufilter does; gpufilter-internals(7) explains them." },
    { .name = "completion", .type = GF_CLI_ASK, .ask = GF_ASK_COMPLETION, .argument = "bash|zsh|fish",
      .text = "print a completion script for the shell" },
    { .name = "version", .type = GF_CLI_ASK, .ask = GF_ASK_VERSION,
      .text = "version, and what is built in" },
    { .name = "manual", .type = GF_CLI_ASK, .ask = GF_ASK_MANUAL, .argument = "options|stages|formats|notes|examples|chains|html|gallery|pictures" },
    { .name = NULL },
};
