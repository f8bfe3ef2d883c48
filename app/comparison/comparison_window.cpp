// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/comparison/comparison_window.h"

#include "app/files/comparison_files.h"
#include "app/parts/help_window.h"
#include "app/parts/key_overview.h"
#include "app/parts/painting_threads.h"
#include "app/parts/save_file.h"
#include "app/runtime/stop_request.h"
#include "metrics/comparison/comparison.h"
#include "views/common/format.h"
#include "views/tables/table_text.h"
#include "views/timeline/timeline_view.h"

#include <QCloseEvent>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFileInfo>
#include <QLabel>
#include <QMenu>
#include <QMenuBar>
#include <QProgressBar>
#include <QTimer>
#include <QToolBar>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace collscope {

ComparisonWindow::ComparisonWindow(ComparisonRun baseline, MetricOptions options, QWidget* parent)
    : QMainWindow(parent, Qt::Window)
    , m_base(std::move(baseline))
    , m_options(std::move(options))
    , m_banner(new Banner(this))
    , m_view(new ComparisonView(this))
{
    setObjectName(QStringLiteral("comparisonWindow"));
    setWindowTitle(tr("Comparison of %1 \u2014 Collscope").arg(QString::fromStdString(m_base.model->title)));
    setWindowIcon(QIcon(QStringLiteral(":/icons/collscope.svg")));
    setAcceptDrops(true);
    m_actions = std::make_unique<Actions>(this, menuBar(), commands());
    for (QMenu* menu : m_actions->menus())
        menu->menuAction()->setVisible(!menu->isEmpty());
    auto* centre = new QWidget(this);
    auto* layout = new QVBoxLayout(centre);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_banner);
    layout->addWidget(m_view, 1);
    setCentralWidget(centre);
    buildToolBar();
    m_bar = addWorkBar(*this);
    connect(m_bar.cancel, &QToolButton::clicked, this, &ComparisonWindow::cancel);
    connect(m_bar.notice, &QTimer::timeout, this, [this] { m_bar.status->setText(m_busyText); });
    connectJobs();
    m_view->setRuns(nullptr, nullptr, nullptr, m_threshold->value(), whatToDo());
    m_view->basePane()->showModel(m_base.model, m_base.collectives,
                                  QString::fromStdString(m_base.model->title));
    setBusy({});
    updateActions();
    resize(1680, 1010);
}

ComparisonWindow::~ComparisonWindow() = default;

std::vector<Command> ComparisonWindow::commands()
{
    return {
        {QStringLiteral("addTest"), MenuId::File, tr("&Add a test run..."), QKeySequence::Open,
         [this] { chooseTest(); }},
        {QStringLiteral("exportReports"), MenuId::File, tr("Export &reports, workbooks and plots..."),
         QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_E), [this] { exportReports(false); }, true},
        {QStringLiteral("exportAllRuns"),
         MenuId::File,
         tr("Export reports of a&ll runs..."),
         {},
         [this] { exportReports(true); }},
        {QStringLiteral("exportTable"), MenuId::File, tr("Export current &table as CSV..."),
         QKeySequence(Qt::CTRL | Qt::Key_E), [this] { exportTable(); }},
        {QStringLiteral("exportPicture"),
         MenuId::File,
         tr("Export &window as a picture..."),
         {},
         [this] { exportPicture(); }},
        {QStringLiteral("close"), MenuId::File, tr("&Close window"), QKeySequence::Close, [this] { close(); },
         true},
        {QStringLiteral("stacked"), MenuId::View, tr("Stac&k timelines"), QKeySequence(Qt::Key_B),
         [this] { m_view->setStacked(m_actions->action(QStringLiteral("stacked"))->isChecked()); }, false,
         true},
        {QStringLiteral("nextSteps"), MenuId::Go, tr("&Next steps"), QKeySequence(Qt::CTRL | Qt::Key_Right),
         [this] { stepBy(1); }},
        {QStringLiteral("previousSteps"), MenuId::Go, tr("&Previous steps"),
         QKeySequence(Qt::CTRL | Qt::Key_Left), [this] { stepBy(-1); }},
        {QStringLiteral("alignAtSelection"), MenuId::Go, tr("&Align at the selected collective"),
         QKeySequence(Qt::Key_L), [this] { alignAtSelection(); }, true},
        {QStringLiteral("guide"), MenuId::Help, tr("&Guide"), QKeySequence::HelpContents,
         [this] {
             if (!showGuide(QStringLiteral("comparison")))
                 m_banner->showMessage(
                     {BannerTone::Error, tr("The guide is not installed."), QStringLiteral("guide")});
         }},
        {QStringLiteral("keys"), MenuId::Help, tr("&Keys and gestures"), QKeySequence(Qt::Key_Question),
         [this] { showKeyOverview(this, *m_actions); }},
    };
}

void ComparisonWindow::buildToolBar()
{
    QToolBar* bar = addToolBar(tr("Tools"));
    bar->setObjectName(QStringLiteral("toolBar"));
    bar->setMovable(false);
    bar->setContextMenuPolicy(Qt::PreventContextMenu);
    bar->setToolButtonStyle(Qt::ToolButtonTextOnly);
    auto* add = new QToolButton(bar);
    add->setObjectName(QStringLiteral("primary"));
    add->setDefaultAction(m_actions->action(QStringLiteral("addTest")));
    add->setText(tr("Add test run..."));
    bar->addWidget(add);
    const auto label = [bar](const QString& text) {
        auto* widget = new QLabel(text, bar);
        widget->setContentsMargins(8, 0, 0, 0);
        bar->addWidget(widget);
    };
    label(tr("Test"));
    m_testChoice = new QComboBox(bar);
    m_testChoice->setObjectName(QStringLiteral("comparedTest"));
    m_testChoice->setAccessibleName(tr("Current test run"));
    m_testChoice->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_testChoice->setMinimumWidth(140);
    bar->addWidget(m_testChoice);
    label(tr("Aligned at"));
    m_steps = new QComboBox(bar);
    m_steps->setObjectName(QStringLiteral("alignedSteps"));
    m_steps->setAccessibleName(tr("Aligned steps"));
    m_steps->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_steps->setMinimumWidth(150);
    bar->addWidget(m_steps);
    auto* align = new QToolButton(bar);
    // Use the icon text of the action: a button text would be lost when the action changes.
    m_actions->action(QStringLiteral("alignAtSelection"))->setIconText(tr("Collective  L"));
    align->setDefaultAction(m_actions->action(QStringLiteral("alignAtSelection")));
    bar->addWidget(align);
    auto* stacked = new QToolButton(bar);
    m_actions->action(QStringLiteral("stacked"))->setIconText(tr("Stack  B"));
    stacked->setDefaultAction(m_actions->action(QStringLiteral("stacked")));
    bar->addWidget(stacked);
    auto* space = new QWidget(bar);
    space->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    bar->addWidget(space);
    label(tr("Similar up to"));
    m_threshold = new QDoubleSpinBox(bar);
    m_threshold->setObjectName(QStringLiteral("similarUpTo"));
    m_threshold->setAccessibleName(tr("Changes of up to this percentage count as similar"));
    m_threshold->setRange(0, 100);
    m_threshold->setDecimals(1);
    m_threshold->setSingleStep(0.5);
    m_threshold->setSuffix(tr(" %"));
    m_threshold->setValue(CompareOptions().thresholdPercent);
    m_threshold->setKeyboardTracking(false);
    bar->addWidget(m_threshold);
    connect(m_testChoice, &QComboBox::activated, this, &ComparisonWindow::showTest);
    connect(m_threshold, &QDoubleSpinBox::valueChanged, this, &ComparisonWindow::compare);
    connect(m_steps, &QComboBox::activated, this, [this](int index) {
        const auto at = static_cast<std::size_t>(m_steps->itemData(index).toInt());
        if (m_steps->itemData(index).isValid() && at < m_view->steps().size())
            m_view->showSteps(m_view->steps()[at]);
    });
}

void ComparisonWindow::connectJobs()
{
    connect(&m_loadJob, &LoadJob::progressChanged, this, [this](int percent, const QString& text) {
        m_bar.progress->setValue(percent);
        m_bar.status->setText(
            tr("Loading %1 \u00b7 %2").arg(QFileInfo(m_waiting.front().paths.value(0)).fileName(), text));
    });
    connect(&m_loadJob, &LoadJob::loaded, this, &ComparisonWindow::onLoaded);
    connect(&m_loadJob, &LoadJob::failed, this, &ComparisonWindow::onFailed);
    connect(&m_loadJob, &LoadJob::cancelled, this, [this] {
        m_waiting.pop_front();
        setBusy({});
        if (m_tests.empty())
            m_view->setRuns(nullptr, nullptr, nullptr, m_threshold->value(), whatToDo());
        emit failed(tr("Loading was cancelled."));
        loadNext();
    });
    connect(m_view, &ComparisonView::subjectChosen, this, &ComparisonWindow::onSubjectChosen);
    connect(m_view, &ComparisonView::stepsShown, this, &ComparisonWindow::fillSteps);
    for (RunPane* pane : {m_view->basePane(), m_view->testPane()}) {
        pane->timeline()->setParallel(paintingThreads());
        m_groupsJobs.push_back(std::make_unique<GroupsJob>(pane->state()));
        connect(pane->timeline(), &TimelineView::noticed, this,
                [this](const QString& text) { tellInPassing(m_bar, text); });
        connect(&pane->state()->selection(), &ViewSelection::sliceChanged, this,
                &ComparisonWindow::updateActions);
    }
    for (auto* tables : m_view->findChildren<TableExport*>())
        connect(tables, &TableExport::wanted, this, [this](const QString& name, const QByteArray& csv) {
            askWhereToSave(
                this, tr("Export %1").arg(name), name, {tr("CSV (*.csv)")},
                [this, csv](const QString& path) { tellSaved(m_bar, *m_banner, path, saveFile(path, csv)); });
        });
}

QString ComparisonWindow::whatToDo() const
{
    return tr("Add a test run to compare it with %1.").arg(QString::fromStdString(m_base.model->title));
}

/// Cancels the current activity, the most recently started one first.
void ComparisonWindow::cancel()
{
    if (m_isExporting) {
        m_exportJob.cancel();
        m_isExporting = false;
        setBusy({});
        m_banner->showMessage({BannerTone::Warning,
                               tr("The export was cancelled: some of the reports were not written."),
                               QStringLiteral("export")});
        updateActions();
    } else if (m_isComparing) {
        m_compareJob.cancel();
        m_isComparing = false;
        setBusy({});
        m_view->setRuns(m_view->basePane()->run(), nullptr, nullptr, m_threshold->value(),
                        tr("The comparison was cancelled. Choose the test run again to compare it."));
        updateActions();
    } else {
        m_loadJob.cancel();
    }
}

bool ComparisonWindow::isBusy() const
{
    return isWorking() || std::any_of(m_groupsJobs.begin(), m_groupsJobs.end(), [](const auto& groups) {
               return groups->isPending();
           });
}

bool ComparisonWindow::isWorking() const
{
    return !m_waiting.empty() || m_isComparing || m_isFinding || m_isExporting;
}

void ComparisonWindow::setBusy(const QString& text)
{
    m_bar.progress->setVisible(!text.isEmpty());
    m_bar.progress->setRange(0, m_waiting.empty() ? 0 : 100); // indeterminate while sheets are created
    m_bar.cancel->setVisible(!text.isEmpty());
    m_busyText = text;
    m_bar.notice->stop();
    m_bar.status->setText(text);
}

void ComparisonWindow::chooseTest()
{
    const QString folder = chooseRunFolder(this, tr("Choose the test run"), toText(m_base.path));
    if (!folder.isEmpty())
        addTest({folder});
}

void ComparisonWindow::addTest(const QStringList& paths, const LoadOptions& options)
{
    m_banner->retract(QStringLiteral("run"));
    m_waiting.push_back({paths, options});
    if (m_waiting.size() == 1)
        loadNext();
}

void ComparisonWindow::loadNext()
{
    if (m_waiting.empty())
        return;
    setBusy(tr("Loading %1").arg(QFileInfo(m_waiting.front().paths.value(0)).fileName()));
    if (m_tests.empty())
        m_view->setRuns(nullptr, nullptr, nullptr, m_threshold->value(), tr("Loading the test run\u2026"));
    m_loadJob.start(m_waiting.front().paths, m_waiting.front().options, true);
}

void ComparisonWindow::onLoaded(const TraceModelPtr& model)
{
    const QString path = m_waiting.front().paths.value(0);
    m_waiting.pop_front();
    m_tests.push_back({model, nullptr, fullPath(QFile::encodeName(path).toStdString()), nullptr});
    m_testChoice->addItem({});
    std::vector<std::string> all{m_base.path};
    for (const ComparisonRun& test : m_tests)
        all.push_back(test.path);
    const std::vector<std::string> labels = runLabels(all); // longer labels if folders have the same name
    for (int i = 0; i < m_testChoice->count(); ++i)
        m_testChoice->setItemText(i, toText(labels[static_cast<std::size_t>(i) + 1]));
    m_testChoice->setItemData(m_testChoice->count() - 1, path, Qt::ToolTipRole);
    showTest(static_cast<int>(m_tests.size()) - 1);
    loadNext();
}

void ComparisonWindow::onFailed(const QString& message)
{
    const Request request = m_waiting.front();
    m_waiting.pop_front();
    setBusy({});
    m_banner->showMessage({BannerTone::Error, message, QStringLiteral("run"), tr("Try again"),
                           [this, request] { addTest(request.paths, request.options); }});
    if (m_tests.empty())
        m_view->setRuns(nullptr, nullptr, nullptr, m_threshold->value(),
                        tr("The test run could not be opened. Add another one."));
    emit failed(message);
    loadNext();
}

void ComparisonWindow::showTest(int index)
{
    m_shown = index;
    m_testChoice->setCurrentIndex(index);
    compare();
}

void ComparisonWindow::compare()
{
    if (m_shown < 0)
        return;
    const ComparisonRun& test = m_tests[static_cast<std::size_t>(m_shown)];
    m_isComparing = true;
    m_placesJob.cancel();
    m_isFinding = false;
    setBusy(tr("Comparing with %1\u2026").arg(m_testChoice->currentText()));
    if (!test.prepared) {
        m_view->setRuns(m_view->basePane()->run(), nullptr, nullptr, m_threshold->value(),
                        tr("Comparing the runs\u2026"));
        m_view->testPane()->showModel(test.model, nullptr, m_testChoice->currentText());
    }
    updateActions();
    m_compareJob.ask(
        [base = m_base, test, options = m_options, compare = CompareOptions{m_threshold->value()}](
            QPromise<PreparedComparisonPtr>& promise, const std::stop_token& stop) {
            MetricOptions cancellable = options;
            cancellable.cancelled = asksWhetherToStop(stop);
            PreparedComparisonPtr comparison = prepareComparison(base, test, cancellable, compare);
            if (comparison && !stop.stop_requested())
                promise.addResult(std::move(comparison));
        });
}

void ComparisonWindow::onCompared(const PreparedComparisonPtr& comparison)
{
    m_isComparing = false;
    m_base.prepared = comparison->base;
    m_tests[static_cast<std::size_t>(m_shown)].prepared = comparison->test;
    if (!isWorking())
        setBusy({});
    m_view->setRuns(comparison->base, comparison->test, comparison->report, m_threshold->value(), {});
    setWindowTitle(tr("%1 against %2 \u2014 Collscope")
                       .arg(toText(comparison->test->sheets.label), toText(comparison->base->sheets.label)));
    fillSteps();
    updateActions();
    m_view->basePane()->timeline()->setFocus();
    emit compared();
}

void ComparisonWindow::onSubjectChosen(const ComparedSubject& subject)
{
    const ComparedRunPtr base = m_view->basePane()->run();
    const ComparedRunPtr test = m_view->testPane()->run();
    if (!base || !test)
        return;
    auto steps = m_view->shownSteps();
    if (!steps && !m_view->steps().empty())
        steps = m_view->steps().front();
    m_isFinding = true;
    m_placesJob.ask([base, test, subject, steps](QPromise<std::shared_ptr<const ComparedLocations>>& promise,
                                                 const std::stop_token&) {
        promise.addResult(
            std::make_shared<const ComparedLocations>(findLocations(*base, *test, subject, steps)));
    });
}

void ComparisonWindow::fillSteps()
{
    m_steps->clear();
    const auto shown = m_view->shownSteps();
    const std::vector<StepPair>& steps = m_view->steps();
    if (!shown)
        m_steps->addItem(steps.empty() ? tr("Start of the runs") : tr("A collective"));
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const auto number
            = [](const std::optional<std::int64_t>& step) { return QString::number(step.value_or(0)); };
        QString title = tr("Steps %1 and %2").arg(number(steps[i].base), number(steps[i].test));
        if (m_view->isOfWholeTraces())
            title = tr("Start of the traces");
        else if (steps[i].base == steps[i].test)
            title = tr("Step %1").arg(number(steps[i].base));
        m_steps->addItem(title, static_cast<int>(i));
        if (shown == steps[i])
            m_steps->setCurrentIndex(m_steps->count() - 1);
    }
    updateActions();
}

void ComparisonWindow::stepBy(int direction)
{
    const std::vector<StepPair>& steps = m_view->steps();
    if (steps.empty())
        return;
    const auto shown = m_view->shownSteps();
    const auto found = shown ? std::find(steps.begin(), steps.end(), *shown) : steps.end();
    const auto count = static_cast<int>(steps.size());
    const int at = found == steps.end()
        ? 0
        : std::clamp(static_cast<int>(found - steps.begin()) + direction, 0, count - 1);
    m_view->showSteps(steps[static_cast<std::size_t>(at)]);
}

void ComparisonWindow::alignAtSelection()
{
    const Status aligned = m_view->alignAtSelection();
    tellInPassing(m_bar, aligned ? QString() : toText(aligned.error().message));
}

void ComparisonWindow::updateActions()
{
    const bool isCompared = m_view->testPane()->run() && !m_isComparing;
    const auto disable = [this](const QString& id, const QString& why) {
        m_actions->action(id)->setEnabled(false);
        m_actions->action(id)->setToolTip(why);
    };
    for (const auto& id :
         {QStringLiteral("exportReports"), QStringLiteral("exportAllRuns"), QStringLiteral("exportTable"),
          QStringLiteral("nextSteps"), QStringLiteral("previousSteps"), QStringLiteral("alignAtSelection")}) {
        QAction* action = m_actions->action(id);
        action->setEnabled(isCompared);
        action->setToolTip(isCompared ? QString() : tr("Add a test run first"));
    }
    if (isCompared && m_tests.size() < 2)
        disable(QStringLiteral("exportAllRuns"),
                tr("Add a second test run first; for two runs, use the reports above"));
    if (m_isExporting) {
        for (const auto& id : {QStringLiteral("exportReports"), QStringLiteral("exportAllRuns")})
            disable(id, tr("Reports are being written"));
    }
    QAction* align = m_actions->action(QStringLiteral("alignAtSelection"));
    if (isCompared && !m_view->basePane()->selectedCollective()
        && !m_view->testPane()->selectedCollective()) {
        align->setEnabled(false);
        align->setToolTip(tr("Select a collective on one of the timelines first"));
    } else if (isCompared) {
        align->setToolTip(tr("Align the selected collective with the same collective in the other run"));
    }
    m_actions->action(QStringLiteral("stacked"))
        ->setToolTip(tr("Stack the timelines instead of placing them side by side"));
    m_steps->setEnabled(isCompared && m_steps->count() > 0);
    m_testChoice->setEnabled(!m_tests.empty());
}

void ComparisonWindow::closeEvent(QCloseEvent* event)
{
    m_loadJob.cancel();
    QMainWindow::closeEvent(event);
}

void ComparisonWindow::dragEnterEvent(QDragEnterEvent* event)
{
    if (!localPaths(event->mimeData()).isEmpty())
        event->acceptProposedAction();
}

void ComparisonWindow::dropEvent(QDropEvent* event)
{
    const QStringList paths = localPaths(event->mimeData());
    if (paths.isEmpty())
        return;
    event->acceptProposedAction();
    // Each folder is a run; files are parts of one run.
    QStringList files;
    for (const QString& path : paths) {
        if (QFileInfo(path).isDir())
            addTest({path});
        else
            files << path;
    }
    if (!files.isEmpty())
        addTest(files);
}

void ComparisonWindow::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape && (m_loadJob.isRunning() || m_isComparing || m_isExporting)) {
        cancel();
    } else if (event->key() == Qt::Key_Escape) {
        m_view->clearChoice();
    } else {
        QMainWindow::keyPressEvent(event);
    }
}

} // namespace collscope
