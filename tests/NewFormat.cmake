# SPDX-FileCopyrightText: 2026 The Collscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# cmake -DROOT=<source dir> -DFOLDER=<for copies> -DCOMPILER=<C++ compiler> -P NewFormat.cmake
# Shows that a new input format needs its reader, its row in the table (with its SourceKind) and a place in the list of
# readers, and nothing else: adds a format to a copy of model/ and asks a program that is built with it how it loads a run.
cmake_minimum_required(VERSION 3.25)
set(source ${FOLDER}/source)

# Writes only what differs, so that a second run compiles nothing.
function(write file text)
    file(CONFIGURE OUTPUT ${source}/${file} CONTENT "${text}" @ONLY)
endfunction()

function(copy_with file old new)
    file(READ ${ROOT}/${file} text)
    string(FIND "${text}" "${old}" place)
    if(place EQUAL -1)
        message(FATAL_ERROR "${file} does not contain: ${old}")
    endif()
    string(REPLACE "${old}" "${new}" text "${text}")
    write(${file} "${text}")
endfunction()

function(run what)
    execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE messages ERROR_VARIABLE messages)
    if(NOT result EQUAL 0)
        message(FATAL_ERROR "${what}: ${messages}")
    endif()
endfunction()

set(changed model/source_traits.h model/source_traits.cpp model/readers/CMakeLists.txt)
file(GLOB_RECURSE files RELATIVE ${ROOT} ${ROOT}/model/*.h ${ROOT}/model/*.cpp ${ROOT}/model/*.txt)
list(REMOVE_ITEM files ${changed})
foreach(file IN LISTS files ITEMS CMakeLists.txt)
    configure_file(${ROOT}/${file} ${source}/${file} COPYONLY)
endforeach()

# 1. the row, with its SourceKind
copy_with(model/source_traits.h "    Perfetto\n};" "    Perfetto,\n    Pings\n};")
file(READ ${source}/model/source_traits.h text)
string(REPLACE "lastSourceKind = SourceKind::Perfetto" "lastSourceKind = SourceKind::Pings" text "${text}")
write(model/source_traits.h "${text}")
copy_with(model/source_traits.cpp "     .isRanked = true},\n};" "     .isRanked = true},
    {.kind = SourceKind::Pings,
     .name = \"pings\",
     .endings = {\".pings\"},
     .holdsTimeline = true,
     .countsEvents = true,
     .isRanked = true,
     .isIterated = true},
};")
# 2. the list of readers
copy_with(model/readers/CMakeLists.txt " xplaneReader)" " xplaneReader pingsReader)")
file(READ ${source}/model/readers/CMakeLists.txt text)
string(REPLACE " xla/xplane.cpp" " xla/xplane.cpp pings.cpp" text "${text}")
write(model/readers/CMakeLists.txt "${text}")
# 3. the reader: lines of a time in ns and a name
write(model/readers/pings.cpp [[
#include "model/readers/text/measurement_text.h"
#include <charconv>
#include <sstream>
namespace collscope {
namespace {
Sniff sniffPings(std::string_view, std::string_view head)
{
    return head.starts_with("#pings") ? Sniff::Yes : Sniff::No;
}
Result<TraceFragment> readPings(const SourceFile& file, const ReadContext& context)
{
    TraceFragment fragment = fragmentOf(file, SourceKind::Pings);
    const auto text = readText(file, context, fragment.problems);
    if (!text)
        return text.error();
    FragmentBuilder builder(fragment.strings);
    const std::uint32_t track = builder.track(TrackKind::CpuThread, "1", "1");
    std::istringstream lines(*text);
    std::string line;
    std::getline(lines, line);
    while (std::getline(lines, line)) {
        if (line.starts_with("rank ")) {
            fragment.contentRank = std::stoi(line.substr(5));
            continue;
        }
        ++fragment.source.eventsInFile;
        std::int64_t timeNs = 0;
        const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), timeNs);
        if (error != std::errc() || *end != ' ') {
            ++fragment.source.excluded;
            fragment.problems.add(Severity::DataLoss, "bad_ping", file.path, 0, "A line has no time.", 1);
            continue;
        }
        builder.addInstant(track, timeNs, fragment.strings.intern(end + 1));
        ++fragment.source.shown;
    }
    Timeline timeline;
    timeline.kind = SourceKind::Pings;
    timeline.iteration = file.iteration;
    builder.finish(fragment, std::move(timeline));
    return fragment;
}
} // namespace
extern const ReaderDescriptor pingsReader;
const ReaderDescriptor pingsReader{"pings", "Pings", SourceKind::Pings, sniffPings, readPings};
} // namespace collscope
]])

# What asks. Of the rest of the program nothing is needed.
foreach(folder metrics app)
    write(${folder}/CMakeLists.txt "")
endforeach()
write(tests/CMakeLists.txt "add_executable(new_format main.cpp)\ntarget_link_libraries(new_format PRIVATE collscope_readers)\n")
write(tests/main.cpp [[
#include "model/readers/run/examine.h"
#include "model/readers/run/reduced_run.h"
#include "model/readers/run/reduced_task.h"
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
using namespace collscope;
namespace {
int wrong = 0;
void expect(bool isRight, const char* what)
{
    wrong += isRight ? 0 : 1;
    if (!isRight)
        std::printf("the new format: %s\n", what);
}
void write(const std::filesystem::path& path, std::string_view text)
{
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
}
/// The names of the pings of each rank, and the kind of its timeline.
std::map<std::int32_t, std::string> pingsOf(const TraceModel& model)
{
    std::map<std::int32_t, std::string> pings;
    for (const Timeline& timeline : model.timelines) {
        std::string& text = pings[timeline.rank];
        text += std::string(sourceKindName(timeline.kind)) + ' ' + std::to_string(timeline.iteration) + ':';
        for (const TrackId track : timeline.tracks) {
            for (const StringId name : model.track(track).instants.name)
                text.append(" ").append(model.text(name));
        }
    }
    return pings;
}
std::map<std::int32_t, std::string> pingsIn(const std::string& folder, const LoadOptions& options = {})
{
    const auto plan = planLoad({folder}, options);
    const auto model = plan ? loadTrace(*plan, {}) : Result<TraceModelPtr>(plan.error());
    if (!model)
        std::puts(model.error().message.c_str());
    return model ? pingsOf(**model) : std::map<std::int32_t, std::string>();
}
} // namespace
int main(int, char** arguments)
{
    const std::filesystem::path folder = arguments[1];
    const std::string run = (folder / "run").string();
    std::filesystem::remove_all(folder);
    // The rank by the content, by the name, and by the order of the names.
    write(run + "/iteration_1/rank0.pings", "#pings\n5 old\n");
    write(run + "/iteration_2/a.pings", "#pings\n7 late\n2 early\nno time\n");
    write(run + "/iteration_2/rank1.pings", "#pings\n3 named\n");
    write(run + "/iteration_2/rank3.pings", "#pings\nrank 2\n4 stated\n");
    const auto plan = planLoad({run}, {});
    expect(plan && plan->runs.size() < 2, "several iterations are one run");
    expect(plan && plan->iterationsOffered == std::vector<std::int64_t>({1, 2}), "iterations are offered");
    expect(plan && plan->files.size() == 3, "the last complete iteration is loaded");
    if (!plan)
        return 1;
    for (const PlannedFile& planned : plan->files)
        expect(planned.reader && planned.reader->id == "pings", "its files are recognised");
    const std::map<std::int32_t, std::string> expected{
        {0, "pings 2: early late"}, {1, "pings 2: named"}, {2, "pings 2: stated"}};
    expect(pingsIn(run) == expected, "ranks by content, name and order");
    LoadOptions first;
    first.iteration = {IterationChoice::Mode::One, 1};
    expect(pingsIn(run, first) == std::map<std::int32_t, std::string>{{0, "pings 1: old"}}, "an iteration is chosen");
    LoadOptions one;
    one.maxRanks = 1;
    expect(pingsIn(run, one).size() == 1, "--max-ranks counts its files");

    const auto examination = examine(*plan, {});
    std::uint64_t events = 0, excluded = 0;
    for (const ExaminedFile& file : examination ? examination->files : std::vector<ExaminedFile>()) {
        events += file.eventsInFile;
        excluded += file.excluded;
    }
    expect(examination && examination->isConserved() && examination->isReadable(), "its events are accounted for");
    expect(events == 5 && excluded == 1, "its events are counted");

    const std::string text = planText(reducePlan(*plan, 2, Kept::Everything, COLLSCOPE_VERSION));
    const auto reduced = parsePlan(text);
    expect(reduced.has_value(), "a reduced run is planned");
    write(folder / "parts" / planName, text);
    for (std::uint32_t task = 0; reduced && task < 2; ++task) {
        std::vector<PackedSection> sections;
        const Status read = reduceFiles(filesOfTask(*reduced, task), {}, [](TraceFragment&) {}, [&](PackedSection section) -> Status {
            sections.push_back(std::move(section));
            return {};
        });
        const bool isWhole = std::all_of(sections.begin(), sections.end(), [](const PackedSection& own) { return own.place.failure.empty(); });
        expect(read && isWhole, "its files are reduced");
        write(folder / "parts" / partName(task, planHash(text)), partBytes(planHash(text), task, std::move(sections)));
    }
    expect(pingsIn((folder / "parts").string()) == expected, "it survives the parts of a reduced run");
    std::puts(wrong == 0 ? "the new format is known" : "the new format is not known everywhere");
    return wrong;
}
]])

run("configuring" ${CMAKE_COMMAND} -S ${source} -B ${FOLDER}/build -G Ninja -DCMAKE_CXX_COMPILER=${COMPILER}
    -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG=-O0 -DCOLLSCOPE_CORE_ONLY=ON -DCOLLSCOPE_TOGETHER=16)
run("A new format does not compile with its reader and a row in the table alone"
    ${CMAKE_COMMAND} --build ${FOLDER}/build --target new_format)
run("loading" ${FOLDER}/build/bin/new_format ${FOLDER}/files)
