// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/widgets/vector_canvas.h"

#include <QPaintEngine>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace collscope {

namespace {

QPainterPath pathOf(const QRectF& rect)
{
    QPainterPath path;
    path.addRect(rect);
    return path;
}

/// Whether a clip path is just an axis-aligned rectangle.
bool isRectangle(const QPainterPath& path)
{
    return path.elementCount() == 5 && path.intersected(pathOf(path.boundingRect())) == path;
}

/// The area where painting is allowed, in px of the canvas.
struct Clip
{
    QRectF rect;
    std::optional<QPainterPath> shape; ///< if it is smaller than the rectangle

    bool contains(const QRectF& box) const { return rect.contains(box) && (!shape || shape->contains(box)); }
    QPainterPath path() const
    {
        const QPainterPath bounds = pathOf(rect);
        return shape ? bounds.intersected(*shape) : bounds;
    }
    void intersect(const QPainterPath& other)
    {
        rect &= other.boundingRect();
        if (!isRectangle(other))
            shape = shape ? shape->intersected(other) : other;
    }
};

/// The strokes of a pen as areas. The width of a cosmetic pen is in px of the canvas, at any scale.
QPainterPath strokeOf(const QPainterPath& path, const QPen& pen, double scale)
{
    QPainterPathStroker stroker(pen);
    const double width = std::max(pen.widthF(), pen.isCosmetic() ? 1.0 : 0.0);
    stroker.setWidth(pen.isCosmetic() && scale > 0 ? width / scale : width);
    return stroker.createStroke(path);
}

class VectorEngine : public QPaintEngine
{
public:
    VectorEngine(QPainter* target, QSize size)
        : QPaintEngine(AllFeatures)
        , m_target(target)
        , m_canvas(QPointF(), size)
    { }

    bool begin(QPaintDevice*) override { return true; }
    bool end() override { return true; }
    Type type() const override { return User; }
    void updateState(const QPaintEngineState& changed) override;
    void drawPath(const QPainterPath& path) override;
    void drawPolygon(const QPointF* points, int count, PolygonDrawMode mode) override;
    void drawRects(const QRectF* rects, int count) override;
    void drawPixmap(const QRectF& to, const QPixmap& pixmap, const QRectF& from) override;
    void drawImage(const QRectF& to, const QImage& image, const QRectF& from,
                   Qt::ImageConversionFlags flags) override;
    void drawTiledPixmap(const QRectF& to, const QPixmap& tile, const QPointF& offset) override;
    void drawTextItem(const QPointF& position, const QTextItem& item) override;

private:
    const Clip& clip();
    void fill(const QPainterPath& path, const QBrush& brush);

    QPainter* m_target;
    QRectF m_canvas;
    QPen m_pen;
    QBrush m_brush;
    QTransform m_transform;
    Clip m_clip;
    QRegion m_systemClip; ///< system clip that m_clip was made from
    bool m_isClipStale = true;
};

void VectorEngine::updateState(const QPaintEngineState& changed)
{
    const DirtyFlags dirty = changed.state();
    if (dirty & DirtyTransform) {
        m_transform = changed.transform();
        m_target->setTransform(m_transform);
    }
    if (dirty & DirtyPen) {
        m_pen = changed.pen();
        m_target->setPen(m_pen);
    }
    if (dirty & DirtyBrush) {
        m_brush = changed.brush();
        m_target->setBrush(m_brush);
    }
    if (dirty & DirtyBrushOrigin)
        m_target->setBrushOrigin(changed.brushOrigin());
    if (dirty & DirtyFont)
        m_target->setFont(changed.font());
    if (dirty & DirtyOpacity)
        m_target->setOpacity(changed.opacity());
    if (dirty & DirtyHints) {
        m_target->setRenderHints(m_target->renderHints(), false);
        m_target->setRenderHints(changed.renderHints() | QPainter::LosslessImageRendering);
    }
    if (dirty & (DirtyClipRegion | DirtyClipPath | DirtyClipEnabled))
        m_isClipStale = true;
}

/// The intersection of the painter's clip and the edges of the widget.
const Clip& VectorEngine::clip()
{
    const QRegion system = systemClip();
    if (!m_isClipStale && system == m_systemClip)
        return m_clip;
    m_isClipStale = false;
    m_systemClip = system;
    m_clip = {m_canvas, {}};
    // The bounding box of a region is enough: the parts excluded by other widgets are painted over later.
    if (!system.isEmpty())
        m_clip.rect &= system.boundingRect();
    // Query the painter rather than the state: when restore() reinstates a clip, Qt 6.4 shifts it by twice
    // the distance between the widget and the corner.
    if (painter()->hasClipping())
        m_clip.intersect(painter()->deviceTransform().map(painter()->clipPath()));
    return m_clip;
}

void VectorEngine::fill(const QPainterPath& path, const QBrush& brush)
{
    if (path.isEmpty() || brush.style() == Qt::NoBrush)
        return;
    m_target->fillPath(path, brush);
}

void VectorEngine::drawPath(const QPainterPath& path)
{
    const Clip& visible = clip();
    const double scale = std::sqrt(std::abs(m_transform.determinant()));
    const bool isStroked = m_pen.style() != Qt::NoPen;
    const double reach = isStroked ? std::max(1.0, m_pen.widthF() * (m_pen.isCosmetic() ? 1 : scale)) : 0;
    const QRectF box = m_transform.map(path).boundingRect().adjusted(-reach, -reach, reach, reach);
    if (visible.contains(box)) {
        m_target->drawPath(path);
        return;
    }
    if (!visible.rect.intersects(box))
        return;
    const QPainterPath cut = m_transform.inverted().map(visible.path());
    if (m_brush.style() != Qt::NoBrush)
        fill(path.intersected(cut), m_brush);
    if (isStroked)
        fill(strokeOf(path, m_pen, scale).intersected(cut), m_pen.brush());
}

void VectorEngine::drawPolygon(const QPointF* points, int count, PolygonDrawMode mode)
{
    QPainterPath path;
    path.addPolygon(QPolygonF(QList<QPointF>(points, points + count)));
    if (mode != PolylineMode)
        path.closeSubpath();
    path.setFillRule(mode == WindingMode ? Qt::WindingFill : Qt::OddEvenFill);
    if (mode != PolylineMode)
        return drawPath(path);
    const QBrush brush = std::exchange(m_brush, QBrush());
    m_target->setBrush(m_brush);
    drawPath(path);
    m_brush = brush;
    m_target->setBrush(m_brush);
}

void VectorEngine::drawRects(const QRectF* rects, int count)
{
    const bool isPlain = m_pen.style() == Qt::NoPen && m_transform.type() <= QTransform::TxScale;
    const Clip& visible = clip();
    for (int i = 0; i < count; ++i) {
        if (!isPlain || visible.shape) {
            drawPath(pathOf(rects[i]));
            continue;
        }
        const QRectF cut = rects[i] & m_transform.inverted().mapRect(visible.rect);
        if (!cut.isEmpty())
            m_target->drawRect(cut);
    }
}

void VectorEngine::drawImage(const QRectF& to, const QImage& image, const QRectF& from,
                             Qt::ImageConversionFlags flags)
{
    const QRectF cut = to & m_transform.inverted().mapRect(clip().rect);
    if (cut.isEmpty() || to.isEmpty())
        return;
    const double across = from.width() / to.width();
    const double down = from.height() / to.height();
    const QRectF source(from.left() + (cut.left() - to.left()) * across,
                        from.top() + (cut.top() - to.top()) * down, cut.width() * across,
                        cut.height() * down);
    const QRect needed = source.toAlignedRect() & image.rect();
    if (needed == image.rect())
        m_target->drawImage(cut, image, source, flags);
    else // QSvgGenerator would draw the complete image
        m_target->drawImage(cut, image.copy(needed), source.translated(-needed.topLeft()), flags);
}

void VectorEngine::drawPixmap(const QRectF& to, const QPixmap& pixmap, const QRectF& from)
{
    drawImage(to, pixmap.toImage(), from, Qt::AutoColor);
}

void VectorEngine::drawTiledPixmap(const QRectF& to, const QPixmap& tile, const QPointF& offset)
{
    const QSizeF size = tile.deviceIndependentSize();
    const QRectF whole(QPointF(), QSizeF(tile.size()));
    const double ratio = tile.devicePixelRatio();
    const QPointF first(to.left() - std::fmod(offset.x(), size.width()),
                        to.top() - std::fmod(offset.y(), size.height()));
    const int rows = static_cast<int>(std::ceil((to.bottom() - first.y()) / size.height()));
    const int columns = static_cast<int>(std::ceil((to.right() - first.x()) / size.width()));
    for (int row = 0; row < rows; ++row) {
        for (int column = 0; column < columns; ++column) {
            const QRectF place(first + QPointF(column * size.width(), row * size.height()), size);
            const QRectF cut = place & to;
            if (!cut.isEmpty())
                drawPixmap(cut, tile,
                           QRectF((cut.topLeft() - place.topLeft()) * ratio, cut.size() * ratio) & whole);
        }
    }
}

void VectorEngine::drawTextItem(const QPointF& position, const QTextItem& item)
{
    const Clip& visible = clip();
    const QRectF line(position.x(), position.y() - item.ascent(), item.width(),
                      item.ascent() + item.descent());
    const QRectF box = m_transform.mapRect(line);
    if (!visible.rect.intersects(box))
        return;
    if (visible.contains(box)) {
        m_target->drawTextItem(position, item);
        return;
    }
    QPainterPath letters;
    letters.addText(position, item.font(), item.text());
    if (visible.contains(m_transform.mapRect(letters.boundingRect()))) {
        m_target->drawTextItem(position, item); // only the space around the letters is cut
        return;
    }
    letters.setFillRule(Qt::WindingFill);
    fill(letters.intersected(m_transform.inverted().map(visible.path())), m_pen.brush());
}

} // namespace

VectorCanvas::VectorCanvas(QPainter* target, QSize size, int dotsPerInch)
    : m_engine(std::make_unique<VectorEngine>(target, size))
    , m_size(size)
    , m_dotsPerInch(dotsPerInch)
{ }

VectorCanvas::~VectorCanvas() = default;

QPaintEngine* VectorCanvas::paintEngine() const
{
    return m_engine.get();
}

int VectorCanvas::metric(PaintDeviceMetric metric) const
{
    constexpr double millimetresPerInch = 25.4;
    const auto millimetres = [this](int pixels) {
        return static_cast<int>(std::lround(pixels * millimetresPerInch / m_dotsPerInch));
    };
    switch (metric) {
    case PdmWidth:
        return m_size.width();
    case PdmHeight:
        return m_size.height();
    case PdmWidthMM:
        return millimetres(m_size.width());
    case PdmHeightMM:
        return millimetres(m_size.height());
    case PdmDpiX:
    case PdmDpiY:
    case PdmPhysicalDpiX:
    case PdmPhysicalDpiY:
        return m_dotsPerInch;
    case PdmNumColors:
        return 1 << 24;
    case PdmDepth:
        return 32;
    case PdmDevicePixelRatio:
        return 1;
    case PdmDevicePixelRatioScaled:
        return static_cast<int>(devicePixelRatioFScale());
    }
    return 0;
}

} // namespace collscope
