// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The slices of a picture of lanes. The number of shapes has a bound, whatever the run: only the widest
// slices are shapes of their own, with a name. All others mark cells of half a unit, and cells of a lane and
// colour that touch are one shape.

#include "metrics/export/page/svg_shapes.h"
#include "model/kernels/kernel_class.h"

#include <cstdint>
#include <map>

namespace collscope {

class LaneSlices
{
public:
    /// `box`: clipped to the picture. Slices of a lane have the same top. In any order. O(width of the box).
    void add(const Box& box, KernelClass kernelClass, std::string_view name, std::int64_t ns);
    void write(HtmlWriter& html);

private:
    struct Named
    {
        Box box;
        KernelClass kernelClass = KernelClass::None;
        std::string_view name;
        std::int64_t ns = 0;
    };
    /// The cells of one lane and colour.
    struct Strip
    {
        double height = 0;
        std::vector<bool> isMarked; ///< by cell, from the left edge of the picture
    };
    void mark(const Box& box, KernelClass kernelClass);

    std::vector<Named> m_named; ///< at least `narrow` wide
    std::map<std::pair<double, std::string_view>, Strip> m_strips; ///< by top and class of the style
};

} // namespace collscope
