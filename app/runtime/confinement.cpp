// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/runtime/confinement.h"

#include <fcntl.h>
#include <linux/landlock.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <memory>

namespace collscope {

namespace {

/// Missing in Debian 12's headers, which predate it (Linux 6.2).
constexpr std::uint64_t accessTruncate = std::uint64_t{1} << 14;
constexpr std::uint64_t changesFiles = LANDLOCK_ACCESS_FS_WRITE_FILE;
constexpr std::uint64_t changesFolders = LANDLOCK_ACCESS_FS_REMOVE_DIR | LANDLOCK_ACCESS_FS_REMOVE_FILE
    | LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG
    | LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO | LANDLOCK_ACCESS_FS_MAKE_BLOCK
    | LANDLOCK_ACCESS_FS_MAKE_SYM;

/// glibc has no wrapper for these calls.
long landlockCreate(const landlock_ruleset_attr* attributes, std::size_t size, std::uint32_t flags)
{
    return ::syscall(SYS_landlock_create_ruleset, attributes, size, flags);
}

class FileDescriptor
{
public:
    explicit FileDescriptor(int fd)
        : m_fd(fd)
    { }
    FileDescriptor(const FileDescriptor&) = delete;
    FileDescriptor& operator=(const FileDescriptor&) = delete;
    ~FileDescriptor()
    {
        if (m_fd >= 0)
            ::close(m_fd);
    }
    int get() const { return m_fd; }

private:
    int m_fd;
};

/// Returns the path itself, or the nearest existing folder above it. Links are followed, as they are when
/// writing.
std::filesystem::path nearestThatExists(const std::filesystem::path& named)
{
    std::error_code error;
    std::filesystem::path path = std::filesystem::absolute(named, error);
    if (auto target = std::filesystem::weakly_canonical(path, error); !error)
        path = std::move(target);
    // A file is replaced by renaming another one, which requires access to its folder. A device is written to
    // directly.
    while (!path.empty() && path != path.root_path()
           && (!std::filesystem::exists(path, error) || std::filesystem::is_regular_file(path, error)))
        path = path.parent_path();
    return path;
}

bool allowWriting(int rules, const std::filesystem::path& place, std::uint64_t handled)
{
    const FileDescriptor target(::open(place.c_str(), O_PATH | O_CLOEXEC));
    if (target.get() < 0)
        return false;
    std::error_code error;
    const bool isFolder = std::filesystem::is_directory(place, error);
    landlock_path_beneath_attr rule{};
    rule.parent_fd = target.get();
    rule.allowed_access = handled & (changesFiles | accessTruncate | (isFolder ? changesFolders : 0));
    return ::syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) == 0;
}

/// Disallows starting programs and limits writing to the given places.
bool confineFiles(const std::vector<std::filesystem::path>& writable)
{
    const long version = landlockCreate(nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
    if (version < 1)
        return false;
    landlock_ruleset_attr attributes{};
    attributes.handled_access_fs = LANDLOCK_ACCESS_FS_EXECUTE | changesFiles | changesFolders;
    if (version >= 3)
        attributes.handled_access_fs |= accessTruncate;
    const FileDescriptor rules(static_cast<int>(landlockCreate(&attributes, sizeof(attributes), 0)));
    if (rules.get() < 0)
        return false;
    for (const std::filesystem::path& path : writable) {
        // A place that cannot be opened cannot be written to either; the output reports the error.
        allowWriting(rules.get(), nearestThatExists(path), attributes.handled_access_fs);
    }
    return ::syscall(SYS_landlock_restrict_self, rules.get(), 0) == 0;
}

/// Calls that start programs, open connections, change the machine or inspect other processes.
constexpr std::array deniedCalls{SCMP_SYS(execve),
                                 SCMP_SYS(execveat),
                                 SCMP_SYS(fork),
                                 SCMP_SYS(vfork),
                                 SCMP_SYS(socket),
                                 SCMP_SYS(socketpair),
                                 SCMP_SYS(connect),
                                 SCMP_SYS(bind),
                                 SCMP_SYS(listen),
                                 SCMP_SYS(accept),
                                 SCMP_SYS(accept4),
                                 SCMP_SYS(sendto),
                                 SCMP_SYS(sendmsg),
                                 SCMP_SYS(sendmmsg),
                                 SCMP_SYS(ptrace),
                                 SCMP_SYS(mount),
                                 SCMP_SYS(umount2),
                                 SCMP_SYS(pivot_root),
                                 SCMP_SYS(chroot),
                                 SCMP_SYS(unshare),
                                 SCMP_SYS(setns),
                                 SCMP_SYS(bpf),
                                 SCMP_SYS(perf_event_open),
                                 SCMP_SYS(userfaultfd),
                                 SCMP_SYS(keyctl),
                                 SCMP_SYS(add_key),
                                 SCMP_SYS(request_key),
                                 SCMP_SYS(init_module),
                                 SCMP_SYS(finit_module),
                                 SCMP_SYS(delete_module),
                                 SCMP_SYS(kexec_load),
                                 SCMP_SYS(reboot),
                                 SCMP_SYS(io_uring_setup),
                                 SCMP_SYS(process_vm_readv),
                                 SCMP_SYS(process_vm_writev),
                                 SCMP_SYS(open_by_handle_at)};

bool confineCalls()
{
    const std::unique_ptr<void, void (*)(scmp_filter_ctx)> filter(seccomp_init(SCMP_ACT_ALLOW),
                                                                  seccomp_release);
    if (!filter)
        return false;
    bool isWhole = true;
    for (const int call : deniedCalls)
        isWhole &= seccomp_rule_add(filter.get(), SCMP_ACT_ERRNO(EPERM), call, 0) == 0;
    // Threads are started with the same call as processes. The arguments of clone3 are in memory, which a
    // filter cannot inspect; the C library falls back to clone if clone3 is not available.
    const scmp_arg_cmp isProcess{0, SCMP_CMP_MASKED_EQ, CLONE_THREAD, 0};
    isWhole &= seccomp_rule_add(filter.get(), SCMP_ACT_ERRNO(EPERM), SCMP_SYS(clone), 1, isProcess) == 0;
    isWhole &= seccomp_rule_add(filter.get(), SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0) == 0;
    return isWhole && seccomp_load(filter.get()) == 0;
}

} // namespace

Confinement confine(const std::vector<std::filesystem::path>& writable)
{
    Confinement result;
    std::error_code error;
    std::vector<std::filesystem::path> places = writable;
    places.push_back(std::filesystem::temp_directory_path(error)); // workbooks are assembled there
    places.emplace_back("/var/tmp"); // SQLite sorts there
    if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0) {
        result.files = confineFiles(places);
        result.calls = confineCalls();
    }
    const auto unsupported = [](const char* sentence) { return Error{Error::Kind::Unsupported, sentence}; };
    if (!result.files && !result.calls)
        result.status
            = unsupported("The kernel supports neither Landlock nor seccomp filters: the process is "
                          "not confined while it reads files.");
    else if (!result.files)
        result.status
            = unsupported("The kernel does not support Landlock: the program's writes are not confined.");
    else if (!result.calls)
        result.status
            = unsupported("The kernel does not support seccomp filters: connections are not refused.");
    return result;
}

} // namespace collscope
