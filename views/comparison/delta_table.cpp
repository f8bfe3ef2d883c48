// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/comparison/delta_table.h"

#include "metrics/comparison/delta.h"
#include "model/kernels/kernel_names.h"
#include "views/common/format.h"
#include "views/common/palette.h"
#include "views/common/theme.h"

#include <QHeaderView>
#include <QLocale>

#include <algorithm>
#include <array>
#include <cmath>

namespace collscope {

namespace {

/// Number format of a column.
struct ColumnStyle
{
    bool isNumber = true, isWhole = true;
    bool isPercent = false; ///< change in percent, with the sign of the difference
    bool isDifference = false; ///< test - base
    bool moreIsBetter = false;
    int decimals = 0;
    double largest = 0;
};

ColumnStyle styleOf(const ComparedSheet& sheet, std::size_t column)
{
    ColumnStyle style;
    const ComparedColumn& role = sheet.roles[column];
    style.isPercent = role.role == ColumnRole::Change;
    style.moreIsBetter = role.moreIsBetter;
    style.isDifference = role.role == ColumnRole::Difference;
    bool hasNumber = false;
    for (const Value::Array& row : sheet.rows) {
        const auto number = numberOf(row[column]);
        hasNumber = hasNumber || number;
        if (!number) {
            style.isNumber = style.isNumber && keyText(row[column]).empty();
            continue;
        }
        style.largest = std::max(style.largest, std::abs(*number));
        style.isWhole = style.isWhole && *number == std::floor(*number);
    }
    style.isNumber = style.isNumber && hasNumber;
    constexpr int digits = 4;
    const int before = style.largest > 0 ? static_cast<int>(std::floor(std::log10(style.largest))) : 0;
    style.decimals = style.isPercent ? 1 : style.isWhole ? 0 : std::clamp(digits - 1 - before, 0, 6);
    return style;
}

/// Shortens run names, because names derived from long file names would push the numbers out of view.
QString inFewLetters(const QString& label)
{
    constexpr int few = 16;
    return label.size() <= few ? label : label.left(few / 2) + QChar(0x2026) + label.right(few / 2 - 1);
}

/// Names of the two runs in headings.
std::pair<QString, QString> headingLabels(const std::string& base, const std::string& test)
{
    const QString own = inFewLetters(toText(base)), other = inFewLetters(toText(test));
    return own == other ? std::pair(DeltaTable::tr("baseline"), DeltaTable::tr("test"))
                        : std::pair(own, other);
}

/// Title of a column, such as "fast time ms" for the "time_ms" of the run "fast".
QString titleOf(const ComparedColumn& column, const std::pair<QString, QString>& labels)
{
    QString title = toText(column.name);
    title.replace(QLatin1String("us_per_call"), DeltaTable::tr("\u00b5s per call"));
    if (column.unit == TimeUnit::Us)
        title += QStringLiteral(" \u00b5s");
    switch (column.role) {
    case ColumnRole::Status:
        return DeltaTable::tr("verdict");
    case ColumnRole::Share:
        return DeltaTable::tr("% of difference");
    case ColumnRole::Difference:
        title.prepend(QStringLiteral("\u0394 "));
        break;
    case ColumnRole::Change:
        title.prepend(DeltaTable::tr("change %") + QLatin1Char(' '));
        break;
    case ColumnRole::Ratio:
        title.prepend(QLatin1String("ratio "));
        break;
    default:
        break;
    }
    title.replace(QLatin1Char('_'), QLatin1Char(' '));
    const QString label = column.run < 0 ? QString() : column.run == 0 ? labels.first : labels.second;
    return label.isEmpty() ? title.simplified() : label + QLatin1Char(' ') + title.simplified();
}

/// Unit of the times that are compared first.
QString unitOf(TimeUnit unit)
{
    switch (unit) {
    case TimeUnit::Ms:
        break;
    case TimeUnit::MsPerStep:
        return DeltaTable::tr("ms per step");
    case TimeUnit::MsPerUnit:
        return DeltaTable::tr("ms per unit");
    case TimeUnit::MsPerCapture:
        return DeltaTable::tr("ms per capture");
    case TimeUnit::UsPerCall:
        return DeltaTable::tr("\u00b5s per call");
    case TimeUnit::Us:
        return QStringLiteral("\u00b5s");
    }
    return QStringLiteral("ms");
}

/// Index of the baseline's column of the first compared figure. The columns of the test and of the difference
/// follow it.
std::size_t firstFigureOf(const ComparedSheet& sheet)
{
    const std::size_t difference = sheet.first(ColumnRole::Difference).value_or(sheet.roles.size());
    return difference - std::min<std::size_t>(difference, 2);
}

QColor inkOf(std::string_view status, const Surfaces& colors)
{
    if (status == deltaStatusName(DeltaStatus::Better))
        return colors.better;
    if (status == deltaStatusName(DeltaStatus::Worse))
        return colors.worse;
    if (status == deltaStatusName(DeltaStatus::New) || status == deltaStatusName(DeltaStatus::Gone))
        return colors.accent;
    return colors.dimText;
}

QColor classColor(std::string_view name, const QPalette& palette)
{
    for (int i = 0; i < kernelClassCount; ++i) {
        if (kernelClassName(static_cast<KernelClass>(i)) == name)
            return kernelColor(static_cast<KernelClass>(i), palette);
    }
    return {};
}

bool isBetter(const ColumnStyle& style, double change)
{
    return (change > 0) == style.moreIsBetter;
}

/// Whether a change gets a colour. The verdict of a row refers to its first figure. If that is a total over
/// different numbers of calls in the two runs, the verdict may contradict it, and the total does not get a
/// colour.
bool isJudged(const ColumnStyle& style, double change, bool isFirst, std::string_view status,
              double thresholdPercent)
{
    if (change == 0)
        return false;
    if (!isFirst)
        return std::abs(change) > thresholdPercent;
    return status == deltaStatusName(isBetter(style, change) ? DeltaStatus::Better : DeltaStatus::Worse);
}

/// The columns in display order: a few that describe the row, the first change with its verdict, where
/// readers expect them, then all others.
std::vector<std::size_t> orderOf(const ComparedSheet& sheet)
{
    const std::size_t fewWords = sheet.first(ColumnRole::Rank) == 0 ? 4 : 3;
    const auto status = sheet.first(ColumnRole::Status);
    const std::size_t firstFigure = firstFigureOf(sheet);
    std::vector<std::size_t> order;
    const auto add = [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < std::min(end, sheet.columns.size()); ++i) {
            if (i != status && std::find(order.begin(), order.end(), i) == order.end())
                order.push_back(i);
        }
    };
    add(0, std::min(fewWords, firstFigure));
    add(firstFigure, sheet.first(ColumnRole::Change).value_or(sheet.columns.size()) + 1);
    if (status)
        order.push_back(*status);
    add(0, sheet.columns.size());
    return order;
}

QString toolTipOf(const ColumnStyle& style, const QString& key)
{
    if (style.isPercent)
        return DeltaTable::tr("Test minus baseline, in percent of the baseline; a decrease is negative");
    return style.isDifference ? DeltaTable::tr("Test minus baseline") : plainToolTip(key);
}

/// Converts the rows of a sheet to cells in display order.
class DeltaCells
{
public:
    DeltaCells(const ComparedSheet& sheet, const std::vector<std::size_t>& order,
               const std::vector<ColumnStyle>& styles, double thresholdPercent, const QPalette& palette)
        : m_sheet(sheet)
        , m_order(order)
        , m_styles(styles)
        , m_thresholdPercent(thresholdPercent)
        , m_palette(palette)
        , m_colors(surfaces(palette))
        , m_statusColumn(sheet.first(ColumnRole::Status))
    { }

    std::vector<TableCell> row(const Value::Array& values) const
    {
        const std::string status = m_statusColumn ? keyText(values[*m_statusColumn]) : std::string();
        std::vector<TableCell> cells;
        bool isFirstFigure = true; // the verdict refers to it
        for (std::size_t c = 0; c < m_order.size(); ++c) {
            const Value& value = values[m_order[c]];
            if (m_order[c] == m_statusColumn)
                cells.push_back(verdict(status));
            else if (const auto number = numberOf(value))
                cells.push_back(figure(*number, m_styles[c], status, isFirstFigure));
            else
                cells.push_back(text(keyText(value), m_sheet.roles[m_order[c]].role));
            isFirstFigure = isFirstFigure && !m_styles[c].isPercent;
        }
        return cells;
    }

private:
    TableCell verdict(const std::string& status) const
    {
        TableCell cell;
        cell.text = toText(status);
        cell.ink = inkOf(status, m_colors);
        return cell;
    }

    TableCell figure(double number, const ColumnStyle& style, const std::string& status, bool isFirst) const
    {
        TableCell cell;
        const int decimals = style.isWhole && !style.isPercent ? 0 : style.decimals;
        const QString text = m_locale.toString(number, 'f', decimals);
        cell.text = style.isPercent || style.isDifference ? withSign(number, text) : text;
        cell.raw = number;
        cell.toolTip = toText(numberText(number));
        if (style.isPercent && isJudged(style, number, isFirst, status, m_thresholdPercent))
            cell.ink = isBetter(style, number) ? m_colors.better : m_colors.worse;
        if (style.isDifference && style.largest > 0) {
            cell.bar = std::abs(number) / style.largest;
            cell.barColor = isFirst ? inkOf(status, m_colors) : m_colors.dimText;
        }
        return cell;
    }

    TableCell text(const std::string& text, ColumnRole role) const
    {
        TableCell cell;
        cell.text = role == ColumnRole::Name ? shortName(text) : toText(text);
        cell.raw = toText(text);
        cell.toolTip = toText(text);
        if (role == ColumnRole::Class)
            cell.chip = classColor(text, m_palette);
        return cell;
    }

    const ComparedSheet& m_sheet;
    const std::vector<std::size_t>& m_order;
    const std::vector<ColumnStyle>& m_styles;
    double m_thresholdPercent;
    const QPalette& m_palette;
    Surfaces m_colors;
    std::optional<std::size_t> m_statusColumn;
    QLocale m_locale;
};

} // namespace

DeltaTable::DeltaTable(const QString& name, QWidget* parent)
    : CellTable(name, parent)
{
    const auto choose = [this](int row) {
        if (row >= 0 && static_cast<std::size_t>(row) < m_sheet.rows.size())
            emit subjectChosen(m_sheet.subjects[static_cast<std::size_t>(row)]);
    };
    connect(this, &CellTable::rowChosen, this, choose);
    connect(this, &CellTable::rowActivated, this, choose);
}

void DeltaTable::setSheet(const ComparedSheet& sheet, const std::string& base, const std::string& test,
                          double thresholdPercent)
{
    m_sheet = sheet;
    const auto labels = headingLabels(base, test);
    const std::vector<std::size_t> order = orderOf(sheet);
    const std::size_t first = firstFigureOf(sheet);
    std::vector<ColumnStyle> styles;
    std::vector<TableColumn> columns;
    for (const std::size_t i : order) {
        styles.push_back(styleOf(sheet, i));
        TableColumn column{
            titleOf(sheet.roles[i], labels), {}, toText(sheet.columns[i]), styles.back().isNumber};
        // The column of the difference names the figure, because space is limited.
        if (i == first || i == first + 1)
            column.title = (i == first ? labels.first : labels.second) + QLatin1Char(' ')
                + unitOf(sheet.roles[i].unit);
        column.toolTip = toolTipOf(styles.back(), column.key);
        columns.push_back(std::move(column));
    }
    const QPalette colors = palette();
    const DeltaCells cells(sheet, order, styles, thresholdPercent, colors);
    std::vector<std::vector<TableCell>> rows;
    for (const Value::Array& row : sheet.rows)
        rows.push_back(cells.row(row));
    setTable(std::move(columns), std::move(rows));
    sortByColumn(-1, Qt::AscendingOrder); // sheets are already in the most informative order
    constexpr int widestText = 240;
    for (int c = 0; c < model()->columnCount(); ++c) {
        if (columnWidth(c) > widestText)
            setColumnWidth(c, widestText);
    }
}

} // namespace collscope
