// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// The content of an empty window: drop a folder, open one, open a recent one, or view the demo.

#include <QWidget>

class QVBoxLayout;

namespace collscope {

class WelcomePage : public QWidget
{
    Q_OBJECT

public:
    explicit WelcomePage(QWidget* parent = nullptr);
    void setRecent(const QStringList& paths);
    void setDemoAvailable(bool available);

signals:
    void openRequested();
    void demoRequested();
    void guideRequested();
    void recentRequested(const QString& path);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QVBoxLayout* m_recent;
    QWidget* m_demo;
};

} // namespace collscope
