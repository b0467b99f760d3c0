/* perp/image.h: images as PNG files */
#ifndef PERP_IMAGE_H
#define PERP_IMAGE_H

#include <perp/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Writes an image: three bytes per pixel (red, green, blue), by rows from the top. The file is written
 * under a temporary name and renamed. Returns PERP_ERROR_BACKEND if perp was built without libpng. */
PERP_API perp_error perp_image_write(const char *path, int width, int height,
                                     const unsigned char *rgb, perp_message *why);
PERP_API bool perp_image_can_write(void);

#ifdef __cplusplus
}
#endif
#endif
