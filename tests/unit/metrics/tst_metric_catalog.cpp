// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/export/written_report.h"
#include "tests/support/suite/suite.h"

#include <cctype>
#include <memory>
#include <set>

namespace collscope {

class TestMetricCatalog : public QObject
{
    Q_OBJECT

private slots:
    void descriptorsAreComplete()
    {
        std::set<std::string_view> names;
        for (const MetricDescriptor& metric : allMetrics()) {
            QVERIFY(names.insert(metric.id).second);
            for (const char c : metric.id)
                QVERIFY2(c == '_' || std::islower(static_cast<unsigned char>(c))
                             || std::isdigit(static_cast<unsigned char>(c)),
                         metric.id.data());
            for (const std::string_view text :
                 {metric.title, metric.group, metric.unit, metric.needs, metric.meaning, metric.definition})
                QVERIFY2(!text.empty(), metric.id.data());
            QVERIFY(metric.compute != nullptr);
            for (const MetricAlias& alias : metric.aliases)
                QVERIFY2(names.insert(alias.id).second, alias.id.data());
        }
    }
    /// A row for a metric that does not exist, or rows of a metric that do not stand together, would be lost.
    void everyOtherNameBelongsToAMetric()
    {
        std::size_t found = 0;
        for (const MetricDescriptor& metric : allMetrics())
            found += metric.aliases.size();
        QCOMPARE(found, allAliases().size());
    }
    /// A part has its own name and figure; what it leaves open is as in the whole, which stands before it.
    void partsFollowTheirWhole()
    {
        std::size_t parts = 0;
        const MetricDescriptor* whole = nullptr;
        for (const MetricDescriptor& metric : allMetrics()) {
            if (!metric.whole) {
                whole = &metric;
                continue;
            }
            ++parts;
            QVERIFY2(metric.whole == whole, metric.id.data());
            QVERIFY2(metric.group == whole->group, metric.id.data());
            QVERIFY2(metric.title != whole->title && metric.compute != whole->compute, metric.id.data());
        }
        QVERIFY(parts > 0);
        QVERIFY2(allMetrics().size() - parts <= 70, "a further figure of a metric is a part of it");
    }
    void everyNameIsFound()
    {
        for (const MetricDescriptor& metric : allMetrics()) {
            QVERIFY(findMetric(metric.id).has_value());
            QVERIFY(findMetric(metric.id)->metric == &metric);
            QVERIFY(findMetric(std::string(metric.id) + "_16").has_value());
            QVERIFY(findMetric(std::string(metric.id) + "_group_6").has_value());
            for (const MetricAlias& alias : metric.aliases)
                QVERIFY2(findMetric(alias.id).has_value(), alias.id.data());
        }
        QVERIFY(!findMetric("average_mood"));
        QVERIFY(!findMetric(""));
    }
    void misspeltNamesGetThreeSuggestions()
    {
        const std::vector<std::string> near = nearestMetrics("avg_step_tim");
        QCOMPARE(near.size(), std::size_t{3});
        QCOMPARE(near[0], std::string("avg_step_time"));
    }
    void anEmptyRunHasNoValuesButReasons()
    {
        const TraceModel empty;
        for (const MetricDescriptor& metric : allMetrics()) {
            const MetricResult result = evaluate(empty, *findMetric(metric.id), MetricOptions());
            QVERIFY2(result.state == MetricState::MissingInput || result.state == MetricState::NotApplicable,
                     metric.id.data());
            QVERIFY2(!result.reason.empty(), metric.id.data());
            QVERIFY(!result.value.has_value());
        }
    }
    void numbersReadBack()
    {
        QCOMPARE(numberText(3), std::string("3"));
        QCOMPARE(numberText(0.1), std::string("0.1"));
        QCOMPARE(numberText(-2.5), std::string("-2.5"));
        QCOMPARE(numberText(11059200), std::string("11059200"));
        for (const double value : {1.0 / 3, 66.50224775224775, 1e-9, 123456789012.25})
            QCOMPARE(std::stod(numberText(value)), value);
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestMetricCatalog)
#include "tst_metric_catalog.moc"
