// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The slices of a picture of lanes. Their number is bounded by the width of the picture: slices too narrow to
// be seen merge with their neighbours, and only the widest have a name.

#include "metrics/export/page/svg_shapes.h"
#include "model/kernels/kernel_class.h"

#include <cstdint>

namespace collscope {

class LaneSlices
{
public:
    /// In time order for each lane and stream. `box`: clipped to the lane. O(1).
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
    struct Narrow
    {
        double y = 0, height = 0, from = 0, to = 0;
        std::string_view look;
    };
    void flush();

    std::vector<Named> m_named;
    Narrow m_narrow; ///< the stretch that narrow slices have been merged into so far
    BoxPaths m_paths;
};

} // namespace collscope
