// What Swift needs to call cmark-gfm: CommonMark, and its extension for tables.
#pragma once

#include <cmark-gfm.h>
#include <cmark-gfm-core-extensions.h>
