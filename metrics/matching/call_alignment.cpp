// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/matching/call_alignment.h"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <unordered_map>

namespace collscope {

namespace {

/// Quality of an alignment of two prefixes: more calls in common is better, then less time between them.
struct Score
{
    std::int64_t common = std::numeric_limits<std::int64_t>::min() / 2; ///< unreachable
    std::int64_t apartNs = 0;

    bool operator<(const Score& other) const
    {
        return common != other.common ? common < other.common : apartNs > other.apartNs;
    }
};

enum class Turn : std::uint8_t
{
    SkipBase,
    SkipOther,
    Match
};

/// Number of calls on either side without a partner on the other, in any order.
std::size_t differences(const std::vector<AlignedCall>& base, const std::vector<AlignedCall>& other)
{
    std::unordered_map<std::uint64_t, std::int64_t> surplus;
    for (const AlignedCall& call : base)
        ++surplus[call.signature];
    for (const AlignedCall& call : other)
        --surplus[call.signature];
    std::size_t count = 0;
    for (const auto& [signature, calls] : surplus)
        count += static_cast<std::size_t>(std::abs(calls));
    return count;
}

} // namespace

std::optional<std::vector<std::size_t>> alignCalls(const std::vector<AlignedCall>& base,
                                                   const std::vector<AlignedCall>& other)
{
    // Dynamic programming over a band around the diagonal: ranks of one job run the same program, so their
    // sequences differ by no more than the dropped calls, plus some slack for calls out of order.
    constexpr std::size_t slack = 32;
    constexpr std::size_t mostCells = 50'000'000;
    const std::size_t n = base.size();
    const std::size_t m = other.size();
    const std::size_t reach = differences(base, other) + slack;
    const std::size_t width = 2 * reach + 1;
    if (n + 1 > mostCells / width)
        return std::nullopt;
    // Cell (i, j), with the calls before i and j processed, is in row i at column j - i + reach.
    std::vector<Turn> turns((n + 1) * width, Turn::SkipBase);
    std::vector<Score> above(width + 2), row(width + 2); // with an unreachable cell on either side
    for (std::size_t i = 0; i <= n; ++i) {
        std::fill(row.begin(), row.end(), Score{});
        for (std::size_t column = 0; column < width; ++column) {
            if (i + column < reach || i + column - reach > m)
                continue;
            const std::size_t j = i + column - reach;
            Score best = i == 0 && j == 0 ? Score{0, 0} : Score{};
            Turn turn = Turn::SkipBase;
            if (i > 0 && best < above[column + 2])
                best = above[column + 2];
            if (j > 0 && best < row[column]) {
                best = row[column];
                turn = Turn::SkipOther;
            }
            if (i > 0 && j > 0 && base[i - 1].signature == other[j - 1].signature) {
                const Score before = above[column + 1];
                const Score matched{before.common + 1,
                                    before.apartNs + std::abs(base[i - 1].startNs - other[j - 1].startNs)};
                if (best < matched) {
                    best = matched;
                    turn = Turn::Match;
                }
            }
            row[column + 1] = best;
            turns[i * width + column] = turn;
        }
        std::swap(row, above);
    }
    std::vector<std::size_t> partner(m, notAligned);
    for (std::size_t i = n, j = m; i > 0 && j > 0;) {
        switch (turns[i * width + (j + reach - i)]) {
        case Turn::Match:
            --i;
            --j;
            partner[j] = i;
            break;
        case Turn::SkipBase:
            --i;
            break;
        case Turn::SkipOther:
            --j;
            break;
        }
    }
    return partner;
}

} // namespace collscope
