// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What the pictures of a page are made of: many rectangles of few colours, labels, and what is said where the
// mouse is. Lengths are in the units of the picture, of which it is pictureWidth wide.

#include "metrics/export/page/html_writer.h"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace collscope {

constexpr double pictureWidth = 1000;

struct Box
{
    double x = 0, y = 0, width = 0, height = 0;
};

/// A length with one decimal.
std::string lengthText(double length);

/// Rectangles, written as one path per colour: a picture of thousands of them stays small.
class BoxPaths
{
public:
    /// `look`: a class of the page's style, a literal. Boxes without an area are left out.
    void add(std::string_view look, const Box& box);
    void write(HtmlWriter& html) const;

private:
    std::map<std::string_view, std::string> m_paths;
};

/// A rectangle that says something where the mouse is. `look`: as above; "spot" is invisible until then.
void writeBox(HtmlWriter& html, std::string_view look, const Box& box,
              const std::vector<std::string>& saying);
/// `anchor`: "start", "middle" or "end".
void writeLabel(HtmlWriter& html, double x, double y, std::string_view text,
                std::string_view anchor = "start", std::string_view look = "label");

/// A picture with a caption below it, which also is what a screen reader says of it. `draw` writes the
/// shapes.
template<typename Draw>
void writePicture(HtmlWriter& html, double height, const std::string& caption, const Draw& draw)
{
    const auto figure = html.element("figure");
    {
        const auto frame = html.element("div", {{"class", "picture"}});
        const auto svg
            = html.element("svg",
                           {{"viewBox", "0 0 " + lengthText(pictureWidth) + " " + lengthText(height)},
                            {"role", "img"},
                            {"aria-label", caption}});
        draw();
    }
    const auto below = html.element("figcaption");
    html.sentence(caption);
}

/// If not all ranks (or steps) fit, each row (or column) shown stands for several.
struct Folding
{
    /// At most `most` rows remain of `all`.
    Folding(std::size_t all, std::size_t most);

    std::size_t count = 0; ///< what is shown
    std::size_t size = 1; ///< of them in a row; the last row may have fewer
    std::size_t rows = 0; ///< that remain

    std::size_t firstOf(std::size_t row) const { return row * size; }
    std::size_t endOf(std::size_t row) const { return std::min(firstOf(row) + size, count); }
    /// Which numbers a row stands for: "rank 5", "ranks 0-7", "8 ranks, 0 ... 56" if there are gaps.
    template<typename Number>
    std::string labelOf(std::size_t row, const std::string& what, const std::vector<Number>& numbers) const
    {
        const std::size_t first = firstOf(row);
        const std::size_t held = endOf(row) - first;
        const std::string begin = std::to_string(numbers[first]);
        const std::string end = std::to_string(numbers[first + held - 1]);
        if (held == 1)
            return what + " " + begin;
        const auto begins = numbers.begin() + static_cast<std::ptrdiff_t>(first);
        const auto ends = begins + static_cast<std::ptrdiff_t>(held);
        const bool hasGaps
            = std::adjacent_find(begins, ends, [](Number a, Number b) { return b != a + 1; }) != ends;
        return hasGaps ? std::to_string(held) + " " + what + "s, " + begin + " \u2026 " + end
                       : what + "s " + begin + "\u2013" + end;
    }
    /// " A row stands for 8 ranks."; empty where each stands for one. `row`: "row" or "column".
    std::string sentence(const std::string& row, const std::string& what) const;
};

} // namespace collscope
