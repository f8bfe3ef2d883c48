// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The command kubernetes: an Indexed Job that reduces a run, one index per task, and a Job that merges its
// parts. Fields: kubernetes.io/docs/reference/kubernetes-api/workload-resources/job-v1.

#include "app/cluster/command_plan.h"
#include "app/cluster/job_folder.h"
#include "app/cluster/yaml_writer.h"
#include "app/commands/batch_run.h"
#include "app/files/batch_io.h"
#include "model/text/shell_word.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <iterator>

namespace collscope {

namespace fs = std::filesystem;

namespace {

constexpr const char* fetchFolder = "/collscope-files"; ///< in pods that copy their files first
constexpr const char* fetchedFiles = "/collscope-files/run";
constexpr const char* fetchList = "/collscope-files/list";

/// A PersistentVolumeClaim, and where it is mounted.
struct VolumeClaim
{
    std::string name, path;
};

class KubernetesCommand : public BatchCommand
{
public:
    PlanInput input;
    std::string output; ///< folder of the jobs
    std::string image, fetchImage, fetch, name = "collscope", nameSpace, memory;
    std::vector<VolumeClaim> claims;
    int cpus = 4; ///< per pod
    std::uint32_t running = 0; ///< concurrent pods, 0 = one per task
    bool allowMissing = false;
    std::vector<std::string> mergeArguments; ///< options passed to the merge

    void declare() override;
    Status check() override;

protected:
    int execute() const override;

private:
    bool isInClaim(const std::string& path) const;
    /// A path that pods could not read or write, as a sentence.
    Status checkPlaces(const ReducePlan& plan, const std::string& folder) const;
    std::string reduceJob(const std::string& folder, std::uint32_t tasks) const;
    std::string mergeJob(const std::string& folder) const;
    /// Everything in front of the containers' own part: name, retries, volumes.
    void beginJob(YamlWriter& yaml, const std::string& jobName) const;
    void beginPod(YamlWriter& yaml) const;
    void addContainer(YamlWriter& yaml, const std::string& own, const std::string& ofImage,
                      const std::vector<std::string>& command) const;
    void addFetching(YamlWriter& yaml, const std::string& folder) const;
};

/// Whether Kubernetes accepts the name: lower case letters, digits and inner hyphens.
bool isObjectName(const std::string& name)
{
    constexpr std::size_t most = 40; // of 63; pods get "-reduce-12345" and more appended
    const auto isFine = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; };
    return !name.empty() && name.size() <= most && std::all_of(name.begin(), name.end(), isFine)
        && name.front() != '-' && name.back() != '-';
}

Result<VolumeClaim> parseClaim(const std::string& text)
{
    const std::size_t colon = text.find(':');
    VolumeClaim claim{text.substr(0, colon), colon == std::string::npos ? "" : text.substr(colon + 1)};
    claim.path = fs::path(claim.path).lexically_normal().string();
    while (claim.path.size() > 1 && claim.path.ends_with('/'))
        claim.path.pop_back();
    if (claim.name.empty() || !claim.path.starts_with('/') || claim.path == "/"
        || claim.path.find(':') != std::string::npos)
        return usageError(
            "--claim takes NAME:PATH, the name of a PersistentVolumeClaim and the absolute path "
            "where it is mounted, not '"
            + text + "'.");
    return claim;
}

void KubernetesCommand::declare()
{
    input.declare(options);
    options
        .output("-o,--output", output, OptionSpec::Place::OutputFolder, "DIR",
                "New folder for the plan, the jobs and the parts, in one of the claims")
        .isRequired
        = true;
    options.text("--image", image, "IMAGE", "Container image with collscope").isRequired = true;
    OptionSpec& claim = options.custom(
        "--claim", "NAME:PATH", "PersistentVolumeClaim and its path, here and in the pods; can be repeated",
        [this](const std::string& text) -> Status {
            const auto parsed = parseClaim(text);
            if (!parsed)
                return parsed.error();
            claims.push_back(*parsed);
            return {};
        });
    claim.takes = OptionSpec::Takes::Each;
    claim.isRequired = true;
    options.text("--name", name, "NAME", "First part of the names of the jobs (default: collscope)");
    options.text("--namespace", nameSpace, "NAME", "Namespace of the jobs");
    options.number("--cpus", cpus, 1, 1024, "CPUs per pod (default: 4)");
    options.text("--memory", memory, "SIZE", "Memory per pod, e.g. 8Gi");
    options.number("--running", running, 0, std::numeric_limits<std::int32_t>::max(),
                   "Maximum number of pods running at the same time; 0 = no limit");
    options.text(
        "--fetch", fetch, "COMMAND",
        "Shell command that first copies the files of a task into its working folder; stdin: their paths "
        "in the folder of the run, NUL-terminated");
    options.text("--fetch-image", fetchImage, "IMAGE", "Container image for --fetch (default: --image)");
    options.flag("--allow-missing", allowMissing, "Merge the available parts even if tasks failed");
    options.texts("--", mergeArguments, OptionSpec::Takes::Rest, "OPTIONS",
                  "Options of the merge, as for --batch merge");
}

/// As for objects, with dots (RFC 1123 subdomain).
bool isClaimName(const std::string& name)
{
    const auto isAllowed
        = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '.'; };
    return !name.empty() && name.size() <= 253 && name.front() != '-' && name.front() != '.'
        && name.back() != '-' && name.back() != '.' && std::all_of(name.begin(), name.end(), isAllowed);
}

/// A quantity of the API, without fractions: digits and a suffix.
bool isQuantity(std::string_view text)
{
    const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
    constexpr std::string_view suffixes[] = {"", "k", "M", "G", "T", "P", "Ki", "Mi", "Gi", "Ti", "Pi"};
    return digits > 0
        && std::find(std::begin(suffixes), std::end(suffixes), text.substr(digits)) != std::end(suffixes);
}

Status KubernetesCommand::check()
{
    if (!isObjectName(name))
        return usageError("--name takes lower case letters, digits and hyphens, at most 40, not '" + name
                          + "'.");
    if (!nameSpace.empty() && !isObjectName(nameSpace))
        return usageError("--namespace takes lower case letters, digits and hyphens, at most 40, not '"
                          + nameSpace + "'.");
    if (!memory.empty() && !isQuantity(memory))
        return usageError("--memory takes a size such as 8Gi or 16G, not '" + memory + "'.");
    for (const VolumeClaim& claim : claims) {
        if (!isClaimName(claim.name))
            return usageError(
                "--claim takes the name of a PersistentVolumeClaim: lower case letters, digits, "
                "hyphens and dots, not '"
                + claim.name + "'.");
    }
    if (!fetchImage.empty() && fetch.empty())
        return usageError("--fetch-image is for --fetch.");
    return {};
}

bool KubernetesCommand::isInClaim(const std::string& path) const
{
    return std::any_of(claims.begin(), claims.end(), [&](const VolumeClaim& claim) {
        return path == claim.path || path.starts_with(claim.path + "/");
    });
}

Status KubernetesCommand::checkPlaces(const ReducePlan& plan, const std::string& folder) const
{
    const auto refused = [](const std::string& path, const char* why) {
        return usageError(path + " is in no --claim, so pods cannot " + why);
    };
    if (!isInClaim(folder))
        return refused(folder, "write their parts there.");
    for (const ReducePlan::File& file : plan.files) {
        if (fetch.empty() && !isInClaim(file.path))
            return refused(file.path, "read it. Mount it, or copy it with --fetch.");
    }
    std::vector<std::string> texts = mergeArguments;
    texts.insert(texts.end(), {folder, image, fetchImage, fetch, nameSpace, memory});
    for (const VolumeClaim& claim : claims)
        texts.insert(texts.end(), {claim.name, claim.path});
    for (const std::string& text : texts) {
        if (!isYamlText(text))
            return usageError("'" + text + "' cannot be given to Kubernetes: it is not UTF-8.");
    }
    return {};
}

/// Kubernetes replaces $(NAME) in commands; $$ is a $.
std::string literal(const std::string& text)
{
    std::string escaped;
    for (const char c : text)
        escaped.append(c == '$' ? 2 : 1, c);
    return escaped;
}

void KubernetesCommand::beginJob(YamlWriter& yaml, const std::string& jobName) const
{
    yaml.comment("Written by collscope --batch kubernetes. Needs Kubernetes 1.29 or newer.");
    yaml.text("apiVersion", "batch/v1");
    yaml.text("kind", "Job");
    yaml.begin("metadata");
    yaml.text("name", jobName);
    if (!nameSpace.empty())
        yaml.text("namespace", nameSpace);
    yaml.end();
    yaml.begin("spec");
}

void KubernetesCommand::beginPod(YamlWriter& yaml) const
{
    yaml.begin("template");
    yaml.begin("spec");
    yaml.text("restartPolicy", "Never");
    // As the user who planned: others may not write into the folder.
    if (::geteuid() != 0) {
        yaml.begin("securityContext");
        yaml.number("runAsUser", ::geteuid());
        yaml.number("runAsGroup", ::getegid());
        yaml.end();
    }
    yaml.begin("volumes");
    for (std::size_t i = 0; i < claims.size(); ++i) {
        yaml.beginItem();
        yaml.text("name", "claim-" + std::to_string(i));
        yaml.begin("persistentVolumeClaim");
        yaml.text("claimName", claims[i].name);
        yaml.end();
        yaml.end();
    }
    if (!fetch.empty()) {
        yaml.beginItem();
        yaml.text("name", "files");
        yaml.emptyMap("emptyDir");
        yaml.end();
    }
    yaml.end();
}

void KubernetesCommand::addContainer(YamlWriter& yaml, const std::string& own, const std::string& ofImage,
                                     const std::vector<std::string>& command) const
{
    yaml.beginItem();
    yaml.text("name", own);
    yaml.text("image", ofImage);
    yaml.texts("command", command);
    yaml.begin("resources");
    for (const char* kind : {"requests", "limits"}) {
        const bool isLimit = std::string_view(kind) == "limits";
        if (isLimit && memory.empty())
            continue;
        yaml.begin(kind);
        if (!isLimit)
            yaml.text("cpu", std::to_string(cpus));
        if (!memory.empty())
            yaml.text("memory", memory);
        yaml.end();
    }
    yaml.end();
    yaml.begin("volumeMounts");
    for (std::size_t i = 0; i < claims.size(); ++i) {
        yaml.beginItem();
        yaml.text("name", "claim-" + std::to_string(i));
        yaml.text("mountPath", claims[i].path);
        yaml.end();
    }
    if (!fetch.empty()) {
        yaml.beginItem();
        yaml.text("name", "files");
        yaml.text("mountPath", fetchFolder);
        yaml.end();
    }
    yaml.end();
    yaml.end();
}

/// The first lists the files of the task, the second copies them.
void KubernetesCommand::addFetching(YamlWriter& yaml, const std::string& folder) const
{
    yaml.begin("initContainers");
    addContainer(
        yaml, "list", image,
        {"sh", "-c",
         literal("umask 0 && mkdir -p \"$1\" && exec collscope --batch reduce \"$2\" --task \"$3\" -o \"$4\" "
                 "--list-files=relative --null >\"$5\""),
         "list", fetchedFiles, literal(folder + "/plan.json"), "$(JOB_COMPLETION_INDEX)",
         literal(folder + "/parts"), fetchList});
    addContainer(yaml, "fetch", fetchImage.empty() ? image : fetchImage,
                 {"sh", "-c", literal("cd \"$1\" && exec sh -c \"$2\" <\"$3\""), "fetch", fetchedFiles,
                  literal(fetch), fetchList});
    yaml.end();
}

std::string KubernetesCommand::reduceJob(const std::string& folder, std::uint32_t tasks) const
{
    constexpr int retries = 3;
    YamlWriter yaml;
    beginJob(yaml, name + "-reduce");
    yaml.text("completionMode", "Indexed");
    yaml.number("completions", tasks);
    yaml.number("parallelism", running > 0 ? std::min(running, tasks) : tasks);
    yaml.number("backoffLimitPerIndex", retries);
    yaml.begin("podFailurePolicy");
    yaml.begin("rules");
    // A node that is drained does not count as a try.
    yaml.beginItem();
    yaml.text("action", "Ignore");
    yaml.begin("onPodConditions");
    yaml.beginItem();
    yaml.text("type", "DisruptionTarget");
    yaml.text("status", "True");
    yaml.end();
    yaml.end();
    yaml.end();
    // Wrong usage, and files that cannot be read: another try changes nothing.
    yaml.beginItem();
    yaml.text("action", "FailIndex");
    yaml.begin("onExitCodes");
    yaml.text("containerName", "reduce");
    yaml.text("operator", "In");
    yaml.numbers("values", {WrongUsage, NotAvailable});
    yaml.end();
    yaml.end();
    yaml.end();
    yaml.end();
    beginPod(yaml);
    if (!fetch.empty())
        addFetching(yaml, folder);
    std::vector<std::string> command{"collscope", "--batch",
                                     "reduce",    literal(folder + "/plan.json"),
                                     "--task",    "$(JOB_COMPLETION_INDEX)",
                                     "-j",        std::to_string(cpus),
                                     "-o",        literal(folder + "/parts")};
    if (!fetch.empty())
        command.insert(command.end(), {"--files-from", fetchedFiles});
    yaml.begin("containers");
    addContainer(yaml, "reduce", image, command);
    return yaml.take();
}

std::string KubernetesCommand::mergeJob(const std::string& folder) const
{
    YamlWriter yaml;
    beginJob(yaml, name + "-merge");
    yaml.number("backoffLimit", 0);
    beginPod(yaml);
    std::vector<std::string> command{"collscope", "--batch",           "merge", literal(folder + "/parts"),
                                     "--threads", std::to_string(cpus)};
    for (const std::string& argument : mergeArguments)
        command.push_back(literal(argument));
    if (mergeArguments.empty())
        command.insert(
            command.end(),
            {"--output-json", literal(folder + "/report.json"), "--csv", literal(folder + "/metrics.csv")});
    if (allowMissing)
        command.emplace_back("--allow-missing");
    yaml.begin("containers");
    addContainer(yaml, "merge", image, command);
    return yaml.take();
}

int KubernetesCommand::execute() const
{
    const auto plan = makePlan(input);
    if (!plan)
        return sayNotLoaded(plan.error());
    std::error_code error;
    const std::string folder = fs::absolute(output, error).lexically_normal().string();
    if (const Status places = checkPlaces(*plan, folder); !places) {
        say(places.error().message);
        return WrongUsage;
    }
    const std::string reduceFile = folder + "/reduce.yaml", mergeFile = folder + "/merge.yaml";
    if (!writeJobFolder(folder,
                        {{std::string(planName), planText(*plan)},
                         {"reduce.yaml", reduceJob(folder, plan->tasks)},
                         {"merge.yaml", mergeJob(folder)}},
                        {"parts"}))
        return NotWritten;
    // A Job cannot wait for another one. The first ends as failed if tasks failed; then the merge says which.
    const std::string kubectl = nameSpace.empty() ? "kubectl" : "kubectl -n " + shellWord(nameSpace);
    const auto waits = [&](const char* condition) {
        return kubectl + " wait --for=condition=" + condition + " --timeout=10s job/" + name + "-reduce";
    };
    return print(kubectl + " apply -f " + shellWord(reduceFile) + "\nuntil " + waits("complete") + " || "
                 + waits("failed") + "; do sleep 5; done\n" + kubectl + " apply -f " + shellWord(mergeFile)
                 + "\n")
        ? Done
        : NotWritten;
}

} // namespace

std::unique_ptr<ProgramCommand> kubernetesCommand()
{
    return std::make_unique<KubernetesCommand>();
}

} // namespace collscope
