// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Every ts and dur of real files, and of many written here, is its decimal text as whole nanoseconds: checked
// with another JSON parser and with arithmetic on the digits.

#include "model/readers/byte_source.h"
#include "model/readers/reader.h"
#include "model/readers/text/decimal_time.h"
#include "tests/support/suite/data_folders.h"
#include "tests/support/suite/suite.h"
#include "tests/support/texts/fragment_text.h"

#include <QDir>
#include <QFileInfo>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <random>

namespace collscope {

namespace {

using Times = std::vector<std::pair<std::int64_t, std::int64_t>>; ///< start and duration, ns

/// The text of a number of microseconds, moved by three decimals; halves go to the even neighbour.
std::int64_t nanoseconds(std::string text)
{
    const bool negative = text.starts_with('-');
    text.erase(0, negative ? 1 : 0);
    const std::size_t point = text.find('.');
    std::string decimals = point == std::string::npos ? "" : text.substr(point + 1);
    std::string digits = text.substr(0, point);
    while (decimals.size() < 3)
        decimals += '0';
    digits += decimals.substr(0, 3);
    std::int64_t value = std::stoll(digits);
    const std::string rest = decimals.substr(3);
    if (!rest.empty()) {
        const std::string half = "5" + std::string(rest.size() - 1, '0');
        value += rest > half || (rest == half && value % 2 != 0) ? 1 : 0;
    }
    return negative ? -value : value;
}

/// Takes the text of ts and dur of each X event, wherever else such keys occur.
class Collector : public nlohmann::json_sax<nlohmann::json>
{
public:
    Times times;
    bool hasPairs = false; ///< B and E events: their durations are differences

    bool null() override { return true; }
    bool boolean(bool) override { return true; }
    bool number_integer(number_integer_t value) override { return number(std::to_string(value)); }
    bool number_unsigned(number_unsigned_t value) override { return number(std::to_string(value)); }
    bool number_float(number_float_t, const string_t& text) override { return number(text); }
    bool string(string_t& text) override
    {
        if (isField("ph"))
            m_phase = text;
        return number(text);
    }
    bool binary(binary_t&) override { return true; }
    bool start_object(std::size_t) override
    {
        if (++m_depth == m_eventDepth)
            m_phase = m_ts = m_dur = "";
        return true;
    }
    bool end_object() override
    {
        if (m_depth-- == m_eventDepth && m_inEvents) {
            hasPairs |= m_phase == "B";
            if (m_phase == "X" && !m_ts.empty())
                times.emplace_back(nanoseconds(m_ts), m_dur.empty() ? 0 : nanoseconds(m_dur));
        }
        return true;
    }
    bool start_array(std::size_t) override
    {
        ++m_depth;
        if (!m_inEvents && (m_depth == 1 || (m_depth == 2 && m_key == "traceEvents"))) {
            m_inEvents = true;
            m_eventDepth = m_depth + 1;
        }
        return true;
    }
    bool end_array() override
    {
        if (m_depth-- == m_eventDepth - 1)
            m_inEvents = false;
        return true;
    }
    bool key(string_t& text) override
    {
        m_key = text;
        return true;
    }
    bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) override
    {
        return false;
    }

private:
    bool isField(const char* name) const { return m_inEvents && m_depth == m_eventDepth && m_key == name; }
    bool number(const std::string& text)
    {
        if (isField("ts"))
            m_ts = text;
        else if (isField("dur"))
            m_dur = text;
        return true;
    }

    int m_depth = 0;
    int m_eventDepth = -1;
    bool m_inEvents = false;
    std::string m_key, m_phase, m_ts, m_dur;
};

Times timesOf(const TraceFragment& fragment)
{
    Times times;
    for (const Track& track : fragment.tracks) {
        for (std::size_t row = 0; row < track.slices.size(); ++row)
            times.emplace_back(track.slices.startNs[row], track.slices.durationNs[row]);
    }
    std::sort(times.begin(), times.end());
    return times;
}

std::string wholeText(const std::string& path)
{
    std::string text;
    const auto source = ByteSource::open(path);
    std::string piece(std::size_t{1} << 20, '\0');
    for (std::size_t got = piece.size(); source && got == piece.size();) {
        got = (*source)->read(piece);
        text.append(piece, 0, got);
    }
    return text;
}

} // namespace

class TestExactTimes : public QObject
{
    Q_OBJECT

private slots:
    void realFiles_data()
    {
        QTest::addColumn<QString>("path");
        for (const QString& path : allTraces({QStringLiteral("json"), QStringLiteral("json.gz")})) {
            // Sanitizers make parsing twice slow; files of this size hold every kind of stamp.
            if (QFileInfo(path).size() < (4 << 20))
                QTest::newRow(qPrintable(traceLabel(path))) << path;
        }
    }
    void realFiles()
    {
        QFETCH(QString, path);
        const std::string text = wholeText(path.toStdString());
        Collector expected;
        const bool isRead = nlohmann::json::sax_parse(text, &expected);
        if (!isRead || expected.times.empty() || expected.hasPairs) {
            QVERIFY2(!path.startsWith(generatedRun()), "a generated trace has times");
            return; // no trace, a damaged one, or one whose durations are differences
        }
        const auto fragment = readKineto(text);
        QVERIFY(fragment.has_value());
        std::sort(expected.times.begin(), expected.times.end());
        QVERIFY(timesOf(*fragment) == expected.times);
    }
    void stampsOfEveryLength()
    {
        std::mt19937_64 random(7);
        std::string text = "{\"traceEvents\": [";
        Collector expected;
        for (int i = 0; i < 20'000; ++i) {
            std::string stamp = std::to_string(1 + random() % 9);
            for (std::uint64_t digits = random() % 15; digits > 0; --digits)
                stamp += static_cast<char>('0' + random() % 10);
            if (random() % 8 != 0) {
                stamp += '.';
                for (std::uint64_t decimals = 1 + (random() % 4 == 0 ? random() % 8 : 2); decimals > 0;
                     --decimals)
                    stamp += static_cast<char>('0' + random() % 10);
            }
            const std::string duration
                = std::to_string(random() % 100'000) + "." + std::to_string(100 + random() % 900);
            text += std::string(i > 0 ? "," : "") + "{\"ph\":\"X\",\"name\":\"a\",\"pid\":1,\"tid\":1,\"ts\":"
                + stamp + ",\"dur\":" + duration + "}";
            expected.times.emplace_back(nanoseconds(stamp), nanoseconds(duration));
        }
        const auto fragment = readKineto(text + "]}");
        QVERIFY(fragment.has_value());
        QCOMPARE(fragment->source.excluded, std::uint64_t{0});
        std::sort(expected.times.begin(), expected.times.end());
        QVERIFY(timesOf(*fragment) == expected.times);
    }
    void digitsAreDigits()
    {
        // Characters beside the digits in ASCII, in each of the places that are read together.
        for (const char wrong : {'/', ':', 'a', ' ', '-', '\x80'}) {
            for (std::size_t at = 0; at < 17; ++at) {
                std::string stamp = "4458676500019.396";
                if (stamp[at] == '.')
                    continue;
                stamp[at] = wrong;
                const bool blank = wrong == ' ' && (at == 0 || at == 16);
                const bool minus = wrong == '-' && at == 0;
                QVERIFY2(nanosecondsFromMicroseconds(stamp).has_value() == (blank || minus), stamp.c_str());
            }
        }
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestExactTimes)
#include "tst_exact_times.moc"
