// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/export/page/values_page.h"

#include "metrics/export/page/page_frame.h"

namespace collscope {

namespace {

constexpr std::size_t mostValueRows = 1000;

} // namespace

std::string valuesPage(const ValuesPage& page)
{
    HtmlWriter html;
    writeHeader(html, "Collscope", page.title, "");
    {
        const auto content = html.element("main");
        writeSection(html, "values", "Values", "", [&] {
            for (const Sheet& table : page.tables)
                writeSheet(html, table, "", headingsOf(table), mostValueRows);
        });
        if (!page.pictures.empty())
            writeSection(html, "plots", "Plots", "", [&] {
                for (const PagePicture& picture : page.pictures)
                    writePng(html, picture);
            });
    }
    PageOrigin origin;
    origin.version = page.version;
    writeFooter(html, origin);
    return document(page.title, html.take());
}

} // namespace collscope
