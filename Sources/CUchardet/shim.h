#pragma once

#include <uchardet/uchardet.h>
