#pragma once

#include <stdbool.h>

// What the processor can do, as far as it is asked; known from the start of the process.
extern struct processor {
    bool has_avx2, has_avx512bw, has_pclmul, has_bmi;
} processor;
