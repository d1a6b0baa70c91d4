// Vectors as NumPy arrays.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <utility>
#include <vector>

namespace pyramidion {

template <class Number>
using Array = nanobind::ndarray<nanobind::numpy, Number, nanobind::ndim<1>>;

// Transfers a vector without copying.
template <class Number>
Array<Number> to_array(std::vector<Number>&& values) {
    auto* owned = new std::vector<Number>(std::move(values));
    nanobind::capsule owner(owned, [](void* data) noexcept {
        delete static_cast<std::vector<Number>*>(data);
    });
    return Array<Number>(owned->data(), {owned->size()}, owner);
}

}  // namespace pyramidion
