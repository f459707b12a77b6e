#pragma once

#ifdef __SSE2__
// Whether the processor has AVX2, which those since 2013 have. The compiler's run-time library asks the processor once.
#define HAS_AVX2 __builtin_cpu_supports("avx2")
#else
#define HAS_AVX2 0
#endif
