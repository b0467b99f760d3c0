/* png.c: images as PNG files, through libpng; the only file that knows it */
#include "picture.h"

#include <string.h>

#ifdef PERP_HAVE_PNG

#include <png.h>

bool picture_can_write(void)
{
  return true;
}

perp_error picture_write(const char *path, const picture *image, perp_message *why)
{
  app_file file = {0};
  const perp_error error = app_file_open(path, &file, why);
  if (error)
    return error;
  png_image png = {.version = PNG_IMAGE_VERSION,
                   .width = (png_uint_32)image->width,
                   .height = (png_uint_32)image->height,
                   .format = PNG_FORMAT_RGB};
  if (!png_image_write_to_stdio(&png, file.stream, 0, image->rgb, 0, NULL)) {
    snprintf(why->text, sizeof why->text, "%.300s: %.64s", path, png.message);
    app_file_discard(&file);
    return PERP_ERROR_FILE;
  }
  return app_file_close(&file, why);
}

#else

bool picture_can_write(void)
{
  return false;
}

perp_error picture_write(const char *path, const picture *image, perp_message *why)
{
  (void)image;
  snprintf(why->text, sizeof why->text, "%.300s: perp was built without libpng", path);
  return PERP_ERROR_BACKEND;
}

#endif
