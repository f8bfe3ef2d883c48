// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The machine's own sshd on a port of this machine, with keys and a configuration of its own.

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

namespace collscope {

class SshServer
{
public:
    ~SshServer()
    {
        m_server.terminate();
        m_server.waitForFinished();
    }
    /// Returns why it cannot be started; empty once it runs.
    QString start()
    {
        const QString sshd
            = QStandardPaths::findExecutable(QStringLiteral("sshd"), {QStringLiteral("/usr/sbin")});
        if (sshd.isEmpty())
            return QStringLiteral("sshd is not installed (packaging/packages-test.txt)");
        QDir().mkpath(QStringLiteral("/run/sshd")); // root needs it, others do not
        for (const char* const name : {"host", "user"}) {
            QProcess keygen;
            keygen.start(QStringLiteral("ssh-keygen"),
                         {QStringLiteral("-q"), QStringLiteral("-t"), QStringLiteral("ed25519"),
                          QStringLiteral("-N"), QString(), QStringLiteral("-f"), path(name)});
            if (!keygen.waitForFinished() || keygen.exitCode() != 0)
                return QStringLiteral("ssh-keygen: ") + QString::fromLocal8Bit(keygen.readAllStandardError());
        }
        QFile::copy(path("user.pub"), path("authorized"));
        const QString port = QString::number(freePort());
        write("sshd_config",
              QStringLiteral(
                  "ListenAddress 127.0.0.1\nPort %1\nHostKey %2\nAuthorizedKeysFile %3\nStrictModes no\n"
                  "UsePAM no\nPasswordAuthentication no\nPidFile none\nPrintMotd no\n")
                  .arg(port, path("host"), path("authorized")));
        write("ssh_config",
              QStringLiteral(
                  "Host elsewhere\n  HostName 127.0.0.1\n  Port %1\n  IdentityFile %2\n  IdentitiesOnly yes\n"
                  "  BatchMode yes\n  StrictHostKeyChecking no\n  UserKnownHostsFile %3\n")
                  .arg(port, path("user"), path("known")));
        QDir(m_folder.path()).mkdir(QStringLiteral("bin"));
        write("bin/ssh",
              QStringLiteral("#!/bin/sh\nexec %1 -F %2 \"$@\"\n")
                  .arg(QStandardPaths::findExecutable(QStringLiteral("ssh")), path("ssh_config")));
        QFile::setPermissions(path("bin/ssh"), QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        m_server.start(
            sshd, {QStringLiteral("-D"), QStringLiteral("-e"), QStringLiteral("-f"), path("sshd_config")});
        return m_server.waitForStarted() && isReachable()
            ? QString()
            : QStringLiteral("sshd: ") + QString::fromLocal8Bit(m_server.readAllStandardError());
    }
    /// A folder with a program ssh that knows the machine "elsewhere", for PATH.
    QString programs() const { return m_folder.filePath(QStringLiteral("bin")); }

private:
    /// A port that nobody listens on; 0 if none can be found.
    static int freePort()
    {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t length = sizeof address;
        auto* const any = reinterpret_cast<sockaddr*>(&address);
        const int probe = socket(AF_INET, SOCK_STREAM, 0);
        const bool isBound = bind(probe, any, length) == 0 && getsockname(probe, any, &length) == 0;
        close(probe);
        return isBound ? ntohs(address.sin_port) : 0;
    }
    QString path(const char* name) const { return m_folder.filePath(QLatin1String(name)); }
    void write(const char* name, const QString& text) const
    {
        QFile file(path(name));
        if (file.open(QIODevice::WriteOnly))
            file.write(text.toUtf8());
    }
    bool isReachable() const
    {
        return QTest::qWaitFor(
            [this] {
                QProcess ssh;
                ssh.start(path("bin/ssh"), {QStringLiteral("elsewhere"), QStringLiteral("true")});
                return ssh.waitForFinished() && ssh.exitCode() == 0;
            },
            10'000);
    }

    QTemporaryDir m_folder;
    QProcess m_server;
};

} // namespace collscope
