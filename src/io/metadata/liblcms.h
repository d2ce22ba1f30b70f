/* The functions of lcms2. The library is opened for the first profile that is converted or made. */
#ifndef GF_METADATA_LIBLCMS_H
#define GF_METADATA_LIBLCMS_H

#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include "base/error.h"

#include <lcms2.h>

/* Without its name, which configure finds, the library is linked. */
#ifdef GF_LATE_LCMS

#define GF_LIBLCMS_CALLS(CALL) \
    CALL(cmsBuildGamma) CALL(cmsBuildParametricToneCurve) CALL(cmsCloseProfile) CALL(cmsCreateContext) \
    CALL(cmsCreateGrayProfileTHR) CALL(cmsCreateRGBProfileTHR) CALL(cmsCreateTransformTHR) \
    CALL(cmsCreate_sRGBProfileTHR) CALL(cmsD50_xyY) CALL(cmsDeleteContext) CALL(cmsDeleteTransform) \
    CALL(cmsDoTransform) CALL(cmsFreeToneCurve) CALL(cmsGetColorSpace) CALL(cmsGetDeviceClass) \
    CALL(cmsOpenProfileFromMemTHR) CALL(cmsReadTag) CALL(cmsSaveProfileToMem) \
    CALL(cmsSetLogErrorHandlerTHR)

#define GF_LIBLCMS_MEMBER(name) __typeof__(name) *name;

extern struct gf_liblcms {
    GF_LIBLCMS_CALLS(GF_LIBLCMS_MEMBER)
} gf_liblcms;

#define cmsBuildGamma gf_liblcms.cmsBuildGamma
#define cmsBuildParametricToneCurve gf_liblcms.cmsBuildParametricToneCurve
#define cmsCloseProfile gf_liblcms.cmsCloseProfile
#define cmsCreateContext gf_liblcms.cmsCreateContext
#define cmsCreateGrayProfileTHR gf_liblcms.cmsCreateGrayProfileTHR
#define cmsCreateRGBProfileTHR gf_liblcms.cmsCreateRGBProfileTHR
#define cmsCreateTransformTHR gf_liblcms.cmsCreateTransformTHR
#define cmsCreate_sRGBProfileTHR gf_liblcms.cmsCreate_sRGBProfileTHR
#define cmsD50_xyY gf_liblcms.cmsD50_xyY
#define cmsDeleteContext gf_liblcms.cmsDeleteContext
#define cmsDeleteTransform gf_liblcms.cmsDeleteTransform
#define cmsDoTransform gf_liblcms.cmsDoTransform
#define cmsFreeToneCurve gf_liblcms.cmsFreeToneCurve
#define cmsGetColorSpace gf_liblcms.cmsGetColorSpace
#define cmsGetDeviceClass gf_liblcms.cmsGetDeviceClass
#define cmsOpenProfileFromMemTHR gf_liblcms.cmsOpenProfileFromMemTHR
#define cmsReadTag gf_liblcms.cmsReadTag
#define cmsSaveProfileToMem gf_liblcms.cmsSaveProfileToMem
#define cmsSetLogErrorHandlerTHR gf_liblcms.cmsSetLogErrorHandlerTHR
#endif

/* Opens the library once. Call it before any of its functions. */
int gf_liblcms_open(struct gf_error *err) GF_MUST_CHECK;

#endif
