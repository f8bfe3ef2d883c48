// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// A sound Kineto file that the input describes - its events, their keys in any order, its layout - and then
// one byte of its structure damaged: one event is lost at most, and all stay in the ledger.

#include "tests/fuzz/budget.h"
#include "tests/fuzz/choices.h"
#include "tests/fuzz/reader_target.h"
#include "tests/fuzz/temporary_folder.h"
#include "tests/support/damage/byte_damage.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>

namespace collscope {

namespace {

/// A text as JSON. What is not ASCII is escaped: which bytes are UTF-8 is not the question here.
std::string quoted(const std::string& text)
{
    std::string json = "\"";
    for (const char c : text) {
        const auto code = static_cast<unsigned char>(c);
        if (code < 0x20 || code > 0x7e || c == '"' || c == '\\') {
            std::array<char, 8> escaped{};
            std::snprintf(escaped.data(), escaped.size(), "\\u%04x", static_cast<unsigned>(code));
            json += escaped.data();
        } else {
            json += c;
        }
    }
    return json + '"';
}

/// Between the tokens of a file.
struct Layout
{
    const char* beforeEvent;
    const char* beforeMember;
    const char* afterColon;
    const char* afterComma; ///< between members that share a line
    const char* afterLast; ///< before the closing brace
};
constexpr std::array layouts{
    Layout{"", "", "", "", ""},
    Layout{"", "", " ", " ", ""},
    Layout{"\n", "", " ", " ", ""},
    Layout{"\n  ", "\n    ", " ", "", "\n  "},
    Layout{"\r\n\t", "\r\n\t\t", " ", "", "\r\n\t"},
    Layout{" ", " ", "", "", " "},
};

using Members = std::vector<std::pair<std::string, std::string>>; ///< key and value, both JSON

/// A value of a key that no reader knows. Nothing in it looks like an event of its own.
std::string foreignValue(Choices& choices)
{
    switch (choices.below(5)) {
    case 0:
        return quoted(choices.text(12));
    case 1:
        return std::to_string(choices.below(65536));
    case 2:
        return "{\"a\":" + quoted(choices.text(8)) + ",\"b\":[1,{}]}";
    case 3:
        return "[[1,2],[],{\"name\":\"n\"}]";
    default:
        return "null";
    }
}

/// The events of one producer begin with the same keys in the same order.
struct Shape
{
    std::string phase;
    std::string foreignKey;
    std::vector<std::size_t> order;
};

Shape shapeOf(Choices& choices)
{
    constexpr std::array foreignKeys{"attr", "cname", "bind_id", "id", "scope", "sf", "stack", "uid", "s"};
    Shape shape;
    shape.phase = choices.below(4) == 0 ? "M" : "X";
    const std::size_t known = choices.below(foreignKeys.size() + 2);
    if (known < foreignKeys.size())
        shape.foreignKey = quoted(foreignKeys[known]);
    else if (known == foreignKeys.size())
        shape.foreignKey = quoted("k" + choices.text(10));
    for (std::size_t i = 0; i < 9; ++i) // insertion at a chosen place: any order can be made
        shape.order.insert(shape.order.begin() + static_cast<std::ptrdiff_t>(choices.below(i + 1)), i);
    return shape;
}

Members membersOf(const Shape& shape, std::size_t number, Choices& choices)
{
    const bool isMeta = shape.phase == "M";
    const Members all{
        {"\"ph\"", quoted(shape.phase)},
        {"\"name\"", isMeta ? "\"process_name\"" : quoted(choices.text(10))},
        {"\"cat\"", "\"kernel\""},
        {"\"pid\"", "0"},
        {"\"tid\"", std::to_string(choices.below(3))},
        {"\"ts\"", std::to_string(10 * number)},
        {"\"dur\"", "5"},
        {"\"args\"",
         isMeta ? "{\"name\":\"python\"}" : "{\"stream\":7,\"note\":" + foreignValue(choices) + "}"},
        {shape.foreignKey, foreignValue(choices)},
    };
    Members chosen;
    for (const std::size_t i : shape.order) {
        if (!all[i].first.empty())
            chosen.push_back(all[i]);
    }
    return chosen;
}

std::string eventText(const Members& members, const Layout& layout)
{
    std::string text = "{";
    for (const auto& [key, value] : members) {
        if (text.size() > 1)
            text += std::string(",") + layout.afterComma;
        text += layout.beforeMember + key + ":" + layout.afterColon + value;
    }
    return text + layout.afterLast + "}";
}

/// A sound file, and how many events it has.
struct Described
{
    std::string text;
    std::size_t events = 0;
    std::size_t begin = 0, end = 0; ///< of the list's content: damage outside of it is not of an event
};

Described describedFile(Choices& choices)
{
    Described file;
    const Layout& layout = layouts[choices.below(layouts.size())];
    const bool isList = choices.below(3) == 0;
    file.events = 2 + choices.below(10);
    const std::array shapes{shapeOf(choices), shapeOf(choices)};
    file.text = isList ? "[" : "{\"schemaVersion\":1,\"traceEvents\":[";
    file.begin = file.text.size();
    for (std::size_t i = 0; i < file.events; ++i) {
        if (i > 0)
            file.text += ",";
        file.text += layout.beforeEvent + eventText(membersOf(shapes[choices.below(2)], i, choices), layout);
    }
    file.end = file.text.size();
    file.text += isList ? "]" : "],\"traceName\":\"t.json\"}";
    return file;
}

void require(bool holds, const std::string& what, const std::string& text)
{
    if (holds)
        return;
    std::fprintf(stderr, "%s\n%s\n", what.c_str(), text.c_str());
    std::abort();
}

void damageOne(Choices choices)
{
    static const TemporaryFolder folder;
    const Described file = describedFile(choices);
    const std::string path = folder.file("trace.json");
    const auto write = [&](const std::string& text) {
        writeBytes(path, {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
    };
    write(file.text);
    const Budget budget(4 * file.text.size());
    const Ledger sound = loadedLedger(path);
    require(sound.events == static_cast<std::int64_t>(file.events), "the sound file: " + textOf(sound),
            file.text);
    std::vector<std::size_t> places = structuralBytes(file.text);
    std::erase_if(places, [&](std::size_t at) { return at < file.begin || at >= file.end; });
    const std::size_t at = places[choices.below(places.size())];
    const std::string text = damaged(file.text, at, static_cast<int>(choices.below(waysOfDamage)));
    write(text);
    const std::string mistake = mistakeAfterDamage(path, sound);
    require(mistake.empty(), "byte " + std::to_string(at) + ": " + mistake, text);
}

} // namespace

} // namespace collscope

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    collscope::damageOne(collscope::Choices({data, size}));
    return 0;
}
