<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
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
    <name>collscope::MainWindow</name>
    <message numerus="yes">
        <source>%n problem(s)</source>
        <translation>
            <numerusform>%n problem</numerusform>
            <numerusform>%n problems</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n report(s) of Nsight Systems (.nsys-rep) cannot be shown before nsys has exported them.</source>
        <translation>
            <numerusform>%n report of Nsight Systems (.nsys-rep) cannot be shown before nsys has exported it.</numerusform>
            <numerusform>%n reports of Nsight Systems (.nsys-rep) cannot be shown before nsys has exported them.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>collscope::NvlinkChart</name>
    <message numerus="yes">
        <source>All links summed, or a line each for up to %n of them</source>
        <translation>
            <numerusform>All links summed, or a line for one of them</numerusform>
            <numerusform>All links summed, or a line each for up to %n of them</numerusform>
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
        <source>At most %n links have lines of their own</source>
        <translation>
            <numerusform>At most %n link has a line of its own</numerusform>
            <numerusform>At most %n links have lines of their own</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>collscope::TimelineView</name>
    <message numerus="yes">
        <source>Copied %n slice(s)</source>
        <translation>
            <numerusform>Copied %n slice</numerusform>
            <numerusform>Copied %n slices</numerusform>
        </translation>
    </message>
</context>
</TS>
