// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/readers/run/reduced_task.h"

#include "model/partial/fragment_archive.h"
#include "model/readers/run/file_identity.h"
#include "model/readers/run/file_reading.h"

#include <algorithm>
#include <filesystem>
#include <stop_token>

namespace collscope {

namespace fs = std::filesystem;

namespace {

const ReaderDescriptor* readerNamed(const std::string& id)
{
    const auto readers = allReaders();
    const auto found = std::find_if(readers.begin(), readers.end(),
                                    [&](const ReaderDescriptor* reader) { return reader->id == id; });
    return found == readers.end() ? nullptr : *found;
}

/// Lets a fragment that was read from a copy name the file that was planned.
void nameOriginal(const SourceFile& file, TraceFragment& fragment)
{
    const auto rename = [&](std::string& path) {
        if (path == file.path)
            path = file.originalPath;
    };
    rename(fragment.source.path);
    if (fragment.card)
        rename(fragment.card->path);
    if (fragment.trainConfig)
        rename(fragment.trainConfig->path);
    Diagnostics problems;
    for (Diagnostic problem : fragment.problems.entries()) {
        rename(problem.file);
        problems.merge(problem);
    }
    fragment.problems = std::move(problems);
}

/// Reads the files of a task one by one, or several at a time.
class TaskReading
{
public:
    TaskReading(const TaskFiles& files, const LoadContext& context,
                const std::function<void(TraceFragment&)>& reduce, const SectionSink& keep)
        : m_files(files)
        , m_context(context)
        , m_reduce(reduce)
        , m_keep(keep)
        , m_reading(files.load, context)
        , m_kept(files.places.size())
    { }

    Status run();

private:
    void readOne(std::size_t file, const Parallel& parallel);
    void pack(std::size_t file);
    void keep(std::size_t file, PackedSection section);
    bool mustStop() const { return m_failed.stop_requested() || m_context.stop.stop_requested(); }

    const TaskFiles& m_files;
    const LoadContext& m_context;
    const std::function<void(TraceFragment&)>& m_reduce;
    const SectionSink& m_keep;
    FileReading m_reading;
    std::vector<Status> m_kept; ///< by file: what `keep` returned
    std::stop_source m_failed; ///< one of them is an error
};

void TaskReading::keep(std::size_t file, PackedSection section)
{
    m_kept[file] = m_keep(std::move(section));
    if (!m_kept[file])
        m_failed.request_stop();
}

void TaskReading::pack(std::size_t file)
{
    Result<TraceFragment>* const read = m_reading.result(file);
    const std::uint32_t place = m_files.places[file];
    PackedSection section;
    if (!read) {
        section = failedSection(place, Error{Error::Kind::TooLarge, m_reading.refusal()});
    } else if (!*read) {
        section = failedSection(place, read->error());
    } else {
        if (!m_files.load.files[file].file.originalPath.empty())
            nameOriginal(m_files.load.files[file].file, **read);
        m_reduce(**read);
        const PackedFragment packed = packFragment(**read);
        section = packSection(place, packed.bytes, packed.stored);
    }
    m_reading.forget(file);
    keep(file, std::move(section));
}

void TaskReading::readOne(std::size_t file, const Parallel& parallel)
{
    if (mustStop())
        return;
    const Status unchanged
        = checkUnchanged(m_files.load.files[file].file.path, m_files.planned[file].identity);
    if (!unchanged) {
        keep(file, failedSection(m_files.places[file], unchanged.error()));
        return;
    }
    m_reading.read(file, parallel);
    if (!m_reading.wasRefused(file) && !mustStop())
        pack(file);
}

Status TaskReading::run()
{
    const std::size_t count = m_files.places.size();
    if (count < static_cast<std::size_t>(m_context.parallel.threads())) {
        for (std::size_t file = 0; file < count; ++file)
            readOne(file, m_context.parallel);
    } else {
        m_context.parallel.forEach(count, [&](std::size_t file) { readOne(file, Parallel()); });
    }
    if (!mustStop())
        m_reading.readRefusedAgain([&](std::size_t file) {
            if (!m_reading.wasRefused(file) && !mustStop())
                pack(file);
        });
    for (std::size_t file = 0; file < count && !mustStop(); ++file) {
        if (m_reading.wasRefused(file))
            pack(file);
    }
    const auto failed = std::find_if(m_kept.begin(), m_kept.end(), [](const Status& kept) { return !kept; });
    if (failed != m_kept.end())
        return *failed;
    if (m_context.stop.stop_requested())
        return Error{Error::Kind::Cancelled, "Reducing was cancelled."};
    return {};
}

} // namespace

SourceFile sourceOf(const ReducePlan::File& file)
{
    SourceFile source{file.path, file.identity.bytes, file.iteration, file.nameRank};
    source.chosenRank = file.chosenRank;
    source.process = file.process;
    return source;
}

std::set<std::uint32_t> placesOfTask(const ReducePlan& plan, std::uint32_t task)
{
    std::set<std::uint32_t> places;
    for (std::uint32_t place = 0; place < plan.files.size(); ++place) {
        if (plan.files[place].task == task)
            places.insert(places.end(), place);
    }
    return places;
}

TaskFiles filesToRead(const ReducePlan& plan, const std::set<std::uint32_t>& places,
                      const std::string& copies)
{
    const fs::path run = runFolder(plan);
    TaskFiles files;
    files.load.paths = plan.paths;
    files.load.path = plan.paths.empty() ? std::string() : plan.paths.front();
    for (const std::uint32_t place : places) {
        const ReducePlan::File& file = plan.files[place];
        SourceFile source = sourceOf(file);
        if (!copies.empty()) {
            source.originalPath = source.path;
            source.path = (fs::path(copies) / fs::path(file.path).lexically_relative(run)).string();
        }
        files.load.files.push_back({std::move(source), readerNamed(file.reader)});
        files.places.push_back(place);
        files.planned.push_back(file);
    }
    return files;
}

TaskFiles filesOfTask(const ReducePlan& plan, std::uint32_t task)
{
    return filesToRead(plan, placesOfTask(plan, task));
}

Status reduceFiles(const TaskFiles& files, const LoadContext& context,
                   const std::function<void(TraceFragment&)>& reduce, const SectionSink& keep)
{
    return TaskReading(files, context, reduce, keep).run();
}

bool isPartWhole(const std::string& path, std::uint64_t plan, std::uint32_t task)
{
    const auto index = readPartIndex(path);
    return index && index->isOf(plan, task)
        && std::all_of(index->sections.begin(), index->sections.end(), [](const auto& section) {
               return section.second.failure.empty() && isSectionSound(section.second)
                   && readPartSection(section.second);
           });
}

} // namespace collscope
