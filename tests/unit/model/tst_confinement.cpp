// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// A process that gave things up before it reads tries them all the same, as one would that a file took over.

#include "app/runtime/confinement.h"
#include "tests/support/suite/suite.h"

#include <QTemporaryDir>

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <fstream>
#include <functional>
#include <thread>

namespace collscope {

namespace {

using Path = std::filesystem::path;

bool canWrite(const Path& path)
{
    const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT, 0600);
    const bool isWritten = fd >= 0 && ::write(fd, "x", 1) == 1;
    if (fd >= 0)
        ::close(fd);
    return isWritten;
}

bool canRead(const Path& path)
{
    const int fd = ::open(path.c_str(), O_RDONLY);
    if (fd >= 0)
        ::close(fd);
    return fd >= 0;
}

bool canConnect(int family)
{
    const int fd = ::socket(family, SOCK_STREAM, 0);
    if (fd >= 0)
        ::close(fd);
    return fd >= 0;
}

/// A process of its own, which ends at once.
bool canFork()
{
    const pid_t child = ::fork();
    if (child == 0)
        ::_exit(0);
    if (child > 0)
        ::waitpid(child, nullptr, 0);
    return child > 0;
}

/// Does not come back where it works.
bool canStartProgram()
{
    std::array<char, 5> name{"true"};
    std::array<char*, 2> arguments{name.data(), nullptr};
    ::execv("/bin/true", arguments.data());
    return errno != EPERM && errno != EACCES;
}

bool canStartThread()
{
    bool ran = false;
    std::thread([&ran] { ran = true; }).join();
    return ran;
}

/// Exit code of a process that runs `body`.
int exitCodeOf(const std::function<int()>& body)
{
    const pid_t child = ::fork();
    if (child == 0)
        ::_exit(body());
    int status = -1;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

} // namespace

class TestConfinement : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        // Temporary files may be written, so what must not be lies elsewhere.
        m_top = Path(m_folder->path().toStdString());
        for (const char* name : {"named", "other", "temporary"})
            std::filesystem::create_directory(m_top / name);
        std::ofstream(m_top / "other" / "trace.json") << "{}";
        qputenv("TMPDIR", (m_top / "temporary").c_str());
    }
    void cleanup() { qunsetenv("TMPDIR"); }

    void whatIsNeededWorks()
    {
        const int failed = exitCodeOf([this] {
            confine({m_top / "named" / "new" / "folder" / "metrics.csv"});
            int which = 0;
            const auto check = [&](int number, bool works) { which = which == 0 && !works ? number : which; };
            std::error_code error;
            check(1, std::filesystem::create_directories(m_top / "named" / "new" / "folder", error));
            check(2, canWrite(m_top / "named" / "new" / "folder" / "part"));
            std::filesystem::rename(m_top / "named" / "new" / "folder" / "part",
                                    m_top / "named" / "new" / "folder" / "metrics.csv", error);
            check(3, !error);
            check(4, canRead(m_top / "other" / "trace.json"));
            check(5, canStartThread());
            check(6, canWrite(m_top / "temporary" / "sheet"));
            return which;
        });
        QCOMPARE(failed, 0);
    }
    void writesNowhereElse()
    {
        const int failed = exitCodeOf([this] {
            if (!confine({m_top / "named" / "metrics.csv"}).files)
                return 77;
            int which = 0;
            const auto check = [&](int number, bool fails) { which = which == 0 && !fails ? number : which; };
            std::error_code error;
            const Path other = m_top / "other";
            check(1, !canWrite(other / "trace.json"));
            check(2, !canWrite(other / "new"));
            check(3, ::truncate((other / "trace.json").c_str(), 0) != 0);
            check(4, ::unlink((other / "trace.json").c_str()) != 0);
            check(5, !std::filesystem::create_directory(other / "folder", error));
            check(6, ::symlink("/etc/passwd", (other / "link").c_str()) != 0);
            check(7, ::rename((m_top / "temporary").c_str(), (other / "moved").c_str()) != 0);
            check(8, !canWrite(m_top / "beside"));
            check(9, !canStartProgram());
            return which;
        });
        if (failed == 77)
            QSKIP("this kernel has no Landlock");
        QCOMPARE(failed, 0);
        QCOMPARE(std::filesystem::file_size(m_top / "other" / "trace.json"), std::uintmax_t{2});
    }
    void startsAndCallsNobody()
    {
        const int failed = exitCodeOf([] {
            if (!confine({}).calls)
                return 77;
            int which = 0;
            const auto check = [&](int number, bool fails) { which = which == 0 && !fails ? number : which; };
            check(1, !canFork());
            check(2, !canConnect(AF_INET));
            check(3, !canConnect(AF_UNIX));
            check(4, !canStartProgram());
            // And a thread that it starts has no more than it.
            bool threadForks = true;
            std::thread([&] { threadForks = canFork(); }).join();
            check(5, !threadForks);
            return which;
        });
        if (failed == 77)
            QSKIP("this kernel has no seccomp filters");
        QCOMPARE(failed, 0);
    }
    /// The tries are such that they succeed where nothing was given up.
    void withoutItAllOfThatWorks()
    {
        QCOMPARE(exitCodeOf([this] {
                     const bool works = canWrite(m_top / "other" / "trace.json") && canFork()
                         && canConnect(AF_UNIX) && canStartThread();
                     return works ? 0 : 1;
                 }),
                 0);
        QCOMPARE(exitCodeOf([] { return canStartProgram() ? 2 : 1; }), 0); // that of /bin/true
    }

private:
    std::unique_ptr<QTemporaryDir> m_folder;
    Path m_top;
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestConfinement)
#include "tst_confinement.moc"
