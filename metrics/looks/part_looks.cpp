// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/looks/part_looks.h"

namespace collscope {

Shade partShade(Part part)
{
    const KernelClass hue = partHue(part);
    return hue == KernelClass::None ? Shade{lightSurfaces.line, darkSurfaces.line} : kernelShade(hue);
}

} // namespace collscope
