// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/parts/window_commands.h"

#include <QCoreApplication>

namespace collscope {

namespace {

struct CommandText
{
    Q_DECLARE_TR_FUNCTIONS(WindowCommands)
};

// NOLINTNEXTLINE(clang-analyzer-optin.performance.Padding): in the order in which one reads a row
struct Row
{
    const char* id;
    MenuId menu;
    QString text; ///< with mnemonic
    QKeySequence shortcut;
    bool separatorBefore = false;
    bool isCheckable = false;
};

} // namespace

// NOLINTNEXTLINE(readability-function-size): a table, one or two lines per command
std::vector<Command> windowCommands()
{
    const Row rows[]{
        {"openFolder", MenuId::File, CommandText::tr("Open &run folder..."),
         QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_O)},
        {"openFiles", MenuId::File, CommandText::tr("&Open trace files..."), QKeySequence::Open},
        {"openRemote", MenuId::File, CommandText::tr("Open run on another mac&hine..."), {}},
        {"openDemo", MenuId::File, CommandText::tr("Open &demo run"), {}},
        {"reload", MenuId::File, CommandText::tr("Re&load"), QKeySequence(Qt::Key_F5)},
        {"ranks", MenuId::File, CommandText::tr("Assign ran&ks..."), {}},
        {"runsTable", MenuId::File, CommandText::tr("Table of &many runs..."),
         QKeySequence(Qt::CTRL | Qt::Key_T)},
        {"compare", MenuId::File, CommandText::tr("Com&pare with another run..."),
         QKeySequence(Qt::CTRL | Qt::Key_D)},
        {"exportPage", MenuId::File, CommandText::tr("Export a pa&ge to send..."),
         QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_E), true},
        {"exportCsv", MenuId::File, CommandText::tr("&Export metrics as CSV..."),
         QKeySequence(Qt::CTRL | Qt::Key_E)},
        {"exportJson", MenuId::File, CommandText::tr("Export metrics as &JSON..."), {}},
        {"saveSession", MenuId::File, CommandText::tr("&Save session next to the run"), {}, true},
        {"startOver", MenuId::File, CommandText::tr("Discard session and st&art over"), {}},
        {"newWindow", MenuId::File, CommandText::tr("&New window"), QKeySequence::New, true},
        {"close", MenuId::File, CommandText::tr("&Close window"), QKeySequence::Close},
        {"quit", MenuId::File, CommandText::tr("&Quit"), QKeySequence::Quit},
        {"undo", MenuId::Edit, CommandText::tr("&Undo"), QKeySequence::Undo},
        {"redo", MenuId::Edit, CommandText::tr("&Redo"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z)},
        {"find", MenuId::Edit, CommandText::tr("&Find slices"), QKeySequence::Find, true},
        {"findSame", MenuId::Edit, CommandText::tr("Find slices with the &same name"),
         QKeySequence(Qt::CTRL | Qt::Key_F3)},
        {"nextMatch", MenuId::Edit, CommandText::tr("Nex&t match"), QKeySequence(Qt::Key_F3)},
        {"previousMatch", MenuId::Edit, CommandText::tr("&Previous match"),
         QKeySequence(Qt::SHIFT | Qt::Key_F3)},
        {"longestMatch", MenuId::Edit, CommandText::tr("&Longest match"),
         QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_F3)},
        {"listRange", MenuId::Edit, CommandText::tr("List slices in the selected ran&ge"),
         QKeySequence(Qt::CTRL | Qt::Key_L)},
        {"copyLocation", MenuId::Edit, CommandText::tr("&Copy location"),
         QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C), true},
        {"keepMark", MenuId::Edit, CommandText::tr("Set &mark at the cursor"),
         QKeySequence(Qt::SHIFT | Qt::Key_M), true},
        {"editNote", MenuId::Edit, CommandText::tr("Edit &note of the mark..."),
         QKeySequence(Qt::CTRL | Qt::Key_M)},
        {"removeMark", MenuId::Edit, CommandText::tr("Remove the current mar&k"), {}},
        {"zoomIn", MenuId::View, CommandText::tr("Zoom &in"), QKeySequence::ZoomIn},
        {"zoomOut", MenuId::View, CommandText::tr("Zoom &out"), QKeySequence::ZoomOut},
        {"fitAll", MenuId::View, CommandText::tr("Fit &whole run"), QKeySequence(Qt::CTRL | Qt::Key_0)},
        {"fit", MenuId::View, CommandText::tr("&Fit selection"), QKeySequence(Qt::CTRL | Qt::Key_J)},
        {"openThreads", MenuId::View, CommandText::tr("E&xpand CPU threads"), {}, true},
        {"closeThreads", MenuId::View, CommandText::tr("&Collapse CPU threads"), {}},
        {"toggleThreads", MenuId::View, CommandText::tr("Expand or collapse all CPU threads"),
         QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Asterisk)},
        {"pin", MenuId::View, CommandText::tr("&Pin or unpin row"), QKeySequence(Qt::Key_P), true},
        {"filterRows", MenuId::View, CommandText::tr("Filter rows &by name"),
         QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_F)},
        {"collapseRanks", MenuId::View, CommandText::tr("Collapse ra&nks"), {}},
        {"expandRanks", MenuId::View, CommandText::tr("Expand ran&ks"), {}},
        {"rawClocks", MenuId::View, CommandText::tr("&Raw clocks"), {}, true, true},
        {"grid", MenuId::View, CommandText::tr("&Grid lines"), QKeySequence(Qt::Key_G), false, true},
        {"findingStrip", MenuId::View, CommandText::tr("W&hat costs time"), {}, false, true},
        {"wheelZooms", MenuId::View, CommandText::tr("&Zoom with the wheel, as in Tracy"), {}, false, true},
        {"timeRelative", MenuId::View, CommandText::tr("Ti&me: relative to start"), {}, true, true},
        {"timeWallClock", MenuId::View, CommandText::tr("Time: time of da&y (UTC)"), {}, false, true},
        {"timeNanoseconds", MenuId::View, CommandText::tr("Time: nanos&econds"), {}, false, true},
        {"themeSystem", MenuId::View, CommandText::tr("Theme: &system"), {}, true, true},
        {"themeLight", MenuId::View, CommandText::tr("Theme: &light"), {}, false, true},
        {"themeDark", MenuId::View, CommandText::tr("Theme: &dark"), {}, false, true},
        {"fullScreen", MenuId::View, CommandText::tr("F&ull screen"), QKeySequence(Qt::Key_F11), true},
        {"resetLayout", MenuId::View, CommandText::tr("Rese&t layout"), {}},
        {"back", MenuId::Go, CommandText::tr("&Back"), QKeySequence::Back},
        {"forward", MenuId::Go, CommandText::tr("&Forward"), QKeySequence::Forward},
        {"goToTrack", MenuId::Go, CommandText::tr("&Go to track..."), QKeySequence(Qt::CTRL | Qt::Key_P),
         true},
        {"nextRank", MenuId::Go, CommandText::tr("Same &collective on the next rank"),
         QKeySequence(Qt::Key_C), true},
        {"previousRank", MenuId::Go, CommandText::tr("Same collective on the &previous rank"),
         QKeySequence(Qt::SHIFT | Qt::Key_C)},
        {"parent", MenuId::Go, CommandText::tr("&Enclosing slice"), QKeySequence(Qt::ALT | Qt::Key_Up), true},
        {"child", MenuId::Go, CommandText::tr("First &inner slice"), QKeySequence(Qt::ALT | Qt::Key_Down)},
        {"nextMark", MenuId::Go, CommandText::tr("&Next mark"), QKeySequence(Qt::Key_N), true},
        {"previousMark", MenuId::Go, CommandText::tr("Pre&vious mark"), QKeySequence(Qt::SHIFT | Qt::Key_N)},
        {"nextView", MenuId::Go, CommandText::tr("Next p&art of the window"), QKeySequence(Qt::Key_F6), true},
        {"previousView", MenuId::Go, CommandText::tr("Previous part of the &window"),
         QKeySequence(Qt::SHIFT | Qt::Key_F6)},
        {"explainHere", MenuId::Go, CommandText::tr("E&xplain selected collective or step"),
         QKeySequence(Qt::Key_E), true},
        {"whatIfHere", MenuId::Go, CommandText::tr("What if the selected &slice were faster"), {}},
        {"guide", MenuId::Help, CommandText::tr("&Guide"), QKeySequence::HelpContents},
        {"keys", MenuId::Help, CommandText::tr("&Keys and gestures"), QKeySequence(Qt::Key_Question)},
        {"allCommands", MenuId::Help, CommandText::tr("&All commands..."),
         QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_P)},
        {"about", MenuId::Help, CommandText::tr("A&bout Collscope"), {}, true},
    };
    std::vector<Command> commands;
    for (const Row& row : rows)
        commands.push_back({QLatin1String(row.id),
                            row.menu,
                            row.text,
                            row.shortcut,
                            {},
                            row.separatorBefore,
                            row.isCheckable});
    return commands;
}

} // namespace collscope
