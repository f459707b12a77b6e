// What Swift needs to read MARC 21 and to query Z39.50 servers with libyaz.
#pragma once

#include <yaz/diagbib1.h>
#include <yaz/diagsrw.h>
#include <yaz/marcdisp.h>
#include <yaz/yaz-iconv.h>
#include <yaz/zoom.h>
