// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Lines of text under framed headings: the layout of all text reports.

#include "metrics/export/written_report.h"

namespace collscope {

class FramedReport
{
public:
    void heading(const std::string& title)
    {
        const std::string frame(frameWidth, '=');
        m_text += (m_text.empty() ? "" : "\n") + frame + "\n" + title + "\n" + frame + "\n";
    }
    void line(const std::string& text = {}) { m_text += text + "\n"; }
    /// Appends text that consists of complete lines.
    void lines(const std::string& text) { m_text += text; }
    void entry(const std::string& label, const std::string& value)
    {
        line(padded(label + ":", labelWidth) + value);
    }
    const std::string& text() const { return m_text; }

private:
    static constexpr std::size_t frameWidth = 80;
    static constexpr std::size_t labelWidth = 34;
    std::string m_text;
};

} // namespace collscope
