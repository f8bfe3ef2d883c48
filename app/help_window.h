// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The guide: the Markdown pages of resources/help, with a list of them and a search over all.

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
    /// `folder` holds index.md, whose links say which pages there are and in which order.
    explicit HelpWindow(const QString& folder, QWidget* parent = nullptr);

    /// "metrics#step-time" or "metrics#Step time": a page and a heading in it; empty: the contents.
    void showLocation(const QString& place);
    /// Goes to the next occurrence, on this page or on a later one; false if there is none at all.
    bool findNext(const QString& text);
    QTextBrowser* browser() const;
    QListWidget* pages() const { return m_pages; }
    QLineEdit* findLine() const { return m_find; }

private:
    struct Page
    {
        QString file, title;
        QString text; ///< as it is shown
    };
    std::size_t pageOf(const QUrl& url) const; ///< m_texts.size() for one that is none
    void readPages(const QString& folder);
    void onSourceChanged(const QUrl& url);

    QString m_folder;
    std::vector<Page> m_texts;
    QListWidget* m_pages;
    GuideBrowser* m_browser;
    QLineEdit* m_find;
};

/// The part of a link that leads to a heading: "Step time" -> "step-time", as GitHub does it.
QString headingAnchor(const QString& heading);

/// Names the place in the guide that tells about `widget` and what is in it.
void setHelpPlace(QWidget* widget, const char* place);
/// The place of the widget that has the focus, or of what it lies in; empty if none is told.
QString helpPlaceOfFocus();

/// Opens the one window of the guide, or brings it to the front. False if the guide is not installed.
bool showGuide(const QString& place);

} // namespace collscope
