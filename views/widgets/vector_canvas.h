// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Renders widgets as vector graphics, cropped to their visible area.

#include <QPaintDevice>
#include <QSize>

#include <memory>

class QPainter;
class QPaintEngine;

namespace collscope {

/// A paint device for QWidget::render() that forwards to the painter of a vector format. QPdfWriter ignores
/// the edges of child widgets (a scrolled list paints over its header), and QSvgGenerator ignores every clip.
/// Here, rectangles and images are cropped, and clipped text and shapes become outlines, so that no format
/// needs a clip.
class VectorCanvas : public QPaintDevice
{
public:
    /// `target` must be active for the lifetime of this canvas; `size` is in px of a screen with
    /// `dotsPerInch`.
    VectorCanvas(QPainter* target, QSize size, int dotsPerInch);
    ~VectorCanvas() override;

    QPaintEngine* paintEngine() const override;

protected:
    int metric(PaintDeviceMetric metric) const override;

private:
    std::unique_ptr<QPaintEngine> m_engine;
    QSize m_size;
    int m_dotsPerInch;
};

} // namespace collscope
