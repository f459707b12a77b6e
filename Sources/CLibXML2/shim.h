// What Swift needs to call libxml2's push parser.
#pragma once

#include <libxml/xmlversion.h>
// Debian's libxml2 declares its use of ICU, whose types are different ones in Swift's Foundation. Only the declaration
// of encoders depends on it, which are not used.
#undef LIBXML_ICU_ENABLED
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <libxml/SAX2.h>
