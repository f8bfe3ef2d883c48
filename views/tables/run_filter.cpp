// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/tables/run_filter.h"

#include "views/tables/run_table_model.h"

#include <QRegularExpression>

#include <algorithm>

namespace collscope {

RunFilter::RunFilter(QObject* parent)
    : QSortFilterProxyModel(parent)
{
    setDynamicSortFilter(true);
}

RunFilter::Term RunFilter::termOf(const QString& text)
{
    static const QRegularExpression pattern(QStringLiteral("^([^:<>]+)([:<>])(.+)$"));
    const QRegularExpressionMatch match = pattern.match(text);
    Term term;
    term.word = text;
    if (!match.hasMatch())
        return term;
    const QChar sign = match.captured(2).front();
    bool isNumber = false;
    term.number = match.captured(3).toDouble(&isNumber);
    if (sign != u':' && !isNumber)
        return term; // incomplete term: treat it as a word
    term.key = match.captured(1);
    term.word = match.captured(3);
    if (sign != u':')
        term.comparison = sign;
    return term;
}

void RunFilter::setTerms(const QString& text)
{
    m_terms.clear();
    for (const QString& part : text.split(u' ', Qt::SkipEmptyParts))
        m_terms.push_back(termOf(part));
    invalidateFilter();
}

bool RunFilter::holds(const Term& term, int row) const
{
    const auto* model = static_cast<const RunTableModel*>(sourceModel());
    for (int column = 0; column < model->columnCount(); ++column) {
        if (!term.key.isEmpty() && !model->key(column).contains(term.key, Qt::CaseInsensitive))
            continue;
        const QModelIndex cell = model->index(row, column);
        if (term.comparison.isNull()) {
            if (cell.data(Qt::DisplayRole).toString().contains(term.word, Qt::CaseInsensitive))
                return true;
            continue;
        }
        bool isNumber = false;
        const double value = cell.data(RunTableModel::SortRole).toDouble(&isNumber);
        if (isNumber && (term.comparison == u'>' ? value > term.number : value < term.number))
            return true;
    }
    return false;
}

bool RunFilter::filterAcceptsRow(int row, const QModelIndex&) const
{
    return std::all_of(m_terms.begin(), m_terms.end(), [&](const Term& term) { return holds(term, row); });
}

bool RunFilter::lessThan(const QModelIndex& left, const QModelIndex& right) const
{
    const QVariant a = left.data(RunTableModel::SortRole);
    const QVariant b = right.data(RunTableModel::SortRole);
    // Runs without the value come last in ascending order.
    if (!a.isValid() || !b.isValid())
        return a.isValid();
    if (a.typeId() == QMetaType::Double && b.typeId() == QMetaType::Double)
        return a.toDouble() < b.toDouble();
    return QString::localeAwareCompare(a.toString(), b.toString()) < 0;
}

} // namespace collscope
