// Text tables and kernels in C: Swift's SIMD types cannot turn a comparison into a bit mask, and the Swift compiler
// takes minutes for large tables of numbers.
#pragma once

#include "CollationTable.h"
#include "Elements.h"
#include "FoldTable.h"
#include "Hash.h"
#include "Scan.h"
#include "TextSearch.h"
#include "fuzzy_match.h"
#include "near_words.h"
