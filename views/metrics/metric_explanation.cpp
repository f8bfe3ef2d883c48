// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/metrics/metric_explanation.h"

#include "views/common/format.h"
#include "views/common/theme.h"

#include <QCoreApplication>
#include <QLocale>
#include <QStringList>
#include <QUrl>

#include <cmath>

namespace collscope {

namespace {

constexpr std::size_t mostEntries = 12;

struct ExplanationText
{
    Q_DECLARE_TR_FUNCTIONS(MetricExplanation)
};

QString escaped(std::string_view text)
{
    return toText(text).toHtmlEscaped();
}

QString dim(const QString& html, const QPalette& palette)
{
    return QStringLiteral("<span style='color:%1'>%2</span>").arg(surfaces(palette).dimText.name(), html);
}

/// Six digits are enough to read; the exact number is in the JSON and under "Copy number".
QString readable(double value)
{
    return std::trunc(value) == value && std::abs(value) < 1e15
        ? QLocale().toString(static_cast<qlonglong>(value))
        : QLocale().toString(value, 'g', 6);
}

QString scalarText(const Value& value)
{
    if (const auto* flag = value.as<bool>())
        return *flag ? ExplanationText::tr("yes") : ExplanationText::tr("no");
    if (const auto* whole = value.as<std::int64_t>())
        return QLocale().toString(static_cast<qlonglong>(*whole));
    if (const auto* number = value.as<double>())
        return readable(*number);
    if (value.as<Decimal>())
        return toText(numberTextOf(value));
    if (const auto* text = value.as<std::string>())
        return escaped(*text);
    return QStringLiteral("\u2013");
}

/// Formats a nested object or list on one line: "a 1, b 2, ...".
QString inlineText(const Value& value)
{
    QStringList parts;
    std::size_t total = 0;
    const auto add = [&](const QString& label, const Value& element) {
        if (++total > mostEntries)
            return;
        const bool nested = element.as<Value::Object>() || element.as<Value::Array>();
        parts << (label.isEmpty() ? QString() : label + u' ')
                + (nested ? QStringLiteral("\u2026") : scalarText(element));
    };
    if (const auto* object = value.as<Value::Object>()) {
        for (const auto& [key, element] : *object)
            add(escaped(key), element);
    } else if (const auto* array = value.as<Value::Array>()) {
        for (const Value& element : *array)
            add({}, element);
    } else {
        return scalarText(value);
    }
    if (total > mostEntries)
        parts << ExplanationText::tr("\u2026 %1 in total").arg(total);
    return parts.isEmpty() ? QStringLiteral("\u2013") : parts.join(QStringLiteral(", "));
}

/// "exposed_ms" as a heading: "exposed ms". Long words may be divided: the panel is narrow.
QString headingOf(std::string_view key)
{
    constexpr qsizetype longest = 8;
    const QString text = toText(key).replace(QLatin1String("_percent"), QLatin1String("_%"));
    QStringList words = text.split(QLatin1Char('_'));
    for (QString& word : words) {
        if (word.size() > longest)
            word.insert((word.size() + 1) / 2, QChar(QChar::SoftHyphen));
    }
    return words.join(QLatin1Char(' ')).toHtmlEscaped();
}

/// Entries that all have the same few figures, such as those of each rank, as a table with a line for each
/// entry; empty for other details.
QString figureTable(std::string_view title, const Value::Object& entries, const QPalette& palette)
{
    constexpr std::size_t mostFigures = 6;
    const auto* first = entries.empty() ? nullptr : entries.front().second.as<Value::Object>();
    if (entries.size() < 2 || !first || first->empty() || first->size() > mostFigures)
        return {};
    const auto cell = [](const QString& html) {
        return QStringLiteral("<td align='right' style='padding-left:6px'>%1</td>").arg(html);
    };
    QString rows = QStringLiteral("<tr><td>%1</td>").arg(dim(headingOf(title), palette));
    for (const auto& [key, figure] : *first)
        rows += cell(dim(headingOf(key), palette));
    rows += QStringLiteral("</tr>");
    std::size_t shown = 0;
    for (const auto& [name, entry] : entries) {
        const auto* figures = entry.as<Value::Object>();
        if (!figures || figures->size() != first->size())
            return {};
        QString row = QStringLiteral("<tr><td>%1</td>").arg(escaped(name));
        for (std::size_t i = 0; i < figures->size(); ++i) {
            const Value& figure = (*figures)[i].second;
            if ((*figures)[i].first != (*first)[i].first || figure.as<Value::Object>()
                || figure.as<Value::Array>())
                return {};
            const auto* number = figure.as<double>();
            const bool hasFraction = number && std::abs(*number) < 1e4;
            row += cell(hasFraction  ? QLocale().toString(*number, 'g', 4)
                            : number ? QLocale().toString(*number, 'f', 0)
                                     : scalarText(figure));
        }
        if (++shown <= mostEntries)
            rows += row + QStringLiteral("</tr>");
    }
    if (shown > mostEntries)
        rows += QStringLiteral("<tr><td colspan='%1'>%2</td></tr>")
                    .arg(first->size() + 1)
                    .arg(dim(ExplanationText::tr("%1 more in the JSON").arg(shown - mostEntries), palette));
    return QStringLiteral("<table cellspacing=0>%1</table>").arg(rows);
}

QString detailTable(const Value::Object& details, const QPalette& palette)
{
    QString rows;
    QStringList tables; // after the other details
    const auto addRow = [&](const QString& key, const QString& text) {
        rows += QStringLiteral("<tr><td style='padding-right:10px'>%1</td><td>%2</td></tr>")
                    .arg(dim(key, palette), text);
    };
    for (const auto& [key, value] : details) {
        const auto* object = value.as<Value::Object>();
        if (!object) {
            addRow(escaped(key), inlineText(value));
            continue;
        }
        if (const QString figures = figureTable(key, *object, palette); !figures.isEmpty()) {
            tables << figures;
            continue;
        }
        addRow(escaped(key), object->empty() ? QStringLiteral("\u2013") : QString());
        std::size_t shown = 0;
        for (const auto& [inner, element] : *object) {
            if (++shown > mostEntries) {
                addRow({},
                       dim(ExplanationText::tr("%1 more in the JSON").arg(object->size() - mostEntries),
                           palette));
                break;
            }
            addRow(QStringLiteral("&nbsp;&nbsp;") + escaped(inner), inlineText(element));
        }
    }
    if (!rows.isEmpty())
        tables.prepend(QStringLiteral("<table cellspacing=0>%1</table>").arg(rows));
    return tables.join(QStringLiteral("<p></p>"));
}

QString heading(const QString& text)
{
    return QStringLiteral("<p style='margin-bottom:2px'><b>%1</b></p>").arg(text);
}

QString list(const std::vector<std::string>& lines)
{
    QString html;
    for (const std::string& line : lines)
        html += QStringLiteral("<div>%1</div>").arg(escaped(line));
    return html;
}

QString valueLine(const MetricResult& result)
{
    if (!result.value)
        return {};
    QString unit = toText(result.unit);
    const QString number = formatMetric(*result.value, unit);
    return QStringLiteral("<span style='font-size:x-large'>%1</span> %2")
        .arg(number.toHtmlEscaped(), unit == QLatin1String("count") ? QString() : unit.toHtmlEscaped());
}

QString referenceList(const std::vector<ReferenceValue>& references, const std::string& unit)
{
    QString html;
    for (const ReferenceValue& reference : references)
        html += QStringLiteral("<div>%1</div>")
                    .arg(ExplanationText::tr("%1 reports %2: %3")
                             .arg(escaped(reference.tool),
                                  !reference.value ? ExplanationText::tr("different values")
                                      : reference.isSentinel
                                      ? readable(*reference.value)
                                      : readable(*reference.value) + u' ' + escaped(unit),
                                  escaped(reference.whyDifferent)));
    return html;
}

} // namespace

QString metricExplanation(const MetricRequest& request, const MetricResult& result, const QPalette& palette)
{
    QString html = QStringLiteral("<p><b>%1</b> %2<br>%3</p>")
                       .arg(escaped(request.metric->title), dim(escaped(request.name), palette),
                            escaped(request.metric->meaning));
    if (result.value)
        html += QStringLiteral("<p>%1</p>").arg(valueLine(result));
    if (!result.reason.empty())
        html += QStringLiteral("<p>%1</p>").arg(escaped(result.reason));
    QStringList facts;
    for (const std::string& fact : {result.scope, result.window, result.reduction, result.source}) {
        if (!fact.empty())
            facts << escaped(fact);
    }
    if (!facts.isEmpty())
        html += QStringLiteral("<p>%1</p>").arg(dim(facts.join(QStringLiteral(" \u00b7 ")), palette));
    for (const std::string& warning : result.warnings)
        html += QStringLiteral("<div style='color:%1'>%2</div>")
                    .arg(surfaces(palette).worse.name(), escaped(warning));
    html += heading(ExplanationText::tr("Formula"))
        + QStringLiteral("<div>%1</div>").arg(escaped(result.definition));
    const QString page = request.user ? QStringLiteral("user_metrics")
                                      : QStringLiteral("metrics#")
            + QString::fromLatin1(QUrl::toPercentEncoding(toText(request.metric->title)));
    html += QStringLiteral("<div><a href='guide:%1'>%2</a></div>")
                .arg(page, ExplanationText::tr("Open in the guide"));
    if (!result.inputs.empty())
        html += heading(ExplanationText::tr("Calculated from")) + list(result.inputs);
    if (!result.references.empty())
        html += heading(ExplanationText::tr("Other tools")) + referenceList(result.references, result.unit);
    const QString details = detailTable(result.details, palette);
    if (!details.isEmpty())
        html += heading(ExplanationText::tr("Details")) + details;
    return html;
}

} // namespace collscope
