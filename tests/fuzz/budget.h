// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What reading may cost: memory, and under libFuzzer also time, in proportion to the bytes that are read. A
// file of a kilobyte that takes a gigabyte or a minute is a defect, though nothing crashes.

#include <cstddef>
#include <cstdint>

namespace collscope {

/// Watches what runs while it lives, and aborts with a message when that took too much. One at a time.
class Budget
{
public:
    static constexpr std::int64_t usualBytes = 16 << 20; ///< buffers that readers have whatever they read
    /// `anyway`: bytes of memory that may be taken for an empty input.
    explicit Budget(std::size_t inputBytes, std::int64_t anyway = usualBytes);
    ~Budget();
    Budget(const Budget&) = delete;
    Budget& operator=(const Budget&) = delete;

private:
    std::size_t m_inputBytes;
    std::int64_t m_anyway;
    std::int64_t m_started; ///< CPU time of the process in ns
};

} // namespace collscope
