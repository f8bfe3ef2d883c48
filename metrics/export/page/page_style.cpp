// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/export/page/page_style.h"

#include "metrics/looks/lateness_range.h"
#include "metrics/looks/part_looks.h"

#include <algorithm>
#include <array>
#include <cstdio>

namespace collscope {

namespace {

constexpr std::array<std::string_view, partCount> partLooks{"p-compute", "p-communication", "p-waiting",
                                                            "p-copy", "p-idle"};
constexpr std::array<std::string_view, kernelClassCount> kernelLooks{"k0",  "k1",  "k2",  "k3",  "k4",  "k5",
                                                                     "k6",  "k7",  "k8",  "k9",  "k10", "k11",
                                                                     "k12", "k13", "k14", "k15", "k16"};
constexpr std::array<std::string_view, kernelClassCount> kernelInks{"i0",  "i1",  "i2",  "i3",  "i4",  "i5",
                                                                    "i6",  "i7",  "i8",  "i9",  "i10", "i11",
                                                                    "i12", "i13", "i14", "i15", "i16"};
constexpr std::array<std::string_view, latenessLooks> levelLooks{"l0", "l1", "l2", "l3", "l4",
                                                                 "l5", "l6", "l7", "l8", "l9"};

std::string colorText(std::uint32_t color)
{
    char text[8];
    std::snprintf(text, sizeof text, "#%06x", color & 0xFFFFFFU);
    return text;
}

std::string variable(std::string_view name, std::uint32_t color)
{
    return "--" + std::string(name) + ":" + colorText(color) + ";";
}

/// A colour of text, nearer to that of the main text: small letters on a tinted row keep a contrast of
/// 4.5 : 1.
std::uint32_t stronger(std::uint32_t color, std::uint32_t text)
{
    constexpr unsigned share = 20; // in percent
    std::uint32_t mixed = 0;
    for (const unsigned shift : {16U, 8U, 0U})
        mixed |= ((color >> shift & 0xFFU) * (100 - share) + (text >> shift & 0xFFU) * share) / 100 << shift;
    return mixed;
}

std::string variables(bool isDark)
{
    const SurfaceShades& own = isDark ? darkSurfaces : lightSurfaces;
    const auto pick = [&](const Shade& shade) { return isDark ? shade.dark : shade.light; };
    std::string text = variable("window", own.window) + variable("base", own.base)
        + variable("line", own.line) + variable("grid", own.grid) + variable("text", own.text)
        + variable("dim", stronger(own.dimText, own.text)) + variable("accent", own.accent)
        + variable("selection", own.selection) + variable("better", stronger(own.better, own.text))
        + variable("worse", own.worse) + variable("warning", own.warning)
        + variable("late-none", pick(onTimeShade)) + variable("absent", pick(absentShade));
    for (std::size_t i = 0; i < partCount; ++i)
        text += variable(partLooks[i], pick(partShade(static_cast<Part>(i))));
    for (std::size_t i = 0; i < kernelLooks.size(); ++i) {
        const std::uint32_t color = pick(kernelShade(static_cast<KernelClass>(i)));
        text += variable(kernelLooks[i], color) + variable(kernelInks[i], inkOn(color));
    }
    for (std::size_t i = 0; i < latenessLooks; ++i) {
        const double position = static_cast<double>(i) / (latenessLooks - 1);
        text += variable(levelLooks[i], pick(latenessShade(LatenessRange::shareAt(position))));
    }
    return text;
}

/// Each colour as a class that fills shapes.
std::string fills()
{
    std::string text;
    const auto add = [&](std::string_view look) {
        text += "." + std::string(look) + "{fill:var(--" + std::string(look) + ")}";
    };
    for (std::size_t i = 0; i < partCount; ++i) {
        if (static_cast<Part>(i) != Part::Waiting)
            add(partLooks[i]);
    }
    std::for_each(kernelLooks.begin(), kernelLooks.end(), add);
    std::for_each(kernelInks.begin(), kernelInks.end(), add);
    std::for_each(levelLooks.begin(), levelLooks.end(), add);
    return text + ".p-waiting{fill:url(#hatch)}.late-none{fill:var(--late-none)}.absent{fill:var(--absent)}";
}

constexpr std::string_view layout = R"(
*{box-sizing:border-box}
body{margin:0;background:var(--window);color:var(--text);
font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif;font-variant-numeric:tabular-nums}
main,header,footer{max-width:1120px;margin:0 auto;padding:0 20px}
header{padding-top:28px}
.kicker{margin:0;color:var(--text);opacity:.75;font-size:14px;overflow-wrap:anywhere}
h1{font-size:clamp(20px,2.6vw,30px);line-height:1.25;font-weight:650;letter-spacing:-.01em;margin:6px 0 10px;
max-width:62ch;text-wrap:pretty}
h2{font-size:20px;line-height:1.3;margin:0 0 4px;font-weight:650}
h3{font-size:16px;line-height:1.4;margin:0;font-weight:600;text-wrap:pretty}
p{margin:8px 0;max-width:90ch}
h1,h2,h3,p,li,caption{overflow-wrap:anywhere}
code{font:.92em/1.4 ui-monospace,"DejaVu Sans Mono",Menlo,Consolas,monospace;overflow-wrap:anywhere;unicode-bidi:isolate;
background:var(--grid);border-radius:3px;padding:0 3px}
section{background:var(--base);border:1px solid var(--line);border-radius:10px;padding:18px 20px;margin:16px 0}
.lead{color:var(--dim);margin:0 0 12px}
.tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(150px,1fr));gap:10px;margin:14px 0 0;padding:0}
.tile{display:flex;flex-direction:column;justify-content:space-between;background:var(--base);border:1px solid var(--line);border-radius:10px;padding:10px 14px}
.tile dt{font-size:13px;color:var(--dim);margin:0}
.tile dd{font-size:22px;font-weight:650;margin:0;letter-spacing:-.01em;white-space:nowrap}
.tile dd small{font-size:13px;font-weight:400;color:var(--dim)}
.notice{border-left:4px solid var(--warning)}
.finding{border-top:1px solid var(--line);padding:16px 0 12px}
.finding:first-of-type{border-top:0;padding-top:6px}
.finding .head{display:grid;grid-template-columns:108px 1fr;gap:16px}
.finding .cost{margin:0}
.finding .cost b{display:block;font-size:22px;line-height:1.1;font-weight:650}
.finding .cost small{color:var(--dim);display:block;line-height:1.35}
.meter{display:block;width:100%;height:6px;margin:7px 0 5px}
.meter .track{fill:var(--grid)}
.meter .large{fill:var(--worse)}.meter .middle{fill:var(--warning)}.meter .small{fill:var(--dim)}
.advice{margin:6px 0 0}
.advice b{font-weight:600}
.meta{color:var(--dim);font-size:13px;margin:4px 0 0}
figure{margin:14px 0 4px}
figcaption{color:var(--dim);font-size:13px;max-width:100ch;margin-top:4px}
.picture{overflow-x:auto}
.picture svg{display:block;width:100%;min-width:680px;height:auto}
.label{font-size:12px;fill:var(--text)}.dim{font-size:11px;fill:var(--dim)}
.inside{font-size:10px;pointer-events:none}
.spot{fill:transparent}.spot:hover,.bar:hover{stroke:var(--text);stroke-width:1.2}
.lane{fill:var(--grid)}.mark{fill:var(--accent);fill-opacity:.13}.edge{fill:var(--accent)}.rule{fill:var(--line)}
.cpu{fill:var(--k0);stroke:var(--base);stroke-width:.6}
.legend{display:flex;flex-wrap:wrap;gap:4px 18px;list-style:none;padding:0;margin:8px 0 0;font-size:13px}
svg.swatch{width:11px;height:11px;vertical-align:-1px;margin-right:6px}
.scroll{overflow-x:auto;margin:10px 0 0}
table{border-collapse:collapse;width:100%;font-size:14px}
caption{text-align:left;color:var(--dim);font-size:13px;padding:0 0 6px;caption-side:top}
th,td{border-bottom:1px solid var(--line);padding:5px 10px 5px 0;text-align:left;vertical-align:top;unicode-bidi:isolate}
th{font-weight:600;font-size:13px;color:var(--dim)}
th.number,td.number{text-align:right;white-space:nowrap;padding-left:10px}
.number+td,.number+th{padding-left:16px}
td small{display:block;color:var(--dim);font-size:12px;line-height:1.3;overflow-wrap:anywhere}
.narrow{max-width:560px}
.parts{margin-top:10px;border-radius:4px}
td.name{overflow-wrap:anywhere;min-width:12ch}td.name:first-child{min-width:24ch}
h1 code{font-size:.82em;background:none;padding:0}
tbody tr:hover{background:var(--grid)}
.total{fill:var(--accent);fill-opacity:.75}.longer{fill:var(--worse)}.shorter{fill:var(--better)}
.better{color:var(--better)}.worse{color:var(--worse)}
details{margin:10px 0 0}
summary{cursor:pointer;color:var(--accent);font-size:14px}
summary:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
pre{font:13px/1.45 ui-monospace,"DejaVu Sans Mono",Menlo,Consolas,monospace;white-space:pre-wrap;overflow-wrap:anywhere;margin:6px 0}
.two{display:grid;grid-template-columns:1fr 1fr;gap:24px}
h3+.scroll{margin-top:4px}.scroll+h3,ol+h3,p+h3{margin-top:18px}h2+h3{margin-top:8px}
.grid{border-collapse:separate;border-spacing:2px;width:auto}
.grid td,.grid th{border:0;padding:1px 5px;text-align:center;font-size:12px;min-width:22px}
.grid th:first-child{text-align:left;white-space:nowrap;padding-right:12px}
.grid .c-done{background:var(--grid);color:var(--dim)}.grid .c-wait{background:var(--selection)}
.grid .c-started{background:var(--accent);color:var(--base)}.grid .c-inside{background:var(--warning);color:#101419}
.grid .c-none{background:var(--worse);color:var(--base);font-weight:600}.grid .c-unknown{color:var(--dim)}
.grid th.named{color:var(--worse)}
.stack{font:13px/1.45 ui-monospace,"DejaVu Sans Mono",Menlo,Consolas,monospace;padding-left:2.6em;margin:4px 0;overflow-wrap:anywhere}
.stack .differs{background:var(--selection);font-weight:600}
.digest{font:12px/1.4 ui-monospace,"DejaVu Sans Mono",Menlo,Consolas,monospace}
img{max-width:100%;height:auto;border:1px solid var(--line);border-radius:6px}
footer{color:var(--text);opacity:.75;font-size:13px;padding:4px 20px 32px}
@media (max-width:640px){main,header,footer{padding-left:12px;padding-right:12px}section{padding:14px 12px}
.finding .head{grid-template-columns:1fr;gap:6px}.two{grid-template-columns:1fr}td.name:first-child{min-width:12ch}.finding .cost b{display:inline;margin-right:8px}}
@media print{body{background:none;font-size:10.5pt}main,header,footer{max-width:none;padding:0 1px}
section,.tile{border-color:#ccc;background:none}section{padding:10px 12px;margin:10px 0}
.picture svg{min-width:0}.picture,.scroll{overflow:visible}table{font-size:9pt}
h2,h3,caption,.lead{break-after:avoid}figure,tr,.finding,.tile{break-inside:avoid}td small{display:none}thead{display:table-header-group}
summary{color:var(--text)}a{color:inherit}*{print-color-adjust:exact;-webkit-print-color-adjust:exact}}
@page{margin:14mm}
)";

} // namespace

std::string_view partLook(Part part)
{
    return partLooks[static_cast<std::size_t>(part)];
}

std::string_view kernelLook(KernelClass kernelClass)
{
    return kernelLooks[static_cast<std::size_t>(kernelClass)];
}

std::string_view kernelInk(KernelClass kernelClass)
{
    return kernelInks[static_cast<std::size_t>(kernelClass)];
}

std::string_view latenessLook(double position)
{
    const double place = std::clamp(position, 0.0, 1.0) * latenessLooks;
    return levelLooks[std::min(static_cast<std::size_t>(place), latenessLooks - 1)];
}

std::string pageStyle()
{
    return ":root{color-scheme:light dark;" + variables(false)
        + "}\n@media screen and (prefers-color-scheme:dark){:root{" + variables(true)
        + "}}\n@media print{:root{color-scheme:light}}\n" + fills() + std::string(layout);
}

std::string pagePatterns()
{
    return "<svg width=\"0\" height=\"0\" style=\"position:absolute\" aria-hidden=\"true\"><defs><pattern "
           "id=\"hatch\" width=\"5\" height=\"5\" patternUnits=\"userSpaceOnUse\" "
           "patternTransform=\"rotate(45)\"><rect width=\"5\" height=\"5\" fill=\"var(--p-waiting)\" "
           "fill-opacity=\".28\"/><rect width=\"2.6\" height=\"5\" "
           "fill=\"var(--p-waiting)\"/></pattern></defs></svg>\n";
}

} // namespace collscope
