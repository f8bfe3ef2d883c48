// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Result<T>: a value or an Error, with the member names of std::expected (which libstdc++ 12 does not provide
// in C++20).

#include <cstdint>
#include <string>
#include <utility>
#include <variant>

namespace collscope {

/// Why something could not be done. `message` is one English sentence that a user can act on.
struct Error
{
    enum class Kind
    {
        Io,
        Format,
        Unsupported,
        TooLarge,
        NotFound,
        Cancelled,
        Incomplete, ///< only a part is available, and everything was requested
        Internal
    };
    Kind kind = Kind::Internal;
    std::string message = {};
    std::string file = {};
    std::uint64_t offset = 0; ///< byte in the (inflated) file, 0 = unknown
};

template<typename T>
// NOLINTNEXTLINE(bugprone-exception-escape): what std::variant's own assignment promises
class [[nodiscard]] Result
{
public:
    Result(T value)
        : m_state(std::in_place_index<0>, std::move(value))
    { }
    Result(Error error)
        : m_state(std::in_place_index<1>, std::move(error))
    { }

    bool has_value() const // NOLINT(readability-identifier-naming): the name std::expected uses
    {
        return m_state.index() == 0;
    }
    explicit operator bool() const { return has_value(); }
    T& value() { return std::get<0>(m_state); }
    const T& value() const { return std::get<0>(m_state); }
    const Error& error() const { return std::get<1>(m_state); }
    T& operator*() { return value(); }
    const T& operator*() const { return value(); }
    T* operator->() { return &value(); }
    const T* operator->() const { return &value(); }

private:
    std::variant<T, Error> m_state;
};

} // namespace collscope
