// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/pictures/comparison_page.h"

#include <algorithm>
#include <cmath>

namespace collscope {

namespace {

using Section = ComparisonPlot::Section;

QString escaped(const std::string& text)
{
    return QString::fromStdString(text).toHtmlEscaped();
}

QString spaced(const std::string& title)
{
    return escaped(title).replace(u'_', u' ');
}

/// Returns a column heading: the time of the run "fast" is "fast, time ms".
QString headingOf(const ComparedColumn& column, const std::array<std::string, 2>& labels)
{
    const QString name = spaced(column.name);
    if (column.role == ColumnRole::Change)
        return QStringLiteral("change % %1").arg(name).trimmed();
    if (column.role == ColumnRole::Difference)
        return QStringLiteral("change %1").arg(name);
    return column.run < 0
        ? name
        : QStringLiteral("%1, %2").arg(escaped(labels[static_cast<std::size_t>(column.run)]), name);
}

/// Formats a number for display: four digits, and zero without a sign.
QString numberOnPage(const Value& cell)
{
    const double number = numberOf(cell).value_or(0);
    if (number == 0 || (number == std::floor(number) && std::abs(number) < 1e9))
        return QString::number(number == 0 ? 0 : number, 'f', 0);
    const int before = static_cast<int>(std::floor(std::log10(std::abs(number))));
    const QString text = QString::number(number, 'f', std::clamp(3 - before, 0, 4));
    return text.toDouble() == 0 ? QStringLiteral("0") : text;
}

QString tableOf(const Sheet& sheet, const QStringList& headings)
{
    if (sheet.isEmpty())
        return {};
    QString html = QStringLiteral("<table><thead><tr>");
    for (const QString& heading : headings)
        html += QStringLiteral("<th>%1</th>").arg(heading);
    html += QStringLiteral("</tr></thead><tbody>\n");
    for (const Value::Array& row : sheet.rows) {
        html += QStringLiteral("<tr>");
        for (const Value& cell : row) {
            const std::string text = keyText(cell);
            const char* const kind = text == "Better" ? "better" : text == "Worse" ? "worse" : "";
            html += QStringLiteral("<td class=\"%1%2\">%3</td>")
                        .arg(numberOf(cell) ? QStringLiteral("number ") : QString(),
                             QString::fromLatin1(kind), numberOf(cell) ? numberOnPage(cell) : escaped(text));
        }
        html += QStringLiteral("</tr>\n");
    }
    return html + QStringLiteral("</tbody></table>\n");
}

constexpr const char* style
    = "body{font:15px/1.45 Inter,'DejaVu Sans',sans-serif;color:#1c2430;max-width:800px;margin:32px "
      "auto;padding:0 16px}"
      "h1{font-size:26px}h2{font-size:20px;margin-top:36px}img{width:100%;border:1px solid "
      "#dde2e8;margin:10px 0}"
      "table{border-collapse:collapse;width:100%}th,td{border-bottom:1px solid #dde2e8;padding:5px "
      "10px;text-align:left}"
      "td.number{text-align:right;font-variant-numeric:tabular-nums}.better{color:#006100}.worse{color:#"
      "9c0006}"
      "p.note{color:#566070}p.headline{font-size:17px;font-weight:600}";

/// `title`: HTML.
QString beginOfPage(const QString& title)
{
    return QStringLiteral("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>%1</title>"
                          "<style>%2</style></head><body>\n<h1>%1</h1>\n")
        .arg(title, QString::fromLatin1(style));
}

QString pictureOf(const QString& title, const QByteArray& png)
{
    return QStringLiteral("<img alt=\"%1\" src=\"data:image/png;base64,%2\">\n")
        .arg(title.toHtmlEscaped(), QString::fromLatin1(png.toBase64()));
}

QString endOfPage(const std::vector<std::string>& notes)
{
    QString html;
    for (const std::string& note : notes)
        html += QStringLiteral("<p class=\"note\">%1</p>\n").arg(escaped(note));
    return html + QStringLiteral("</body></html>\n");
}

} // namespace

std::string comparisonPage(const std::vector<RunSheets>& runs, const std::vector<PageComparison>& comparisons,
                           const std::vector<PagePicture>& pictures, const std::vector<std::string>& notes)
{
    QString title = escaped(runs.front().label) + QStringLiteral(" and ");
    for (std::size_t i = 1; i < runs.size(); ++i)
        title += (i > 1 ? QStringLiteral(", ") : QString()) + escaped(runs[i].label);
    QString html = beginOfPage(title)
        + QStringLiteral("<p>Changes are the test minus the baseline %1, in percent of the baseline; a "
                         "decrease is negative.</p>\n")
              .arg(escaped(runs.front().label));
    for (std::size_t i = 0; i < comparisons.size(); ++i) {
        html += QStringLiteral("<p class=\"headline\">%1</p>\n").arg(escaped(comparisons[i].headline));
        for (const ComparedSheet& table : comparisons[i].tables) {
            QStringList headings;
            for (const ComparedColumn& column : table.roles)
                headings << headingOf(column, {runs.front().label, runs[i + 1].label});
            html += tableOf(table, headings);
        }
    }
    int number = 0;
    for (const auto& [section, heading] :
         {std::pair(Section::Overall, "Overall GPU metrics"), std::pair(Section::Ranks, "Across the ranks"),
          std::pair(Section::Collectives, "Collectives")}) {
        bool isFirst = true;
        for (const auto& [plot, png] : pictures) {
            if (plot->section != section)
                continue;
            if (std::exchange(isFirst, false))
                html += QStringLiteral("<h2>%1. %2</h2>\n").arg(++number).arg(QString::fromLatin1(heading));
            html += pictureOf(plot->page.title, png);
        }
    }
    return (html + endOfPage(notes)).toStdString();
}

std::string reportPage(const ReportPage& page)
{
    QString html = beginOfPage(page.title.toHtmlEscaped());
    for (const Sheet& table : page.tables) {
        QStringList headings;
        for (const std::string& title : table.columns)
            headings << spaced(title);
        html += tableOf(table, headings);
    }
    for (const auto& [title, png] : page.pictures)
        html += pictureOf(title, png);
    return (html + endOfPage(page.notes)).toStdString();
}

} // namespace collscope
