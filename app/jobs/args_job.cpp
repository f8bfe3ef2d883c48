// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/jobs/args_job.h"

#include "model/readers/kineto/kineto_event_args.h"
#include "model/source_traits.h"
#include "views/common/format.h"

namespace collscope {

namespace {

/// Longer values would stall the GUI and no one reads them to the end.
constexpr std::size_t mostArgs = 200;

QString shortened(const std::string& text)
{
    constexpr qsizetype longest = 2'000;
    const QString whole = toText(std::string_view(text).substr(0, 4 * longest));
    return whole.size() > longest ? whole.left(longest) + QStringLiteral("\u2026") : whole;
}

SliceArgs shownArgs(const Result<EventArgs>& read)
{
    SliceArgs shown;
    if (!read) {
        shown.status = read.error();
        return shown;
    }
    const EventArgs& args = read.value();
    for (std::size_t i = 0; i < args.size() && i < mostArgs; ++i)
        shown.values.emplaceBack(shortened(args[i].first), shortened(args[i].second));
    if (args.size() > mostArgs)
        shown.values.emplaceBack(ArgsJob::tr("and more"), QString::number(args.size() - mostArgs));
    return shown;
}

} // namespace

void ArgsJob::start(const TraceModelPtr& model, SliceRef slice)
{
    cancel();
    if (!model || !slice)
        return;
    const Timeline& timeline = model->timelineOf(slice);
    if (!sourceTraits(timeline.kind).holdsEventObjects)
        return;
    m_answer.ask([path = model->sources[timeline.source.value].path,
                  offset = model->track(slice.track).slices.fileOffset[slice.row],
                  name = std::string(model->nameOf(slice))](QPromise<SliceArgs>& promise,
                                                            const std::stop_token& stop) {
        promise.addResult(shownArgs(readEventArgs(path, offset, name, stop)));
    });
}

} // namespace collscope
