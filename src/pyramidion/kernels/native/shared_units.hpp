// Counts all units that a peer shares with a model at once: n-grams, skip-bigrams, words on longest
// common subsequences, plain and weighted; see ../overlap.py and ../subsequences.py.
//
// The data structures of a peer are prepared once for its consecutive pairs. Its words have one-byte
// numbers ("names"). Words of a model that do not occur in the peer are dropped at once: no unit
// that contains them is shared, and they do not change any row of an alignment. Peers that are too
// long for this are left to the classes for texts of any length.
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

// The units to count. `power` is empty unless weighted subsequences are requested.
struct UnitRequest {
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

    Hits(const UnitRequest& request, std::size_t pairs)
        : ngrams(request.ngrams.size(), std::vector<std::int64_t>(pairs)),
          skips(request.skips.size(), std::vector<std::int64_t>(pairs)),
          lcs(request.lcs ? pairs : 0),
          weighted(request.power.empty() ? 0 : pairs) {}
};

// A square table of pairs of one-byte names; touched entries are reset for the next text.
template <class Value>
class Square {
public:
    void clear(std::size_t names) {
        for (const std::uint32_t position : touched_) table_[position] = 0;
        touched_.clear();
        for (shift_ = 4; (std::size_t{1} << shift_) <= names;) ++shift_;
        if (table_.size() < std::size_t{1} << 2 * shift_) table_.resize(std::size_t{1} << 2 * shift_);
    }

    // Pairs with the name 0, which stands for unknown words, stay empty.
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

// The words of a model that occur in its peer: their positions and names.
struct KnownWords {
    std::vector<std::int32_t> positions;
    std::vector<std::uint8_t> names;
    std::size_t size = 0;

    void make_room(std::size_t words) {
        if (names.size() >= words) return;
        positions.resize(words);
        names.resize(words);
    }
};

inline std::int64_t clipped(const KnownWords& known_words, Counts left) {
    std::int64_t hits = 0;
    for (std::size_t i = 0; i < known_words.size; ++i) {
        const bool hit = left[known_words.names[i]] > 0;
        left[known_words.names[i]] -= hit;
        hits += hit;
    }
    return hits;
}

// The n-grams of a peer for one n, built from those one word shorter.
struct Level {
    Square<std::uint8_t> names_of;
    std::vector<std::uint8_t> names;  // of the n-gram at each position of the peer
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

    // Finds the n-grams of a model; overwrites `shorter`.
    void find(KnownWords& shorter) {
        std::size_t count = 0;
        for (std::size_t i = 0; i + 1 < shorter.size; ++i) {
            const std::uint8_t name = names_of.at(shorter.names[i], shorter.names[i + 1]);
            const bool next = shorter.positions[i + 1] == shorter.positions[i] + 1;
            shorter.positions[count] = shorter.positions[i];
            shorter.names[count] = name;
            count += next && name != 0;
        }
        shorter.size = count;
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

    std::int64_t hits(const KnownWords& known_words, std::size_t words) {
        const auto reach = static_cast<std::int64_t>(reach_in(words));
        std::size_t hits = 0;
        for (std::size_t i = 0; i < known_words.size; ++i) {
            if (used_.size() < hits + known_words.size) used_.resize(2 * (hits + known_words.size));
            for (std::size_t j = i + 1; j < known_words.size; ++j) {
                if (known_words.positions[j] - known_words.positions[i] > reach) break;
                // Branch-free, since hits are unpredictable.
                std::uint16_t& count = counts_.at(known_words.names[i], known_words.names[j]);
                const bool hit = count > 0;
                count = static_cast<std::uint16_t>(count - hit);
                used_[hits] = &count;
                hits += hit;
            }
        }
        for (std::size_t i = 0; i < hits; ++i) ++*used_[i];
        return static_cast<std::int64_t>(hits) + (rule_.unigrams ? singles(known_words, words) : 0);
    }

private:
    std::size_t reach_in(std::size_t words) const {
        const auto size = static_cast<std::int64_t>(words);
        return static_cast<std::size_t>(rule_.gap < 0 || rule_.gap >= size ? size : rule_.gap + 1);
    }

    // Shared words that can be the first of a pair: all but the last of a text.
    std::int64_t singles(const KnownWords& known_words, std::size_t words) const {
        Counts left = unigrams_;
        std::int64_t hits = 0;
        for (std::size_t i = 0; i < known_words.size; ++i) {
            const bool last = static_cast<std::size_t>(known_words.positions[i]) + 1 == words;
            const bool hit = !last && left[known_words.names[i]] > 0;
            left[known_words.names[i]] -= hit;
            hits += hit;
        }
        return hits;
    }

    SkipRule rule_;
    Square<std::uint16_t> counts_;
    Counts unigrams_{};
    std::vector<std::uint16_t*> used_;
};

// Sentences of a peer packed into a few 64-bit words: none crosses a word boundary, unless one is
// longer than a word. Then they are chained, one after the other, regardless of boundaries.
class Board {
public:
    static constexpr std::size_t kMostLanes = 8;
    static constexpr std::size_t kMostPlaces = kWordBits - 1;
    using Lanes = std::array<Bits, kMostLanes>;

    struct Sentence {
        std::size_t lane;
        unsigned start;
        unsigned size;

        Bits positions() const { return ((Bits{1} << size) - 1) << start; }
        Bits last() const { return Bits{1} << (start + size - 1); }
    };

    std::vector<Sentence> sentences;
    std::size_t lanes = 1;  // 1, 2, 4 or 8
    bool chained = false;
    Lanes used;
    Lanes last;
    std::vector<Bits> meets;  // a row of lanes for each name

    // Packs all words of a peer that is short enough for one-byte names.
    void arrange(const Texts& all, std::int64_t from, std::int64_t to) {
        chained = !arrange_apart(all, from, to);
        if (chained) arrange_chained(all, from, to);
    }

    void find_meetings(const std::vector<std::uint8_t>& names, std::size_t distinct) {
        meets.assign((distinct + 1) * lanes, 0);
        std::size_t word = 0;
        for (const Sentence& sentence : sentences) {
            const std::size_t first = sentence.lane * kWordBits + sentence.start;
            for (std::size_t position = first; position < first + sentence.size; ++position) {
                meets[names[word++] * lanes + word_of(position)] |= bit_of(position);
            }
        }
    }

private:
    // Returns whether each sentence fits into a 64-bit word.
    bool arrange_apart(const Texts& all, std::int64_t from, std::int64_t to) {
        clear();
        std::size_t lane = 0, free = 0;
        for (; from < to; ++from) {
            const std::size_t size = all[from].size;
            if (size == 0) continue;
            if (size > kMostPlaces) return false;
            // Each is followed by an empty bit, where a carry ends.
            if (free + size > kMostPlaces) {
                if (++lane == kMostLanes) return false;
                free = 0;
            }
            sentences.push_back({lane, static_cast<unsigned>(free), static_cast<unsigned>(size)});
            used[lane] |= sentences.back().positions();
            last[lane] |= sentences.back().last();
            free += size + 1;
        }
        for (lanes = 1; lanes <= lane;) lanes *= 2;
        return true;
    }

    void arrange_chained(const Texts& all, std::int64_t from, std::int64_t to) {
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

// Advances a path from a cell that does not go up. Returns where it continues (0 if it ends), and
// whether it met a word.
inline std::pair<Bits, bool> turn(Bits cell, Bits meets, Bits left) {
    const Bits stop = Bits{1} << highest_bit(~left & (cell | (cell - 1)));
    const bool met = (meets & stop) != 0;
    return {met ? stop >> 1 : stop, met};
}

// The longest common subsequences of a model's sentence with all sentences at once: Hyyro's bit
// rows (see Lcs) in all lanes.
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

    // Marks the words on the paths of the sentences that end at these bits.
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
                    // A path never leaves its sentence to the left, since no value is below 0.
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

    // Where a run continues: a word and the one before it match consecutive words.
    Board::Lanes runs(const std::int32_t* positions) const {
        Board::Lanes continued{};
        for (std::size_t i = 1; i < size_; ++i) {
            if (positions[i] != positions[i - 1] + 1) continue;
            const Bits *above = meets_of(i - 1), *meets = meets_of(i);
            for (std::size_t k = 0; k < Lanes; ++k) continued[k] |= above[k] << 1 & meets[k];
        }
        return continued;
    }

private:
    const Bits* meets_of(std::size_t row) const { return board_.meets.data() + names_[row] * Lanes; }

    const Board& board_;
    const std::uint8_t* names_;
    std::size_t size_;
    const std::vector<Bits>& rows_;
};

// Weighted subsequences with one sentence of the peer. Only rows that match it are computed, and one
// more after a row that decreases: it carries the maximum so far to the right.
class WeightedMarks {
public:
    void mark(const Board& board, const Board::Sentence& sentence, const KnownWords& known_words, std::size_t from,
              std::size_t to, std::int32_t end, const std::vector<double>& power, unsigned char* marks) {
        rows_.resize(to - from);
        std::size_t size = 0;
        for (std::size_t i = from; i < to; ++i) {
            const Bits lane = board.meets[known_words.names[i] * board.lanes + sentence.lane];
            const Bits meets = (lane & sentence.positions()) >> sentence.start;
            // Branch-free, since matches are unpredictable.
            rows_[size] = {meets, 0, known_words.positions[i], static_cast<std::int32_t>(i)};
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
        std::int32_t position;
        std::int32_t word;  // index among the model's known words, or kNone
    };

    void fill(unsigned size, std::int32_t end, const std::vector<double>& power) {
        std::fill_n(sums_.begin(), size + 1, 0.0);
        filled_.clear();
        bool uneven = false;
        for (std::size_t i = 0; i < rows_.size(); ++i) {
            Row& row = rows_[i];
            const bool follows = i > 0 && rows_[i - 1].position + 1 == row.position;
            if (uneven && !follows) {
                smooth(size);
                uneven = false;
            }
            uneven = update(size, row, follows ? rows_[i - 1].meets : 0, !uneven, power);
            filled_.push_back(row);
            std::swap(runs_, runs_above_);
        }
        if (uneven && rows_.back().position + 1 < end) smooth(size);
    }

    void smooth(unsigned size) {
        Row row{0, 0, 0, kNone};
        update(size, row, 0, false, no_powers_);
        filled_.push_back(row);
    }

    // Computes the next row; returns whether it decreases anywhere. `even`: the previous row does
    // not, so it can be copied from a cell that equals the one above up to the next match.
    bool update(unsigned size, Row& row, Bits met_above, bool even, const std::vector<double>& power) {
        double* const sums = sums_.data() + 1;  // the entry before the first is 0
        unsigned position = even ? lowest_bit(row.meets) : 0;
        double above_left = sums_[position], to_left = above_left;
        bool falls = false;
        Bits left = 0;
        while (position < size) {
            const Bits cell = Bits{1} << position;
            const double above = sums[position];
            double sum = above;
            if (row.meets & cell) {
                const std::size_t run = met_above << 1 & cell ? runs_above_[position - 1] : 0;
                runs_[position] = static_cast<std::uint32_t>(run + 1);
                sum = (above_left + power[run + 1]) - power[run];
                falls |= sum < to_left;
            } else if (above < to_left) {
                sum = to_left;
                left |= cell;
            } else if (even) {
                const Bits rest = row.meets & ~(cell - 1);
                if (rest == 0) break;
                position = lowest_bit(rest);
                above_left = to_left = sums_[position];
                continue;
            }
            above_left = above;
            sums[position] = to_left = sum;
            ++position;
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
            if (met) marks[row.word] = 1;
            path = goes_on;
        }
    }

    std::vector<Row> rows_, filled_;
    std::vector<double> no_powers_;
    std::array<double, kWordBits + 1> sums_;
    std::array<std::uint32_t, kWordBits> runs_, runs_above_;
};

// The work of one thread.
class SharedUnits {
public:
    SharedUnits(const Summaries& all, const UnitRequest& request, Hits& hits)
        : all_(all), request_(request), hits_(hits) {
        for (const SkipRule& rule : request.skips) skips_.emplace_back(rule);
        for (const std::int64_t n : request.ngrams) {
            if (n <= kLongestNgram) levels_.resize(std::max(levels_.size(), static_cast<std::size_t>(n - 1)));
        }
    }

    // Switches to other texts, whose word ids are below this.
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
        if (!request_.sentences()) return;
        const bool on_board = on_board_ && all_.reads_alike(model);
        if (on_board) {
            count_subsequences(pair, model);
        } else if (request_.lcs) {
            count_long_lcs(pair, peer, model);
        }
        if (!request_.power.empty() && !(on_board && weighs_on_board())) count_long_weighted(pair, peer, model);
    }

private:
    static constexpr std::int64_t kLongestNgram = 8;
    // Above this many words, the shorter text is prepared.
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
        on_board_ = request_.sentences() && all_.reads_alike(peer);
        if (!on_board_) return;
        board_.arrange(all_.sentences, all_.texts[peer], all_.texts[peer + 1]);
        board_.find_meetings(names_, named_.size());
    }

    bool weighs_on_board() const { return !request_.power.empty() && !board_.chained; }

    void count_ngrams_and_skips(std::size_t pair, std::int64_t model) {
        const Words text = all_.flat[model];
        known_words_.make_room(text.size + 1);
        std::size_t count = 0;
        for (std::size_t i = 0; i < text.size; ++i) {
            const std::uint8_t name = name_of_[text[i]];
            known_words_.positions[count] = static_cast<std::int32_t>(i);
            known_words_.names[count] = name;
            count += name != 0;
        }
        known_words_.size = count;
        for (std::size_t i = 0; i < skips_.size(); ++i) {
            hits_.skips[i][pair] = skips_[i].hits(known_words_, text.size);
        }
        if (request_.ngrams.empty()) return;
        store_ngrams(pair, 1, clipped(known_words_, counts_));
        if (levels_.empty()) return;
        longer_ = known_words_;
        for (std::size_t level = 0; level < levels_.size(); ++level) {
            levels_[level].find(longer_);
            store_ngrams(pair, static_cast<std::int64_t>(level) + 2, clipped(longer_, levels_[level].counts));
        }
    }

    void store_ngrams(std::size_t pair, std::int64_t n, std::int64_t hits) {
        for (std::size_t i = 0; i < request_.ngrams.size(); ++i) {
            if (request_.ngrams[i] == n) hits_.ngrams[i][pair] = hits;
        }
    }

    void count_subsequences(std::size_t pair, std::int64_t model) {
        marks_.assign(known_words_.size, 0);
        weighted_marks_.assign(known_words_.size, 0);
        left_ = weighted_left_ = counts_;
        std::int64_t hits = 0;
        double total = 0.0;
        const Span<std::int64_t>& starts = all_.sentences.starts;
        const std::int64_t first = starts[all_.texts[model]];
        std::size_t from = 0;
        for (std::int64_t s = all_.texts[model]; s < all_.texts[model + 1]; ++s) {
            const auto end = static_cast<std::int32_t>(starts[s + 1] - first);
            std::size_t to = from;
            while (to < known_words_.size && known_words_.positions[to] < end) ++to;
            if (to > from) {
                mark_sentence(from, to, end);
                for (std::size_t i = from; i < to; ++i) hits += marks_[i] && take(left_, i);
                if (weighs_on_board()) add_runs(from, to, total);
            }
            from = to;
        }
        if (request_.lcs) hits_.lcs[pair] = hits;
        if (weighs_on_board()) hits_.weighted[pair] = total;
    }

    void mark_sentence(std::size_t from, std::size_t to, std::int32_t end) {
        if (board_.chained) return request_.lcs ? mark_chained(from, to) : void();
        switch (board_.lanes) {
            case 1: return mark_in_lanes<1>(from, to, end);
            case 2: return mark_in_lanes<2>(from, to, end);
            case 4: return mark_in_lanes<4>(from, to, end);
            default: return mark_in_lanes<8>(from, to, end);
        }
    }

    void mark_chained(std::size_t from, std::size_t to) {
        const auto mark = [&](auto lanes) {
            const LcsRows<lanes(), true> lcs(board_, known_words_.names.data() + from, to - from, rows_);
            lcs.mark(board_.last, marks_.data() + from);
        };
        if (board_.lanes <= 2) return mark(std::integral_constant<std::size_t, 2>());
        if (board_.lanes == 4) return mark(std::integral_constant<std::size_t, 4>());
        mark(std::integral_constant<std::size_t, 8>());
    }

    // Without two consecutive matches, no run weighs more than 1: then the weighted table equals
    // the plain one in every cell.
    template <std::size_t Lanes>
    void mark_in_lanes(std::size_t from, std::size_t to, std::int32_t end) {
        const LcsRows<Lanes, false> lcs(board_, known_words_.names.data() + from, to - from, rows_);
        if (request_.power.empty()) return lcs.mark(board_.last, marks_.data() + from);
        const Board::Lanes runs = lcs.runs(known_words_.positions.data() + from);
        Board::Lanes plain = board_.last, weighted{};
        for (const Board::Sentence& sentence : board_.sentences) {
            if ((runs[sentence.lane] & sentence.positions()) == 0) continue;
            plain[sentence.lane] ^= sentence.last();
            weighted[sentence.lane] ^= sentence.last();
            weighted_.mark(board_, sentence, known_words_, from, to, end, request_.power, weighted_marks_.data());
        }
        if (!request_.lcs) return lcs.mark(plain, weighted_marks_.data() + from);
        lcs.mark(plain, marks_.data() + from);
        for (std::size_t i = from; i < to; ++i) weighted_marks_[i] |= marks_[i];
        if (weighted != Board::Lanes{}) lcs.mark(weighted, marks_.data() + from);
    }

    bool take(Counts& left, std::size_t word) const {
        const bool hit = left[known_words_.names[word]] > 0;
        left[known_words_.names[word]] -= hit;
        return hit;
    }

    // One running total over all sentences: the last bit depends on the order.
    void add_runs(std::size_t from, std::size_t to, double& total) {
        std::size_t run = 0;
        for (std::size_t i = from; i < to; ++i) {
            if (!weighted_marks_[i] || !take(weighted_left_, i)) continue;
            ++run;
            if (i + 1 < to && weighted_marks_[i + 1] && known_words_.positions[i + 1] == known_words_.positions[i] + 1) continue;
            total += request_.power[run];
            run = 0;
        }
    }

    // Fallback for long peers and long n-grams.
    void count_long(std::size_t pair, std::int64_t peer, std::int64_t model) {
        for (std::size_t i = 0; i < request_.ngrams.size(); ++i) {
            const std::int64_t n = request_.ngrams[i];
            if (is_short_ && n <= kLongestNgram) continue;
            long_ngrams_.resize(request_.ngrams.size());
            auto& overlap = long_ngrams_[i];
            if (!overlap) overlap = std::make_unique<Long<NgramOverlap>>(NgramOverlap(n));
            hits_.ngrams[i][pair] = overlap->hits(all_.flat, peer, model);
        }
        if (is_short_) return;
        long_skips_.resize(request_.skips.size());
        for (std::size_t i = 0; i < request_.skips.size(); ++i) {
            const auto [gap, unigrams] = request_.skips[i];
            auto& overlap = long_skips_[i];
            if (!overlap) overlap = std::make_unique<Long<SkipOverlap>>(SkipOverlap(vocabulary_, gap, unigrams));
            hits_.skips[i][pair] = overlap->hits(all_.flat, peer, model);
        }
    }

    void count_long_lcs(std::size_t pair, std::int64_t peer, std::int64_t model) {
        if (!long_lcs_) long_lcs_ = std::make_unique<LcsOverlap<Lcs>>(all_, Lcs());
        long_lcs_->make_room(vocabulary_);
        hits_.lcs[pair] = long_lcs_->hits(peer, model);
    }

    void count_long_weighted(std::size_t pair, std::int64_t peer, std::int64_t model) {
        using Overlap = LcsOverlap<WeightedLcs>;
        if (!long_weighted_) long_weighted_ = std::make_unique<Overlap>(all_, WeightedLcs(request_.power));
        long_weighted_->make_room(vocabulary_);
        hits_.weighted[pair] = long_weighted_->weight_of_hits(peer, model, request_.power);
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
    const UnitRequest& request_;
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

    KnownWords known_words_, longer_;
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
