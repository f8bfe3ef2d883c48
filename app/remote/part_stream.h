// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The parts of a run on their way from another machine. The stream is
//   collscope.parts/1 VERSION
//   plan BYTES              and the bytes of plan.json
//   part TASK BYTES         and the bytes of the part, once per task that is sent
//   end
// Each line ends with \n. Lines before the first that begins with "collscope." are what the other machine
// prints at a login. Where the program is missing there, a line "collscope.missing SYSTEM PROCESSOR" takes
// the place of all this.

#include "app/files/whole_file.h"
#include "model/partial/reduce_plan.h"
#include "model/result.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace collscope {

inline constexpr std::string_view partStreamMark = "collscope.parts/1 ";
inline constexpr std::string_view missingProgramMark = "collscope.missing ";

/// The line before the bytes of the plan, or of a part.
std::string planHeader(std::size_t bytes);
std::string partHeader(std::uint32_t task, std::size_t bytes);
inline constexpr std::string_view streamEnd = "end\n";

/// Writes what arrives into a folder: plan.json and parts, each completely or not at all. Names come from the
/// number of the task alone. Memory: the plan, and a piece.
class PartReceiver
{
public:
    /// The folder in which a run with this plan is kept, which exists; an error ends the transfer.
    using FolderOf = std::function<Result<std::string>(std::uint64_t planHash)>;
    /// `arrived`: called with this receiver after the plan, and after each part.
    PartReceiver(FolderOf folderOf, std::function<void(const PartReceiver&)> arrived);

    /// Takes the next bytes. False: status() says why no more are wanted.
    bool take(std::string_view bytes);

    const Status& status() const { return m_status; } ///< an error: why the transfer ended
    const std::string& folder() const { return m_folder; } ///< empty before the plan arrived
    const std::optional<ReducePlan>& plan() const { return m_plan; }
    std::size_t arrived() const { return m_arrived.size(); } ///< parts
    bool isComplete() const { return m_isComplete; } ///< "end" arrived
    /// Its system and processor, if the other machine said that the program is missing there: "Linux x86_64".
    const std::string& machineWithoutProgram() const { return m_machine; }

private:
    bool fail(Error::Kind kind, std::string message);
    bool takeLine();
    bool takeHeader();
    bool beginPlan(std::uint64_t bytes);
    bool beginPart(std::uint64_t task, std::uint64_t bytes);
    bool takeBody(std::string_view& bytes);
    bool endPlan();
    bool endPart();

    enum class Awaits : std::uint8_t
    {
        Start,
        Header,
        Plan,
        Part
    };
    FolderOf m_folderOf;
    std::function<void(const PartReceiver&)> m_onArrival;
    Awaits m_awaits = Awaits::Start;
    std::string m_line; ///< as far as it arrived
    std::size_t m_skipped = 0; ///< bytes before the start
    std::uint64_t m_left = 0; ///< bytes of the plan or part that are missing
    std::string m_planText;
    std::unique_ptr<WholeFile> m_file; ///< of the part that arrives
    std::uint32_t m_task = 0;
    std::uint64_t m_hash = 0;
    std::optional<ReducePlan> m_plan;
    std::set<std::uint32_t> m_arrived;
    std::string m_folder, m_machine;
    bool m_isComplete = false;
    Status m_status;
};

} // namespace collscope
