// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/selection_details.h"

#include "model/kernels/kernel_names.h"
#include "model/queries/slice_query.h"
#include "views/common/format.h"
#include "views/common/moment.h"
#include "views/common/theme.h"

#include <QEvent>
#include <QScrollBar>
#include <QSet>

namespace collscope {

namespace {

/// Collects "name: value" rows of a table; empty values are omitted.
class Facts
{
public:
    explicit Facts(const QPalette& palette)
        : m_dim(surfaces(palette).dimText.name())
    { }

    /// `arg`: the argument of the file that says the same.
    void add(const QString& name, const QString& value, const char* arg = nullptr)
    {
        if (value.isEmpty())
            return;
        if (arg)
            m_told.insert(QLatin1String(arg));
        m_rows += QStringLiteral("<tr><td style='color:%1; padding-right:16px; "
                                 "white-space:nowrap'>%2</td><td>%3</td></tr>")
                      .arg(m_dim, name.toHtmlEscaped(), value.toHtmlEscaped());
    }
    void link(const QString& name, const QString& text, const QString& target)
    {
        m_rows += QStringLiteral(
                      "<tr><td style='color:%1; padding-right:16px'>%2</td><td><a href='%3'>%4</a></td></tr>")
                      .arg(m_dim, name.toHtmlEscaped(), target, text.toHtmlEscaped());
    }
    bool tells(const QString& arg) const { return m_told.contains(arg); }
    QString html() const { return QStringLiteral("<table cellspacing='2'>%1</table>").arg(m_rows); }

private:
    QString m_dim, m_rows;
    QSet<QString> m_told; ///< names of arguments
};

template<typename T>
QString optionalText(const std::optional<T>& value)
{
    return value ? QString::number(*value) : QString();
}

void addCollective(Facts& facts, const TraceModel& model, const CollectiveCall& call)
{
    facts.add(SelectionDetails::tr("collective"), toText(model.text(call.name)), "Collective name");
    facts.add(
        SelectionDetails::tr("process group"),
        (toText(model.text(call.group)) + QStringLiteral(" ") + toText(model.text(call.groupDescription)))
            .trimmed());
    facts.add(SelectionDetails::tr("group ranks"), toText(model.text(call.groupRanks)),
              "Process Group Ranks");
    facts.add(SelectionDetails::tr("group size"), optionalText(call.groupSize), "Group size");
    facts.add(SelectionDetails::tr("sequence"), optionalText(call.sequence));
    if (const auto bytes = messageBytes(call, model.text(call.elementType)))
        facts.add(SelectionDetails::tr("message size"),
                  formatBytes(static_cast<double>(*bytes)) + QStringLiteral(" ")
                      + toText(model.text(call.elementType)));
    if (call.fromExecutionTrace)
        facts.add(SelectionDetails::tr("described in"), SelectionDetails::tr("the execution trace"));
}

void addKernel(Facts& facts, const KernelDetail& detail)
{
    const auto triple = [](const std::uint32_t(&v)[3]) {
        return v[0] == 0 ? QString() : QStringLiteral("%1 \u00d7 %2 \u00d7 %3").arg(v[0]).arg(v[1]).arg(v[2]);
    };
    facts.add(SelectionDetails::tr("grid"), triple(detail.grid), "grid");
    facts.add(SelectionDetails::tr("block"), triple(detail.block), "block");
    if (detail.registersPerThread >= 0)
        facts.add(SelectionDetails::tr("registers per thread"), QString::number(detail.registersPerThread),
                  "registers per thread");
    if (detail.occupancyPercent >= 0)
        facts.add(SelectionDetails::tr("est. occupancy"), QStringLiteral("%1 %").arg(detail.occupancyPercent),
                  "est. achieved occupancy %");
    if (detail.bytes >= 0)
        facts.add(SelectionDetails::tr("bytes"), formatBytes(static_cast<double>(detail.bytes)));
}

} // namespace

SelectionDetails::SelectionDetails(ViewState* state, QWidget* parent)
    : QTextBrowser(parent)
    , m_state(state)
{
    setObjectName(QStringLiteral("selectionDetails"));
    setAccessibleName(tr("Selection"));
    setFrameShape(QFrame::NoFrame);
    setOpenLinks(false);
    document()->setDocumentMargin(10);
    connect(&state->selection(), &ViewSelection::sliceChanged, this, &SelectionDetails::forgetArgs);
    connect(&state->run(), &RunContext::modelChanged, this, &SelectionDetails::forgetArgs);
    connect(&state->run(), &RunContext::clocksChanged, this, &SelectionDetails::update);
    connect(this, &QTextBrowser::anchorClicked, this, [this] {
        if (const auto linked = linkedSlice(*m_state->run().model(), m_state->selection().slice()))
            m_state->revealSlice(*linked);
    });
    update();
}

QString SelectionDetails::describe(SliceRef slice) const
{
    const TraceModel& model = *m_state->run().model();
    const Track& track = model.track(slice.track);
    const Timeline& timeline = model.timelineOf(slice);
    const TimeRange range = m_state->run().rangeOf(slice);
    const std::int64_t recordedNs = model.rangeOf(slice).beginNs;
    Facts facts(palette());
    facts.add(tr("class"), toText(kernelClassName(track.slices.kernelClass[slice.row])));
    facts.add(tr("rank"), QString::number(timeline.rank));
    facts.add(tr("track"), toText(model.text(track.name)),
              track.kind == TrackKind::GpuStream ? "stream" : nullptr);
    facts.add(tr("start"), formatDurationExact(range.beginNs));
    if (recordedNs != range.beginNs)
        facts.add(tr("start as recorded"),
                  tr("%1 (this rank's own clock)").arg(formatDurationExact(recordedNs)));
    facts.add(tr("duration"), formatDurationExact(model.rangeOf(slice).lengthNs()));
    if (timeline.hasWallClock && model.hasWallClock)
        facts.add(tr("time of day"), wallClockLabel(range.beginNs + model.axisZeroNs));
    const std::uint32_t correlation = track.slices.correlation[slice.row];
    facts.add(tr("correlation"), correlation > 0 ? QString::number(correlation) : QString(), "correlation");
    if (const CollectiveCall* call = model.collectiveOf(slice))
        addCollective(facts, model, *call);
    if (const KernelDetail* detail = model.detailOf(slice))
        addKernel(facts, *detail);
    if (const auto linked = linkedSlice(model, slice))
        facts.link(track.kind == TrackKind::GpuStream ? tr("launched by") : tr("launches"),
                   shortName(model.nameOf(*linked)), QStringLiteral("linked"));
    facts.add(tr("file"), toText(model.sources[timeline.source.value].path));
    QString args;
    if (!m_args.values.isEmpty()) {
        Facts rows(palette());
        for (const auto& [name, value] : m_args.values) {
            if (!facts.tells(name))
                rows.add(name, value);
        }
        args = rows.html();
    } else if (!m_args.status) {
        args = QStringLiteral("<p style='color:%1'>%2</p>")
                   .arg(surfaces(palette()).worse.name(),
                        toText(m_args.status.error().message).toHtmlEscaped());
    }
    // Two columns: the facts from the model, and the args from the file.
    return QStringLiteral(
               "<p><b>%1</b></p><table><tr><td style='padding-right:40px'>%2</td><td>%3</td></tr></table>")
        .arg(toText(model.nameOf(slice)).toHtmlEscaped(), facts.html(), args);
}

void SelectionDetails::setArgs(const SliceArgs& args)
{
    m_args = args;
    const int scrolled = verticalScrollBar()->value();
    update();
    verticalScrollBar()->setValue(scrolled);
}

void SelectionDetails::forgetArgs()
{
    m_args = {};
    update();
}

void SelectionDetails::update()
{
    const bool any = m_state->run().model() && m_state->selection().slice();
    setHtml(any ? describe(m_state->selection().slice())
                : QStringLiteral("<p style='color:%1'>%2</p>")
                      .arg(surfaces(palette()).dimText.name(),
                           tr("Click a slice in the timeline to see its details.")));
}

void SelectionDetails::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange)
        update();
    QTextBrowser::changeEvent(event);
}

} // namespace collscope
