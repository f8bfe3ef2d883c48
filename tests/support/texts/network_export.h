// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Exports of Nsight Systems with samples of network cards and switches, written by SQLite itself with the
// statements of NVIDIA's "SQLite Schema Reference" (Nsight Systems, Analysis Guide; the older one is in the
// User Guide of 2023).

#include <cstdint>
#include <string>

namespace collscope {

enum class NetworkSchema
{
    Of2023, ///< samples without ports
    Of2026 ///< schema 3.28.1
};

class NetworkExport
{
public:
    explicit NetworkExport(NetworkSchema schema)
        : m_schema(schema)
    {
        const bool isNew = schema == NetworkSchema::Of2026;
        add(R"sql(CREATE TABLE TARGET_INFO_NETWORK_METRICS (metricsListId INTEGER NOT NULL,
            metricsIdx INTEGER NOT NULL, name TEXT NOT NULL, description TEXT NOT NULL, unit TEXT NOT NULL);
            CREATE TABLE NIC_ID_MAP (nicId INTEGER NOT NULL, globalId INTEGER NOT NULL);)sql");
        add(std::string("CREATE TABLE TARGET_INFO_NIC_INFO (")
            + (isNew ? "GUID INTEGER NOT NULL" : "globalId INTEGER")
            + ", stateName TEXT NOT NULL, nicId INTEGER NOT NULL, name TEXT NOT NULL, deviceId INTEGER NOT "
              "NULL, "
              "vendorId INTEGER NOT NULL, linkLayer INTEGER NOT NULL);");
        for (const char* table : {"NET_NIC_METRIC", "NET_IB_SWITCH_METRIC"})
            add(std::string("CREATE TABLE ") + table
                + " (start INTEGER NOT NULL, end INTEGER NOT NULL, globalId INTEGER NOT NULL, "
                + (isNew ? "portId INTEGER NOT NULL, " : "")
                + "metricsListId INTEGER NOT NULL, metricsIdx INTEGER NOT NULL, value INTEGER NOT NULL);");
        if (isNew)
            add("CREATE TABLE NET_IB_DEVICE_INFO (networkId INTEGER NOT NULL, guid INTEGER, name TEXT, des "
                "TEXT, lid "
                "INTEGER);");
    }

    void add(const std::string& sql) { m_sql += sql + "\n"; }

    /// One kernel, a wall clock and a host; times in ns.
    void addKernel(std::int64_t start, std::int64_t end, const std::string& host = "node07")
    {
        add("CREATE TABLE IF NOT EXISTS CUPTI_ACTIVITY_KIND_KERNEL(start INTEGER, end INTEGER, deviceId "
            "INTEGER, "
            "streamId INTEGER, correlationId INTEGER, globalPid INTEGER, shortName TEXT);");
        add("INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (" + std::to_string(start) + ","
            + std::to_string(end) + ",0,7,1,100<<24,'gemm_kernel');");
        if (m_hasHost)
            return;
        m_hasHost = true;
        add("CREATE TABLE TARGET_INFO_SESSION_START_TIME(utcEpochNs INTEGER);"
            "INSERT INTO TARGET_INFO_SESSION_START_TIME VALUES (1700000000000000000);"
            "CREATE TABLE TARGET_INFO_SYSTEM_ENV(name TEXT, value TEXT);");
        if (!host.empty())
            add("INSERT INTO TARGET_INFO_SYSTEM_ENV VALUES ('Hostname','" + host + "');");
    }
    /// "Train step 3" as NVTX range.
    void addStep(int number, std::int64_t start, std::int64_t end)
    {
        add("CREATE TABLE IF NOT EXISTS NVTX_EVENTS(start INTEGER, end INTEGER, eventType INTEGER, text "
            "TEXT, "
            "globalTid INTEGER);");
        add("INSERT INTO NVTX_EVENTS VALUES (" + std::to_string(start) + "," + std::to_string(end)
            + ",59,'Train step " + std::to_string(number) + "',(100<<24)|100);");
    }
    void addCard(std::int64_t nic, std::int64_t globalId, const std::string& name)
    {
        add("INSERT INTO NIC_ID_MAP VALUES (" + std::to_string(nic) + "," + std::to_string(globalId) + ");");
        add("INSERT INTO TARGET_INFO_NIC_INFO VALUES (-77,'Local (CLI)'," + std::to_string(nic) + ",'" + name
            + "',4129,5555,2);");
    }
    void addSwitch(std::int64_t guid, const std::string& name)
    {
        add("INSERT INTO NET_IB_DEVICE_INFO VALUES (1," + std::to_string(guid) + ",'" + name + "','',1);");
    }
    void addMetric(int index, const std::string& name, const std::string& unit)
    {
        add("INSERT INTO TARGET_INFO_NETWORK_METRICS VALUES (0," + std::to_string(index) + ",'" + name
            + "','','" + unit + "');");
    }
    void addSample(std::int64_t start, std::int64_t end, std::int64_t globalId, int port, int metric,
                   const std::string& value, const std::string& table = "NET_NIC_METRIC")
    {
        add("INSERT INTO " + table + " VALUES (" + std::to_string(start) + "," + std::to_string(end) + ","
            + std::to_string(globalId) + ","
            + (m_schema == NetworkSchema::Of2026 ? std::to_string(port) + "," : "") + "0,"
            + std::to_string(metric) + "," + value + ");");
    }

    /// Replaces a file, and makes its folder.
    void write(const std::string& path) const;

private:
    NetworkSchema m_schema;
    bool m_hasHost = false;
    std::string m_sql;
};

} // namespace collscope
