// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/tables/table_text.h"

#include "metrics/core/value.h"
#include "views/tables/frozen_column.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLocale>
#include <QMimeData>
#include <QRegularExpression>
#include <QTableView>

#include <algorithm>
#include <numeric>

namespace collscope {

namespace {

/// Prefixes texts that a spreadsheet would take as a formula with an apostrophe, like the metric exports.
QString withoutFormula(const QString& text)
{
    return beginsFormula(text.toStdString()) ? QLatin1Char('\'') + text : text;
}

QString rawText(const QVariant& value)
{
    if (value.typeId() == QMetaType::Double)
        return QLocale::c().toString(value.toDouble(), 'g', QLocale::FloatingPointShortest);
    return value.typeId() == QMetaType::QString ? withoutFormula(value.toString()) : value.toString();
}

QString headerText(const QAbstractItemModel& model, int column)
{
    const QVariant key = model.headerData(column, Qt::Horizontal, RawRole);
    return withoutFormula(
        (key.isValid() ? key : model.headerData(column, Qt::Horizontal, Qt::DisplayRole)).toString());
}

QString joined(const QAbstractItemModel& model, const QList<int>& rows, QChar separator,
               const std::function<QString(QString)>& cell)
{
    QString text;
    const auto addLine = [&](const std::function<QString(int)>& at) {
        for (int column = 0; column < model.columnCount(); ++column) {
            if (column > 0)
                text += separator;
            text += cell(at(column));
        }
        text += QLatin1Char('\n');
    };
    addLine([&](int column) { return headerText(model, column); });
    for (const int row : rows)
        addLine([&](int column) { return rawText(model.index(row, column).data(RawRole)); });
    return text;
}

} // namespace

QString tableAsTsv(const QAbstractItemModel& model, const QList<int>& rows)
{
    return joined(model, rows, QLatin1Char('\t'), [](QString text) {
        for (const char separator : {'\t', '\n', '\r'})
            text.replace(QLatin1Char(separator), QLatin1Char(' '));
        return text;
    });
}

QString tableAsCsv(const QAbstractItemModel& model, const QList<int>& rows)
{
    return joined(model, rows, QLatin1Char(','), [](QString text) {
        const bool isPlain = !text.contains(QLatin1Char(',')) && !text.contains(QLatin1Char('"'))
            && !text.contains(QLatin1Char('\n')) && !text.contains(QLatin1Char('\r'));
        const QString quote = QStringLiteral("\"");
        return isPlain ? text : quote + text.replace(quote, quote + quote) + quote;
    });
}

QList<int> chosenRows(const QTableView& table)
{
    QList<int> rows;
    const bool all = !table.selectionModel()->hasSelection();
    for (int row = 0; row < table.model()->rowCount(); ++row) {
        if (all || table.selectionModel()->isRowSelected(row))
            rows << row;
    }
    return rows;
}

void copyRows(const QAbstractItemModel& model, const QList<int>& rows)
{
    auto* data = new QMimeData; // owned by the clipboard
    data->setText(tableAsTsv(model, rows));
    data->setData(QStringLiteral("text/csv"), tableAsCsv(model, rows).toUtf8());
    QGuiApplication::clipboard()->setMimeData(data);
}

void copyRows(const QTableView& table)
{
    copyRows(*table.model(), chosenRows(table));
}

QAction* onRowChosen(QTableView& table, const QString& text,
                     const std::function<void(const QModelIndex&)>& act)
{
    auto* action = new QAction(text, &table);
    action->setShortcuts({QKeySequence(Qt::Key_Return), QKeySequence(Qt::Key_Enter)});
    action->setShortcutContext(Qt::WidgetShortcut);
    table.insertAction(table.actions().value(0), action);
    QObject::connect(action, &QAction::triggered, &table, [&table, act] {
        if (table.currentIndex().isValid())
            act(table.currentIndex());
    });
    QObject::connect(&table, &QTableView::doubleClicked, &table, act);
    return action;
}

QAction* setUpTable(QTableView& table)
{
    table.setSelectionBehavior(QAbstractItemView::SelectRows);
    table.setAlternatingRowColors(true);
    table.setShowGrid(false);
    table.setTextElideMode(Qt::ElideMiddle);
    table.setWordWrap(false);
    table.setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    table.verticalHeader()->hide();
    table.verticalHeader()->setDefaultSectionSize(24);
    table.horizontalHeader()->setHighlightSections(false);
    auto* copy = new QAction(QTableView::tr("Copy rows"), &table);
    copy->setObjectName(QStringLiteral("copyRows"));
    copy->setShortcut(QKeySequence::Copy);
    copy->setShortcutContext(Qt::WidgetShortcut);
    table.addAction(copy);
    table.setContextMenuPolicy(Qt::ActionsContextMenu);
    QObject::connect(copy, &QAction::triggered, &table, [&table] { copyRows(table); });
    new TableExport(table);
    new FrozenColumn(table);
    return copy;
}

TableExport::TableExport(QTableView& table)
    : QObject(&table)
    , m_table(table)
{
    auto* action = new QAction(tr("Export table as CSV..."), &table);
    action->setObjectName(QStringLiteral("exportRows"));
    table.addAction(action);
    connect(action, &QAction::triggered, this, &TableExport::ask);
}

void TableExport::ask()
{
    QList<int> rows(m_table.model()->rowCount());
    std::iota(rows.begin(), rows.end(), 0);
    static const QRegularExpression notOfName(QStringLiteral("[^a-z0-9]+"));
    const QString name = m_table.accessibleName().toLower().replace(notOfName, QStringLiteral("_"));
    emit wanted((name.isEmpty() ? QStringLiteral("table") : name) + QStringLiteral(".csv"),
                tableAsCsv(*m_table.model(), rows).toUtf8());
}

} // namespace collscope
