<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de" sourcelanguage="en">
<context>
    <name>Actions</name>
    <message>
        <source>zoom in, out at the cursor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>pan left, right</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ctrl+wheel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>zoom at the cursor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shift+wheel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>pan in time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ctrl+Shift+wheel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>row height</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>drag</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>select a time range</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shift+drag, middle drag</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>pan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>right drag, Ctrl+drag</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>zoom to the dragged range</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>drag an edge of the range</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>move that edge</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shift+click</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>extend the range to here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ctrl+click</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>add a slice to the selection, or take it out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ctrl+A</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>select the whole run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ctrl+C</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>copy the selected slices</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>drag on the ruler</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>zoom with the left edge in place; double click: the whole run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>right click</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>what can be done with a slice or a row</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>centre the selection; again: fit it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>fit the whole run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>zoom to the range</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>previous, next slice (pan if none is selected)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the slice on the row above, below; without one, that row</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>from a kernel to its launch, and back</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Enter  *</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>expand or collapse the row, or the CPU threads of its rank</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shift+Enter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>collapse a rank to one row, or expand it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>selected slice becomes the range</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>temporary mark at the cursor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Delete</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>remove the current mark</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>/  arg:stream=7</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>find slices by an arg; arg:bf16: by a part of any</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>drag on the durations</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>list only slices that last so long; Esc: all (tab Search)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Home  End</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>start, end of the run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>PgUp  PgDn</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>rows up, down</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Esc</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cancel loading, clear the selection</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Go</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keys and gestures</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Collectives</name>
    <message>
        <source>collective</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>as the profiler names it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>process group</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>name and ranks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>step that the first rank began it in</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>start ms</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>begin of the first rank</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>skew {t}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>from the first rank&apos;s begin to the last one&apos;s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>last rank</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the rank that the others waited for</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>last alone {t}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>how much the last rank came after the one before it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>mean wait {t}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>mean over ranks, until the last one came</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>transfer {t}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the shortest duration of any rank: waiting excluded, needs no clocks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>message size as nccl-tests counts it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>algbw GB/s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>message size / transfer time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>busbw GB/s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>algbw times what a rank puts on the wire</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>first rank</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the rank that waited longest</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ranks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ranks that are there / ranks of the process group</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>start spread {t}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>standard deviation of the ranks&apos; begins</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>end skew {t}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>from the first rank&apos;s end to the last one&apos;s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>type</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>element type of the message</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>for</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>kind of parallelism that the group serves</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>matched by</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the rule that found the ranks&apos; calls</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>CommandPalette</name>
    <message>
        <source>Find a command</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>GroupLanes</name>
    <message>
        <source>ends before all ranks have come: clocks differ</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>together: within %1, which is no more than the clocks can tell</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>over %1; rank %2 came last, %3 after rank %4</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>unknown: the trace gives no message size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 algbw</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 busbw</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>all %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 loaded without this call</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>global</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ranks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>group %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 ranks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ranks %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2 ranks are loaded</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>process group %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>described as %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 collectives</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>group</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>start</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>arrivals</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>transfer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, the shortest kernel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>bandwidth</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>matched by</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Latencies</name>
    <message>
        <source>First token (TTFT)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Per token (TPOT)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Between tokens (ITL)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Request (E2EL)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Batch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 requests</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 requests/s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 output tokens/s</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Location</name>
    <message>
        <source>Open a run first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The run does not reach to that time.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The run has no “%1” on rank %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No slice begins there on %1 of rank %2.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>MetricExplanation</name>
    <message>
        <source>yes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>… %1 in all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 more in the JSON</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 prints %2: %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>other figures</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Formula</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Worked out from</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Other tools</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Details</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>MomentText</name>
    <message>
        <source>%1&#xa0;ns</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>NameFilter</name>
    <message>
        <source>Not a regular expression: %1 at character %2</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>PipelineLanes</name>
    <message>
        <source>%1 %</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>QComboBox</name>
    <message>
        <source>all process groups</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: %2 groups</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>group %1, without a name</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>QTableView</name>
    <message>
        <source>Copy rows</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>RangeLabel</name>
    <message>
        <source>GPU busy %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>GPUs busy %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 slice</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 slices</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 instant</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 instants</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hz</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 events</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>metrics of this</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>/s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, which is %2 times a second</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>rank %1: GPU busy %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>and %1 more ranks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What several sources traced counts once.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Session</name>
    <message>
        <source>%1 at byte %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it was written by a newer Collscope</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it is not a session of Collscope</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it is too large</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The session %1 was not restored: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cannot make the folder %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>SliceQuestion</name>
    <message>
        <source>Write what an arg holds behind arg:, for instance arg:stream=7.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Timeline</name>
    <message>
        <source>comm</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>copy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>compute</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>overlapping</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>annotations</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>CPU</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 thread</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 threads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 stream</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 streams</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Darker where more streams are busy. Click to expand.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 group</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 groups</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Darker where more of these groups communicate. Expand the process groups to see each.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>process groups</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Click to show one row for each kind of parallelism</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Click to show a lane for each process group</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>rank %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nsys, </source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>levels %1 and deeper</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>TimelineRuler</name>
    <message>
        <source>prefill %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>decode %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>prefill and decode %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No step markers in this run</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>TrainingView</name>
    <message>
        <source>Loss</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Gradient norm</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tokens/s per GPU</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory GB</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>MFU %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Learning rate</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ViewExport</name>
    <message>
        <source>PNG, pixels (*.png)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>PDF, vectors (*.pdf)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>SVG, vectors (*.svg)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is no picture: the name of the file has to end in .png, .pdf or .svg</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>WindowParts</name>
    <message>
        <source>Loading</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Wrote %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>collscope::ArgsJob</name>
    <message>
        <source>and more</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>collscope::Banner</name>
    <message>
        <source>Information</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Warning</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Error</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close the message</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close (Esc)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>collscope::BlockMap</name>
    <message>
        <source>Segments of the memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A row for each segment, by size; a click on a block chooses its call stack</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No memory was reserved at this moment.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>private</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>exp.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 at 0x%2, %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>allocated</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>freed, a stream may still use it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Segment of %1 at 0x%2, %3 allocated</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stream %1, pool of %2 blocks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>large</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>small</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, private pool (%1, %2)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, expandable</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>given back to the GPU before the snapshot</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>collscope::CauseView</name>
    <message>
        <source>Explain the selected collective</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy the sentences as text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Step to explain</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Why: one fact a line</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Step %1, %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, the slowest</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No steps</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Why its last rank came late (E)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Select a collective in the timeline or in a table first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open a run to see why a step was slow.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The run has no step markers. Select a collective and press E to see why its last rank came late.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Comparing ranks and steps…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Click to see its time in the timeline</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Click to see its slices in the timeline</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>collscope::CellTable</name>
    <message>
        <source>Show</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>collscope::CollectivesModel</name>
    <message>
        <source>%1 · %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 from the first rank to the last</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: less than what the clocks can tell</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>rank %1: +%2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>and %1 earlier ranks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 bytes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The trace gives no message size.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>message size / transfer time, decimal GB/s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The trace gives no group size.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>algbw × %1 (%2 ranks), decimal GB/s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 loaded ranks of the group did not make this call</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ranks that are there / ranks of the process group</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>collscope::CollectivesTable</name>
    <message>
        <source>Open a run to see the collectives of its ranks.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The calls of the ranks are being matched…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One rank only: there is no other to compare it with. Open the folder that holds the traces of all ranks.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No collectives: no communication kernel ran on any of the ranks.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No collectives of several ranks: none of the %1 communication calls could be matched. The list of unmatched calls says why.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>late only</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>visible range only</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Collectives</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unmatched calls</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Filter, for instance: allreduce bf16</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Words that the name, the type or the process group must hold</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Filter collectives</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Process group of the collectives</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Matched or unmatched calls</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only collectives whose skew is more than the clocks can be wrong by</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only what the timeline shows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>matched</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>unmatched</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show on the timeline</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only in the visible range</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>matched (%1)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>unmatched (%1)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Every communication call found its partners.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No communication kernel ran on any rank.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing fits the filter. Clear it, or choose all process groups.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No communication calls.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 collectives of several ranks; %2 % of %3 calls matched</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> by %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, or by </source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; %1 unmatched.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>collscope::ComparisonView</name>
    <message>
        <source>Baseline</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Test</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>GPU time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>GPU times of both runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>GPU times of both runs, rank by rank</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ranks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Parts of the step in both runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Steps</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Steps of both runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Collectives</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kinds of collectives in both runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Calls</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Communication calls of both runs, rank by rank</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kernel classes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kernel classes in both runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kernels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kernels of both runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, rank %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Change of %1 on each rank, mean of its steps</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Change of the step on each rank, mean of its steps</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The tables show what there is of each run.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 → %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Trace %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Step %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: no difference</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: %2, %3 slower</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: %2, %3 faster</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Means of %1 and %2 traces; the parts add up to the difference.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Means of %1 and %2 steps, each of one rank; the parts add up to the difference.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Largest part: %1, %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Changes up to %1 % are similar.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 — %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 has no GPU work in any step, so no steps are compared.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The runs have no step of any rank in common.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Two runs are needed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Select a collective on one of the timelines first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The other run has no such collective at this place.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>collscope::ComparisonWindow</name>
    <message>
        <source>%1 compared — Collscope</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Add a test run...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export &amp;reports, workbooks and plots...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export the reports of a&amp;ll runs...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export the &amp;table on show as CSV...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export the &amp;window as a picture...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Close window</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Timelines &amp;below each other</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Next steps</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Previous steps</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Align at the selected collective</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Keys and gestures</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tools</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add test run...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Test</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Test run on show</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Aligned at</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Steps that are aligned</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Collective  L</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Below each other  B</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Similar up to</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Changes up to so many percent are similar</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Loading %1 · %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Loading was cancelled.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>CSV (*.csv)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add a test run to compare it with %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The export was cancelled: some of the reports are not written.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The comparison was cancelled. Choose the test run again to compare it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose the test run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Loading %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Loading the test run…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Try again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The test run could not be opened. Add another one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Comparing with %1…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Comparing the runs…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 against %2 — Collscope</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Begin of the runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A collective</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Begin of the traces</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Step %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Steps %1 and %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add a test run first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add a second test run first; two runs have the reports above</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reports are being written</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Select a collective on one of the timelines first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lay the selected collective over the same one of the other run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The timelines below each other instead of beside each other</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write reports into a folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Writing reports into %1…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Wrote %1 files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The reports are not complete: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export the window</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>collscope::DeltaTable</name>
    <message>
        <source>verdict</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>of the difference %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>change %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ms per step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Change in percent of the baseline; positive is better, for times and for bandwidths</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Test minus baseline</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>collscope::DurationChart</name>
    <message>
        <source>%1 to %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How long the slices last</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bars over a logarithmic axis. Drag over them, or use the two fields below, to list only slices that last so long; Escape lists all again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no slice of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 slice of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 slices of %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Drag over the bars: list only slices that last so long
Drag an edge: move it; double click or Esc: all again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>median %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>collscope::DurationFilter</name>
    <message>
        <source>Shortest duration that is listed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Longest duration that is listed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>List slices of all durations again (Esc)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>from</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>to</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A duration: 1.2 ms, 85 us, 3 s; without a unit: %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>collscope::GpuCounterChart</name>
    <message>
        <source>GPU counters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>GPU whose counters are shown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Counters that are shown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reading the GPU counters…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>GPU %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>GPU %1 (idle)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rank %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Counters %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Counters</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>collscope::KernelTable</name>
    <message>
        <source>Show on the timeline</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Peak kernels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This run has no NVLink counters, so there is no peak to explain.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Click a marked peak in the NVLink chart to see which kernels made it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 kernels during %2 – %3 on GPU %4</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>(assumed: the counter file does not name its GPU)</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>collscope::KernelTableModel</name>
    <message>
        <source>kernel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>GPU</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stream</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>overlap µs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>overlap %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>duration µs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>class</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>collscope::LatencyView</name>
    <message>
        <source>Latencies of the benchmark</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Benchmark whose latencies are shown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, line %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not listed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Latency, ms</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>In milliseconds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Median</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>p95</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>p99</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Longest</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mean</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>p90</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Times</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How many the file lists; failed requests do not count</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: the file lists no single times</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, ms</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>median</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2 to %3 ms</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>collscope::LatenessCanvas</name>
    <message>
        <source>Lateness of each rank in each collective</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Arrow keys go from cell to cell, Enter shows the rank&apos;s kernel on the timeline</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>rank %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>step %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>collectives in time order</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is not in this collective</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>on time, as far as the clocks can tell</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>late by %1 on average</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>late by %1 in all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>step %1, %2 collectives: %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>latest in:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 in group %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>late by %1, then waited %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>last was rank %1, skew %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>skew %1: less than the clocks can tell</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Click a cell: the rank&apos;s kernel on the timeline
Drag over columns: what happened in them on the timeline
Ctrl+wheel: zoom; Shift+drag or middle button: pan
Arrow keys and Enter: from cell to cell; 0: everything
The line below marks what the timeline shows</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>collscope::LatenessLegend</name>
    <message>
        <source>Legend of the lateness map</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A rank that came less than %1 after the first one counts as on time: the clocks cannot tell, or it does not matter.
Between %1 and %2 the scale is logarithmic. A pixel that stands for several collectives shows the latest.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>on time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not in it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 late</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>collscope::LatenessMap</name>
    <message>
        <source>Process group of the lateness map</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What a column is</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>per collective</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>per step, mean</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>per step, sum</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Working out who came when…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only sends and receives matched, in which nobody is late: choose a pair of ranks above to see when they met.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>None of these collectives is in a step that the trace marks: choose &quot;per collective&quot;.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>collscope::Legend</name>
    <message>
        <source>Legend</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>prefill</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>decode</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>waiting for other ranks</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>collscope::LoadJob</name>
    <message>
        <source>file %1 of %2</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>collscope::MainWindow</name>
    <message>
        <source>clocks aligned on %1 collectives, residual %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>raw clocks, apart by up to %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>clocks as recorded, they agree within %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Collscope</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open recen&amp;t</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Metric de&amp;finitions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Loading %1 · %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Try again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Device peaks are unknown: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Selection  %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>View  %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Drop a trace directory on the window, or press %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 rank</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 ranks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 events</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>loaded in %1 s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>reduced, without most CPU operators</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>clocks: wall clock as recorded</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>clocks: as recorded, no wall clock</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no problems</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 problems</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>0 events left out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 events left out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compare the run on show with this one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open as run
Ctrl: compare with the run on show</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open as run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open &amp;run folder...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Open trace files...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open &amp;demo run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Re&amp;load</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ran&amp;ks of the files...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Many runs as a table...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Com&amp;pare with another run...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Export metrics as CSV...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>CSV (*.csv)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export metrics as &amp;JSON...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>JSON (*.json)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Save the session beside the run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Forget the session and st&amp;art over</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;New window</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Close window</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Find slices</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Find slices of the &amp;same name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nex&amp;t match</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Previous match</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Longest match</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>List the slices of the selected ran&amp;ge</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Copy the location</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Mark at the cursor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Note of the mark...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove the current mar&amp;k</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Zoom &amp;in</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Zoom &amp;out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fit the &amp;whole run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Fit selection</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>E&amp;xpand CPU threads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Collapse CPU threads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Expand or collapse all CPU threads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Pin or unpin the row</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Filter rows &amp;by name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Collapse ra&amp;nks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Expand ran&amp;ks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Raw clocks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Grid lines</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Wheel &amp;zooms, as in Tracy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ti&amp;me: since the start</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time: of the da&amp;y (UTC)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time: &amp;every nanosecond</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Theme: &amp;system</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Theme: &amp;light</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Theme: &amp;dark</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>F&amp;ull screen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rese&amp;t layout</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Back</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Forward</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Go to track...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Same &amp;collective on the next rank</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Same collective on the &amp;previous rank</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Enclosing slice</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>First slice &amp;in it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Next mark</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pre&amp;vious mark</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Next p&amp;art of the window</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Previous part of the &amp;window</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>E&amp;xplain the selected collective, or the step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Keys and gestures</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;All commands...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The files of this run do not say the time of day</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Undo %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Redo %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing was changed yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing was undone</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open a run first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Set a mark first, or walk to one with N</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose the run to compare with</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The demo run is not installed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open trace files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Traces (*.json *.json.gz *.sqlite *.bin *.nsys-rep);;All files (*)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open run folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Loading %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 — Collscope</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Loading %1 — a first part is shown, the rest follows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open a run with step markers to jump to a step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Step %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show a step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Iteration %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Collectives</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lateness</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stragglers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Why slow?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Search for a name first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Select a slice first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Drag over the timeline to select a range first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copied %1: paste it into the search line, or give it to --goto</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not every file says which rank it is.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Say it…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A run of several paths has no folder to keep a session in</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show each rank by its own clock, as recorded</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open a run of several ranks first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Selection</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Search</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Range</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Peak kernels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Problems</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pipeline</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Serving</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Training</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ranks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Metrics</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Details</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Problems %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tools</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open run...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compare...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fit  F</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Step to show</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Profiler iteration to load</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>communication</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>GPU stream</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>annotations</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>CPU thread</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>rank %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Go to track</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export a &amp;view</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Whole window...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>window</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Timeline and NVLink...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>timeline</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;NVLink...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nvlink</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Metrics...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>metrics</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Current ta&amp;b...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tab</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This run has no NVLink counters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 — %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export a view</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Some of this run&apos;s files could not be used completely.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 events of this run are left out.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>collscope::MemoryChart</name>
    <message>
        <source>Memory of a GPU</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Replaying the memory events…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory GB</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>rank %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>rank %1, GPU %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>reserved</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>active</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>allocated</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>allocated %1, active %2, reserved %3</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>collscope::MemoryView</name>
    <message>
        <source>Call stacks that hold memory at the moment</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Frames of the chosen call stack, innermost first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>GPU whose memory is shown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Peak</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The moment at which most was allocated</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The next time that memory ran out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Snapshot</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The end of the record, when the snapshot was taken</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Moment, event by event</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>rank %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>rank %1, GPU %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Replaying the memory events…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This run has no CUDA memory snapshots: record them with torch.cuda.memory._record_memory_history() and _dump_snapshot().</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Out of memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Out of memory (%1)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>event %1 of %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 (%2 GiB)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>allocated %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>active %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>reserved %1 in %2 segments</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>private pools %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>expandable segments %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>OUT OF MEMORY: %1 were asked for, the GPU had %2 free</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the file is cut off: only the state that it begins with is known</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no events: memory history was not recorded, only the snapshot</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Peak: </source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Settings of the allocator</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Allocated</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bytes that its allocations hold at the moment</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>By</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The innermost frame outside of PyTorch and other installed libraries</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Share</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Of all that is allocated</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Blocks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Allocations that are alive</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The call stack of these allocations was not recorded: they are older than the record, or it was made without stacks.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>collscope::MetricDefinitions</name>
    <message>
        <source>&amp;Add a file...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add metric definitions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Metric definitions (*.toml);;All files (*)</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>collscope::MetricsPanel</name>
    <message>
        <source>Copy number</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>METRICS</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What the metrics count</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Find a metric</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Explanation of the selected metric</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>CSV</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>JSON</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy the explanation of the selected metric</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save all metrics as CSV: the same bytes as collscope --batch --csv</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save all metrics as JSON</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>inner steps</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>all steps</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>selected range</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>rank %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>drag over the timeline to select a range</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy the number as the batch prints it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Select a metric that has a value</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Select a metric to see its formula and the slices it counted.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>collscope::MetricsTable</name>
    <message>
        <source>Metrics</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>table</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>n/a</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no input</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>error</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Select it to see its table</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not available (%1)</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>collscope::Minimap</name>
    <message>
        <source>Overview of the run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>run, %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>collscope::NvlinkChart</name>
    <message>
        <source>NVLink throughput</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>GPU whose NVLink throughput is shown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>NVLinks with lines of their own</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>All links summed, or a line each for up to %n of them</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Number of peaks with a marker</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Peaks with a marker: so many of the most prominent ones in sight</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>GPU %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>GPU ?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No NVLink counters in this run. Sample them with NVML while the job runs (NVF1 .bin files, one per GPU) and put them into the run directory.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Adding up the NVLink counters…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All links</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Link %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n links</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>All links summed</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>At most %n links have lines of their own</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>NVLink GB/s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>TX, RX of link</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>TX</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>RX</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>TX %1, RX %2 GB/s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>all links</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>collscope::PipelineLanes</name>
    <message>
        <source>waiting for a neighbour</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>other communication</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>copying</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>computing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>idle: nothing runs on this GPU</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The trace of this stage&apos;s rank is not loaded.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stage %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>rank %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>busy %1, computing %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>bubble %1 (%2 %): warm-up %3, interior %4, cool-down %5; %6 of it in sends and receives</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All steps that the metrics count</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Step %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pipeline stages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not loaded</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>bubble</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>busy %1 per rank · bubble %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>busy %1 · bubble %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>bubble %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>all %1 ranks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no numbers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>adding up…</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>collscope::PipelineLegend</name>
    <message>
        <source>computing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>waiting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>communicating</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>idle</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Legend of the pipeline</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Waiting for a neighbour (in a send or receive) and idle time together are the bubble. Computing has the colours of the kernel classes, communication those of the collectives; what computes covers what communicates.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>collscope::PipelineView</name>
    <message>
        <source>%1 %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Ranks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ranks that stand for their stages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Each stage is shown by the rank at this place of the mesh</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open a run with pipeline stages.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This run has no pipeline stages: pp = 1 (%1).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ranks send to each other, but nothing says which rank is which pipeline stage. Put a workload_card.yaml with pp, tp and dp into the run directory, or record traces whose process groups have descriptions (mesh_pp).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This run has no pipeline stages: no card or TOML with pp, no process group named pp.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bubble %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the schedule alone %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 stages and %2 micro-batches alone leave (p - 1) / (m + p - 1) of a step idle.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>collscope::ProblemsView</name>
    <message>
        <source>severity</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>code</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>offset</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>count</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>events left out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>meaning</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Problems</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 events in %2 files = %3 shown + %4 listed below</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>collscope::QuickPick</name>
    <message>
        <source>What matches</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is nothing to choose from.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing matches “%1”.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>collscope::QuickPickModel</name>
    <message>
        <source>on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>off</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>collscope::RangeModel</name>
    <message>
        <source>class</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>rank</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stream or thread</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>count</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>slices that lie in the range, or reach into it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>total %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>durations added up, cut off at the ends of the range; nested slices count in each</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>share %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>of the time of all slices that can be listed here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>mean %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>total / count</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>longest %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the part inside the range of the slice that a double click shows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>GPU busy %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>time with any kernel, copy or memset, whatever is listed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>rank %1 · %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, overlapping</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>rank %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 on rank %2</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>collscope::RangePanel</name>
    <message>
        <source>Show these on the timeline</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Filter, for instance: gemm or /^nccl.*f32/</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Part of the name or the class of slices; between slashes a regular expression</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Filter what happens in the range</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>by class</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>by name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>by rank</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>by stream or thread</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What the rows of the range are</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>GPU</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>CPU</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>everything</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>kernels, copies and memsets on streams</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>calls and annotations on threads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>both, and annotations on GPUs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Which slices of the range count</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What happens in the range</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show the longest</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only slices of one name can be searched for</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Selected %1: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Visible %1: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open a run to see what happens in a range of it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This run has no timeline.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The slices of the range are being added up…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing happens in this range. Drag over the timeline to select another.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing happens in this range, but ranks are hidden: tick them in the list of ranks.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing in this range fits the filter.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No kernel, copy or memset runs in this range. Choose CPU, or everything, to see the rest.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No CPU thread does anything in this range. Choose GPU, or everything, to see the rest.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>collscope::RankChanges</name>
    <message>
        <source>Change of each rank</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Left and Right choose a rank, Esc all ranks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>rank %1: %2 → %3, %4</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>collscope::RankMapDialog</name>
    <message>
        <source>Ranks of the files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Collscope takes the rank from what a file says, else from its name. Where both are silent or wrong, say it here; it is remembered with the run.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>File</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rank</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Files and their ranks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rank of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Load again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>As the files say</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>collscope::RankTree</name>
    <message>
        <source>PP · pipeline stage</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>DP · data parallel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>CP · context parallel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>TP · tensor parallel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>EP · expert parallel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>RANKS</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Group ranks by</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How the list of ranks is grouped</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Group by</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Filter: 12, 8-15, TP1, node name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Filter ranks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ranks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>node</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no groups</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>node unknown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>node %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 unknown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>rank %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2 shown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 rank</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 ranks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show &amp;only %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Show %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Hide %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show &amp;all ranks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Expand all groups</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Collapse all groups</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>GPU %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>device</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>unknown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2 (%3)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>: replica %1, shard %2</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>collscope::RanksPanel</name>
    <message>
        <source>WORKLOAD</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>LEGEND</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>phase</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>precision</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>batch × seq</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>parallel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>framework</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>library</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>seq</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>world size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>GPU</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>collscope::RunEdits</name>
    <message>
        <source>mark</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>removal of a mark</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>note</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>pin</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>unpinning</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>collscope::RunPane</name>
    <message>
        <source>Timeline: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 rank</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 ranks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no step markers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 step that counts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 steps that count</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>collscope::RunTable</name>
    <message>
        <source>Filter, for instance: llama tp:4 mfu&gt;40</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Words that a row must hold; field:word for one column; metric&gt;number or metric&lt;number for a value</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Filter runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Runs and their metrics</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose folder…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>CSV</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save the runs shown as CSV: the same bytes as collscope --batch RUN… --csv</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a folder that holds several runs: each of its folders becomes a row.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2 runs shown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> · %1 loaded</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> · colours: the public dashboard&apos;s thresholds · double-click opens a run</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>collscope::RunTableModel</name>
    <message>
        <source>table</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, %2</source>
        <comment>metric, unit</comment>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>collscope::RunsWindow</name>
    <message>
        <source>Runs — Collscope</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a folder that holds several runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>CSV (*.csv)</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>collscope::SearchBar</name>
    <message>
        <source>Regular expression</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Previous match (Shift+F3)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Next match (F3)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Search slices  /</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Search slices by name or arg</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Part of the name of a kernel, an operator, a call
arg:stream=7  an arg with that value
arg:bfloat16  a part of any arg
gemm arg:stream=7  both
or a location that was copied</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a location</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not in this run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not a pattern</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>arg: of what?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>searching…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>collscope::SearchModel</name>
    <message>
        <source>name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>start ms</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>on the time axis of the timeline</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>duration %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>rank</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stream or thread</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>collscope::SearchResults</name>
    <message>
        <source>Cancel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel reading the files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Slices that were found</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show on the timeline</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>List the slices of the selected range</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 slice</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 slices</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2 slices</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 names</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2 in the range, </source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2, </source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 in all, %2 on average, %3 median, %4 p95, %5 min, %6 max.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The %1 longest are listed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open a run to search its slices.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Press / and type a part of a name: kernels, operators, CPU calls, annotations.
arg:stream=7 finds slices by their args.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Searching…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>None of the %1 slices lasts so long. Drag the edges on the left, or press Esc there.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing runs in the selected range on the ranks that are shown.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No slice of the run has such an arg.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>None in what was looked through.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No slice of the run has such a name.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>collscope::SelectionDetails</name>
    <message>
        <source>collective</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>process group</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>group ranks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>group size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>sequence</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>message</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>described by</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the execution trace</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>grid</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>block</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>registers per thread</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>est. occupancy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>bytes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Selection</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>class</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>rank</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>track</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>start</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>start as recorded</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, by this rank&apos;s own clock</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>duration</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>time of day</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>correlation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>launched by</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>launches</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Click a slice in the timeline to see what it is.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>collscope::SliceFinder</name>
    <message>
        <source>What the model keeps decides for %1 of the files, which cannot be read again: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reading 1 file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reading %1 files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 for all their args… %2 %. So far: by what the model keeps of them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Found by what the model keeps; the files were not read to their end.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>collscope::StragglerPanel</name>
    <message>
        <source>Waits per rank</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Skew per process group</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Collectives that a rank made the others wait for</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Process groups</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Worst collectives</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Process groups, or the worst collectives of a rank</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 collectives of the window (%2).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open a run to see which rank the others wait for.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Working out which rank the others waited for…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>rank</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>imposed wait</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>waits of all ranks in the collectives that this rank came last to</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>last</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>how often it came last, by more than the clocks can tell</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>own wait</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>until the last rank came, over all collectives of this rank</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>by duration</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>own wait from durations: each minus the shortest. It needs no clocks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>last %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>share of its collectives that it came last to</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>last in %1 of %2 collectives</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>process group</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>name and ranks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>skew, sum</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>from the first rank&apos;s begin to the last one&apos;s, added up</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>largest</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>largest skew of one collective</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>collectives</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>all ranks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rank %1: worst collectives</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The collectives in which it made the others wait longest</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Click a rank to see the collectives that it came last to</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>waits of all ranks together</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>collective</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>start ms</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>begin of the first rank</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>late by</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>after the first rank</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>collscope::TableExport</name>
    <message>
        <source>Export table as CSV...</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>collscope::TimelineChart</name>
    <message>
        <source>log</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Logarithmic scale</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Logarithmic scale: powers of ten at equal distances</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>sample %1: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no sample</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>collscope::TimelineView</name>
    <message>
        <source>Zoom to the slice</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Select its time	R</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Go to its launch	[</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Go to what it launched	]</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy the name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Collapse</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Expand</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unpin the row	P</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pin the row to the top	P</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hide rank %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open the whole trace of rank %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mark this time	Shift+M</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no mark yet: Shift+M sets one at the cursor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The selected slice is in no other</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no slice in the selected one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Select a slice to copy it; Ctrl+click adds more</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Copied %n slice(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>The selected slice is part of no collective that was found on other ranks, too</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Select a collective first, then walk over its ranks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 on rank %2 (%3 of %4)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Select a kernel or its launch first, then follow the link between them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The trace does not say which call launched this</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing follows from a kernel; [ leads to its launch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing on the GPU was launched by this</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing leads to a CPU slice; ] leads to what it launched</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This is the last mark</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This is the first mark</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This run has no timeline.
Add PyTorch profiler traces (*.pt.trace.json) or an Nsight Systems export (*.sqlite).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open a trace directory, or drop one here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Select a slice, or click the name of a row, to pin that row</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Filter rows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Filter of rows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Part of a name, such as rank 3, comm, stream 7, or a /regular expression/</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Let the metrics count this range</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&lt;br&gt;and %1 more in this pixel; zoom in to part them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>at %1, no duration</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>rank %1, %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>at %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Note</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Note of the mark</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>steps</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All ranks are hidden. Tick them in the panel of ranks.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No row is called “%1”. Clear the line at the top left to see all.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>collscope::TrainingView</name>
    <message>
        <source>What the training program logged, over steps</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>profile</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>step %1: %2 %3</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>collscope::UnmatchedModel</name>
    <message>
        <source>collective</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>rank</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>process group</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>start ms</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>duration %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>why it found no partner</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>collscope::WaterfallView</name>
    <message>
        <source>Step time of the test against the baseline, part by part</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Up and Down choose a part, Enter shows it on both timelines</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: mean step of %2, over %3 steps of all ranks shown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of a step: %2 in %3, %4 in %5</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of the difference between the steps</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>collscope::WelcomePage</name>
    <message>
        <source>Open demo run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Drop a trace directory here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>PyTorch profiler traces, Nsight Systems .sqlite exports and NVLink samples of one run:
all ranks appear on one time axis.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open run...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>RECENT RUNS</source>
        <translation type="unfinished"></translation>
    </message>
</context>
</TS>
