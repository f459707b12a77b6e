#pragma once

#include <zlib.h>

// inflateInit2() is a macro, which Swift does not import. Accepts gzip only: 16 stands for its header and trailer.
static inline int cz_inflate_gzip(z_stream *stream) { return inflateInit2(stream, 16 + MAX_WBITS); }
