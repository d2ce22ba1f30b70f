/*
 * The functions of libtiff. The library is opened when the first TIFF is read or written, because
 * loading it and the libraries that it needs takes longer than a small image of another format.
 */
#ifndef GF_FORMATS_LIBTIFF_H
#define GF_FORMATS_LIBTIFF_H

#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include "base/error.h"

#include <tiffio.h>

/* Without its name, which configure finds, the library is linked. */
#ifdef GF_LATE_TIFF

#if TIFFLIB_VERSION >= 20221213
#define GF_LIBTIFF_OPEN(CALL) \
    CALL(TIFFClientOpenExt) CALL(TIFFOpenOptionsAlloc) CALL(TIFFOpenOptionsFree) \
    CALL(TIFFOpenOptionsSetMaxSingleMemAlloc)
#else
#define GF_LIBTIFF_OPEN(CALL) CALL(TIFFClientOpen)
#endif

#define GF_LIBTIFF_CALLS(CALL) \
    GF_LIBTIFF_OPEN(CALL) \
    CALL(TIFFCleanup) CALL(TIFFClientdata) CALL(TIFFClose) CALL(TIFFComputeStrip) CALL(TIFFComputeTile) \
    CALL(TIFFCurrentDirOffset) CALL(TIFFFindCODEC) CALL(TIFFGetField) CALL(TIFFGetFieldDefaulted) \
    CALL(TIFFGetReadProc) CALL(TIFFGetSeekProc) CALL(TIFFGetTagListCount) CALL(TIFFGetTagListEntry) \
    CALL(TIFFIsBigEndian) CALL(TIFFIsCODECConfigured) CALL(TIFFIsTiled) CALL(TIFFLastDirectory) \
    CALL(TIFFMergeFieldInfo) CALL(TIFFNumberOfDirectories) CALL(TIFFNumberOfStrips) CALL(TIFFNumberOfTiles) \
    CALL(TIFFRGBAImageBegin) CALL(TIFFRGBAImageEnd) CALL(TIFFRGBAImageGet) CALL(TIFFRGBAImageOK) \
    CALL(TIFFReadDirectory) CALL(TIFFReadEncodedStrip) CALL(TIFFReadScanline) CALL(TIFFReadTile) \
    CALL(TIFFScanlineSize64) CALL(TIFFSetErrorHandler) CALL(TIFFSetErrorHandlerExt) CALL(TIFFSetField) \
    CALL(TIFFSetWarningHandler) CALL(TIFFSetWarningHandlerExt) CALL(TIFFStripSize64) CALL(TIFFTileSize64) \
    CALL(TIFFWriteDirectory) CALL(TIFFWriteEncodedStrip) CALL(TIFFWriteRawStrip)

#define GF_LIBTIFF_MEMBER(name) __typeof__(name) *name;

extern struct gf_libtiff {
    GF_LIBTIFF_CALLS(GF_LIBTIFF_MEMBER)
} gf_libtiff;

#define TIFFCleanup gf_libtiff.TIFFCleanup
#define TIFFClientOpen gf_libtiff.TIFFClientOpen
#define TIFFClientOpenExt gf_libtiff.TIFFClientOpenExt
#define TIFFClientdata gf_libtiff.TIFFClientdata
#define TIFFClose gf_libtiff.TIFFClose
#define TIFFComputeStrip gf_libtiff.TIFFComputeStrip
#define TIFFComputeTile gf_libtiff.TIFFComputeTile
#define TIFFCurrentDirOffset gf_libtiff.TIFFCurrentDirOffset
#define TIFFFindCODEC gf_libtiff.TIFFFindCODEC
#define TIFFGetField gf_libtiff.TIFFGetField
#define TIFFGetFieldDefaulted gf_libtiff.TIFFGetFieldDefaulted
#define TIFFGetReadProc gf_libtiff.TIFFGetReadProc
#define TIFFGetSeekProc gf_libtiff.TIFFGetSeekProc
#define TIFFGetTagListCount gf_libtiff.TIFFGetTagListCount
#define TIFFGetTagListEntry gf_libtiff.TIFFGetTagListEntry
#define TIFFIsBigEndian gf_libtiff.TIFFIsBigEndian
#define TIFFIsCODECConfigured gf_libtiff.TIFFIsCODECConfigured
#define TIFFIsTiled gf_libtiff.TIFFIsTiled
#define TIFFLastDirectory gf_libtiff.TIFFLastDirectory
#define TIFFMergeFieldInfo gf_libtiff.TIFFMergeFieldInfo
#define TIFFNumberOfDirectories gf_libtiff.TIFFNumberOfDirectories
#define TIFFNumberOfStrips gf_libtiff.TIFFNumberOfStrips
#define TIFFNumberOfTiles gf_libtiff.TIFFNumberOfTiles
#define TIFFOpenOptionsAlloc gf_libtiff.TIFFOpenOptionsAlloc
#define TIFFOpenOptionsFree gf_libtiff.TIFFOpenOptionsFree
#define TIFFOpenOptionsSetMaxSingleMemAlloc gf_libtiff.TIFFOpenOptionsSetMaxSingleMemAlloc
#define TIFFRGBAImageBegin gf_libtiff.TIFFRGBAImageBegin
#define TIFFRGBAImageEnd gf_libtiff.TIFFRGBAImageEnd
#define TIFFRGBAImageGet gf_libtiff.TIFFRGBAImageGet
#define TIFFRGBAImageOK gf_libtiff.TIFFRGBAImageOK
#define TIFFReadDirectory gf_libtiff.TIFFReadDirectory
#define TIFFReadEncodedStrip gf_libtiff.TIFFReadEncodedStrip
#define TIFFReadScanline gf_libtiff.TIFFReadScanline
#define TIFFReadTile gf_libtiff.TIFFReadTile
#define TIFFScanlineSize64 gf_libtiff.TIFFScanlineSize64
#define TIFFSetErrorHandler gf_libtiff.TIFFSetErrorHandler
#define TIFFSetErrorHandlerExt gf_libtiff.TIFFSetErrorHandlerExt
#define TIFFSetField gf_libtiff.TIFFSetField
#define TIFFSetWarningHandler gf_libtiff.TIFFSetWarningHandler
#define TIFFSetWarningHandlerExt gf_libtiff.TIFFSetWarningHandlerExt
#define TIFFStripSize64 gf_libtiff.TIFFStripSize64
#define TIFFTileSize64 gf_libtiff.TIFFTileSize64
#define TIFFWriteDirectory gf_libtiff.TIFFWriteDirectory
#define TIFFWriteEncodedStrip gf_libtiff.TIFFWriteEncodedStrip
#define TIFFWriteRawStrip gf_libtiff.TIFFWriteRawStrip
#endif

/* Opens the library once. Call it before any of its functions. */
int gf_libtiff_open(struct gf_error *err) GF_MUST_CHECK;

#endif
