// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/ranks/rank_words.h"

#include "views/common/format.h"

#include <QCoreApplication>
#include <QRegularExpression>

namespace collscope {

namespace {

struct RankWords
{
    Q_DECLARE_TR_FUNCTIONS(RankWords)
};

} // namespace

QString groupingName(MeshDimension dimension)
{
    switch (dimension) {
    case MeshDimension::Pipeline:
        return RankWords::tr("PP \u00b7 pipeline stage");
    case MeshDimension::Data:
        return RankWords::tr("DP \u00b7 data parallel");
    case MeshDimension::Context:
        return RankWords::tr("CP \u00b7 context parallel");
    case MeshDimension::Tensor:
        return RankWords::tr("TP \u00b7 tensor parallel");
    case MeshDimension::Expert:
        return RankWords::tr("EP \u00b7 expert parallel");
    }
    return {};
}

bool rankMatches(const QString& word, int rank, const QString& text)
{
    static const QRegularExpression numbers(QStringLiteral("^(\\d+)(?:-(\\d+))?$"));
    const QRegularExpressionMatch found = numbers.match(word);
    if (!found.hasMatch())
        return text.contains(word, Qt::CaseInsensitive);
    const int first = found.captured(1).toInt();
    return found.captured(2).isEmpty() ? rank == first : rank >= first && rank <= found.captured(2).toInt();
}

namespace {

struct RankFactTexts
{
    Q_DECLARE_TR_FUNCTIONS(collscope::RankTree)
};

} // namespace

QString rankFacts(const TraceModel& model, const RankMesh& mesh, const RankPlace& place,
                  const std::vector<const Timeline*>& timelines)
{
    QString rows;
    const auto row = [&](const QString& name, const QString& text) {
        rows += QStringLiteral("<tr><td style='padding-right:10px'>%1</td><td>%2</td></tr>")
                    .arg(name.toHtmlEscaped(), text.toHtmlEscaped());
    };
    if (!place.node.empty())
        row(RankFactTexts::tr("node"),
            RankFactTexts::tr("%1 (%2)").arg(toText(place.node), toText(mesh.nodeSource)));
    QStringList devices, files;
    for (const Timeline* timeline : timelines) {
        QString device
            = timeline->device >= 0 ? RankFactTexts::tr("GPU %1").arg(timeline->device) : QString();
        if (timeline->deviceName)
            device += (device.isEmpty() ? QString() : QStringLiteral(", "))
                + toText(model.text(timeline->deviceName));
        devices << device;
        const QString path = toText(model.sources[timeline->source.value].path);
        files << QStringLiteral("%1 (%2)").arg(path.section(QLatin1Char('/'), -1),
                                               toText(sourceKindName(timeline->kind)));
    }
    devices.removeAll(QString());
    devices.removeDuplicates();
    files.removeDuplicates();
    if (!devices.isEmpty())
        row(RankFactTexts::tr("device"), devices.join(QStringLiteral("; ")));
    row(files.size() == 1 ? RankFactTexts::tr("file") : RankFactTexts::tr("files"),
        files.join(QStringLiteral("; ")));
    for (const MeshDimension dimension : meshDimensions) {
        const MeshExtent& extent = mesh.extent(dimension);
        if (extent.size <= 1)
            continue;
        const QString at
            = place.at(dimension) < 0 ? RankFactTexts::tr("unknown") : QString::number(place.at(dimension));
        QString text = RankFactTexts::tr("%1 of %2 (%3)").arg(at).arg(extent.size).arg(toText(extent.source));
        if (dimension == MeshDimension::Data && place.replicate >= 0)
            text += RankFactTexts::tr(": replica %1, shard %2").arg(place.replicate).arg(place.shard);
        row(toText(meshDimensionName(dimension)), text);
    }
    return QStringLiteral("<p><b>%1</b></p><table>%2</table>")
        .arg(RankFactTexts::tr("rank %1").arg(place.rank) + QLatin1Char(' ')
                 + toText(mesh.labelOf(place.rank)),
             rows);
}

} // namespace collscope
