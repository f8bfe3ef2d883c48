// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/export/page/lane_slices.h"

#include "metrics/core/duration_text.h"
#include "metrics/export/page/page_style.h"
#include "model/text/short_names.h"
#include "model/text/valid_text.h"

#include <algorithm>
#include <cmath>

namespace collscope {

namespace {

constexpr double narrow = 2; ///< narrower slices have no name
constexpr double cellWidth = 0.5;
constexpr std::size_t mostNamed = 160;
constexpr double letterWidth = 5.6;

std::string_view lookOf(KernelClass kernelClass)
{
    return kernelClass == KernelClass::None ? "cpu" : kernelLook(kernelClass);
}

/// The front of a name that fits into a width; empty where nothing worth reading does.
std::string fitting(std::string_view name, double width)
{
    const std::string text = shortNameOf(name);
    const auto letters = static_cast<std::size_t>(std::max(0.0, (width - 6) / letterWidth));
    constexpr std::size_t fewest = 4;
    if (text.size() <= letters)
        return text;
    return letters < fewest ? std::string() : std::string(textFront(text, letters - 1)) + "\u2026";
}

} // namespace

void LaneSlices::add(const Box& box, KernelClass kernelClass, std::string_view name, std::int64_t ns)
{
    if (box.width >= narrow) {
        m_named.push_back({box, kernelClass, name, ns});
        return;
    }
    mark(box, kernelClass);
}

void LaneSlices::mark(const Box& box, KernelClass kernelClass)
{
    constexpr auto cells = static_cast<std::size_t>(pictureWidth / cellWidth);
    Strip& strip = m_strips[{box.y, lookOf(kernelClass)}];
    strip.height = box.height;
    strip.isMarked.resize(cells);
    const auto first = std::min(static_cast<std::size_t>(box.x / cellWidth), cells - 1);
    const auto end = static_cast<std::size_t>(std::ceil((box.x + box.width) / cellWidth));
    for (std::size_t cell = first; cell < std::clamp(end, first + 1, cells); ++cell)
        strip.isMarked[cell] = true;
}

void LaneSlices::write(HtmlWriter& html)
{
    std::stable_sort(m_named.begin(), m_named.end(),
                     [](const Named& a, const Named& b) { return a.box.width > b.box.width; });
    for (std::size_t i = mostNamed; i < m_named.size(); ++i)
        mark(m_named[i].box, m_named[i].kernelClass);
    BoxPaths paths;
    for (const auto& [key, strip] : m_strips) {
        const auto& [top, look] = key;
        const std::vector<bool>& cells = strip.isMarked;
        for (auto begin = cells.begin(); begin != cells.end();) {
            const auto first = std::find(begin, cells.end(), true);
            begin = std::find(first, cells.end(), false);
            paths.add(look,
                      {cellWidth * static_cast<double>(first - cells.begin()), top,
                       cellWidth * static_cast<double>(begin - first), strip.height});
        }
    }
    paths.write(html);
    m_named.resize(std::min(m_named.size(), mostNamed));
    for (const Named& slice : m_named) {
        writeBox(html, "bar " + std::string(lookOf(slice.kernelClass)), slice.box,
                 {shortened(slice.name), timeText(slice.ns)});
        if (const std::string name = fitting(slice.name, slice.box.width); !name.empty())
            writeLabel(html, slice.box.x + 3, slice.box.y + slice.box.height / 2 + 3.5, name, "start",
                       "inside " + std::string(kernelInk(slice.kernelClass)));
    }
}

} // namespace collscope
