// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// Damages a text as disks, killed jobs, second writers and careless exporters do. The same seed, the same
// damage.

#include <cstdint>
#include <random>
#include <string>
#include <string_view>

namespace collscope {

class Mutator
{
public:
    explicit Mutator(std::uint64_t seed)
        : m_random(seed)
    { }

    /// Between one and `most` wounds of any kind.
    std::string damaged(std::string text, int most);
    /// The texts of two writers, each in pieces as long as a buffer.
    std::string interleaved(std::string_view a, std::string_view b, std::size_t buffer);
    /// A number in [0, below).
    std::size_t number(std::size_t below);

private:
    void wound(std::string& text);

    std::mt19937_64 m_random;
};

} // namespace collscope
