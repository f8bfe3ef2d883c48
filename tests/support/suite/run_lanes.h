// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The lanes of a run as texts, to compare two forms of one recording.

#include "model/kernels/kernel_names.h"
#include "model/trace_model.h"

#include <QString>
#include <QStringList>

namespace collscope {

inline QString qText(std::string_view view)
{
    return QString::fromUtf8(view.data(), static_cast<qsizetype>(view.size()));
}

/// "rank 0 lane [slice=class start+duration, ...]", sorted.
inline QStringList lanesOf(const TraceModel& run)
{
    QStringList lanes;
    for (const Timeline& timeline : run.timelines) {
        for (const TrackId id : timeline.tracks) {
            const Track& track = run.track(id);
            QStringList slices;
            for (std::size_t row = 0; row < track.slices.size(); ++row)
                slices << QStringLiteral("%1=%2 %3+%4")
                              .arg(qText(run.text(track.slices.name[row])),
                                   qText(kernelClassName(track.slices.kernelClass[row])))
                              .arg(track.slices.startNs[row])
                              .arg(track.slices.durationNs[row]);
            lanes << QStringLiteral("rank %1 %2 [%3]")
                         .arg(timeline.rank)
                         .arg(qText(run.text(track.name)), slices.join(QStringLiteral(", ")));
        }
    }
    lanes.sort();
    return lanes;
}

} // namespace collscope
