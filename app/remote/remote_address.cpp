// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/remote/remote_address.h"

#include <algorithm>
#include <charconv>

namespace collscope {

namespace {

constexpr std::string_view scheme = "ssh://";
constexpr int largestPort = 65535;

Error mistake(std::string_view text, std::string_view what)
{
    return {Error::Kind::Usage,
            std::string(text) + ": " + std::string(what) + " An address is ssh://HOST/FOLDER."};
}

/// Letters and digits of names and addresses. What ssh would take for an option, or a shell for more than a
/// word, is not one of them.
bool isHost(std::string_view host)
{
    constexpr std::string_view marks = "._-@:[]%";
    return !host.empty() && host.front() != '-' && std::all_of(host.begin(), host.end(), [&](char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')
            || marks.find(c) != std::string_view::npos;
    });
}

/// Undoes the percent encoding of RFC 3986.
std::optional<std::string> decoded(std::string_view text)
{
    std::string plain;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '%') {
            plain += text[i];
            continue;
        }
        unsigned value = 0;
        const std::string_view digits = text.substr(i + 1, 2);
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
        if (digits.size() != 2 || error != std::errc() || end != digits.data() + 2 || value == 0)
            return std::nullopt;
        plain += static_cast<char>(value);
        i += 2;
    }
    return plain;
}

/// Splits "host:2222" and "[::1]:2222"; false if the port is not a number of a port.
bool takePort(std::string_view& host, std::optional<int>& port)
{
    const std::size_t colon = host.rfind(':');
    const std::size_t bracket = host.rfind(']');
    const bool hasPort = colon != std::string_view::npos
        && (bracket != std::string_view::npos ? colon > bracket : host.find(':') == colon);
    if (!hasPort)
        return true;
    const std::string_view digits = host.substr(colon + 1);
    int number = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (error != std::errc() || end != digits.data() + digits.size() || number < 1 || number > largestPort)
        return false;
    port = number;
    host = host.substr(0, colon);
    return true;
}

/// ssh wants IPv6 addresses without brackets.
std::string withoutBrackets(std::string_view host)
{
    std::string plain(host);
    std::erase_if(plain, [](char c) { return c == '[' || c == ']'; });
    return plain;
}

Status setOption(RemoteAddress& address, std::string_view text, std::string_view option)
{
    const std::size_t equals = option.find('=');
    const auto value = decoded(option.substr(equals == std::string_view::npos ? option.size() : equals + 1));
    const std::string_view name = option.substr(0, equals);
    if (!value || value->empty())
        return mistake(text, "An option is keep=all or program=PATH.");
    if (name == "keep" && (*value == "metrics" || *value == "all" || *value == "summary"))
        address.keep = *value;
    else if (name == "program")
        address.program = *value;
    else
        return mistake(text,
                       name == "keep" ? "keep is metrics, all or summary."
                                      : "An option is keep=all or program=PATH.");
    return {};
}

} // namespace

std::string RemoteAddress::bracketedHost() const
{
    const std::size_t begin = host.find('@') == std::string::npos ? 0 : host.find('@') + 1;
    const bool isV6 = host.find(':', begin) != std::string::npos;
    return isV6 ? host.substr(0, begin) + "[" + host.substr(begin) + "]" : host;
}

std::string RemoteAddress::prefix() const
{
    return std::string(scheme) + bracketedHost() + (port ? ":" + std::to_string(*port) : std::string());
}

bool isRemote(std::string_view path)
{
    return path.starts_with(scheme);
}

std::string remoteAddressText(std::string_view typed)
{
    const std::size_t colon = typed.find(':');
    if (isRemote(typed) || colon == std::string_view::npos)
        return std::string(typed);
    const std::string_view folder = typed.substr(colon + 1);
    return std::string(scheme) + std::string(typed.substr(0, colon)) + (folder.starts_with('/') ? "" : "/~/")
        + std::string(folder);
}

Result<RemoteAddress> parseRemoteAddress(std::string_view text)
{
    if (!isRemote(text))
        return mistake(text, "This is a path of this machine.");
    std::string_view rest = text.substr(scheme.size());
    const std::size_t slash = rest.find('/');
    std::string_view host = rest.substr(0, slash);
    RemoteAddress address;
    if (!takePort(host, address.port))
        return mistake(text, "The port is not a number from 1 to 65535.");
    if (!isHost(host))
        return mistake(text, "The name of the machine is missing, or is not one.");
    address.host = withoutBrackets(host);
    rest = slash == std::string_view::npos ? std::string_view() : rest.substr(slash);
    const std::size_t question = rest.find('?');
    auto path = decoded(rest.substr(0, question));
    if (!path)
        return mistake(text, "A percent sign is written %25.");
    constexpr std::string_view home = "/~/";
    if (*path == "/~" || *path == home)
        *path = "."; // where ssh begins
    else if (path->starts_with(home))
        path->erase(0, home.size());
    if (path->empty() || *path == "/")
        return mistake(text, "The folder is missing.");
    address.path = std::move(*path);
    std::string_view options
        = question == std::string_view::npos ? std::string_view() : rest.substr(question + 1);
    while (!options.empty()) {
        const std::size_t end = std::min(options.find('&'), options.size());
        if (const Status set = setOption(address, text, options.substr(0, end)); !set)
            return set.error();
        options.remove_prefix(std::min(end + 1, options.size()));
    }
    return address;
}

} // namespace collscope
