// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Samples the state of this node's GPUs (clocks, power, temperature, why clocks are low, ECC, replays and CRC
// errors of PCIe and NVLink) through NVML, and the error counters of its network cards, while a job runs.
// Writes gpu_state_<host>.csv, with the names of nvidia-smi's fields where it has them, and
// nic_counters_<host>.csv; each line has the time since the epoch and the host, so that it can be placed
// beside traces. A value that the driver does not know is an empty cell. Needs the driver's libnvidia-ml.so.1
// but no CUDA; COLLSCOPE_NVML_LIB selects another library, COLLSCOPE_SYSFS another /sys/class/infiniband. A
// single file, so that it can be compiled where the job runs:
//
// c++ -std=c++20 -O2 hardware_sampler.cpp -ldl -o hardware_sampler
//
// Exit codes: 0 stopped by a signal or --duration, 1 usage error, 3 neither GPUs nor network cards, 4 output
// not written.

#include <dlfcn.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <climits>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace {

// From nvml.h, whose ABI is stable.
using NvmlDevice = void*;
struct NvmlPci
{
    char busIdLegacy[16] = "";
    unsigned domain = 0, bus = 0, device = 0, deviceId = 0, subsystemId = 0;
    char busId[32] = "";
};
struct NvmlUtilisation
{
    unsigned gpu = 0, memory = 0;
};
struct NvmlFieldValue
{
    std::uint32_t fieldId = 0, scopeId = 0;
    std::int64_t timestampUs = 0, latencyUs = 0;
    std::uint32_t valueType = 0;
    std::int32_t result = 0;
    std::uint64_t value = 0;
};
static_assert(sizeof(NvmlFieldValue) == 40);
constexpr int clockSm = 1, clockMemory = 2, temperatureGpu = 0;
constexpr int eccCorrected = 0, eccUncorrected = 1, eccVolatile = 0;
/// Totals over all links, of nvml.h: NVML_FI_DEV_NVLINK_CRC_FLIT_ERROR_COUNT_TOTAL, ..._CRC_DATA_...,
/// ..._REPLAY_..., ..._RECOVERY_ERROR_COUNT_TOTAL.
constexpr std::uint32_t crcFlits = 38, crcData = 45, replays = 52, recoveries = 59;

struct Nvml
{
    int (*init)() = nullptr;
    int (*shutdown)() = nullptr;
    int (*deviceCount)(unsigned*) = nullptr;
    int (*deviceByIndex)(unsigned, NvmlDevice*) = nullptr;
    // Each may be missing: its cells stay empty.
    int (*uuid)(NvmlDevice, char*, unsigned) = nullptr;
    int (*name)(NvmlDevice, char*, unsigned) = nullptr;
    int (*pci)(NvmlDevice, NvmlPci*) = nullptr;
    int (*clock)(NvmlDevice, int, unsigned*) = nullptr;
    int (*power)(NvmlDevice, unsigned*) = nullptr;
    int (*powerLimit)(NvmlDevice, unsigned*) = nullptr;
    int (*temperature)(NvmlDevice, int, unsigned*) = nullptr;
    int (*utilisation)(NvmlDevice, NvmlUtilisation*) = nullptr;
    int (*reasons)(NvmlDevice, unsigned long long*) = nullptr;
    int (*eccErrors)(NvmlDevice, int, int, unsigned long long*) = nullptr;
    int (*pcieReplays)(NvmlDevice, unsigned*) = nullptr;
    int (*fieldValues)(NvmlDevice, int, NvmlFieldValue*) = nullptr;
};

struct Options
{
    std::string folder = ".";
    double periodMs = 1000;
    double durationSeconds = 0; ///< 0: until a signal arrives
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
    std::fprintf(stderr, "hardware_sampler: %s\n", text.c_str());
}

template<typename F>
bool find(void* library, std::initializer_list<const char*> names, F& function)
{
    for (const char* const name : names) {
        function = reinterpret_cast<F>(::dlsym(library, name));
        if (function)
            return true;
    }
    return false;
}

/// nullopt, after saying why, without a driver.
std::optional<Nvml> loadNvml()
{
    const char* const named = std::getenv("COLLSCOPE_NVML_LIB"); // NOLINT(concurrency-mt-unsafe): no threads
    void* const library = ::dlopen(named && *named ? named : "libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        say(std::string("no GPUs are sampled, NVML could not be loaded: ")
                .append(::dlerror()) /* NOLINT(concurrency-mt-unsafe) */);
        return std::nullopt;
    }
    Nvml nvml;
    if (!find(library, {"nvmlInit_v2"}, nvml.init) || !find(library, {"nvmlShutdown"}, nvml.shutdown)
        || !find(library, {"nvmlDeviceGetCount_v2"}, nvml.deviceCount)
        || !find(library, {"nvmlDeviceGetHandleByIndex_v2"}, nvml.deviceByIndex) || nvml.init() != 0) {
        say("no GPUs are sampled, NVML could not be initialized.");
        return std::nullopt;
    }
    find(library, {"nvmlDeviceGetUUID"}, nvml.uuid);
    find(library, {"nvmlDeviceGetName"}, nvml.name);
    find(library, {"nvmlDeviceGetPciInfo_v3"}, nvml.pci);
    find(library, {"nvmlDeviceGetClockInfo"}, nvml.clock);
    find(library, {"nvmlDeviceGetPowerUsage"}, nvml.power);
    find(library, {"nvmlDeviceGetEnforcedPowerLimit"}, nvml.powerLimit);
    find(library, {"nvmlDeviceGetTemperature"}, nvml.temperature);
    find(library, {"nvmlDeviceGetUtilizationRates"}, nvml.utilisation);
    find(library, {"nvmlDeviceGetCurrentClocksEventReasons", "nvmlDeviceGetCurrentClocksThrottleReasons"},
         nvml.reasons);
    find(library, {"nvmlDeviceGetTotalEccErrors"}, nvml.eccErrors);
    find(library, {"nvmlDeviceGetPcieReplayCounter"}, nvml.pcieReplays);
    find(library, {"nvmlDeviceGetFieldValues"}, nvml.fieldValues);
    return nvml;
}

/// A text as a cell of CSV.
std::string cell(std::string text)
{
    std::erase_if(text, [](char c) { return c == '"' || c == '\n' || c == '\r'; });
    return text.find(',') == std::string::npos ? text : '"' + text + '"';
}

/// A CSV file to which lines are appended. Never overwrites an existing file.
class Lines
{
public:
    Lines(std::string path, std::string_view head)
        : m_path(std::move(path))
        , m_file(std::fopen(m_path.c_str(), "wxe"))
    {
        if (m_file)
            add(std::string(head));
        else
            m_failure = std::system_category().message(errno);
    }
    Lines(const Lines&) = delete;
    Lines& operator=(const Lines&) = delete;
    ~Lines()
    {
        if (m_file)
            std::fclose(m_file);
    }
    void add(const std::string& line)
    {
        if (m_file)
            std::fprintf(m_file, "%s\n", line.c_str());
    }
    /// After each sample: a killed process loses at most one.
    void flush()
    {
        if (m_file && std::fflush(m_file) != 0)
            m_failure = std::system_category().message(errno);
    }
    bool isGood() const { return m_failure.empty(); }
    std::string failure() const { return m_path + ": " + m_failure; }

private:
    std::string m_path;
    std::FILE* m_file;
    std::string m_failure;
};

/// The GPUs and what is asked of them.
class Gpus
{
public:
    static constexpr std::string_view head
        = "timestamp_unix_ns,host,index,uuid,pci.bus_id,name,clocks.current.sm [MHz],clocks.current.memory "
          "[MHz],"
          "power.draw [W],enforced.power.limit [W],temperature.gpu,utilization.gpu [%],"
          "clocks_event_reasons.active,ecc.errors.corrected.volatile.total,"
          "ecc.errors.uncorrected.volatile.total,pcie.replay_counter,nvlink.replay_errors,"
          "nvlink.recovery_errors,nvlink.crc_errors";

    Gpus(const Nvml& nvml, const std::string& host)
        : m_nvml(nvml)
    {
        unsigned count = 0;
        m_nvml.deviceCount(&count);
        for (unsigned index = 0; index < count; ++index) {
            Gpu gpu;
            if (m_nvml.deviceByIndex(index, &gpu.device) != 0)
                continue;
            char uuid[96] = "", name[96] = "";
            NvmlPci pci;
            if (m_nvml.uuid && m_nvml.uuid(gpu.device, uuid, sizeof uuid) != 0)
                uuid[0] = '\0';
            if (m_nvml.name && m_nvml.name(gpu.device, name, sizeof name) != 0)
                name[0] = '\0';
            if (m_nvml.pci && m_nvml.pci(gpu.device, &pci) != 0)
                pci.busId[0] = '\0';
            gpu.front = "," + cell(host) + "," + std::to_string(index) + "," + cell(uuid) + ","
                + cell(pci.busId) + "," + cell(name);
            m_gpus.push_back(std::move(gpu));
        }
    }
    bool isEmpty() const { return m_gpus.empty(); }

    void sample(Lines& lines) const
    {
        for (const Gpu& gpu : m_gpus) {
            const std::string time = std::to_string(nowNs(CLOCK_REALTIME));
            lines.add(time + gpu.front + momentsOf(gpu.device) + countersOf(gpu.device));
        }
        lines.flush();
    }

private:
    struct Gpu
    {
        NvmlDevice device = nullptr;
        std::string front; ///< the cells that stay the same
    };

    template<typename Function, typename... Arguments>
    static std::string ask(Function function, NvmlDevice device, Arguments... arguments)
    {
        unsigned value = 0;
        const bool isKnown = function && function(device, arguments..., &value) == 0;
        return isKnown ? "," + std::to_string(value) : std::string(",");
    }
    /// mW as W, without rounding.
    template<typename Function>
    static std::string askWatts(Function function, NvmlDevice device)
    {
        unsigned milliwatts = 0;
        if (!function || function(device, &milliwatts) != 0)
            return ",";
        char text[32];
        std::snprintf(text, sizeof text, ",%u.%03u", milliwatts / 1000, milliwatts % 1000);
        return text;
    }
    std::string momentsOf(NvmlDevice device) const
    {
        std::string cells = ask(m_nvml.clock, device, clockSm) + ask(m_nvml.clock, device, clockMemory)
            + askWatts(m_nvml.power, device) + askWatts(m_nvml.powerLimit, device)
            + ask(m_nvml.temperature, device, temperatureGpu);
        NvmlUtilisation utilisation;
        cells += ',';
        if (m_nvml.utilisation && m_nvml.utilisation(device, &utilisation) == 0)
            cells += std::to_string(utilisation.gpu);
        unsigned long long reasons = 0;
        cells += ',';
        if (m_nvml.reasons && m_nvml.reasons(device, &reasons) == 0) {
            char text[32];
            std::snprintf(text, sizeof text, "0x%016llx", reasons);
            cells += text;
        }
        return cells;
    }
    std::string countersOf(NvmlDevice device) const
    {
        std::string cells;
        for (const int kind : {eccCorrected, eccUncorrected}) {
            unsigned long long errors = 0;
            cells += ',';
            if (m_nvml.eccErrors && m_nvml.eccErrors(device, kind, eccVolatile, &errors) == 0)
                cells += std::to_string(errors);
        }
        cells += ask(m_nvml.pcieReplays, device);
        NvmlFieldValue fields[4];
        constexpr std::uint32_t ids[] = {replays, recoveries, crcFlits, crcData};
        for (std::size_t i = 0; i < std::size(ids); ++i) {
            fields[i].fieldId = ids[i];
            fields[i].result = 1;
        }
        const bool isAnswered
            = m_nvml.fieldValues && m_nvml.fieldValues(device, static_cast<int>(std::size(ids)), fields) == 0;
        const auto valueOf = [&](const NvmlFieldValue& field) -> std::optional<std::uint64_t> {
            constexpr std::uint32_t unsignedInt = 1;
            if (!isAnswered || field.result != 0)
                return std::nullopt;
            return field.valueType == unsignedInt ? field.value & 0xFFFFFFFFu : field.value;
        };
        const auto text = [](std::optional<std::uint64_t> value) {
            return value ? "," + std::to_string(*value) : std::string(",");
        };
        const auto flits = valueOf(fields[2]), data = valueOf(fields[3]);
        return cells + text(valueOf(fields[0])) + text(valueOf(fields[1]))
            + text(flits || data ? std::optional(flits.value_or(0) + data.value_or(0)) : std::nullopt);
    }

    Nvml m_nvml;
    std::vector<Gpu> m_gpus;
};

/// The network cards: the counters of errors, not those of traffic and congestion.
class NetworkCards
{
public:
    explicit NetworkCards(std::string host)
        : m_host(std::move(host))
    {
        const char* const named = std::getenv("COLLSCOPE_SYSFS"); // NOLINT(concurrency-mt-unsafe): no threads
        std::error_code error;
        for (const std::filesystem::directory_entry& card :
             std::filesystem::directory_iterator(named && *named ? named : "/sys/class/infiniband", error)) {
            std::error_code portError;
            for (const std::filesystem::directory_entry& port :
                 std::filesystem::directory_iterator(card.path() / "ports", portError))
                m_ports.push_back({card.path().filename(), port.path().filename(), port.path()});
        }
        std::sort(m_ports.begin(), m_ports.end(),
                  [](const Port& a, const Port& b) { return a.folder < b.folder; });
    }
    bool isEmpty() const { return m_ports.empty(); }
    static std::string head() { return "timestamp_unix_ns,host,nic,port," + std::string(counters); }
    void sample(Lines& lines) const
    {
        for (const Port& port : m_ports) {
            std::string line = std::to_string(nowNs(CLOCK_REALTIME)) + "," + cell(m_host) + ","
                + cell(port.card) + "," + cell(port.number);
            for (std::string_view rest = counters; !rest.empty();) {
                const std::size_t comma = std::min(rest.find(','), rest.size());
                line += "," + valueOf(port, rest.substr(0, comma));
                rest.remove_prefix(std::min(comma + 1, rest.size()));
            }
            lines.add(line);
        }
        lines.flush();
    }

private:
    struct Port
    {
        std::string card, number;
        std::filesystem::path folder;
    };
    /// Documentation/ABI/stable/sysfs-class-infiniband of the Linux kernel, and the mlx5 driver's
    /// hw_counters.
    static constexpr std::string_view counters
        = "symbol_error,link_error_recovery,link_downed,port_rcv_errors,port_rcv_remote_physical_errors,"
          "port_xmit_discards,local_link_integrity_errors,excessive_buffer_overrun_errors,out_of_sequence,"
          "packet_seq_err,local_ack_timeout_err,rnr_nak_retry_err,roce_adp_retrans_to,rx_icrc_encapsulated";

    static std::string valueOf(const Port& port, std::string_view counter)
    {
        for (const char* const folder : {"counters", "hw_counters"}) {
            std::ifstream file(port.folder / folder / counter);
            std::string word;
            if (file >> word && word.find_first_not_of("0123456789") == std::string::npos)
                return word;
        }
        return {};
    }

    std::string m_host;
    std::vector<Port> m_ports;
};

std::optional<double> number(std::string_view text, double least, double most)
{
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size() && value >= least && value <= most
        ? std::optional(value)
        : std::nullopt;
}

constexpr const char* usage
    = "usage: hardware_sampler [--output DIR] [--period-ms 10-60000] [--duration SECONDS]\n"
      "Samples GPUs and network cards until SIGTERM or SIGINT; writes gpu_state_<host>.csv and "
      "nic_counters_<host>.csv.\n";

std::optional<Options> parse(int argc, char** argv)
{
    Options options;
    for (int i = 1; i + 1 < argc; i += 2) {
        const std::string_view name = argv[i], value = argv[i + 1];
        if (name == "--output")
            options.folder = value;
        else if (const auto period = number(value, 10, 60'000); name == "--period-ms" && period)
            options.periodMs = *period;
        else if (const auto seconds = number(value, 0.001, 1e7); name == "--duration" && seconds)
            options.durationSeconds = *seconds;
        else
            return std::nullopt;
    }
    return argc % 2 == 1 ? std::optional(options) : std::nullopt;
}

/// Calls `sample` on the grid of the period: a slow sample skips those it overlaps, and shifts none.
template<typename Sample>
void repeat(const Options& options, const Sample& sample)
{
    const auto periodNs = static_cast<std::int64_t>(options.periodMs * 1e6);
    const auto durationNs = static_cast<std::int64_t>(options.durationSeconds * 1e9);
    const std::int64_t begin = nowNs(CLOCK_MONOTONIC);
    std::int64_t next = begin;
    while (!stopped && (durationNs == 0 || next - begin <= durationNs) && sample()) {
        next += periodNs;
        const std::int64_t now = nowNs(CLOCK_MONOTONIC);
        if (now > next)
            next += ((now - next) / periodNs + 1) * periodNs;
        const timespec until{next / nsPerSecond, next % nsPerSecond};
        while (!stopped && ::clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nullptr) == EINTR) { }
    }
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
    char hostName[HOST_NAME_MAX + 1] = "";
    ::gethostname(hostName, sizeof hostName - 1);
    const std::string host = hostName;
    const auto nvml = loadNvml();
    std::optional<Gpus> gpus;
    if (nvml)
        gpus.emplace(*nvml, host);
    const NetworkCards cards(host);
    const bool hasGpus = gpus && !gpus->isEmpty();
    if (!hasGpus && cards.isEmpty()) {
        say("neither GPUs nor network cards were found.");
        return 3;
    }
    struct sigaction action
    { };
    action.sa_handler = [](int) { stopped = true; };
    for (const int signal : {SIGTERM, SIGINT, SIGHUP})
        ::sigaction(signal, &action, nullptr);
    ::mkdir(options->folder.c_str(), 0777); // an existing folder is not an error
    std::string fileHost = host.substr(0, host.find('.'));
    std::replace(fileHost.begin(), fileHost.end(), '/', '_');
    std::optional<Lines> states, counters;
    if (hasGpus)
        states.emplace(options->folder + "/gpu_state_" + fileHost + ".csv", Gpus::head);
    if (!cards.isEmpty())
        counters.emplace(options->folder + "/nic_counters_" + fileHost + ".csv", NetworkCards::head());
    const auto isGood = [](const std::optional<Lines>& lines) { return !lines || lines->isGood(); };
    if (isGood(states) && isGood(counters))
        repeat(*options, [&] {
            if (states)
                gpus->sample(*states);
            if (counters)
                cards.sample(*counters);
            return isGood(states) && isGood(counters);
        });
    int code = 0;
    for (std::optional<Lines>* const lines : {&states, &counters}) {
        if (*lines && !(*lines)->isGood()) {
            say((*lines)->failure());
            code = 4;
        }
    }
    if (nvml)
        nvml->shutdown();
    return code;
}
