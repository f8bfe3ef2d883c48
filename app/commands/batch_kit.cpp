// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The command kit: the scripts and tools that collect traces on a Slurm cluster, as installed with the
// program.

#include "app/commands/batch.h"
#include "app/files/batch_io.h"
#include "app/files/resources.h"

#include <filesystem>
#include <fstream>
#include <iterator>

namespace collscope {

namespace {

class KitCommand : public BatchCommand
{
public:
    std::string folder;

    void declare() override
    {
        OptionSpec& spec
            = options.output("DIR", folder, OptionSpec::Place::OutputFolder, "", "New folder for the kit");
        spec.isRequired = true;
    }

protected:
    int execute() const override;
};

int KitCommand::execute() const
{
    namespace fs = std::filesystem;
    const std::string from = resourceFolder("collect");
    if (from.empty()) {
        say("The collection kit is not installed.");
        return NothingReadable;
    }
    std::error_code error;
    if (fs::exists(folder, error) && !fs::is_empty(folder, error)) {
        say(folder + " is not empty: give a new folder for the kit.");
        return NotWritten;
    }
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(from, error)) {
        const fs::path& path = entry.path();
        if (!entry.is_regular_file(error) || path.filename() == "CMakeLists.txt")
            continue; // the latter belongs to the program's own build
        const std::string target = pathIn(folder, path.lexically_relative(from).string());
        std::ifstream file(path, std::ios::binary);
        const std::string content{std::istreambuf_iterator<char>(file), {}};
        if (!file) {
            say(path.string() + " cannot be read.");
            return NothingReadable;
        }
        // An installer may drop the permission, so files that start with #! become executable.
        if (!makeFolder(fs::path(target).parent_path().string())
            || !writeFile(target, content, content.starts_with("#!")))
            return NotWritten;
    }
    return print(folder + "\n") ? Done : NotWritten;
}

} // namespace

std::unique_ptr<ProgramCommand> kitCommand()
{
    return std::make_unique<KitCommand>();
}

} // namespace collscope
