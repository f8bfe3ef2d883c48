// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The jobs that --batch kubernetes writes: another parser reads them, their fields are those of Kubernetes,
// and their containers, run here as Kubernetes would, give the numbers of one process.

#include "tests/batch/program.h"
#include "tests/support/suite/suite.h"
#include "tests/support/workloads/planted_run.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>

#include <map>
#include <string>

#include <yaml-cpp/yaml.h>

namespace collscope {

namespace {

/// Fields of batch/v1 Job and core/v1 PodSpec that the jobs use, with their types, from the reference of the
/// API (kubernetes.io/docs/reference/kubernetes-api/workload-resources/job-v1). [] is an item of a list.
const std::map<std::string, std::string> apiFields{
    {"apiVersion", "string"},
    {"kind", "string"},
    {"metadata.name", "string"},
    {"metadata.namespace", "string"},
    {"spec.completionMode", "string"},
    {"spec.completions", "integer"},
    {"spec.parallelism", "integer"},
    {"spec.backoffLimit", "integer"},
    {"spec.backoffLimitPerIndex", "integer"},
    {"spec.podFailurePolicy.rules[].action", "string"},
    {"spec.podFailurePolicy.rules[].onPodConditions[].type", "string"},
    {"spec.podFailurePolicy.rules[].onPodConditions[].status", "string"},
    {"spec.podFailurePolicy.rules[].onExitCodes.containerName", "string"},
    {"spec.podFailurePolicy.rules[].onExitCodes.operator", "string"},
    {"spec.podFailurePolicy.rules[].onExitCodes.values[]", "integer"},
    {"spec.template.spec.restartPolicy", "string"},
    {"spec.template.spec.securityContext.runAsUser", "integer"},
    {"spec.template.spec.securityContext.runAsGroup", "integer"},
    {"spec.template.spec.volumes[].name", "string"},
    {"spec.template.spec.volumes[].persistentVolumeClaim.claimName", "string"},
    {"spec.template.spec.volumes[].emptyDir", "object"},
};
/// The same for each container of spec.template.spec.containers and initContainers.
const std::map<std::string, std::string> containerFields{
    {"name", "string"},
    {"image", "string"},
    {"command[]", "string"},
    {"resources.requests.cpu", "string"}, // a quantity
    {"resources.requests.memory", "string"},
    {"resources.limits.memory", "string"},
    {"volumeMounts[].name", "string"},
    {"volumeMounts[].mountPath", "string"},
};

/// Each value of a document as (path, type). Quoted scalars are strings; the others must be integers.
void collect(const YAML::Node& node, const std::string& path,
             std::vector<std::pair<std::string, std::string>>& all)
{
    if (node.IsMap()) {
        if (node.size() == 0)
            all.emplace_back(path, "object");
        for (const auto& entry : node)
            collect(entry.second, (path.empty() ? "" : path + ".") + entry.first.as<std::string>(), all);
    } else if (node.IsSequence()) {
        for (const auto& item : node)
            collect(item, path + "[]", all);
    } else {
        int number = 0;
        const bool isQuoted = node.Tag() == "!";
        const bool isInteger = !isQuoted && YAML::convert<int>::decode(node, number);
        all.emplace_back(path, isQuoted ? "string" : isInteger ? "integer" : "neither");
    }
}

/// The field that is not one of the API's, or of another type; "" if all are.
std::string fieldThatIsWrong(const YAML::Node& job)
{
    std::map<std::string, std::string> known = apiFields;
    for (const char* list : {"containers", "initContainers"}) {
        for (const auto& [name, type] : containerFields)
            known["spec.template.spec." + std::string(list) + "[]." + name] = type;
    }
    std::vector<std::pair<std::string, std::string>> found;
    collect(job, "", found);
    for (const auto& [path, type] : found) {
        const auto field = known.find(path);
        if (field == known.end() || field->second != type)
            return path + " is " + type;
    }
    return found.empty() ? "nothing" : "";
}

/// $(NAME) is replaced and $$ is $, as in kubernetes.io/docs/tasks/inject-data-application.
std::string expanded(const std::string& text, const std::map<std::string, std::string>& environment)
{
    std::string result;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char next = text[i] == '$' && i + 1 < text.size() ? text[i + 1] : ' ';
        const std::size_t end = next == '(' ? text.find(')', i) : std::string::npos;
        if (next == '$') {
            result += '$';
            ++i;
        } else if (end != std::string::npos && environment.contains(text.substr(i + 2, end - i - 2))) {
            result += environment.at(text.substr(i + 2, end - i - 2));
            i = end;
        } else {
            result += text[i];
        }
    }
    return result;
}

} // namespace

class TestKubernetes : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;
    QByteArray m_expected; ///< metrics.csv of one process

    QString path(const QString& name) const { return m_folder.filePath(name); }
    YAML::Node job(const QString& folder, const char* file) const
    {
        return YAML::Load(contentOf(path(folder + u'/' + QLatin1String(file))).toStdString());
    }
    ProgramRun write(const QString& folder, const QStringList& more) const
    {
        return runProgram(
            QStringList{QStringLiteral("--batch"), QStringLiteral("kubernetes"), path(QStringLiteral("run")),
                        QStringLiteral("--tasks"), QStringLiteral("3"), QStringLiteral("--image"),
                        QStringLiteral("registry.example/collscope:1"), QStringLiteral("-o"), path(folder)}
            + more);
    }
    QStringList claim() const
    {
        return {QStringLiteral("--claim"), QStringLiteral("traces:") + m_folder.path()};
    }
    /// Runs the containers of a pod one after the other; the exit code of the last, or of the first that
    /// fails. `root`: where the absolute folder of fetched files is on this machine.
    int runPod(const YAML::Node& job, int index) const
    {
        const YAML::Node pod = job["spec"]["template"]["spec"];
        for (const char* list : {"initContainers", "containers"}) {
            for (const YAML::Node& container : pod[list]) {
                const std::string number = std::to_string(index);
                QStringList command;
                for (const YAML::Node& word : container["command"]) {
                    QString text = QString::fromStdString(
                        expanded(word.as<std::string>(), {{"JOB_COMPLETION_INDEX", number}}));
                    // Each pod has a folder of its own there.
                    text.replace(QStringLiteral("/collscope-files"),
                                 path(QStringLiteral("pod%1").arg(index)));
                    command << text;
                }
                QProcess process;
                QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
                environment.insert(QStringLiteral("PATH"),
                                   path(QStringLiteral("bin")) + u':'
                                       + environment.value(QStringLiteral("PATH")));
                process.setProcessEnvironment(environment);
                process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
                QDir().mkpath(path(QStringLiteral("pod%1").arg(index)));
                process.start(QStringLiteral("env"), command); // searches the process's own PATH
                if (!process.waitForFinished(60'000) || process.exitStatus() != QProcess::NormalExit)
                    return -1;
                if (process.exitCode() != 0)
                    return process.exitCode();
            }
        }
        return 0;
    }
    void runBoth(const QString& folder)
    {
        const YAML::Node reduce = job(folder, "reduce.yaml");
        for (int index = 0; index < reduce["spec"]["completions"].as<int>(); ++index)
            QCOMPARE(runPod(reduce, index), 0);
        QCOMPARE(runPod(job(folder, "merge.yaml"), 0), 0);
        QVERIFY(contentOf(path(folder + QStringLiteral("/metrics.csv"))) == m_expected);
    }

private slots:
    void initTestCase()
    {
        PlantedPlan planted;
        planted.ranks = 4;
        planted.steps = 4;
        QDir().mkpath(path(QStringLiteral("run")));
        QDir().mkpath(path(QStringLiteral("bin")));
        writePlanted(planted, path(QStringLiteral("run")).toStdString());
        QVERIFY(QFile::link(QStringLiteral(COLLSCOPE_PROGRAM), path(QStringLiteral("bin/collscope"))));
        QCOMPARE(runBatchProgram(
                     {path(QStringLiteral("run")), QStringLiteral("--csv"), path(QStringLiteral("one.csv"))})
                     .exitCode,
                 0);
        m_expected = contentOf(path(QStringLiteral("one.csv")));
        QVERIFY(!m_expected.isEmpty());
    }
    void theJobsAreThoseOfKubernetes()
    {
        const ProgramRun written = write(
            QStringLiteral("jobs"),
            claim()
                + QStringList{QStringLiteral("--running"), QStringLiteral("2"), QStringLiteral("--memory"),
                              QStringLiteral("8Gi"), QStringLiteral("--cpus"), QStringLiteral("2"),
                              QStringLiteral("--namespace"), QStringLiteral("traces"),
                              QStringLiteral("--name"), QStringLiteral("llama")});
        QVERIFY2(written.exitCode == 0, written.err.constData());
        for (const char* wanted : {"kubectl -n traces apply -f ", "--for=condition=complete",
                                   "--for=condition=failed", "job/llama-reduce", "merge.yaml"})
            QVERIFY2(written.out.contains(wanted), written.out.constData());
        const YAML::Node reduce = job(QStringLiteral("jobs"), "reduce.yaml");
        const YAML::Node merge = job(QStringLiteral("jobs"), "merge.yaml");
        QCOMPARE(fieldThatIsWrong(reduce), std::string());
        QCOMPARE(fieldThatIsWrong(merge), std::string());
        const YAML::Node spec = reduce["spec"];
        QCOMPARE(reduce["apiVersion"].as<std::string>(), "batch/v1");
        QCOMPARE(reduce["kind"].as<std::string>(), "Job");
        QCOMPARE(reduce["metadata"]["name"].as<std::string>(), "llama-reduce");
        QCOMPARE(spec["completionMode"].as<std::string>(), "Indexed");
        QCOMPARE(spec["completions"].as<int>(), 3);
        QCOMPARE(spec["parallelism"].as<int>(), 2);
        QVERIFY(spec["backoffLimitPerIndex"].as<int>() > 0);
        QCOMPARE(spec["template"]["spec"]["restartPolicy"].as<std::string>(), "Never");
        // Retrying does not help against wrong usage (1) and files that cannot be read (3).
        const YAML::Node rule = spec["podFailurePolicy"]["rules"][1];
        QCOMPARE(rule["action"].as<std::string>(), "FailIndex");
        QCOMPARE(rule["onExitCodes"]["values"].as<std::vector<int>>(), (std::vector{1, 3}));
        QCOMPARE(rule["onExitCodes"]["containerName"].as<std::string>(),
                 spec["template"]["spec"]["containers"][0]["name"].as<std::string>());
        QCOMPARE(
            spec["template"]["spec"]["volumes"][0]["persistentVolumeClaim"]["claimName"].as<std::string>(),
            "traces");
        QCOMPARE(spec["template"]["spec"]["containers"][0]["volumeMounts"][0]["mountPath"].as<std::string>(),
                 m_folder.path().toStdString());
        QCOMPARE(merge["metadata"]["name"].as<std::string>(), "llama-merge");
        QVERIFY(!merge["spec"]["completionMode"]);
    }
    void theMergeIsThatOfOneProcess()
    {
        QCOMPARE(write(QStringLiteral("plain"), claim()).exitCode, 0);
        runBoth(QStringLiteral("plain"));
    }
    void filesAreFetchedFirst()
    {
        // The pods do not see the run: only this command does.
        const QString copy = QStringLiteral("cd '%1' && xargs -0 cp -t \"$OLDPWD\" --parents")
                                 .arg(path(QStringLiteral("run")));
        const ProgramRun written = write(
            QStringLiteral("out/fetched"),
            {QStringLiteral("--claim"), QStringLiteral("out:") + path(QStringLiteral("out")),
             QStringLiteral("--fetch"), copy, QStringLiteral("--fetch-image"), QStringLiteral("rsync:3")});
        QVERIFY2(written.exitCode == 0, written.err.constData());
        const YAML::Node reduce = job(QStringLiteral("out/fetched"), "reduce.yaml");
        QCOMPARE(fieldThatIsWrong(reduce), std::string());
        QCOMPARE(reduce["spec"]["template"]["spec"]["initContainers"][1]["image"].as<std::string>(),
                 "rsync:3");
        runBoth(QStringLiteral("out/fetched"));
        QVERIFY(QFile::exists(path(QStringLiteral("pod0/run/rank0_trace.json"))));
        QVERIFY(!QFile::exists(path(QStringLiteral("pod0/run/rank3_trace.json"))));
    }
    /// Whatever texts contain, YAML gives them back, and neither Kubernetes nor a shell changes them.
    void textsArriveAsTheyAre()
    {
        const QStringList texts{QStringLiteral("$(JOB_COMPLETION_INDEX) $$ $x ${y}"),
                                QStringLiteral("a\"b\\c'd"),
                                QStringLiteral("line\nbreak\ttab\r"),
                                QStringLiteral(": # - [x] {y} & * ! | > %% @ `"),
                                QStringLiteral("yes"),
                                QStringLiteral("0x10"),
                                QStringLiteral("~"),
                                QStringLiteral("\u00e4\u2028\u0085\u007f\ufeff\U0001f600")};
        const ProgramRun written = write(QStringLiteral("it's $(x) \"here\""),
                                         claim() + QStringList{QStringLiteral("--")} + texts);
        QVERIFY2(written.exitCode == 0, written.err.constData());
        const YAML::Node merge = job(QStringLiteral("it's $(x) \"here\""), "merge.yaml");
        QStringList command;
        for (const YAML::Node& word : merge["spec"]["template"]["spec"]["containers"][0]["command"])
            command << QString::fromStdString(
                expanded(word.as<std::string>(), {{"JOB_COMPLETION_INDEX", "5"}}));
        QCOMPARE(command.value(3), path(QStringLiteral("it's $(x) \"here\"/parts")));
        QCOMPARE(command.mid(6), texts);
    }
    void whatPodsCannotReachIsRefused()
    {
        const auto refused = [&](const QStringList& more) { return write(QStringLiteral("no"), more); };
        const ProgramRun elsewhere
            = refused({QStringLiteral("--claim"), QStringLiteral("traces:") + path(QStringLiteral("run"))});
        QVERIFY2(elsewhere.exitCode == 1 && elsewhere.err.contains("is in no --claim"),
                 elsewhere.err.constData());
        QCOMPARE(refused({QStringLiteral("--claim"), QStringLiteral("out:") + path(QStringLiteral("no"))})
                     .exitCode,
                 1); // the traces
        QCOMPARE(refused({}).exitCode, 1);
        for (const char* wrong : {"traces", "traces:", "traces:relative", ":/x", "traces:/", "traces:/a:b"})
            QCOMPARE(refused({QStringLiteral("--claim"), QString::fromLatin1(wrong)}).exitCode, 1);
        QCOMPARE(refused(claim() + QStringList{QStringLiteral("--name"), QStringLiteral("Llama_3")}).exitCode,
                 1);
        QVERIFY(!QDir(path(QStringLiteral("no"))).exists());
    }
    void aSecondTryIsTheSame()
    {
        QCOMPARE(write(QStringLiteral("again"), claim()).exitCode, 0);
        QCOMPARE(write(QStringLiteral("again"), claim()).exitCode, 0);
        const ProgramRun other = write(QStringLiteral("again"),
                                       claim() + QStringList{QStringLiteral("--cpus"), QStringLiteral("9")});
        QVERIFY2(other.exitCode == 4 && other.err.contains(".yaml is different"), other.err.constData());
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestKubernetes)
#include "tst_kubernetes.moc"
