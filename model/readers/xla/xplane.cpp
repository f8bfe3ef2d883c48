// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Recognises XSpace protobufs of XLA profilers (*.xplane.pb) and reports which file to open instead.

#include "model/readers/reader.h"

namespace collscope {

namespace {

/// Looks for a first plane (field 1) with its name (field 2, preceded at most by an id) near the start:
/// "/host:CPU", "/device:TPU:0".
Sniff sniffXplane(std::string_view, std::string_view head)
{
    constexpr std::size_t nameWithin = 64;
    const std::string_view begin = head.substr(0, nameWithin);
    const bool names
        = begin.find("/host:") != std::string_view::npos || begin.find("/device:") != std::string_view::npos;
    return begin.starts_with('\n') && begin.find('{') == std::string_view::npos && names ? Sniff::Yes
                                                                                         : Sniff::No;
}

Result<TraceFragment> refuse(const SourceFile& file, const ReadContext&)
{
    return Error{Error::Kind::Format,
                 "This is an XLA profile as protobuf. Open the trace viewer's JSON instead: JAX writes it "
                 "next to this file as <host>.trace.json.gz; otherwise, XProf creates it: python3 -c \"from "
                 "xprof.convert import raw_to_tool_data as r; open('trace.json', "
                 "'wb').write(r.xspace_to_tool_data(['FILE.xplane.pb'], 'trace_viewer', {})[0])\".",
                 file.path, 0};
}

} // namespace

extern const ReaderDescriptor xplaneReader;
const ReaderDescriptor xplaneReader{"xplane", "XLA profile as protobuf (recognised only)", SourceKind::Xplane,
                                    sniffXplane, refuse};

} // namespace collscope
