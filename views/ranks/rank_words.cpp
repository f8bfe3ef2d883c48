// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/ranks/rank_words.h"

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

} // namespace collscope
