// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/parts/help_window.h"

#include "app/files/resources.h"
#include "views/common/theme.h"

#include <QApplication>
#include <QBoxLayout>
#include <QDesktopServices>
#include <QFile>
#include <QFileInfo>
#include <QImageReader>
#include <QLineEdit>
#include <QListWidget>
#include <QPointer>
#include <QRegularExpression>
#include <QShortcut>
#include <QSplitter>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTextTable>
#include <QToolButton>

#include <algorithm>
#include <utility>

namespace collscope {

namespace {

constexpr int pageMargin = 24;
constexpr char placeProperty[] = "helpPlace";

QString contentOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

QToolButton* button(const QString& text, const QString& toolTip, QWidget* parent)
{
    auto* made = new QToolButton(parent);
    made->setText(text);
    made->setToolTip(toolTip);
    made->setAccessibleName(toolTip);
    made->setAutoRaise(true);
    return made;
}

} // namespace

/// Shows Markdown with features that Qt's reader lacks: link targets at headings, and pictures no wider than
/// the page.
class GuideBrowser : public QTextBrowser
{
public:
    explicit GuideBrowser(QWidget* parent)
        : QTextBrowser(parent)
    {
        // Also handles Back and Forward. The browser's source() changes only after this signal.
        connect(this, &QTextBrowser::sourceChanged, this, [this](const QUrl& url) {
            if (std::exchange(m_page, url.toLocalFile()) != url.toLocalFile())
                finish();
        });
    }

protected:
    void doSetSource(const QUrl& url, QTextDocument::ResourceType type) override
    {
        if (url.scheme().startsWith(QLatin1String("http"))) {
            QDesktopServices::openUrl(url);
            return;
        }
        QTextBrowser::doSetSource(url, type);
        if (url.hasFragment())
            scrollToAnchor(url.fragment());
    }
    void resizeEvent(QResizeEvent* event) override
    {
        QTextBrowser::resizeEvent(event);
        fitPictures();
    }

private:
    void finish()
    {
        const Surfaces colors = surfaces(palette());
        QTextCursor cursor(document());
        cursor.beginEditBlock(); // a single layout pass
        for (QTextBlock block = document()->begin(); block.isValid(); block = block.next()) {
            const int level = block.blockFormat().headingLevel();
            QTextBlockFormat spacing;
            spacing.setTopMargin(level == 1 ? 8 : level > 1 ? 20 : 4);
            spacing.setBottomMargin(level > 0 ? 8 : 6);
            const bool isPicture
                = !block.begin().atEnd() && block.begin().fragment().charFormat().isImageFormat();
            if (!isPicture && !QTextCursor(block).currentTable() && !block.textList())
                spacing.setLineHeight(125, QTextBlockFormat::ProportionalHeight);
            cursor.setPosition(block.position());
            cursor.mergeBlockFormat(spacing);
            if (level > 0) {
                QTextCharFormat anchor;
                anchor.setAnchor(true);
                anchor.setAnchorNames({headingAnchor(block.text())});
                cursor.setPosition(block.position() + std::max(block.length() - 1, 0),
                                   QTextCursor::KeepAnchor);
                cursor.mergeCharFormat(anchor);
            }
            if (block.blockFormat().hasProperty(QTextFormat::BlockCodeFence)) {
                QTextBlockFormat code;
                code.setBackground(colors.window);
                code.setTopMargin(0);
                code.setBottomMargin(0);
                code.setLeftMargin(12);
                cursor.mergeBlockFormat(code);
            }
        }
        cursor.endEditBlock();
        for (QTextFrame* frame : document()->rootFrame()->childFrames()) {
            if (auto* table = qobject_cast<QTextTable*>(frame)) {
                QTextTableFormat format = table->format();
                format.setBorder(1);
                format.setBorderBrush(colors.line);
                format.setBorderStyle(QTextFrameFormat::BorderStyle_Solid);
                format.setBorderCollapse(true);
                format.setCellPadding(5);
                format.setTopMargin(8);
                format.setBottomMargin(8);
                table->setFormat(format);
            }
        }
        QTextFrameFormat margins = document()->rootFrame()->frameFormat();
        margins.setMargin(pageMargin);
        document()->rootFrame()->setFrameFormat(margins);
        fitPictures();
    }
    void fitPictures()
    {
        const int room = viewport()->width() - 2 * pageMargin;
        for (QTextBlock block = document()->begin(); block.isValid(); block = block.next()) {
            for (auto part = block.begin(); part != block.end(); ++part) {
                if (!part.fragment().charFormat().isImageFormat())
                    continue;
                QTextImageFormat picture = part.fragment().charFormat().toImageFormat();
                const QString path = QFileInfo(m_page).path() + QLatin1Char('/') + picture.name();
                const QSize natural = QImageReader(path).size();
                const int width = std::min(natural.width(), room);
                if (natural.isEmpty() || width <= 0 || width == qRound(picture.width()))
                    continue;
                // Scaling by the text layout would be pixelated and make words in the picture unreadable.
                const double ratio = devicePixelRatioF();
                QImage scaled = QImage(path).scaledToWidth(
                    qRound(std::min<double>(natural.width(), width * ratio)), Qt::SmoothTransformation);
                scaled.setDevicePixelRatio(scaled.width() / static_cast<double>(width));
                document()->addResource(QTextDocument::ImageResource,
                                        document()->baseUrl().resolved(QUrl(picture.name())), scaled);
                picture.setWidth(width);
                picture.setHeight(qRound(width * static_cast<double>(natural.height()) / natural.width()));
                QTextCursor cursor(document());
                cursor.setPosition(part.fragment().position());
                cursor.setPosition(part.fragment().position() + part.fragment().length(),
                                   QTextCursor::KeepAnchor);
                cursor.setCharFormat(picture);
                break; // the fragments of the block have changed
            }
        }
    }

    QString m_page;
};

HelpWindow::HelpWindow(const QString& folder, QWidget* parent)
    : QWidget(parent)
    , m_folder(folder)
    , m_pages(new QListWidget(this))
    , m_browser(new GuideBrowser(this))
    , m_find(new QLineEdit(this))
{
    setWindowTitle(tr("Guide"));
    resize(1100, 820);
    m_pages->setFrameShape(QFrame::NoFrame);
    m_pages->setAccessibleName(tr("Pages of the guide"));
    m_pages->setSpacing(4);
    m_browser->setFrameShape(QFrame::NoFrame);
    m_browser->setAccessibleName(tr("Page of the guide"));
    m_find->setPlaceholderText(tr("Find in the guide"));
    m_find->setClearButtonEnabled(true);
    m_find->setMaximumWidth(280);

    auto* back = button(QStringLiteral("\u2190"), tr("Back"), this);
    auto* forward = button(QStringLiteral("\u2192"), tr("Forward"), this);
    connect(back, &QToolButton::clicked, m_browser, &QTextBrowser::backward);
    connect(forward, &QToolButton::clicked, m_browser, &QTextBrowser::forward);
    connect(m_browser, &QTextBrowser::backwardAvailable, back, &QWidget::setEnabled);
    connect(m_browser, &QTextBrowser::forwardAvailable, forward, &QWidget::setEnabled);
    new QShortcut(QKeySequence::Back, m_browser, SLOT(backward()));
    new QShortcut(QKeySequence::Forward, m_browser, SLOT(forward()));
    new QShortcut(QKeySequence::Find, m_find, [this] {
        m_find->setFocus();
        m_find->selectAll();
    });
    new QShortcut(QKeySequence(Qt::Key_Slash), m_find, [this] { m_find->setFocus(); });
    const auto next = [this] { findNext(m_find->text()); };
    new QShortcut(QKeySequence::FindNext, this, next);
    connect(m_find, &QLineEdit::returnPressed, this, next);
    new QShortcut(QKeySequence(Qt::Key_Escape), this, [this] { close(); });
    new QShortcut(QKeySequence::Close, this, [this] { close(); });

    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(6, 4, 6, 4);
    bar->addWidget(back);
    bar->addWidget(forward);
    bar->addStretch();
    bar->addWidget(m_find);
    auto* parts = new QSplitter(this);
    parts->addWidget(m_pages);
    parts->addWidget(m_browser);
    parts->setStretchFactor(1, 1);
    parts->setSizes({220, 880});
    parts->setChildrenCollapsible(false);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(bar);
    layout->addWidget(parts, 1);

    readPages(folder);
    connect(m_browser, &QTextBrowser::sourceChanged, this, &HelpWindow::onSourceChanged);
    connect(m_pages, &QListWidget::currentRowChanged, this, [this](int row) {
        if (row >= 0)
            showLocation(m_texts[static_cast<std::size_t>(row)].file);
    });
}

void HelpWindow::readPages(const QString& folder)
{
    const auto add = [&](const QString& name) {
        const QString text = contentOf(folder + QLatin1Char('/') + name + QLatin1String(".md"));
        const bool isThere = std::any_of(m_texts.begin(), m_texts.end(),
                                         [&](const Page& page) { return page.file == name; });
        if (text.isEmpty() || isThere)
            return;
        const QString heading = text.section(QLatin1Char('\n'), 0, 0);
        QTextDocument page;
        page.setMarkdown(text);
        m_texts.push_back({name, heading.mid(heading.indexOf(QLatin1Char(' ')) + 1), page.toPlainText()});
        m_pages->addItem(m_texts.back().title);
    };
    add(QStringLiteral("index"));
    const QString contents = contentOf(folder + QStringLiteral("/index.md"));
    static const QRegularExpression link(QStringLiteral("\\]\\((\\w+)\\.md"));
    for (auto match = link.globalMatch(contents); match.hasNext();)
        add(match.next().captured(1));
}

QTextBrowser* HelpWindow::browser() const
{
    return m_browser;
}

std::size_t HelpWindow::pageOf(const QUrl& url) const
{
    const QString shown = QFileInfo(url.path()).completeBaseName();
    const auto found
        = std::find_if(m_texts.begin(), m_texts.end(), [&](const Page& page) { return page.file == shown; });
    return static_cast<std::size_t>(found - m_texts.begin());
}

void HelpWindow::onSourceChanged(const QUrl& url)
{
    const std::size_t page = pageOf(url);
    const QSignalBlocker blocker(m_pages); // only the display follows the page
    m_pages->setCurrentRow(page < m_texts.size() ? static_cast<int>(page) : -1);
}

void HelpWindow::showLocation(const QString& place)
{
    const QString page = place.section(QLatin1Char('#'), 0, 0);
    QUrl url
        = QUrl::fromLocalFile(m_folder + QLatin1Char('/') + (page.isEmpty() ? QStringLiteral("index") : page)
                              + QLatin1String(".md"));
    if (place.contains(QLatin1Char('#')))
        url.setFragment(headingAnchor(place.section(QLatin1Char('#'), 1)));
    m_browser->setSource(url, QTextDocument::MarkdownResource);
}

bool HelpWindow::findNext(const QString& text)
{
    if (text.isEmpty())
        return false;
    if (m_browser->find(text))
        return true;
    // Continue on a later page, or from the top of this one.
    const std::size_t first = pageOf(m_browser->source());
    for (std::size_t step = 1; step <= m_texts.size(); ++step) {
        const Page& page = m_texts[(first + step) % m_texts.size()];
        if (!page.text.contains(text, Qt::CaseInsensitive))
            continue;
        showLocation(page.file);
        m_browser->moveCursor(QTextCursor::Start);
        if (m_browser->find(text))
            return true;
    }
    return false;
}

QString headingAnchor(const QString& heading)
{
    static const QRegularExpression dropped(QStringLiteral("[^\\w\\- ]"),
                                            QRegularExpression::UseUnicodePropertiesOption);
    return heading.toLower().remove(dropped).replace(QLatin1Char(' '), QLatin1Char('-'));
}

void setHelpPlace(QWidget* widget, const char* place)
{
    widget->setProperty(placeProperty, QString::fromLatin1(place));
}

QString helpPlaceOfFocus()
{
    for (const QWidget* widget = QApplication::focusWidget(); widget; widget = widget->parentWidget()) {
        if (const QVariant place = widget->property(placeProperty); place.isValid())
            return place.toString();
    }
    return {};
}

bool showGuide(const QString& place)
{
    static QPointer<HelpWindow> open;
    if (!open) {
        const QString folder = QString::fromStdString(resourceFolder("help"));
        if (folder.isEmpty())
            return false;
        open = new HelpWindow(folder);
        open->setAttribute(Qt::WA_DeleteOnClose);
        open->setAttribute(Qt::WA_QuitOnClose, false); // the program ends when the run windows are closed
    }
    open->show(); // before scrolling: the size of pictures depends on the window
    open->showLocation(place);
    open->raise();
    open->activateWindow();
    return true;
}

} // namespace collscope
