// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The only way to report a failure: Result<T> is a value or an Error, Status is success or an Error. Both
// have the member names of std::expected, which libstdc++ 12 does not provide in C++20. A stop that somebody
// asked for is an Error of the kind Cancelled; std::stop_token carries the request.

#include <cassert>
#include <cstdint>
#include <optional>
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
        Usage, ///< what was asked for contradicts itself, or is misspelt
        Internal
    };
    Kind kind = Kind::Internal;
    std::string message = {};
    std::string file = {};
    std::uint64_t offset = 0; ///< byte in the (inflated) file, 0 = unknown
};

/// The value of something that can fail, or why it failed. The compiler warns where a caller ignores it.
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

/// A Result without a value: success, which is the default, or why something failed. The compiler warns where
/// a caller ignores it.
class [[nodiscard]] Status
{
public:
    Status() = default;
    Status(Error error)
        : m_error(std::move(error))
    { }

    bool has_value() const // NOLINT(readability-identifier-naming): the name std::expected uses
    {
        return !m_error;
    }
    explicit operator bool() const { return has_value(); }
    const Error& error() const
    {
        assert(m_error);
        return *m_error;
    }

private:
    std::optional<Error> m_error;
};

} // namespace collscope
