// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The guide: the Markdown pages of resources/help, with a page list and a full-text search.

#include <QWidget>

#include <vector>

class QLineEdit;
class QListWidget;
class QTextBrowser;

namespace collscope {

class GuideBrowser;

class HelpWindow : public QWidget
{
    Q_OBJECT

public:
    /// `folder` contains index.md, whose links define the pages and their order.
    explicit HelpWindow(const QString& folder, QWidget* parent = nullptr);

    /// Shows a page and a heading in it, such as "metrics#step-time" or "metrics#Step time"; empty: the
    /// contents.
    void showLocation(const QString& place);
    /// Goes to the next occurrence, on this page or a later one. Returns false if the text does not occur at
    /// all.
    bool findNext(const QString& text);
    QTextBrowser* browser() const;
    QListWidget* pages() const { return m_pages; }
    QLineEdit* findLine() const { return m_find; }

private:
    struct Page
    {
        QString file, title;
        QString text; ///< as displayed
    };
    std::size_t pageOf(const QUrl& url) const; ///< m_texts.size() if the URL is not a page
    void readPages(const QString& folder);
    void onSourceChanged(const QUrl& url);

    QString m_folder;
    std::vector<Page> m_texts;
    QListWidget* m_pages;
    GuideBrowser* m_browser;
    QLineEdit* m_find;
};

/// Returns the link fragment of a heading, as GitHub builds it: "Step time" -> "step-time".
QString headingAnchor(const QString& heading);

/// Sets the place in the guide that describes `widget` and its contents.
void setHelpPlace(QWidget* widget, const char* place);
/// Returns the place of the focused widget or of its nearest ancestor that has one; empty if none has.
QString helpPlaceOfFocus();

/// Opens the single guide window, or raises it. Returns false if the guide is not installed.
bool showGuide(const QString& place);

} // namespace collscope
