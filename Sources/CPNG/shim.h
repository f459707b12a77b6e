// The simplified interface of libpng, with what Swift cannot call: macros.
#pragma once

#include <png.h>

/// The greatest number of bytes that a file with this picture can have.
static inline size_t cpng_greatest_file_size(png_image image) {
    return PNG_IMAGE_PNG_SIZE_MAX(image);
}

/// 8 bits each of red, green, blue and alpha, in this order, in sRGB, not premultiplied.
static const png_uint_32 cpng_format_rgba = PNG_FORMAT_RGBA;
