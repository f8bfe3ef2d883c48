// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/export/page/lane_slices.h"

#include "metrics/core/duration_text.h"
#include "metrics/export/page/page_style.h"
#include "model/text/short_names.h"
#include "model/text/valid_text.h"

#include <algorithm>

namespace collscope {

namespace {

constexpr double narrow = 2; ///< narrower slices merge
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
    const std::string_view look = lookOf(kernelClass);
    if (m_narrow.look != look || m_narrow.y != box.y || box.x < m_narrow.from || box.x > m_narrow.to + 0.5) {
        flush();
        m_narrow = {box.y, box.height, box.x, box.x, look};
    }
    m_narrow.to = std::max(m_narrow.to, box.x + box.width);
}

void LaneSlices::flush()
{
    if (!m_narrow.look.empty())
        m_paths.add(m_narrow.look,
                    {m_narrow.from, m_narrow.y, std::max(0.3, m_narrow.to - m_narrow.from), m_narrow.height});
}

void LaneSlices::write(HtmlWriter& html)
{
    flush();
    std::stable_sort(m_named.begin(), m_named.end(),
                     [](const Named& a, const Named& b) { return a.box.width > b.box.width; });
    for (std::size_t i = mostNamed; i < m_named.size(); ++i)
        m_paths.add(lookOf(m_named[i].kernelClass), m_named[i].box);
    m_paths.write(html);
    m_named.resize(std::min(m_named.size(), mostNamed));
    for (const Named& slice : m_named) {
        writeBox(html, "bar " + std::string(lookOf(slice.kernelClass)), slice.box,
                 shortened(slice.name) + "\n" + timeText(slice.ns));
        if (const std::string name = fitting(slice.name, slice.box.width); !name.empty())
            writeLabel(html, slice.box.x + 3, slice.box.y + slice.box.height / 2 + 3.5, name, "start",
                       "inside " + std::string(kernelInk(slice.kernelClass)));
    }
}

} // namespace collscope
