// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// Filter and order of the runs table: "llama tp:4 mfu>40".

#include <QSortFilterProxyModel>

#include <optional>
#include <vector>

namespace collscope {

class RunFilter : public QSortFilterProxyModel
{
    Q_OBJECT

public:
    explicit RunFilter(QObject* parent = nullptr);

    /// Sets terms separated by blanks, all of which must match: a word contained in any cell, `key:word` for
    /// columns whose key contains `key`, `key>number` and `key<number` for values.
    void setTerms(const QString& text);

protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override;
    bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;

private:
    struct Term
    {
        QString key; ///< empty: any column
        QString word;
        QChar comparison; ///< '>', '<' or null
        double number = 0;
    };
    static Term termOf(const QString& text);
    bool holds(const Term& term, int row) const;

    std::vector<Term> m_terms;
};

} // namespace collscope
