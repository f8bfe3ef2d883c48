// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What one task of a reduced run reads: the files that were planned, also from copies, and no others.

#include "model/readers/run/load_trace.h"
#include "model/readers/run/reduced_run.h"
#include "model/readers/run/reduced_task.h"
#include "tests/support/suite/run_folder.h"
#include "tests/support/suite/suite.h"
#include "tests/support/workloads/planted_run.h"

#include <chrono>
#include <filesystem>
#include <fstream>

namespace collscope {

namespace fs = std::filesystem;

namespace {

constexpr const char* version = COLLSCOPE_VERSION;

} // namespace

class TestReducedTask : public QObject
{
    Q_OBJECT

private:
    RunFolder m_folder;
    int m_runs = 0;

    /// Two ranks.
    std::string smallRun()
    {
        const std::string folder = m_folder.path("small" + std::to_string(++m_runs));
        PlantedPlan plan;
        plan.ranks = 2;
        plan.steps = 3;
        fs::create_directories(folder);
        writePlanted(plan, folder);
        return folder;
    }
    /// What the only task of a plan reads.
    static std::vector<PackedSection> sectionsOf(const ReducePlan& plan, const std::string& copies = {})
    {
        std::vector<PackedSection> sections;
        const auto keep = [&](PackedSection section) -> Status {
            sections.push_back(std::move(section));
            return {};
        };
        const TaskFiles files = filesToRead(plan, placesOfTask(plan, 0), copies);
        return reduceFiles(
                   files, {}, [](TraceFragment&) {}, keep)
            ? sections
            : std::vector<PackedSection>();
    }

private slots:
    void changedFilesAreNotRead()
    {
        const std::string run = smallRun();
        const auto found = planLoad({run}, {});
        const std::string text = planText(reducePlan(*found, 1, Kept::WhatMetricsRead, version));
        std::ofstream(found->files[0].file.path, std::ios::app) << ' ';
        fs::remove(found->files[1].file.path);
        const auto plan = parsePlan(text);
        const auto sections = sectionsOf(*plan);
        QCOMPARE(sections.size(), std::size_t{2});
        QVERIFY(sections[0].place.failure.find("was changed") != std::string::npos);
        QVERIFY(sections[1].place.failure.find("does not exist") != std::string::npos);
    }
    /// A plan follows from names and contents: that of a copy, made later, has other paths and nothing else.
    void aCopyHasTheSamePlan()
    {
        const std::string run = smallRun(), copy = m_folder.path("a copy");
        fs::copy(run, copy, fs::copy_options::recursive);
        for (const auto& entry : fs::recursive_directory_iterator(copy))
            fs::last_write_time(entry.path(), fs::file_time_type::min() + std::chrono::hours(1));
        const auto planOf = [&](const std::string& folder) {
            const auto found = planLoad({folder}, {});
            QString text
                = QString::fromStdString(planText(reducePlan(*found, 2, Kept::WhatMetricsRead, version)));
            return text.replace(QString::fromStdString(folder), QStringLiteral("RUN"));
        };
        const QString plan = planOf(run);
        QVERIFY(plan.contains(QStringLiteral("RUN/")));
        QCOMPARE(planOf(copy), plan);
    }
    /// What a card says can depend on the name of its folder: that of the original, not of the copy.
    void copiesAreReadLikeTheirOriginals()
    {
        const std::string run = smallRun() + "/batch_8";
        fs::create_directories(run);
        writeFile(run + "/workload_card.yaml", "workload:\n  data:\n    batch_size: [4, 8]\n");
        writeFile(run + "/rank0_trace.json", R"({"traceEvents":[{"ph":"X","ts":1,"dur":)");
        const auto found = planLoad({run}, {});
        QVERIFY(found);
        const ReducePlan plan = reducePlan(*found, 1, Kept::Everything, version);
        const std::string copies = m_folder.path("batch_4");
        fs::copy(run, copies, fs::copy_options::recursive);
        const auto partOf
            = [&](const std::string& folder) { return partBytes(1, 0, sectionsOf(plan, folder)); };
        const std::string part = partOf({});
        QCOMPARE(plan.files.size(), std::size_t{2});
        QVERIFY(part.find("does not exist") == std::string::npos);
        fs::rename(run, run + " away");
        QVERIFY(partOf(copies) == part);
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestReducedTask)
#include "tst_reduced_task.moc"
