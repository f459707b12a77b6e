// What Swift needs to read MARC 21 with libyaz.
#pragma once

#include <yaz/marcdisp.h>
#include <yaz/yaz-iconv.h>
