// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The command kit: the scripts and tools that collect traces on a Slurm cluster, as installed with the
// program.

#include "app/commands/batch.h"
#include "app/files/batch_io.h"
#include "app/files/resources.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>

#include <filesystem>

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
    const QString from = resourceFolder(QStringLiteral("collect"));
    if (from.isEmpty()) {
        say("The collection kit is not installed.");
        return NothingReadable;
    }
    std::error_code error;
    if (std::filesystem::exists(folder, error) && !std::filesystem::is_empty(folder, error)) {
        say(folder + " is not empty: give a new folder for the kit.");
        return NotWritten;
    }
    QDirIterator entry(from, QDir::Files, QDirIterator::Subdirectories);
    while (entry.hasNext()) {
        QFile file(entry.next());
        const QString name = QDir(from).relativeFilePath(file.fileName());
        if (name.endsWith(QLatin1String("CMakeLists.txt")))
            continue; // belongs to the program's own build
        const std::string target = pathIn(folder, name.toStdString());
        if (!file.open(QIODevice::ReadOnly)) {
            say(file.fileName().toStdString() + " cannot be read.");
            return NothingReadable;
        }
        const QByteArray content = file.readAll();
        // An installer may drop the permission, so files that start with #! become executable.
        if (!makeFolder(std::filesystem::path(target).parent_path().string())
            || !writeFile(target,
                          std::string_view(content.constData(), static_cast<std::size_t>(content.size())),
                          content.startsWith("#!")))
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
