// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/export/page/svg_shapes.h"

#include "metrics/core/value.h"

#include <algorithm>
#include <cmath>

namespace collscope {

std::string lengthText(double length)
{
    return numberText(std::round(length * 10) / 10);
}

void BoxPaths::add(std::string_view look, const Box& box)
{
    constexpr double least = 0.05;
    if (box.width < least || box.height < least)
        return;
    const std::string width = lengthText(box.width);
    m_paths[look] += "M" + lengthText(box.x) + " " + lengthText(box.y) + "h" + width + "v"
        + lengthText(box.height) + "h-" + width + "z";
}

void BoxPaths::write(HtmlWriter& html) const
{
    for (const auto& [look, path] : m_paths)
        html.lone("path", {{"class", std::string(look)}, {"d", path}});
}

void writeBox(HtmlWriter& html, std::string_view look, const Box& box, const std::vector<std::string>& saying)
{
    const auto rect = html.element("rect",
                                   {{"class", std::string(look)},
                                    {"x", lengthText(box.x)},
                                    {"y", lengthText(box.y)},
                                    {"width", lengthText(box.width)},
                                    {"height", lengthText(box.height)}});
    const auto title = html.element("title");
    html.lines(saying);
}

void writeLabel(HtmlWriter& html, double x, double y, std::string_view text, std::string_view anchor,
                std::string_view look)
{
    html.leaf("text", text,
              {{"class", std::string(look)},
               {"x", lengthText(x)},
               {"y", lengthText(y)},
               {"text-anchor", std::string(anchor)}});
}

Folding::Folding(std::size_t all, std::size_t most)
    : count(all)
    , size(std::max<std::size_t>(1, (all + most - 1) / most))
    , rows((count + size - 1) / size)
{ }

std::string Folding::sentence(const std::string& row, const std::string& what) const
{
    if (size == 1)
        return {};
    return " A " + row + " stands for " + std::to_string(size) + " " + what + "s"
        + (count % size > 0 ? ", the last one for fewer." : ".");
}

} // namespace collscope
