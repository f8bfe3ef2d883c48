// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// XSpace protobufs of XLA profilers (*.xplane.pb) are recognised and answered with what to open instead.

#include "model/readers/reader.h"

namespace collscope {

namespace {

/// A first plane (field 1) with its name (field 2, behind an id at most) near the beginning: "/host:CPU",
/// "/device:TPU:0".
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
    return Error{
        Error::Kind::Format,
        "An XLA profile as protobuf. Open the trace viewer's JSON instead: JAX writes it beside this "
        "file as <host>.trace.json.gz; otherwise XProf makes it: python3 -c \"from xprof.convert "
        "import raw_to_tool_data as r; open('trace.json', 'wb').write(r.xspace_to_tool_data("
        "['FILE.xplane.pb'], 'trace_viewer', {})[0])\".",
        file.path, 0};
}

} // namespace

extern const ReaderDescriptor xplaneReader;
const ReaderDescriptor xplaneReader{"xplane", "XLA profile as protobuf (only named)", SourceKind::Xplane,
                                    sniffXplane, refuse};

} // namespace collscope
