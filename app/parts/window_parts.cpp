// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/parts/window_parts.h"

#include "views/common/format.h"
#include "views/widgets/banner.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QMainWindow>
#include <QMimeData>
#include <QProgressBar>
#include <QStackedWidget>
#include <QStatusBar>
#include <QTimer>
#include <QToolButton>
#include <QUrl>

namespace collscope {

namespace {

struct PartsText
{
    Q_DECLARE_TR_FUNCTIONS(WindowParts)
};

} // namespace

QStringList localPaths(const QMimeData* data)
{
    QStringList paths;
    for (const QUrl& url : data->urls()) {
        if (url.isLocalFile())
            paths << url.toLocalFile();
    }
    return paths;
}

QString chooseRunFolder(QWidget* window, const QString& title, const QString& shown)
{
    return QFileDialog::getExistingDirectory(
        window, title, shown.isEmpty() ? QString() : QFileInfo(QDir::cleanPath(shown)).absolutePath());
}

void keepRoomOfCurrentPage(QStackedWidget& pages)
{
    const auto update = [&pages](int current) {
        for (int i = 0; i < pages.count(); ++i) {
            const auto policy = i == current ? QSizePolicy::Preferred : QSizePolicy::Ignored;
            pages.widget(i)->setSizePolicy(policy, policy);
        }
    };
    QObject::connect(&pages, &QStackedWidget::currentChanged, &pages, update);
}

WorkBar addWorkBar(QMainWindow& window)
{
    WorkBar bar{new QLabel(&window), new QProgressBar(&window), new QToolButton(&window),
                new QTimer(&window)};
    bar.status->setObjectName(QStringLiteral("workStatus"));
    bar.status->setTextFormat(Qt::PlainText);
    bar.status->setContentsMargins(10, 2, 10, 2);
    bar.progress->setMaximumWidth(220);
    bar.progress->setTextVisible(false);
    bar.progress->setAccessibleName(PartsText::tr("Loading"));
    bar.cancel->setObjectName(QStringLiteral("workCancel"));
    bar.cancel->setText(PartsText::tr("Cancel"));
    constexpr int readMs = 6000;
    bar.notice->setObjectName(QStringLiteral("notice"));
    bar.notice->setSingleShot(true);
    bar.notice->setInterval(readMs);
    window.statusBar()->setSizeGripEnabled(false);
    window.statusBar()->addWidget(bar.status, 1);
    window.statusBar()->addPermanentWidget(bar.progress);
    window.statusBar()->addPermanentWidget(bar.cancel);
    return bar;
}

void tellInPassing(const WorkBar& bar, const QString& text)
{
    bar.status->setText(text);
    bar.notice->start();
}

void tellSaved(const WorkBar& bar, Banner& banner, const QString& path, const Status& written)
{
    banner.retract(QStringLiteral("export"));
    if (written)
        tellInPassing(bar, PartsText::tr("Wrote %1").arg(path));
    else
        banner.showMessage({BannerTone::Error, toText(written.error().message), QStringLiteral("export")});
}

QWidget* focusTarget(QWidget* part)
{
    const auto takesFocus = [part](const QWidget* widget) {
        return (widget->focusPolicy() & Qt::TabFocus) != 0 && !widget->focusProxy() && widget->isEnabled()
            && (widget == part || widget->isVisibleTo(part));
    };
    if (takesFocus(part))
        return part;
    for (QWidget* child : part->findChildren<QWidget*>()) {
        if (takesFocus(child))
            return child;
    }
    return nullptr;
}

} // namespace collscope
