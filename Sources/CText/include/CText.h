// The tables and the kernels of text: C, as Swift's SIMD has no way from a comparison to a mask of bits, and as tables of
// numbers take the Swift compiler minutes.
#pragma once

#include "CollationTable.h"
#include "Elements.h"
#include "FoldTable.h"
#include "Hash.h"
#include "Scan.h"
#include "TextSearch.h"
#include "fuzzy_terms.h"
