// All units that a peer shares with a model at once: n-grams, skip-bigrams, words on longest
// common subsequences, plain and weighted; see ../overlap.py and ../subsequences.py.
//
// What concerns the peer alone is prepared once and serves all its pairs that follow each other.
// Its words have numbers of one byte; words of a model that the peer has not are left out at
// once, for no unit with one of them is shared, and they change no row of an alignment. A peer
// that is too long for this is left to the classes for texts of any length.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "bits.hpp"
#include "lcs.hpp"
#include "ngrams.hpp"
#include "skips.hpp"
#include "summary_lcs.hpp"
#include "texts.hpp"

namespace pyramidion {

struct SkipRule {
    std::int64_t gap;
    bool unigrams;
};

// What is counted. A weight's powers are there if words on weighted subsequences are.
struct Wanted {
    std::vector<std::int64_t> ngrams;
    std::vector<SkipRule> skips;
    bool lcs = false;
    std::vector<double> power;

    bool sentences() const { return lcs || !power.empty(); }
};

// One number for each pair.
struct Hits {
    std::vector<std::vector<std::int64_t>> ngrams;
    std::vector<std::vector<std::int64_t>> skips;
    std::vector<std::int64_t> lcs;
    std::vector<double> weighted;

    Hits(const Wanted& wanted, std::size_t pairs)
        : ngrams(wanted.ngrams.size(), std::vector<std::int64_t>(pairs)),
          skips(wanted.skips.size(), std::vector<std::int64_t>(pairs)),
          lcs(wanted.lcs ? pairs : 0),
          weighted(wanted.power.empty() ? 0 : pairs) {}
};

// Pairs of names of one byte, in a square; what was touched is undone for the next text.
template <class Value>
class Square {
public:
    void clear(std::size_t names) {
        for (const std::uint32_t place : touched_) table_[place] = 0;
        touched_.clear();
        for (shift_ = 4; (std::size_t{1} << shift_) <= names;) ++shift_;
        if (table_.size() < std::size_t{1} << 2 * shift_) table_.resize(std::size_t{1} << 2 * shift_);
    }

    // Nothing is ever put to a pair with the name 0, which stands for what is not known.
    Value& at(std::uint8_t first, std::uint8_t second) {
        return table_[static_cast<std::size_t>(first) << shift_ | second];
    }

    void touch(std::uint8_t first, std::uint8_t second) {
        touched_.push_back(static_cast<std::uint32_t>(first) << shift_ | second);
    }

private:
    std::vector<Value> table_;
    std::vector<std::uint32_t> touched_;
    unsigned shift_ = 4;
};

inline constexpr std::size_t kMostWords = 255;
using Counts = std::array<std::uint8_t, kMostWords + 1>;

// The words of a model that its peer has: where they stand, and their names.
struct Known {
    std::vector<std::int32_t> places;
    std::vector<std::uint8_t> names;
    std::size_t size = 0;

    void make_room(std::size_t words) {
        if (names.size() >= words) return;
        places.resize(words);
        names.resize(words);
    }
};

inline std::int64_t clipped(const Known& known, Counts left) {
    std::int64_t hits = 0;
    for (std::size_t i = 0; i < known.size; ++i) {
        const bool hit = left[known.names[i]] > 0;
        left[known.names[i]] -= hit;
        hits += hit;
    }
    return hits;
}

// The n-grams of a peer for one n, made of those one word shorter.
struct Level {
    Square<std::uint8_t> names_of;
    std::vector<std::uint8_t> names;  // of the n-gram at each place of the peer
    std::size_t distinct = 0;
    Counts counts{};

    void prepare(const std::vector<std::uint8_t>& shorter, std::size_t distinct_shorter) {
        names_of.clear(distinct_shorter);
        distinct = 0;
        names.resize(shorter.empty() ? 0 : shorter.size() - 1);
        for (std::size_t i = 0; i < names.size(); ++i) {
            std::uint8_t& name = names_of.at(shorter[i], shorter[i + 1]);
            if (name == 0) {
                names_of.touch(shorter[i], shorter[i + 1]);
                name = static_cast<std::uint8_t>(++distinct);
                counts[name] = 0;
            }
            ++counts[name];
            names[i] = name;
        }
    }

    // Finds those of a model; `shorter` is used up.
    void find(Known& shorter) {
        std::size_t found = 0;
        for (std::size_t i = 0; i + 1 < shorter.size; ++i) {
            const std::uint8_t name = names_of.at(shorter.names[i], shorter.names[i + 1]);
            const bool next = shorter.places[i + 1] == shorter.places[i] + 1;
            shorter.places[found] = shorter.places[i];
            shorter.names[found] = name;
            found += next && name != 0;
        }
        shorter.size = found;
    }
};

// The skip-bigrams of a peer.
class Skips {
public:
    explicit Skips(SkipRule rule) : rule_(rule) {}

    void prepare(const std::vector<std::uint8_t>& names, std::size_t distinct) {
        counts_.clear(distinct);
        std::fill_n(unigrams_.begin(), distinct + 1, 0);
        const std::size_t reach = reach_in(names.size());
        for (std::size_t i = 0; i + 1 < names.size(); ++i) {
            ++unigrams_[names[i]];
            for (std::size_t j = i + 1; j < std::min(names.size(), i + 1 + reach); ++j) {
                std::uint16_t& count = counts_.at(names[i], names[j]);
                if (count == 0) counts_.touch(names[i], names[j]);
                ++count;
            }
        }
    }

    std::int64_t hits(const Known& known, std::size_t words) {
        const auto reach = static_cast<std::int64_t>(reach_in(words));
        std::size_t hits = 0;
        for (std::size_t i = 0; i < known.size; ++i) {
            if (used_.size() < hits + known.size) used_.resize(2 * (hits + known.size));
            for (std::size_t j = i + 1; j < known.size; ++j) {
                if (known.places[j] - known.places[i] > reach) break;
                // No branch: which pairs are hits cannot be foreseen.
                std::uint16_t& count = counts_.at(known.names[i], known.names[j]);
                const bool hit = count > 0;
                count = static_cast<std::uint16_t>(count - hit);
                used_[hits] = &count;
                hits += hit;
            }
        }
        for (std::size_t i = 0; i < hits; ++i) ++*used_[i];
        return static_cast<std::int64_t>(hits) + (rule_.unigrams ? singles(known, words) : 0);
    }

private:
    std::size_t reach_in(std::size_t words) const {
        const auto size = static_cast<std::int64_t>(words);
        return static_cast<std::size_t>(rule_.gap < 0 || rule_.gap >= size ? size : rule_.gap + 1);
    }

    // Words that can be the first of a pair: all but the last of a text.
    std::int64_t singles(const Known& known, std::size_t words) const {
        Counts left = unigrams_;
        std::int64_t hits = 0;
        for (std::size_t i = 0; i < known.size; ++i) {
            const bool last = static_cast<std::size_t>(known.places[i]) + 1 == words;
            const bool hit = !last && left[known.names[i]] > 0;
            left[known.names[i]] -= hit;
            hits += hit;
        }
        return hits;
    }

    SkipRule rule_;
    Square<std::uint16_t> counts_;
    Counts unigrams_{};
    std::vector<std::uint16_t*> used_;
};

// Sentences of a peer side by side in a few words of 64 bits: none across two of them, unless one
// is longer than that. Then they are chained, one behind the other wherever words of bits end.
class Board {
public:
    static constexpr std::size_t kMostLanes = 8;
    static constexpr std::size_t kMostPlaces = kWordBits - 1;
    using Lanes = std::array<Bits, kMostLanes>;

    struct Sentence {
        std::size_t lane;
        unsigned start;
        unsigned size;

        Bits places() const { return ((Bits{1} << size) - 1) << start; }
        Bits last() const { return Bits{1} << (start + size - 1); }
    };

    std::vector<Sentence> sentences;
    std::size_t lanes = 1;  // 1, 2, 4 or 8
    bool chained = false;
    Lanes used;
    Lanes last;
    std::vector<Bits> meets;  // a row of lanes for each name

    // All words of a peer that is not too long for names of one byte.
    void place(const Texts& all, std::int64_t from, std::int64_t to) {
        chained = !place_apart(all, from, to);
        if (chained) place_chained(all, from, to);
    }

    void find_meetings(const std::vector<std::uint8_t>& names, std::size_t distinct) {
        meets.assign((distinct + 1) * lanes, 0);
        std::size_t word = 0;
        for (const Sentence& sentence : sentences) {
            const std::size_t first = sentence.lane * kWordBits + sentence.start;
            for (std::size_t place = first; place < first + sentence.size; ++place) {
                meets[names[word++] * lanes + word_of(place)] |= bit_of(place);
            }
        }
    }

private:
    // Tells whether each sentence fits into a word of bits.
    bool place_apart(const Texts& all, std::int64_t from, std::int64_t to) {
        clear();
        std::size_t lane = 0, free = 0;
        for (; from < to; ++from) {
            const std::size_t size = all[from].size;
            if (size == 0) continue;
            if (size > kMostPlaces) return false;
            // A bit stays empty behind each, where a sum ends.
            if (free + size > kMostPlaces) {
                if (++lane == kMostLanes) return false;
                free = 0;
            }
            sentences.push_back({lane, static_cast<unsigned>(free), static_cast<unsigned>(size)});
            used[lane] |= sentences.back().places();
            last[lane] |= sentences.back().last();
            free += size + 1;
        }
        for (lanes = 1; lanes <= lane;) lanes *= 2;
        return true;
    }

    void place_chained(const Texts& all, std::int64_t from, std::int64_t to) {
        static_assert(2 * kMostWords < kMostLanes * kWordBits, "there is an empty bit for each word");
        clear();
        std::size_t free = 0;
        for (; from < to; ++from) {
            const std::size_t size = all[from].size;
            if (size == 0) continue;
            sentences.push_back({word_of(free), static_cast<unsigned>(free % kWordBits), static_cast<unsigned>(size)});
            const std::size_t end = free + size;
            for (; free < end; ++free) used[word_of(free)] |= bit_of(free);
            last[word_of(end - 1)] |= bit_of(end - 1);
            ++free;
        }
        for (lanes = 1; lanes * kWordBits < free;) lanes *= 2;
    }

    void clear() {
        sentences.clear();
        used.fill(0);
        last.fill(0);
    }
};

// Moves a path on from a cell that does not go up. Gives where it goes on, 0 if nowhere, and
// tells whether it met a word.
inline std::pair<Bits, bool> turn(Bits cell, Bits meets, Bits left) {
    const Bits stop = Bits{1} << highest_bit(~left & (cell | (cell - 1)));
    const bool met = (meets & stop) != 0;
    return {met ? stop >> 1 : stop, met};
}

// The longest common subsequences of a model's sentence with all sentences at once: Hyyro's bit
// rows (see Lcs), as many lanes as there are.
template <std::size_t Lanes, bool Chained>
class LcsRows {
public:
    LcsRows(const Board& board, const std::uint8_t* names, std::size_t size, std::vector<Bits>& rows)
        : board_(board), names_(names), size_(size), rows_(rows) {
        if (rows.size() < size * Lanes) rows.resize(size * Lanes);
        std::array<Bits, Lanes> flat;
        std::copy_n(board.used.begin(), Lanes, flat.begin());
        for (std::size_t i = 0; i < size; ++i) {
            const Bits* meets = meets_of(i);
            Bits* left = rows.data() + i * Lanes;
            Bits carry = 0;
            for (std::size_t k = 0; k < Lanes; ++k) {
                const Bits met = flat[k] & meets[k];
                Bits sum = flat[k] + met;
                if constexpr (Chained) {
                    const bool over = sum < met;
                    sum += carry;
                    carry = over || sum < carry;
                }
                left[k] = flat[k] & ~(sum | meets[k]);
                flat[k] = (sum & board.used[k]) | (flat[k] & ~meets[k]);
            }
        }
    }

    // Marks the words on the paths of the sentences with these last places.
    void mark(const Board::Lanes& last, unsigned char* marks) const {
        std::array<Bits, Lanes> paths;
        std::copy_n(last.begin(), Lanes, paths.begin());
        for (std::size_t i = size_; i-- > 0;) {
            const Bits* meets = meets_of(i);
            const Bits* left = rows_.data() + i * Lanes;
            bool any = false;
            for (std::size_t k = 0; k < Lanes; ++k) {
                Bits turning = paths[k] & (meets[k] | left[k]);
                paths[k] ^= turning;
                for (; turning != 0; turning &= turning - 1) {
                    Bits cell = turning & (~turning + 1);
                    std::size_t lane = k;
                    // A path never leaves its sentence to the left, for nothing is less than 0.
                    while (Chained && (~left[lane] & (cell | (cell - 1))) == 0) cell = bit_of(kWordBits - 1), --lane;
                    const auto [goes_on, met] = turn(cell, meets[lane], left[lane]);
                    if (Chained && goes_on == 0 && lane > 0) {
                        paths[lane - 1] |= bit_of(kWordBits - 1) & board_.used[lane - 1];
                    }
                    paths[lane] |= goes_on & board_.used[lane];
                    any |= met;
                }
            }
            marks[i] |= any;
        }
    }

    // Where a run goes on: a word meets, and so did the one before, each in the same order.
    Board::Lanes runs(const std::int32_t* places) const {
        Board::Lanes found{};
        for (std::size_t i = 1; i < size_; ++i) {
            if (places[i] != places[i - 1] + 1) continue;
            const Bits *above = meets_of(i - 1), *meets = meets_of(i);
            for (std::size_t k = 0; k < Lanes; ++k) found[k] |= above[k] << 1 & meets[k];
        }
        return found;
    }

private:
    const Bits* meets_of(std::size_t row) const { return board_.meets.data() + names_[row] * Lanes; }

    const Board& board_;
    const std::uint8_t* names_;
    std::size_t size_;
    const std::vector<Bits>& rows_;
};

// Weighted ones with one sentence of the peer. Only rows that meet it are looked at, and one more
// behind a row that falls: it brings the greatest so far to the right.
class WeightedMarks {
public:
    void mark(const Board& board, const Board::Sentence& sentence, const Known& known, std::size_t from,
              std::size_t to, std::int32_t end, const std::vector<double>& power, unsigned char* marks) {
        rows_.resize(to - from);
        std::size_t size = 0;
        for (std::size_t i = from; i < to; ++i) {
            const Bits lane = board.meets[known.names[i] * board.lanes + sentence.lane];
            const Bits meets = (lane & sentence.places()) >> sentence.start;
            // No branch: which words meet cannot be foreseen.
            rows_[size] = {meets, 0, known.places[i], static_cast<std::int32_t>(i)};
            size += meets != 0;
        }
        rows_.resize(size);
        fill(sentence.size, end, power);
        trace(sentence.size, marks);
    }

private:
    static constexpr std::int32_t kNone = -1;

    struct Row {
        Bits meets;
        Bits left;
        std::int32_t place;
        std::int32_t known;  // which of the model's known words, or none
    };

    void fill(unsigned size, std::int32_t end, const std::vector<double>& power) {
        std::fill_n(sums_.begin(), size + 1, 0.0);
        filled_.clear();
        bool uneven = false;
        for (std::size_t i = 0; i < rows_.size(); ++i) {
            Row& row = rows_[i];
            const bool follows = i > 0 && rows_[i - 1].place + 1 == row.place;
            if (uneven && !follows) {
                smooth(size);
                uneven = false;
            }
            uneven = update(size, row, follows ? rows_[i - 1].meets : 0, !uneven, power);
            filled_.push_back(row);
            std::swap(runs_, runs_above_);
        }
        if (uneven && rows_.back().place + 1 < end) smooth(size);
    }

    void smooth(unsigned size) {
        Row row{0, 0, 0, kNone};
        update(size, row, 0, false, no_powers_);
        filled_.push_back(row);
    }

    // Goes on from a row to the next one; tells whether the new one falls anywhere. `even`: the
    // old one does not, so it is repeated from where a cell is the same as the one above up to
    // the next meeting.
    bool update(unsigned size, Row& row, Bits met_above, bool even, const std::vector<double>& power) {
        double* const sums = sums_.data() + 1;  // the one before the first is 0
        unsigned place = even ? lowest_bit(row.meets) : 0;
        double above_left = sums_[place], to_left = above_left;
        bool falls = false;
        Bits left = 0;
        while (place < size) {
            const Bits cell = Bits{1} << place;
            const double above = sums[place];
            double sum = above;
            if (row.meets & cell) {
                const std::size_t run = met_above << 1 & cell ? runs_above_[place - 1] : 0;
                runs_[place] = static_cast<std::uint32_t>(run + 1);
                sum = (above_left + power[run + 1]) - power[run];
                falls |= sum < to_left;
            } else if (above < to_left) {
                sum = to_left;
                left |= cell;
            } else if (even) {
                const Bits rest = row.meets & ~(cell - 1);
                if (rest == 0) break;
                place = lowest_bit(rest);
                above_left = to_left = sums_[place];
                continue;
            }
            above_left = above;
            sums[place] = to_left = sum;
            ++place;
        }
        row.left = left;
        return falls;
    }

    void trace(unsigned size, unsigned char* marks) const {
        Bits path = Bits{1} << (size - 1);
        for (std::size_t i = filled_.size(); i-- > 0 && path != 0;) {
            const Row& row = filled_[i];
            if ((path & (row.meets | row.left)) == 0) continue;
            const auto [goes_on, met] = turn(path, row.meets, row.left);
            if (met) marks[row.known] = 1;
            path = goes_on;
        }
    }

    std::vector<Row> rows_, filled_;
    std::vector<double> no_powers_;
    std::array<double, kWordBits + 1> sums_;
    std::array<std::uint32_t, kWordBits> runs_, runs_above_;
};

// One thread's work.
class SharedUnits {
public:
    SharedUnits(const Summaries& all, const Wanted& wanted, Hits& hits)
        : all_(all), wanted_(wanted), hits_(hits) {
        for (const SkipRule& rule : wanted.skips) skips_.emplace_back(rule);
        for (const std::int64_t n : wanted.ngrams) {
            if (n <= kLongestNgram) levels_.resize(std::max(levels_.size(), static_cast<std::size_t>(n - 1)));
        }
    }

    // Goes on to other texts, whose words have numbers below this.
    void restart(std::size_t vocabulary) {
        prepared_ = -1;
        vocabulary_ = vocabulary;
        if (name_of_.size() < vocabulary) name_of_.resize(vocabulary);
        long_ngrams_.clear();
        long_skips_.clear();
    }

    void count(std::size_t pair, std::int64_t peer, std::int64_t model) {
        if (peer != prepared_) prepare(peer);
        if (is_short_) count_ngrams_and_skips(pair, model);
        count_long(pair, peer, model);
        if (!wanted_.sentences()) return;
        const bool on_board = on_board_ && all_.reads_alike(model);
        if (on_board) {
            count_subsequences(pair, model);
        } else if (wanted_.lcs) {
            count_long_lcs(pair, peer, model);
        }
        if (!wanted_.power.empty() && !(on_board && weighs_on_board())) count_long_weighted(pair, peer, model);
    }

private:
    static constexpr std::int64_t kLongestNgram = 8;
    // Beyond this many words what is prepared is that of the shorter text.
    static constexpr std::size_t kLong = 4096;

    void prepare(std::int64_t peer) {
        prepared_ = peer;
        const Words text = all_.flat[peer];
        is_short_ = text.size <= kMostWords;
        on_board_ = false;
        for (const std::int32_t id : named_) name_of_[id] = 0;
        named_.clear();
        if (!is_short_) return;
        names_.resize(text.size);
        for (std::size_t i = 0; i < text.size; ++i) {
            std::uint8_t& name = name_of_[text[i]];
            if (name == 0) {
                named_.push_back(text[i]);
                name = static_cast<std::uint8_t>(named_.size());
                counts_[name] = 0;
            }
            ++counts_[name];
            names_[i] = name;
        }
        const std::vector<std::uint8_t>* shorter = &names_;
        std::size_t distinct = named_.size();
        for (Level& level : levels_) {
            level.prepare(*shorter, distinct);
            shorter = &level.names;
            distinct = level.distinct;
        }
        for (Skips& skips : skips_) skips.prepare(names_, named_.size());
        on_board_ = wanted_.sentences() && all_.reads_alike(peer);
        if (!on_board_) return;
        board_.place(all_.sentences, all_.texts[peer], all_.texts[peer + 1]);
        board_.find_meetings(names_, named_.size());
    }

    bool weighs_on_board() const { return !wanted_.power.empty() && !board_.chained; }

    void count_ngrams_and_skips(std::size_t pair, std::int64_t model) {
        const Words text = all_.flat[model];
        known_.make_room(text.size + 1);
        std::size_t found = 0;
        for (std::size_t i = 0; i < text.size; ++i) {
            const std::uint8_t name = name_of_[text[i]];
            known_.places[found] = static_cast<std::int32_t>(i);
            known_.names[found] = name;
            found += name != 0;
        }
        known_.size = found;
        for (std::size_t i = 0; i < skips_.size(); ++i) {
            hits_.skips[i][pair] = skips_[i].hits(known_, text.size);
        }
        if (wanted_.ngrams.empty()) return;
        store_ngrams(pair, 1, clipped(known_, counts_));
        if (levels_.empty()) return;
        longer_ = known_;
        for (std::size_t level = 0; level < levels_.size(); ++level) {
            levels_[level].find(longer_);
            store_ngrams(pair, static_cast<std::int64_t>(level) + 2, clipped(longer_, levels_[level].counts));
        }
    }

    void store_ngrams(std::size_t pair, std::int64_t n, std::int64_t hits) {
        for (std::size_t i = 0; i < wanted_.ngrams.size(); ++i) {
            if (wanted_.ngrams[i] == n) hits_.ngrams[i][pair] = hits;
        }
    }

    void count_subsequences(std::size_t pair, std::int64_t model) {
        marks_.assign(known_.size, 0);
        weighted_marks_.assign(known_.size, 0);
        left_ = weighted_left_ = counts_;
        std::int64_t hits = 0;
        double total = 0.0;
        const Span<std::int64_t>& starts = all_.sentences.starts;
        const std::int64_t first = starts[all_.texts[model]];
        std::size_t from = 0;
        for (std::int64_t s = all_.texts[model]; s < all_.texts[model + 1]; ++s) {
            const auto end = static_cast<std::int32_t>(starts[s + 1] - first);
            std::size_t to = from;
            while (to < known_.size && known_.places[to] < end) ++to;
            if (to > from) {
                mark_sentence(from, to, end);
                for (std::size_t i = from; i < to; ++i) hits += marks_[i] && take(left_, i);
                if (weighs_on_board()) add_runs(from, to, total);
            }
            from = to;
        }
        if (wanted_.lcs) hits_.lcs[pair] = hits;
        if (weighs_on_board()) hits_.weighted[pair] = total;
    }

    void mark_sentence(std::size_t from, std::size_t to, std::int32_t end) {
        if (board_.chained) return wanted_.lcs ? mark_chained(from, to) : void();
        switch (board_.lanes) {
            case 1: return mark_in_lanes<1>(from, to, end);
            case 2: return mark_in_lanes<2>(from, to, end);
            case 4: return mark_in_lanes<4>(from, to, end);
            default: return mark_in_lanes<8>(from, to, end);
        }
    }

    void mark_chained(std::size_t from, std::size_t to) {
        const auto mark = [&](auto lanes) {
            const LcsRows<lanes(), true> lcs(board_, known_.names.data() + from, to - from, rows_);
            lcs.mark(board_.last, marks_.data() + from);
        };
        if (board_.lanes <= 2) return mark(std::integral_constant<std::size_t, 2>());
        if (board_.lanes == 4) return mark(std::integral_constant<std::size_t, 4>());
        mark(std::integral_constant<std::size_t, 8>());
    }

    // Without two words in a row nothing weighs more than 1: then a weighted subsequence is a
    // plain one, in every cell of its table.
    template <std::size_t Lanes>
    void mark_in_lanes(std::size_t from, std::size_t to, std::int32_t end) {
        const LcsRows<Lanes, false> lcs(board_, known_.names.data() + from, to - from, rows_);
        if (wanted_.power.empty()) return lcs.mark(board_.last, marks_.data() + from);
        const Board::Lanes runs = lcs.runs(known_.places.data() + from);
        Board::Lanes plain = board_.last, others{};
        for (const Board::Sentence& sentence : board_.sentences) {
            if ((runs[sentence.lane] & sentence.places()) == 0) continue;
            plain[sentence.lane] ^= sentence.last();
            others[sentence.lane] ^= sentence.last();
            weighted_.mark(board_, sentence, known_, from, to, end, wanted_.power, weighted_marks_.data());
        }
        if (!wanted_.lcs) return lcs.mark(plain, weighted_marks_.data() + from);
        lcs.mark(plain, marks_.data() + from);
        for (std::size_t i = from; i < to; ++i) weighted_marks_[i] |= marks_[i];
        if (others != Board::Lanes{}) lcs.mark(others, marks_.data() + from);
    }

    bool take(Counts& left, std::size_t known) const {
        const bool hit = left[known_.names[known]] > 0;
        left[known_.names[known]] -= hit;
        return hit;
    }

    // One running total over all sentences: the last bit depends on the order.
    void add_runs(std::size_t from, std::size_t to, double& total) {
        std::size_t run = 0;
        for (std::size_t i = from; i < to; ++i) {
            if (!weighted_marks_[i] || !take(weighted_left_, i)) continue;
            ++run;
            if (i + 1 < to && weighted_marks_[i + 1] && known_.places[i + 1] == known_.places[i] + 1) continue;
            total += wanted_.power[run];
            run = 0;
        }
    }

    // What this class is not made for: long peers, long n-grams.
    void count_long(std::size_t pair, std::int64_t peer, std::int64_t model) {
        for (std::size_t i = 0; i < wanted_.ngrams.size(); ++i) {
            const std::int64_t n = wanted_.ngrams[i];
            if (is_short_ && n <= kLongestNgram) continue;
            long_ngrams_.resize(wanted_.ngrams.size());
            auto& own = long_ngrams_[i];
            if (!own) own = std::make_unique<Long<NgramOverlap>>(NgramOverlap(n));
            hits_.ngrams[i][pair] = own->hits(all_.flat, peer, model);
        }
        if (is_short_) return;
        long_skips_.resize(wanted_.skips.size());
        for (std::size_t i = 0; i < wanted_.skips.size(); ++i) {
            const auto [gap, unigrams] = wanted_.skips[i];
            auto& own = long_skips_[i];
            if (!own) own = std::make_unique<Long<SkipOverlap>>(SkipOverlap(vocabulary_, gap, unigrams));
            hits_.skips[i][pair] = own->hits(all_.flat, peer, model);
        }
    }

    void count_long_lcs(std::size_t pair, std::int64_t peer, std::int64_t model) {
        if (!long_lcs_) long_lcs_ = std::make_unique<LcsOverlap<Lcs>>(all_, Lcs());
        long_lcs_->make_room(vocabulary_);
        hits_.lcs[pair] = long_lcs_->hits(peer, model);
    }

    void count_long_weighted(std::size_t pair, std::int64_t peer, std::int64_t model) {
        using Overlap = LcsOverlap<WeightedLcs>;
        if (!long_weighted_) long_weighted_ = std::make_unique<Overlap>(all_, WeightedLcs(wanted_.power));
        long_weighted_->make_room(vocabulary_);
        hits_.weighted[pair] = long_weighted_->weight_of_hits(peer, model, wanted_.power);
    }

    template <class Overlap>
    struct Long {
        explicit Long(Overlap made) : overlap(std::move(made)) {}

        std::int64_t hits(const Texts& texts, std::int64_t one, std::int64_t other) {
            if (texts[one].size > kLong && texts[other].size < texts[one].size) std::swap(one, other);
            if (one != prepared) overlap.prepare(texts[one]);
            prepared = one;
            return overlap.hits(texts[other]);
        }

        Overlap overlap;
        std::int64_t prepared = -1;
    };

    const Summaries& all_;
    std::size_t vocabulary_ = 0;
    const Wanted& wanted_;
    Hits& hits_;

    std::int64_t prepared_ = -1;
    bool is_short_ = false, on_board_ = false;
    std::vector<std::uint8_t> name_of_;
    std::vector<std::int32_t> named_;
    std::vector<std::uint8_t> names_;
    Counts counts_{};
    std::vector<Level> levels_;
    std::vector<Skips> skips_;
    Board board_;

    Known known_, longer_;
    std::vector<unsigned char> marks_, weighted_marks_;
    std::vector<Bits> rows_;
    WeightedMarks weighted_;
    Counts left_{}, weighted_left_{};

    std::vector<std::unique_ptr<Long<NgramOverlap>>> long_ngrams_;
    std::vector<std::unique_ptr<Long<SkipOverlap>>> long_skips_;
    std::unique_ptr<LcsOverlap<Lcs>> long_lcs_;
    std::unique_ptr<LcsOverlap<WeightedLcs>> long_weighted_;
};

}  // namespace pyramidion
