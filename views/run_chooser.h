// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// The list of runs in a folder that contains several, to open one of them.

#include <QWidget>

class QLabel;
class QPushButton;
class QTreeWidget;

namespace collscope {

/// A run in the list.
struct RunChoice
{
    QString name, ranks, recorded;
    qint64 recordedNs = 0; ///< sort key
    quint64 bytes = 0;
    QStringList paths; ///< paths to open
};

/// Return or a double-click opens a run; Esc leaves the list.
class RunChooser : public QWidget
{
    Q_OBJECT

public:
    explicit RunChooser(QWidget* parent = nullptr);

    void setRuns(const QString& folder, const QList<RunChoice>& runs);
    QString folder() const { return m_folder; }
    QTreeWidget* list() const { return m_list; }

signals:
    void runChosen(const QStringList& paths);
    void comparisonChosen(const QStringList& baseline, const QStringList& test);
    void tableChosen(const QString& folder); ///< show all runs side by side
    void oneRunChosen(const QString& folder); ///< treat the files as one run
    void left();

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    QStringList pathsAt(int row) const;
    QList<int> selectedRows() const;
    void openCurrent();
    void compareSelected();
    void updateButtons();

    QString m_folder;
    QList<RunChoice> m_runs;
    QLabel* m_title;
    QTreeWidget* m_list;
    QPushButton* m_open;
    QPushButton* m_compare;
};

} // namespace collscope
