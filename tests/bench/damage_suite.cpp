// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What one damaged byte costs: loading a file with it beside loading the same file without.

#include "tests/bench/child.h"
#include "tests/bench/references.h"
#include "tests/bench/suites.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <array>

namespace collscope::bench {

namespace {

struct Damage
{
    const char* name;
    const char* amid; ///< found in the middle of the file
    int at; ///< of the byte in it
    char byte; ///< what becomes of it
};

constexpr std::array damages{Damage{"a control character in a name", "\"name\": \"", 9, '\x01'},
                             Damage{"a byte that is no UTF-8", "\"name\": \"", 9, '\xff'},
                             Damage{"a quote in a name", "\"name\": \"", 9, '"'},
                             Damage{"a quote is lost", "\"name\": \"", 8, 'x'},
                             Damage{"a bracket is lost", "},", 0, ' '}};

/// Changes a byte of a file for as long as it lives.
class Damaged
{
public:
    Damaged(const QString& path, const Damage& damage)
        : m_file(path)
    {
        if (!m_file.open(QIODevice::ReadWrite) || !m_file.seek(m_file.size() / 2))
            return;
        constexpr qint64 far = 1 << 20;
        const qsizetype found = m_file.read(far).indexOf(damage.amid);
        if (found < 0)
            return;
        m_offset = m_file.size() / 2 + found + damage.at;
        m_file.seek(m_offset);
        m_file.getChar(&m_was);
        put(damage.byte);
    }
    Damaged(const Damaged&) = delete;
    Damaged& operator=(const Damaged&) = delete;
    ~Damaged()
    {
        if (m_offset >= 0)
            put(m_was);
    }
    bool isDone() const { return m_offset >= 0; }

private:
    void put(char byte)
    {
        m_file.seek(m_offset);
        m_file.putChar(byte);
        m_file.flush();
    }

    QFile m_file;
    qint64 m_offset = -1;
    char m_was = 0;
};

} // namespace

void measureDamage(const Settings& settings, Report& report)
{
    const QString suite = QStringLiteral("Load, one damaged byte");
    const int size = settings.smoke ? 6 : 250;
    const QString clean = kinetoFile(settings, QStringLiteral("%1MB/rank0_trace.json").arg(size), size, 0, 1);
    const QString copy = QDir(settings.folder).filePath(QStringLiteral("damaged/rank0_trace.json"));
    QDir().mkpath(QFileInfo(copy).path());
    QFile::remove(copy);
    if (!QFile::copy(clean, copy))
        return report.fail(QStringLiteral("no copy to damage could be made"));
    const double megabytes = static_cast<double>(QFileInfo(clean).size()) / 1e6;
    const std::uint64_t events = measureInChild(2, false, {clean}).events;
    constexpr double required = 0.8;
    for (const Damage& damage : damages) {
        const Damaged damaged(copy, damage);
        if (!damaged.isDone())
            return report.fail(QStringLiteral("the file holds no place for: ")
                               + QString::fromLatin1(damage.name));
        for (const int threads : {1, 2}) {
            std::vector<double> seconds, ratios;
            for (int run = 0; run < settings.runs; ++run) {
                const double reference = measureInChild(threads, false, {clean}).seconds;
                const ChildResult loaded = measureInChild(threads, false, {copy});
                seconds.push_back(loaded.seconds);
                ratios.push_back(reference / loaded.seconds);
                if (loaded.events != events)
                    report.fail(QStringLiteral("%1: %2 events instead of %3")
                                    .arg(QString::fromLatin1(damage.name))
                                    .arg(loaded.events)
                                    .arg(events));
            }
            report.add({suite,
                        QStringLiteral("%1, %2 threads").arg(QString::fromLatin1(damage.name)).arg(threads),
                        megabytes / median(seconds), QStringLiteral("MB/s"), QStringLiteral("the sound file"),
                        median(ratios), QStringLiteral(">= 0.8"),
                        settings.smoke ? std::nullopt : std::optional(median(ratios) >= required)});
        }
    }
    QFile::remove(copy);
}

} // namespace collscope::bench
