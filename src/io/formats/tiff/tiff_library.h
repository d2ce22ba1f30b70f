/*
 * The functions of libtiff. The library is opened when the first TIFF is read or written, because loading it and the
 * libraries that it needs takes longer than a small image of another format.
 */
#ifndef GF_FORMATS_TIFF_LIBRARY_H
#define GF_FORMATS_TIFF_LIBRARY_H

#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include "base/error.h"

#include <tiffio.h>

/* Without its name, which configure finds, the library is linked. */
#ifdef GF_LATE_TIFF

#if TIFFLIB_VERSION >= 20221213
#define GF_TIFF_OPEN(CALL) \
    CALL(TIFFClientOpenExt) CALL(TIFFOpenOptionsAlloc) CALL(TIFFOpenOptionsFree) \
    CALL(TIFFOpenOptionsSetMaxSingleMemAlloc)
#else
#define GF_TIFF_OPEN(CALL) CALL(TIFFClientOpen)
#endif

#define GF_TIFF_CALLS(CALL) \
    GF_TIFF_OPEN(CALL) \
    CALL(TIFFCleanup) CALL(TIFFClientdata) CALL(TIFFClose) CALL(TIFFComputeStrip) \
    CALL(TIFFCurrentDirOffset) CALL(TIFFFindCODEC) CALL(TIFFGetField) CALL(TIFFGetFieldDefaulted) \
    CALL(TIFFGetReadProc) CALL(TIFFGetSeekProc) CALL(TIFFGetTagListCount) CALL(TIFFGetTagListEntry) \
    CALL(TIFFIsBigEndian) CALL(TIFFIsCODECConfigured) CALL(TIFFIsTiled) CALL(TIFFLastDirectory) \
    CALL(TIFFRGBAImageBegin) CALL(TIFFRGBAImageEnd) CALL(TIFFRGBAImageGet) CALL(TIFFRGBAImageOK) \
    CALL(TIFFReadDirectory) CALL(TIFFReadEncodedStrip) CALL(TIFFReadScanline) CALL(TIFFReadTile) \
    CALL(TIFFScanlineSize64) CALL(TIFFSetErrorHandler) CALL(TIFFSetErrorHandlerExt) CALL(TIFFSetField) \
    CALL(TIFFSetWarningHandler) CALL(TIFFSetWarningHandlerExt) CALL(TIFFStripSize64) CALL(TIFFTileSize64) \
    CALL(TIFFWriteDirectory) CALL(TIFFWriteEncodedStrip) CALL(TIFFWriteRawStrip)

#define GF_TIFF_MEMBER(name) __typeof__(name) *name;

extern struct gf_tiff_library {
    GF_TIFF_CALLS(GF_TIFF_MEMBER)
} gf_tiff_library;

#define TIFFCleanup gf_tiff_library.TIFFCleanup
#define TIFFClientOpen gf_tiff_library.TIFFClientOpen
#define TIFFClientOpenExt gf_tiff_library.TIFFClientOpenExt
#define TIFFClientdata gf_tiff_library.TIFFClientdata
#define TIFFClose gf_tiff_library.TIFFClose
#define TIFFComputeStrip gf_tiff_library.TIFFComputeStrip
#define TIFFCurrentDirOffset gf_tiff_library.TIFFCurrentDirOffset
#define TIFFFindCODEC gf_tiff_library.TIFFFindCODEC
#define TIFFGetField gf_tiff_library.TIFFGetField
#define TIFFGetFieldDefaulted gf_tiff_library.TIFFGetFieldDefaulted
#define TIFFGetReadProc gf_tiff_library.TIFFGetReadProc
#define TIFFGetSeekProc gf_tiff_library.TIFFGetSeekProc
#define TIFFGetTagListCount gf_tiff_library.TIFFGetTagListCount
#define TIFFGetTagListEntry gf_tiff_library.TIFFGetTagListEntry
#define TIFFIsBigEndian gf_tiff_library.TIFFIsBigEndian
#define TIFFIsCODECConfigured gf_tiff_library.TIFFIsCODECConfigured
#define TIFFIsTiled gf_tiff_library.TIFFIsTiled
#define TIFFLastDirectory gf_tiff_library.TIFFLastDirectory
#define TIFFOpenOptionsAlloc gf_tiff_library.TIFFOpenOptionsAlloc
#define TIFFOpenOptionsFree gf_tiff_library.TIFFOpenOptionsFree
#define TIFFOpenOptionsSetMaxSingleMemAlloc gf_tiff_library.TIFFOpenOptionsSetMaxSingleMemAlloc
#define TIFFRGBAImageBegin gf_tiff_library.TIFFRGBAImageBegin
#define TIFFRGBAImageEnd gf_tiff_library.TIFFRGBAImageEnd
#define TIFFRGBAImageGet gf_tiff_library.TIFFRGBAImageGet
#define TIFFRGBAImageOK gf_tiff_library.TIFFRGBAImageOK
#define TIFFReadDirectory gf_tiff_library.TIFFReadDirectory
#define TIFFReadEncodedStrip gf_tiff_library.TIFFReadEncodedStrip
#define TIFFReadScanline gf_tiff_library.TIFFReadScanline
#define TIFFReadTile gf_tiff_library.TIFFReadTile
#define TIFFScanlineSize64 gf_tiff_library.TIFFScanlineSize64
#define TIFFSetErrorHandler gf_tiff_library.TIFFSetErrorHandler
#define TIFFSetErrorHandlerExt gf_tiff_library.TIFFSetErrorHandlerExt
#define TIFFSetField gf_tiff_library.TIFFSetField
#define TIFFSetWarningHandler gf_tiff_library.TIFFSetWarningHandler
#define TIFFSetWarningHandlerExt gf_tiff_library.TIFFSetWarningHandlerExt
#define TIFFStripSize64 gf_tiff_library.TIFFStripSize64
#define TIFFTileSize64 gf_tiff_library.TIFFTileSize64
#define TIFFWriteDirectory gf_tiff_library.TIFFWriteDirectory
#define TIFFWriteEncodedStrip gf_tiff_library.TIFFWriteEncodedStrip
#define TIFFWriteRawStrip gf_tiff_library.TIFFWriteRawStrip
#endif

/* Opens the library once. Call it before any of its functions. */
int gf_tiff_library_open(struct gf_error *err) GF_MUST_CHECK;

#endif
