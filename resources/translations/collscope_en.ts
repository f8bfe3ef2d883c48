<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
<context>
    <name>GroupLanes</name>
    <message numerus="yes">
        <source>%n loaded rank(s) without a matching call</source>
        <translation>
            <numerusform>%n loaded rank without a matching call</numerusform>
            <numerusform>%n loaded ranks without a matching call</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>collscope::CollectivesModel</name>
    <message numerus="yes">
        <source>%n loaded rank(s) of the group: no matching call</source>
        <translation>
            <numerusform>%n loaded rank of the group: no matching call</numerusform>
            <numerusform>%n loaded ranks of the group: no matching call</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>collscope::ComparisonWindow</name>
    <message numerus="yes">
        <source>Wrote %n file(s)</source>
        <translation>
            <numerusform>Wrote %n file</numerusform>
            <numerusform>Wrote %n files</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>collscope::DetailController</name>
    <message numerus="yes">
        <source>%1 and %n more are not here, or have changed since they were summarized.</source>
        <translation>
            <numerusform>%1 and %n more are not here, or have changed since they were summarized.</numerusform>
            <numerusform>%1 and %n more are not here, or have changed since they were summarized.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Where the traces are, three commands get the events of rank(s) %1.</source>
        <translation>
            <numerusform>Where the traces are, three commands get the events of rank %1.</numerusform>
            <numerusform>Where the traces are, three commands get the events of ranks %1.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Copied three commands that get the events of rank(s) %1</source>
        <translation>
            <numerusform>Copied three commands that get the events of rank %1</numerusform>
            <numerusform>Copied three commands that get the events of ranks %1</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>collscope::GapsView</name>
    <message numerus="yes">
        <source>%n gap(s), %1, %2.</source>
        <translation>
            <numerusform>%n gap, %1, %2.</numerusform>
            <numerusform>%n gaps, %1, %2.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>collscope::GateStrip</name>
    <message numerus="yes">
        <source>%n more measures of trust are good</source>
        <translation>
            <numerusform>%n more measure of trust is good</numerusform>
            <numerusform>%n more measures of trust are good</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>All %n measures of trust are good</source>
        <translation>
            <numerusform>The one measure of trust is good</numerusform>
            <numerusform>All %n measures of trust are good</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>collscope::HangCanvas</name>
    <message numerus="yes">
        <source>
%n waits lead from here to who is waited for</source>
        <translation>
            <numerusform>
%n wait leads from here to who is waited for</numerusform>
            <numerusform>
%n waits lead from here to who is waited for</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>collscope::HangView</name>
    <message numerus="yes">
        <source>%1: %n waiting</source>
        <translation>
            <numerusform>%1: %n waiting</numerusform>
            <numerusform>%1: %n waiting</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>one of %n ranks</source>
        <translation>
            <numerusform>one of %n rank</numerusform>
            <numerusform>one of %n ranks</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n ranks</source>
        <translation>
            <numerusform>%n rank</numerusform>
            <numerusform>%n ranks</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>collscope::NetworkCanvas</name>
    <message numerus="yes">
        <source>%1: %n pair(s) of GPUs</source>
        <translation>
            <numerusform>%1: %n pair of GPUs</numerusform>
            <numerusform>%1: %n pairs of GPUs</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>collscope::NvlinkChart</name>
    <message numerus="yes">
        <source>All links summed, or separate lines for up to %n links</source>
        <translation>
            <numerusform>All links summed, or a separate line for one link</numerusform>
            <numerusform>All links summed, or separate lines for up to %n links</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n links</source>
        <translation>
            <numerusform>%n link</numerusform>
            <numerusform>%n links</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>At most %n links can have separate lines</source>
        <translation>
            <numerusform>At most %n link can have a separate line</numerusform>
            <numerusform>At most %n links can have separate lines</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>collscope::RunNotices</name>
    <message numerus="yes">
        <source>%n Nsight Systems report(s) (.nsys-rep) must be exported by nsys before they can be shown.</source>
        <translation>
            <numerusform>%n Nsight Systems report (.nsys-rep) must be exported by nsys before it can be shown.</numerusform>
            <numerusform>%n Nsight Systems reports (.nsys-rep) must be exported by nsys before they can be shown.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>collscope::StatusController</name>
    <message numerus="yes">
        <source>%n problem(s)</source>
        <translation>
            <numerusform>%n problem</numerusform>
            <numerusform>%n problems</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>collscope::StepLatenessCanvas</name>
    <message numerus="yes">
        <source>step %1, %n collective(s): late by %2 in total, then waited %3</source>
        <translation>
            <numerusform>step %1, %n collective: late by %2 in total, then waited %3</numerusform>
            <numerusform>step %1, %n collectives: late by %2 in total, then waited %3</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>collscope::SummaryView</name>
    <message numerus="yes">
        <source>%n more cost(s) less than 1 % each.</source>
        <translation>
            <numerusform>%n more costs less than 1 %.</numerusform>
            <numerusform>%n more cost less than 1 % each.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n call(s) may contain waits that count as communication: the files do not show when all ranks arrived.</source>
        <translation>
            <numerusform>%n call may contain waits that count as communication: the files do not show when all ranks arrived.</numerusform>
            <numerusform>%n calls may contain waits that count as communication: the files do not show when all ranks arrived.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n call(s) may contain waits that count as communication: the sums of a rank do not show when the others arrived.</source>
        <translation>
            <numerusform>%n call may contain waits that count as communication: the sums of a rank do not show when the others arrived.</numerusform>
            <numerusform>%n calls may contain waits that count as communication: the sums of a rank do not show when the others arrived.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>collscope::TimelineNavigator</name>
    <message numerus="yes">
        <source>Copied %n slice(s)</source>
        <translation>
            <numerusform>Copied %n slice</numerusform>
            <numerusform>Copied %n slices</numerusform>
        </translation>
    </message>
</context>
</TS>
