// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Samples the NVLink byte counters of this node's GPUs through NVML while a job runs. Writes one file
// nvlink_gpu<i>.bin per GPU (NVF1: a header of 12 bytes, then NVML's values, record by record) and
// nvlink_sampler.txt, a description of the samples. Needs the driver's libnvidia-ml.so.1 but no CUDA;
// COLLSCOPE_NVML_LIB selects another library. A single file, so that it can be compiled where the job runs:
// c++ -std=c++20 -O2 -pthread nvlink_sampler.cpp -ldl -o nvlink_sampler
//
// Exit codes: 0 stopped by a signal or --duration, 1 usage error, 2 NVML not available, 3 no GPU with NVLink,
// 4 output not written.

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <charconv>
#include <climits>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace {

// From nvml.h, whose ABI is stable.
using NvmlDevice = void*;
struct NvmlFieldValue
{
    std::uint32_t fieldId = 0;
    std::uint32_t scopeId = 0; ///< for NVLink fields: the link
    std::int64_t timestampUs = 0;
    std::int64_t latencyUs = 0;
    std::uint32_t valueType = 0;
    std::int32_t result = 0;
    std::uint64_t value = 0;
};
static_assert(sizeof(NvmlFieldValue) == 40);
constexpr std::uint32_t dataTx = 138, dataRx = 139, rawTx = 140,
                        rawRx = 141; ///< KiB since the driver was loaded
constexpr unsigned mostLinks = 18;

struct Nvml
{
    int (*init)() = nullptr;
    int (*shutdown)() = nullptr;
    const char* (*errorString)(int) = nullptr;
    int (*deviceCount)(unsigned*) = nullptr;
    int (*deviceByIndex)(unsigned, NvmlDevice*) = nullptr;
    int (*deviceUuid)(NvmlDevice, char*, unsigned) = nullptr;
    int (*linkState)(NvmlDevice, unsigned, unsigned*) = nullptr;
    int (*fieldValues)(NvmlDevice, int, NvmlFieldValue*) = nullptr;
};

struct Options
{
    std::string folder = ".";
    std::vector<unsigned> gpus; ///< empty: all
    double periodMs = 5;
    double durationSeconds = 0; ///< 0: until a signal arrives
    bool raw = false; ///< also record the counters that include protocol overhead
};

constexpr std::int64_t nsPerSecond = 1'000'000'000;
std::atomic<bool> stopped = false;

std::int64_t nowNs(clockid_t clock)
{
    timespec time{};
    ::clock_gettime(clock, &time);
    return time.tv_sec * nsPerSecond + time.tv_nsec;
}

void say(const std::string& text)
{
    std::fprintf(stderr, "nvlink_sampler: %s\n", text.c_str());
}

template<typename F>
bool find(void* library, const char* name, F& function)
{
    function = reinterpret_cast<F>(::dlsym(library, name));
    if (!function)
        say(std::string("NVML lacks the function ").append(name).append("."));
    return function != nullptr;
}

std::optional<Nvml> loadNvml()
{
    const char* const named
        = std::getenv("COLLSCOPE_NVML_LIB"); // NOLINT(concurrency-mt-unsafe): no threads yet
    const char* const path = named && *named ? named : "libnvidia-ml.so.1";
    void* const library = ::dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        say(std::string("NVML could not be loaded: ")
                .append(::dlerror()) /* NOLINT(concurrency-mt-unsafe) */.append(
                    ". It comes with the NVIDIA driver."));
        return std::nullopt;
    }
    Nvml nvml;
    const bool isWhole = find(library, "nvmlInit_v2", nvml.init)
        && find(library, "nvmlShutdown", nvml.shutdown) && find(library, "nvmlErrorString", nvml.errorString)
        && find(library, "nvmlDeviceGetCount_v2", nvml.deviceCount)
        && find(library, "nvmlDeviceGetHandleByIndex_v2", nvml.deviceByIndex)
        && find(library, "nvmlDeviceGetUUID", nvml.deviceUuid)
        && find(library, "nvmlDeviceGetNvLinkState", nvml.linkState)
        && find(library, "nvmlDeviceGetFieldValues", nvml.fieldValues);
    if (!isWhole)
        return std::nullopt;
    if (const int error = nvml.init(); error != 0) {
        say(std::string("NVML initialization failed: ").append(nvml.errorString(error)).append("."));
        return std::nullopt;
    }
    return nvml;
}

/// Writes the records of one GPU to its file. Never overwrites an existing file.
class Records
{
public:
    explicit Records(std::string path)
        : m_path(std::move(path))
        , m_file(::open(m_path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644))
    {
        if (m_file < 0) {
            fail();
            return;
        }
        m_bytes.reserve(std::size_t{1} << 17);
        m_bytes.append("NVF1");
        append(std::uint16_t{1});
        append(static_cast<std::uint16_t>(sizeof(NvmlFieldValue)));
        append(std::int32_t{sizeof(std::int64_t)});
    }
    Records(const Records&) = delete;
    Records& operator=(const Records&) = delete;
    ~Records()
    {
        flush();
        if (m_file >= 0)
            ::close(m_file);
    }

    void add(std::int64_t hostNs, const NvmlFieldValue& value)
    {
        append(hostNs);
        append(value);
        ++m_count;
        // Writes only complete records, at intervals: a killed process loses at most one second.
        if (m_bytes.size() > (std::size_t{1} << 16) || hostNs - m_flushedNs > nsPerSecond) {
            m_flushedNs = hostNs;
            flush();
        }
    }
    void flush()
    {
        std::string_view rest = m_bytes;
        while (!rest.empty() && isGood()) {
            const ssize_t written = ::write(m_file, rest.data(), rest.size());
            if (written < 0 && errno != EINTR)
                fail();
            else if (written > 0)
                rest.remove_prefix(static_cast<std::size_t>(written));
        }
        m_bytes.clear();
    }
    bool isGood() const { return m_failure.empty(); }
    const std::string& failure() const { return m_failure; }
    std::uint64_t count() const { return m_count; }

private:
    template<typename T>
    void append(const T& value)
    {
        m_bytes.append(reinterpret_cast<const char*>(&value),
                       sizeof value); // little-endian, as on all these nodes
    }
    void fail() { m_failure = m_path + ": " + std::system_category().message(errno); }

    std::string m_path;
    int m_file;
    std::string m_bytes, m_failure;
    std::uint64_t m_count = 0;
    std::int64_t m_flushedNs = 0;
};

struct Gpu
{
    unsigned index = 0;
    NvmlDevice device = nullptr;
    std::string uuid;
    std::vector<unsigned> links; ///< active links
    std::uint64_t records = 0;
    std::uint64_t missed = 0; ///< samples that failed, or were skipped because they were late
    std::string failure;
};

std::vector<Gpu> gpusOf(const Nvml& nvml, const Options& options)
{
    unsigned count = 0;
    nvml.deviceCount(&count);
    for (const unsigned wanted : options.gpus) {
        if (wanted >= count)
            say("GPU " + std::to_string(wanted) + " does not exist; number of GPUs: " + std::to_string(count)
                + ".");
    }
    std::vector<Gpu> gpus;
    for (unsigned index = 0; index < count; ++index) {
        bool isWanted = options.gpus.empty();
        for (const unsigned wanted : options.gpus)
            isWanted |= wanted == index;
        Gpu gpu;
        gpu.index = index;
        if (!isWanted || nvml.deviceByIndex(index, &gpu.device) != 0)
            continue;
        char uuid[96] = "";
        if (nvml.deviceUuid(gpu.device, uuid, sizeof uuid) == 0)
            gpu.uuid = uuid;
        for (unsigned link = 0; link < mostLinks; ++link) {
            unsigned isActive = 0;
            if (nvml.linkState(gpu.device, link, &isActive) == 0 && isActive != 0)
                gpu.links.push_back(link);
        }
        if (gpu.links.empty())
            say("GPU " + std::to_string(index) + " has no active NVLink.");
        else
            gpus.push_back(std::move(gpu));
    }
    return gpus;
}

void sample(const Nvml& nvml, Gpu& gpu, const Options& options)
{
    Records records(options.folder + "/nvlink_gpu" + std::to_string(gpu.index) + ".bin");
    std::vector<NvmlFieldValue> values;
    std::vector<std::uint32_t> fields{dataTx, dataRx};
    if (options.raw)
        fields.insert(fields.end(), {rawTx, rawRx});
    for (const unsigned link : gpu.links) {
        for (const std::uint32_t field : fields) {
            NvmlFieldValue value;
            value.fieldId = field;
            value.scopeId = link;
            values.push_back(value);
        }
    }
    const auto periodNs = static_cast<std::int64_t>(options.periodMs * 1e6);
    const std::int64_t begin = nowNs(CLOCK_MONOTONIC);
    const auto durationNs = static_cast<std::int64_t>(options.durationSeconds * 1e9);
    std::int64_t next = begin;
    constexpr int mostFailures = 100;
    int failedInARow = 0;
    while (!stopped && records.isGood() && (durationNs == 0 || next - begin <= durationNs)) {
        const int error = nvml.fieldValues(gpu.device, static_cast<int>(values.size()), values.data());
        const std::int64_t now = nowNs(CLOCK_MONOTONIC);
        // An occasional failure leaves a gap, like a late sample.
        if (error != 0) {
            ++gpu.missed;
            if (++failedInARow == mostFailures) {
                gpu.failure = nvml.errorString(error);
                break;
            }
        } else {
            failedInARow = 0;
            for (const NvmlFieldValue& value : values)
                records.add(now, value);
        }
        // Samples stay on the grid of the period: a slow sample skips those it overlaps, and shifts none.
        next += periodNs;
        if (now > next) {
            const std::int64_t late = (now - next) / periodNs + 1;
            gpu.missed += static_cast<std::uint64_t>(late);
            next += late * periodNs;
        }
        const timespec until{next / nsPerSecond, next % nsPerSecond};
        while (!stopped && ::clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nullptr) == EINTR) { }
    }
    records.flush();
    gpu.records = records.count();
    if (!records.isGood())
        gpu.failure = records.failure();
}

/// Writes the description of the samples: plain text, for users and for the manifest.
bool writeSidecar(const Options& options, const std::vector<Gpu>& gpus, std::int64_t startedNs)
{
    char host[HOST_NAME_MAX + 1] = "";
    ::gethostname(host, sizeof host - 1);
    const std::string path = options.folder + "/nvlink_sampler.txt";
    const std::string temporary = path + ".tmp";
    std::FILE* const file = std::fopen(temporary.c_str(), "w");
    if (!file)
        return false;
    std::fprintf(file, "host %s\nstarted_unix_ns %lld\nperiod_ms %g\n", host,
                 static_cast<long long>(startedNs), options.periodMs);
    for (const Gpu& gpu : gpus) {
        std::fprintf(file, "gpu %u uuid %s links", gpu.index, gpu.uuid.c_str());
        for (const unsigned link : gpu.links)
            std::fprintf(file, " %u", link);
        std::fprintf(file, " records %llu missed %llu%s%s\n", static_cast<unsigned long long>(gpu.records),
                     static_cast<unsigned long long>(gpu.missed), gpu.failure.empty() ? "" : " failed ",
                     gpu.failure.c_str());
    }
    return std::fclose(file) == 0 && std::rename(temporary.c_str(), path.c_str()) == 0;
}

std::optional<double> number(std::string_view text, double least, double most)
{
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size() && value >= least && value <= most
        ? std::optional(value)
        : std::nullopt;
}

std::optional<std::vector<unsigned>> gpuList(std::string_view text)
{
    std::vector<unsigned> gpus;
    while (!text.empty()) {
        const std::size_t comma = text.find(',');
        const std::string_view word = text.substr(0, comma);
        unsigned gpu = 0;
        const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), gpu);
        if (error != std::errc() || end != word.data() + word.size())
            return std::nullopt;
        gpus.push_back(gpu);
        text = comma == std::string_view::npos ? std::string_view() : text.substr(comma + 1);
    }
    return gpus;
}

constexpr const char* usage
    = "usage: nvlink_sampler [--output DIR] [--period-ms 1-1000] [--gpus 0,1,...] [--raw] [--duration "
      "SECONDS]\n"
      "Samples NVLink until SIGTERM or SIGINT; writes nvlink_gpu<i>.bin and nvlink_sampler.txt.\n";

std::optional<Options> parse(int argc, char** argv)
{
    Options options;
    for (int i = 1; i < argc; ++i) {
        const std::string_view name = argv[i];
        if (name == "--raw") {
            options.raw = true;
            continue;
        }
        if (i + 1 >= argc)
            return std::nullopt;
        const std::string_view value = argv[++i];
        if (name == "--output") {
            options.folder = value;
        } else if (const auto period = number(value, 1, 1000); name == "--period-ms" && period) {
            options.periodMs = *period;
        } else if (const auto seconds = number(value, 0.001, 1e6); name == "--duration" && seconds) {
            options.durationSeconds = *seconds;
        } else if (const auto gpus = gpuList(value); name == "--gpus" && gpus) {
            options.gpus = *gpus;
        } else {
            return std::nullopt;
        }
    }
    return options;
}

} // namespace

int main(int argc, char** argv)
{
    if (argc == 2 && std::string_view(argv[1]) == "--help") {
        std::fputs(usage, stdout);
        return 0;
    }
    const auto options = parse(argc, argv);
    if (!options) {
        std::fputs(usage, stderr);
        return 1;
    }
    const auto nvml = loadNvml();
    if (!nvml)
        return 2;
    std::vector<Gpu> gpus = gpusOf(*nvml, *options);
    if (gpus.empty()) {
        say("no GPU with an active NVLink was found.");
        nvml->shutdown();
        return 3;
    }
    // A handler suffices: sleeping threads are woken by the signal or by their period.
    struct sigaction action
    { };
    action.sa_handler = [](int) { stopped = true; };
    for (const int signal : {SIGTERM, SIGINT, SIGHUP})
        ::sigaction(signal, &action, nullptr);
    for (const Gpu& gpu : gpus) {
        const std::string path = options->folder + "/nvlink_gpu" + std::to_string(gpu.index) + ".bin";
        if (::access(path.c_str(), F_OK) == 0) {
            say(path + " already exists.");
            return 4;
        }
    }
    ::mkdir(options->folder.c_str(), 0777); // an existing folder is not an error
    const std::int64_t started = nowNs(CLOCK_REALTIME);
    bool isWritten = writeSidecar(*options, gpus, started);
    if (isWritten) {
        // One thread per GPU: a slow response of one GPU does not delay the others.
        std::vector<std::thread> threads;
        threads.reserve(gpus.size());
        for (Gpu& gpu : gpus)
            threads.emplace_back([&] { sample(*nvml, gpu, *options); });
        for (std::thread& thread : threads)
            thread.join();
        isWritten = writeSidecar(*options, gpus, started);
    }
    nvml->shutdown();
    for (const Gpu& gpu : gpus) {
        if (!gpu.failure.empty())
            say("GPU " + std::to_string(gpu.index) + ": " + gpu.failure);
        isWritten &= gpu.failure.empty();
    }
    if (!isWritten)
        say("some output could not be written to " + options->folder + ".");
    return isWritten ? 0 : 4;
}
