// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/kernel_rule_dialog.h"

#include "model/kernels/communication_rules.h"
#include "model/kernels/kernel_names.h"
#include "views/common/format.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace collscope {

namespace {

constexpr int longestRule = 200;

/// Distinct kernel names of the run. O(slices).
std::vector<std::string> kernelNamesOf(const TraceModel& model)
{
    std::vector<bool> isKernelName(model.strings.size(), false);
    for (const Track& track : model.tracks) {
        const SliceColumns& slices = track.slices;
        for (std::size_t row = 0; track.kind == TrackKind::GpuStream && row < slices.size(); ++row) {
            if (slices.category[row] == SliceCategory::Kernel)
                isKernelName[slices.name[row].value] = true;
        }
    }
    std::vector<std::string> names;
    for (std::uint32_t id = 0; id < isKernelName.size(); ++id) {
        if (isKernelName[id])
            names.emplace_back(model.text(StringId{id}));
    }
    return names;
}

/// The function's qualified name if the kernel's name contains it verbatim, else its unqualified name.
std::string suggestedText(std::string_view kernelName)
{
    std::string function = functionOfKernel(kernelName);
    if (kernelName.find(function) == std::string_view::npos)
        function.erase(0, function.rfind(':') + 1);
    return function.substr(0, longestRule);
}

} // namespace

KernelRuleDialog::KernelRuleDialog(const TraceModel& model, SliceRef kernel, QWidget* parent)
    : QDialog(parent)
    , m_names(kernelNamesOf(model))
    , m_text(new QLineEdit(this))
    , m_class(new QComboBox(this))
    , m_count(new QLabel(this))
{
    setObjectName(QStringLiteral("kernelRule"));
    setWindowTitle(tr("Classify kernels"));
    auto* about = new QLabel(tr("Kernels whose names contain this text get this class, in this run and in "
                                "all others. * matches any characters."),
                             this);
    about->setWordWrap(true);
    auto* name = new QLabel(toText(model.nameOf(kernel).substr(0, 300)), this);
    name->setWordWrap(true);
    name->setTextFormat(Qt::PlainText);
    m_text->setMaxLength(longestRule);
    m_text->setObjectName(QStringLiteral("ruleText"));
    m_text->setText(toText(suggestedText(model.nameOf(kernel))));
    m_class->setObjectName(QStringLiteral("ruleClass"));
    const KernelClass now = model.classOf(kernel);
    for (const auto& [word, kernelClass] : kernelRuleWords()) {
        const bool computes = isCompute(kernelClass);
        m_class->addItem(computes ? tr("not communication") : toText(kernelClassName(kernelClass)),
                         static_cast<int>(kernelClass));
        const KernelClass begun = isCommunication(now) ? now : KernelClass::OtherCommunication;
        if (kernelClass == begun)
            m_class->setCurrentIndex(m_class->count() - 1);
    }
    m_count->setWordWrap(true);
    m_count->setTextFormat(Qt::PlainText);
    auto* form = new QFormLayout;
    form->addRow(tr("Kernel"), name);
    form->addRow(tr("Name contains"), m_text);
    form->addRow(tr("Class"), m_class);
    form->addRow(QString(), m_count);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
    m_accept = buttons->button(QDialogButtonBox::Ok);
    m_accept->setText(tr("Add rule and reload"));
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_text, &QLineEdit::textChanged, this, &KernelRuleDialog::count);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(about);
    layout->addLayout(form);
    layout->addWidget(buttons);
    resize(620, sizeHint().height());
    count();
}

KernelRule KernelRuleDialog::rule() const
{
    return {m_text->text().trimmed().toStdString(), static_cast<KernelClass>(m_class->currentData().toInt())};
}

void KernelRuleDialog::count()
{
    const KernelRule own = rule();
    QStringList found;
    for (const std::string& name : m_names) {
        if (appliesTo(own, name))
            found << toText(functionOfKernel(name));
    }
    const bool saysAnything
        = std::any_of(own.name.begin(), own.name.end(), [](char c) { return c != '*' && c != ' '; });
    m_accept->setEnabled(saysAnything && !found.isEmpty());
    constexpr int listed = 5;
    QString text = tr("Matches %1 of %2 kernel names in this run").arg(found.size()).arg(m_names.size());
    if (!found.isEmpty())
        text += QStringLiteral(": ") + found.mid(0, listed).join(QStringLiteral(", "));
    m_count->setText(found.size() > listed ? text + QStringLiteral(" \u2026") : text);
}

} // namespace collscope
