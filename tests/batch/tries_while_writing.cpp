// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Loaded into the program (LD_PRELOAD) for tst_batch_confinement.cpp: while an output gets its name, it tries
// what code of a stranger would try, and says on stderr what worked.

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

namespace {

void tell(const char* what, bool worked)
{
    std::fprintf(stderr, "%s: %s\n", what, worked ? "works" : "refused");
}

void tryAll()
{
    // NOLINTNEXTLINE(concurrency-mt-unsafe): nothing here changes the environment
    const int file = ::open(std::getenv("TRIED_FILE"), O_WRONLY | O_CREAT, 0600);
    tell("another file", file >= 0);
    tell("a connection", ::socket(AF_INET, SOCK_STREAM, 0) >= 0);
    const pid_t child = ::fork();
    if (child == 0)
        ::_exit(0);
    if (child > 0)
        ::waitpid(child, nullptr, 0);
    tell("a process", child > 0);
}

} // namespace

extern "C" int rename(const char* from, const char* to) noexcept
{
    tryAll();
    return static_cast<int>(::syscall(SYS_rename, from, to));
}
