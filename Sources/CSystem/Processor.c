#include "Processor.h"

struct processor processor;

#ifdef __SSE2__
#include <sys/platform/x86.h>

// The C library knows it by now. The compiler's __builtin_cpu_supports() would ask the processor again, which takes 5
// microseconds a question in a virtual machine, and it has a dozen.
__attribute__((constructor)) static void ask(void)
{
    processor.has_avx2 = CPU_FEATURE_ACTIVE(AVX2);
    processor.has_avx512bw = CPU_FEATURE_ACTIVE(AVX512BW);
    processor.has_pclmul = CPU_FEATURE_ACTIVE(PCLMULQDQ);
    processor.has_bmi = CPU_FEATURE_ACTIVE(BMI1);
}
#endif
