// What Swift needs to call PCRE2: its functions for text in UTF-8.
#pragma once

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
