/* png.c: images as PNG files, through libpng; the only file that uses it */
#include "base/message.h"
#include <perp/image.h>

#ifdef PERP_HAVE_PNG

#include "base/memory.h"
#include "io/file.h"

#include <png.h>

bool perp_image_can_write(void)
{
  return true;
}

perp_error perp_image_write(const char *path, int width, int height, const unsigned char *rgb,
                            perp_message *why)
{
  png_image png = {.version = PNG_IMAGE_VERSION,
                   .width = (png_uint_32)width,
                   .height = (png_uint_32)height,
                   .format = PNG_FORMAT_RGB};
  png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(png);
  char *const bytes = perp_alloc(size, 1);
  if (!bytes)
    return perp_fail(why, PERP_ERROR_MEMORY, "out of memory for an image of %d x %d", width,
                     height);
  perp_writer writer = {0};
  perp_error error = PERP_OK;
  if (!png_image_write_to_memory(&png, bytes, &size, 0, rgb, 0, NULL))
    error = perp_fail(why, PERP_ERROR_FILE, "%.300s: %.64s", perp_path_shown(path), png.message);
  else
    error = perp_writer_open(&writer, path, why);
  if (!error) {
    writer.fresh = true; /* an image is easily produced again */
    perp_writer_bytes(&writer, bytes, size);
    error = perp_writer_commit(&writer, why);
  }
  perp_free(bytes);
  return error;
}

#else

bool perp_image_can_write(void)
{
  return false;
}

perp_error perp_image_write(const char *path, int width, int height, const unsigned char *rgb,
                            perp_message *why)
{
  (void)width, (void)height, (void)rgb;
  return perp_fail(why, PERP_ERROR_BACKEND, "%.300s: perp was built without libpng", path);
}

#endif
