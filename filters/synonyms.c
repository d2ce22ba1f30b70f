/* What stages are called elsewhere, and what to write here: only said, never understood. */
#include "stage.h"

#include <stddef.h>

const struct gf_synonym gf_synonyms[] = {
    { "autocontrast", "autolevel" },        { "autolevels", "autolevel" },          { "average", "box" },
    { "background", "alpha:off,bg=white" }, { "binarize", "threshold:otsu" },       { "blackwhite", "gray, or threshold for black and white alone" },
    { "blackandwhite", "gray, or threshold for black and white alone" },            { "border", "pad" },
    { "boxblur", "box" },                   { "bw", "gray, or threshold for black and white alone" },
    { "canny", "sobel" },                   { "closing", "close" },                 { "colorize", "matrix" },
    { "colormatrix", "matrix" },            { "contraststretch", "autolevel" },     { "convolution", "conv" },
    { "convolve", "conv" },                 { "cut", "crop" },                      { "darken", "brightness" },
    { "denoise", "median" },                { "desaturate", "gray" },               { "despeckle", "median" },
    { "dilation", "dilate" },               { "downscale", "resize" },              { "edge", "sobel" },
    { "edgedetect", "sobel" },              { "edges", "sobel" },                   { "equalise", "equalize" },
    { "erosion", "erode" },                 { "exposure", "brightness" },           { "extend", "pad" },
    { "extent", "pad" },                    { "extract", "channel" },               { "filter2d", "conv" },
    { "flatten", "alpha:off,bg=white" },    { "fliphorizontal", "flop" },           { "flipvertical", "flip" },
    { "frame", "pad" },                     { "gaussian", "blur" },                 { "gaussianblur", "blur" },
    { "gblur", "blur" },                    { "grayscale", "gray" },                { "greyscale", "gray" },
    { "hflip", "flop" },                    { "histeq", "equalize" },               { "histequal", "equalize" },
    { "identify", "stats" },                { "info", "stats" },                    { "inverse", "invert" },
    { "kernel", "conv" },                   { "lighten", "brightness" },            { "luminance", "gray" },
    { "maximum", "dilate" },                { "mean", "box" },                      { "minimum", "erode" },
    { "mirror", "flop" },                   { "modulate", "saturate" },             { "monochrome", "gray, or threshold for black and white alone" },
    { "negate", "invert" },                 { "negative", "invert" },               { "normalise", "autolevel" },
    { "opening", "open" },                  { "otsu", "threshold:otsu" },
    { "prewitt", "conv:prewitt-x" },        { "quantize", "posterize" },            { "saturation", "saturate" },
    { "scale", "resize" },                  { "scharr", "conv:scharr-x" },          { "shrink", "resize" },
    { "smooth", "blur" },                   { "split", "channel" },                 { "statistics", "stats" },
    { "stretch", "autolevel" },             { "thumbnail", "resize:SIZE,fit=inside" },
    { "turn", "rotate" },                   { "unsharp", "sharpen" },               { "unsharpmask", "sharpen" },
    { "upscale", "resize" },                { "usm", "sharpen" },                   { "vflip", "flip" },
    { "volume", "gain" },                   { "zoom", "resize" },
    { NULL, NULL }
};
