// Sums of rows drawn with Perl's random numbers, see ../resampling.py.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace pyramidion {

// drand48.
class PerlRandom {
public:
    explicit PerlRandom(std::uint64_t seed) : state_(seed << 16 | 0x330E) {}

    // A number below `size`, which is less than 2^53.
    std::size_t draw(double size) {
        state_ = (state_ * 0x5DEECE66D + 0xB) & kMask;
        // Signed numbers are converted faster, and 48 bits fit.
        return static_cast<std::size_t>(
            static_cast<std::int64_t>(static_cast<double>(static_cast<std::int64_t>(state_)) / kRange * size));
    }

private:
    static constexpr std::uint64_t kMask = (std::uint64_t{1} << 48) - 1;
    static constexpr double kRange = 281474976710656.0;  // 2^48

    std::uint64_t state_;
};

// Sums of `Width` columns in the order of draws, since the last bit depends on it. Four resamples at
// a time: independent sums stay in registers.
template <std::size_t Width>
void add_resamples(const double* cells, std::size_t rows, std::size_t columns, std::size_t resamples,
                   double* sums) {
    constexpr std::size_t few = 4;
    for (std::size_t first = 0; first < resamples; first += few) {
        std::array<PerlRandom, few> random{PerlRandom(first), PerlRandom(first + 1), PerlRandom(first + 2),
                                           PerlRandom(first + 3)};
        std::array<double, few * Width> totals{};
        for (std::size_t i = 0; i < rows; ++i) {
            for (std::size_t each = 0; each < few; ++each) {
                const double* row = cells + random[each].draw(static_cast<double>(rows)) * columns;
                for (std::size_t k = 0; k < Width; ++k) totals[each * Width + k] += row[k];
            }
        }
        for (std::size_t each = 0; each < std::min(few, resamples - first); ++each) {
            std::copy_n(&totals[each * Width], Width, sums + (first + each) * columns);
        }
    }
}

// One row of sums for each resample.
inline std::vector<double> bootstrap_sums(const double* cells, std::size_t rows, std::size_t columns,
                                          std::size_t resamples) {
    std::vector<double> sums(resamples * columns);
    std::size_t done = 0;
    // Recall, precision and F.
    for (; columns - done >= 3; done += 3) add_resamples<3>(cells + done, rows, columns, resamples, sums.data() + done);
    for (; done < columns; ++done) add_resamples<1>(cells + done, rows, columns, resamples, sums.data() + done);
    return sums;
}

}  // namespace pyramidion
