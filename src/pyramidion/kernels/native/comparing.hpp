// Defines the kernels that compare texts, in comparing.cpp.
#pragma once

#include <nanobind/nanobind.h>

namespace pyramidion {

void define_comparing(nanobind::module_& module);

}  // namespace pyramidion
