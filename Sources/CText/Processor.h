#pragma once

#ifdef __SSE2__
// Whether the processor supports AVX2, as most since 2013 do. The compiler's run-time library queries the processor
// only once.
#define HAS_AVX2 __builtin_cpu_supports("avx2")
#else
#define HAS_AVX2 0
#endif
