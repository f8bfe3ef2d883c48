// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Widgets as vector graphics: what they paint, cut to where it can be seen.

#include <QPaintDevice>
#include <QSize>

#include <memory>

class QPainter;
class QPaintEngine;

namespace collscope {

/// A paint device for QWidget::render() that hands everything on to the painter of a vector format.
/// QPdfWriter ignores the edges of child widgets (a scrolled list paints over its header), and QSvgGenerator
/// ignores every clip; here rectangles and images are cropped, and text and shapes that are cut become
/// outlines, so that no format needs a clip.
class VectorCanvas : public QPaintDevice
{
public:
    /// `target` is active until this is gone; `size` in px of a screen of `dotsPerInch`.
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
