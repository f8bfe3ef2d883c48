// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Waterfall of the difference between two steps: from the baseline's step to the test's step, part by part.

#include "metrics/comparison/step_comparison.h"
#include "views/common/hatch.h"

#include <QWidget>

#include <optional>

namespace collscope {

struct Surfaces;

/// The object to which the times of a comparison refer.
enum class ComparedTimes : std::uint8_t
{
    Step,
    Unit, ///< a unit of work, for captures without steps
    Capture ///< complete captures with unknown work: without better or worse
};

/// One row for the baseline's step, one for each part present in either run (largest change first), and one
/// for the test's step. Up, Down and the mouse select a part; Enter activates it again.
class WaterfallView : public QWidget
{
    Q_OBJECT

public:
    explicit WaterfallView(QWidget* parent = nullptr);

    /// Parts that the verdicts call similar are not coloured.
    void setWaterfall(const StepWaterfall& waterfall, const StepVerdicts& verdicts, const QString& baseLabel,
                      const QString& testLabel, ComparedTimes times = ComparedTimes::Step);
    const StepWaterfall& waterfall() const { return m_waterfall; }
    /// The parts from top to bottom.
    const std::vector<StepPart>& parts() const { return m_parts; }
    std::optional<StepPart> chosenPart() const { return m_chosen; }
    void choosePart(std::optional<StepPart> part);
    /// The bar of a part in widget coordinates.
    QRectF barOf(StepPart part) const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    /// A part was chosen by mouse or keyboard; nullopt: the entire step.
    void partChosen(std::optional<collscope::StepPart> part);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

private:
    /// Start and end of a part's bar, in ns of the cumulative step.
    struct Span
    {
        std::int64_t beginNs = 0, endNs = 0;
    };

    int rowHeight() const;
    int rowCount() const { return static_cast<int>(m_parts.size()) + 2; }
    QRect rowRect(int row) const;
    int labelWidth() const;
    int numberWidth() const;
    double xOf(std::int64_t ns) const;
    bool isCut() const { return m_fromNs > 0; }
    QString labelOf(int row) const;
    QString numberOf(int row) const;
    QString toolTipOf(int row) const;
    QColor inkOf(StepPart part, const Surfaces& colors) const;
    int rowAt(QPoint position) const; ///< -1: none
    void chooseRow(int row);
    void paintStep(QPainter& painter, int row, std::int64_t ns, const Surfaces& colors);
    void paintPart(QPainter& painter, int row, StepPart part, const Surfaces& colors);
    /// Paints label and number of a row. `left`: left edge of the label.
    void paintTexts(QPainter& painter, int row, int left, const QColor& ink, const Surfaces& colors);
    void paintChip(QPainter& painter, const QRect& box, StepPart part);

    StepWaterfall m_waterfall;
    StepVerdicts m_verdicts;
    QString m_baseLabel, m_testLabel;
    ComparedTimes m_times = ComparedTimes::Step;
    std::vector<StepPart> m_parts;
    std::vector<Span> m_spans; ///< parallel to m_parts
    std::int64_t m_fromNs = 0, m_toNs = 1; ///< value range of the bars' area
    std::optional<StepPart> m_chosen;
    Hatch m_hatch;
};

} // namespace collscope
