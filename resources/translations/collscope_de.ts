<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de" sourcelanguage="en">
<context>
    <name>About</name>
    <message>
        <source>About Collscope</source>
        <translation>Über Collscope</translation>
    </message>
    <message>
        <source>Free software: GNU General Public License, version 3 or later.</source>
        <translation>Freie Software: GNU General Public License, Version 3 oder später.</translation>
    </message>
</context>
<context>
    <name>Actions</name>
    <message>
        <source>&amp;File</source>
        <translation>&amp;Datei</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>&amp;Bearbeiten</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>&amp;Ansicht</translation>
    </message>
    <message>
        <source>&amp;Go</source>
        <translation>&amp;Gehe zu</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>&amp;Hilfe</translation>
    </message>
</context>
<context>
    <name>Collectives</name>
    <message>
        <source>collective</source>
        <translation>Collective</translation>
    </message>
    <message>
        <source>name given by the profiler</source>
        <translation>wie der Profiler es nennt</translation>
    </message>
    <message>
        <source>process group</source>
        <translation>Prozessgruppe</translation>
    </message>
    <message>
        <source>name and ranks</source>
        <translation>Name und Ranks</translation>
    </message>
    <message>
        <source>step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>step in which the first rank started it</source>
        <translation>Schritt, in dem der erste Rank begann</translation>
    </message>
    <message>
        <source>start ms</source>
        <translation>Start ms</translation>
    </message>
    <message>
        <source>start on the first rank</source>
        <translation>Beginn des ersten Ranks</translation>
    </message>
    <message>
        <source>skew {t}</source>
        <translation>Versatz {t}</translation>
    </message>
    <message>
        <source>time from the first rank&apos;s start to the last rank&apos;s start</source>
        <translation>vom Beginn des ersten Ranks bis zum Beginn des letzten</translation>
    </message>
    <message>
        <source>last rank</source>
        <translation>letzter Rank</translation>
    </message>
    <message>
        <source>lag of last {t}</source>
        <translation>letzter allein {t}</translation>
    </message>
    <message>
        <source>time between the arrival of the second-to-last rank and that of the last rank</source>
        <translation>wie lange nach dem vorletzten Rank der letzte kam</translation>
    </message>
    <message>
        <source>mean wait {t}</source>
        <translation>mittl. Warten {t}</translation>
    </message>
    <message>
        <source>transfer {t}</source>
        <translation>Übertragung {t}</translation>
    </message>
    <message>
        <source>shortest duration on any rank: excludes waiting and does not depend on clocks; empty for collectives with a root</source>
        <translation>die kürzeste Dauer aller Ranks: ohne Warten, braucht keine Uhren; leer, wo es eine Wurzel gibt</translation>
    </message>
    <message>
        <source>size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>message size as defined by nccl-tests</source>
        <translation>Nachrichtengröße, wie nccl-tests sie zählt</translation>
    </message>
    <message>
        <source>algbw GB/s</source>
        <translation>algbw GB/s</translation>
    </message>
    <message>
        <source>message size / transfer time</source>
        <translation>Nachrichtengröße / Übertragungszeit</translation>
    </message>
    <message>
        <source>busbw GB/s</source>
        <translation>busbw GB/s</translation>
    </message>
    <message>
        <source>algbw × bus factor (bytes that a rank puts on the wire / message size)</source>
        <translation>algbw mal dem Anteil, den ein Rank über die Leitung schickt</translation>
    </message>
    <message>
        <source>first rank</source>
        <translation>erster Rank</translation>
    </message>
    <message>
        <source>ranks</source>
        <translation>Ranks</translation>
    </message>
    <message>
        <source>ranks found / ranks in the process group</source>
        <translation>vorhandene Ranks / Ranks der Prozessgruppe</translation>
    </message>
    <message>
        <source>start spread {t}</source>
        <translation>Startstreuung {t}</translation>
    </message>
    <message>
        <source>std. dev. of start times</source>
        <translation>Standardabweichung der Startzeiten der Ranks</translation>
    </message>
    <message>
        <source>end skew {t}</source>
        <translation>Endversatz {t}</translation>
    </message>
    <message>
        <source>time from the first rank&apos;s end to the last rank&apos;s end</source>
        <translation>vom Ende des ersten Ranks bis zum Ende des letzten</translation>
    </message>
    <message>
        <source>type</source>
        <translation>Typ</translation>
    </message>
    <message>
        <source>element type of the message</source>
        <translation>Elementtyp der Nachricht</translation>
    </message>
    <message>
        <source>parallelism</source>
        <translation>für</translation>
    </message>
    <message>
        <source>kind of parallelism that the process group is used for</source>
        <translation>Art der Parallelität, der die Gruppe dient</translation>
    </message>
    <message>
        <source>matched by</source>
        <translation>zugeordnet über</translation>
    </message>
    <message>
        <source>rule by which the ranks&apos; calls were matched</source>
        <translation>Regel, nach der die Aufrufe der Ranks zugeordnet wurden</translation>
    </message>
    <message>
        <source>the last rank to arrive</source>
        <translation>der Rank, der zuletzt kam</translation>
    </message>
    <message>
        <source>mean over ranks of the time until the last rank (or the root) arrived; empty where it cannot be determined</source>
        <translation>Mittel über die Ranks, bis der letzte (oder die Wurzel) kam; leer, wo es niemand sagen kann</translation>
    </message>
    <message>
        <source>the first rank to arrive</source>
        <translation>der Rank, der zuerst kam</translation>
    </message>
    <message>
        <source>match confirmed by</source>
        <translation>Zuordnung bestätigt durch</translation>
    </message>
    <message>
        <source>evidence that these calls form one collective</source>
        <translation>was sicher macht, dass diese Aufrufe ein Collective sind</translation>
    </message>
    <message>
        <source>exposed {t}</source>
        <translation>unverdeckt {t}</translation>
    </message>
    <message>
        <source>mean over ranks of the time that no compute kernel of the rank hides, waiting included</source>
        <translation>Mittel über die Ranks: Zeit, die kein Rechenkernel des Ranks verdeckt, einschließlich Warten</translation>
    </message>
</context>
<context>
    <name>CommandPalette</name>
    <message>
        <source>Find a command</source>
        <translation>Befehl suchen</translation>
    </message>
    <message>
        <source>Find a command, tab, rank or metric</source>
        <translation>Befehl, Reiter, Rank oder Metrik suchen</translation>
    </message>
</context>
<context>
    <name>FailedWork</name>
    <message>
        <source>Not enough memory for this run: open fewer ranks (collscope --max-ranks) or reduce it (collscope --batch plan).</source>
        <translation>Für diesen Lauf reicht der Speicher nicht: weniger Ranks öffnen (collscope --max-ranks) oder ihn verkleinern (collscope --batch plan).</translation>
    </message>
    <message>
        <source>The computation failed: %1</source>
        <translation>Das ließ sich nicht berechnen: %1</translation>
    </message>
</context>
<context>
    <name>FindingLabel</name>
    <message>
        <source>more computing</source>
        <translation>mehr Rechenarbeit</translation>
    </message>
    <message>
        <source>%1, mostly %2</source>
        <translation>%1, meist %2</translation>
    </message>
    <message>
        <source>%1 in %2</source>
        <translation>%1 in %2</translation>
    </message>
    <message>
        <source>Ranks wait for others that arrive together</source>
        <translation>Ranks warten auf andere, die gemeinsam ankommen</translation>
    </message>
    <message>
        <source>The others wait for rank %1</source>
        <translation>Die anderen warten auf Rank %1</translation>
    </message>
    <message>
        <source>Unequal work: ranks take turns in being late</source>
        <translation>Ungleiche Arbeit: die Ranks kommen abwechselnd spät</translation>
    </message>
    <message>
        <source>Unequal experts: ranks take turns in being late</source>
        <translation>Ungleiche Experten: die Ranks kommen abwechselnd spät</translation>
    </message>
    <message>
        <source>Slower kernels: %1</source>
        <translation>Langsamere Kernel: %1</translation>
    </message>
    <message>
        <source>Slower kernels on rank %1: %2</source>
        <translation>Langsamere Kernel auf Rank %1: %2</translation>
    </message>
    <message>
        <source>Exposed communication: %1</source>
        <translation>Unverdeckte Kommunikation: %1</translation>
    </message>
    <message>
        <source>Slow collectives: %1</source>
        <translation>Langsame Kollektive: %1</translation>
    </message>
    <message>
        <source>Exposed copies: %1</source>
        <translation>Unverdeckte Kopien: %1</translation>
    </message>
    <message>
        <source>Pipeline bubble</source>
        <translation>Pipeline-Blase</translation>
    </message>
    <message>
        <source>A few steps compute longer</source>
        <translation>Einige Schritte rechnen länger</translation>
    </message>
    <message>
        <source>GPU idle: %1</source>
        <translation>GPU untätig: %1</translation>
    </message>
    <message>
        <source>%1, mostly before %2</source>
        <translation>%1, vor allem vor %2</translation>
    </message>
    <message>
        <source>%1, in part: %2</source>
        <translation>%1, zum Teil: %2</translation>
    </message>
    <message>
        <source>longer kernels</source>
        <translation>längere Kernels</translation>
    </message>
    <message>
        <source>computing of varying length</source>
        <translation>Rechnen wechselnder Länge</translation>
    </message>
    <message>
        <source>synchronisation</source>
        <translation>Synchronisation</translation>
    </message>
    <message>
        <source>memory allocation</source>
        <translation>Speicherbelegung</translation>
    </message>
    <message>
        <source>data loading</source>
        <translation>Laden der Daten</translation>
    </message>
    <message>
        <source>compilation</source>
        <translation>Übersetzung</translation>
    </message>
    <message>
        <source>garbage collection</source>
        <translation>Speicherbereinigung</translation>
    </message>
    <message>
        <source>profiler</source>
        <translation>Profiler</translation>
    </message>
    <message>
        <source>checkpoint</source>
        <translation>Checkpoint</translation>
    </message>
    <message>
        <source>CPU waits for ranks</source>
        <translation>CPU wartet auf Ränge</translation>
    </message>
    <message>
        <source>copies to the GPU</source>
        <translation>Kopien zur GPU</translation>
    </message>
    <message>
        <source>CPU bound</source>
        <translation>CPU zu langsam</translation>
    </message>
    <message>
        <source>waits for a stream</source>
        <translation>wartet auf einen Stream</translation>
    </message>
    <message>
        <source>CPU waits</source>
        <translation>CPU wartet</translation>
    </message>
    <message>
        <source>little recorded on the CPU</source>
        <translation>auf der CPU wenig aufgezeichnet</translation>
    </message>
    <message>
        <source>cause not known</source>
        <translation>Ursache nicht bekannt</translation>
    </message>
    <message>
        <source>launch overhead</source>
        <translation>Startaufwand</translation>
    </message>
    <message>
        <source>unexplained</source>
        <translation>ungeklärt</translation>
    </message>
</context>
<context>
    <name>GroupLanes</name>
    <message>
        <source>ends before all ranks arrive: clocks differ</source>
        <translation>endet, bevor alle Ranks da sind: Uhren weichen ab</translation>
    </message>
    <message>
        <source>simultaneous: within %1, which is within the clock uncertainty</source>
        <translation>gleichzeitig: innerhalb von %1, genauer sind die Uhren nicht</translation>
    </message>
    <message>
        <source>over %1; rank %2 arrived last, %3 after rank %4</source>
        <translation>verteilt über %1; Rank %2 kam zuletzt, %3 nach Rank %4</translation>
    </message>
    <message>
        <source>cannot be determined: a sender may finish before the others arrive</source>
        <translation>nicht zu sagen: Ein Sender kann gehen, bevor die anderen kommen</translation>
    </message>
    <message>
        <source>unknown: the trace does not record the message size</source>
        <translation>unbekannt: Der Trace nennt keine Nachrichtengröße</translation>
    </message>
    <message>
        <source>%1 algbw</source>
        <translation>%1 algbw</translation>
    </message>
    <message>
        <source>%1 busbw</source>
        <translation>%1 busbw</translation>
    </message>
    <message>
        <source>all %1</source>
        <translation>alle %1</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message numerus="yes">
        <source>%n loaded rank(s) without a matching call</source>
        <translation>
            <numerusform>%n geladener Rank ohne passenden Aufruf</numerusform>
            <numerusform>%n geladene Ranks ohne passenden Aufruf</numerusform>
        </translation>
    </message>
    <message>
        <source>global</source>
        <translation>global</translation>
    </message>
    <message>
        <source>ranks</source>
        <translation>Ranks</translation>
    </message>
    <message>
        <source>group %1</source>
        <translation>Gruppe %1</translation>
    </message>
    <message>
        <source>%1 ranks</source>
        <translation>%1 Ranks</translation>
    </message>
    <message>
        <source>ranks %1</source>
        <translation>Ranks %1</translation>
    </message>
    <message>
        <source>%1 of %2 ranks are loaded</source>
        <translation>%1 von %2 Ranks sind geladen</translation>
    </message>
    <message>
        <source>process group %1</source>
        <translation>Prozessgruppe %1</translation>
    </message>
    <message>
        <source>described as %1</source>
        <translation>beschrieben als %1</translation>
    </message>
    <message>
        <source>%1 collectives</source>
        <translation>%1 Collectives</translation>
    </message>
    <message>
        <source>group</source>
        <translation>Gruppe</translation>
    </message>
    <message>
        <source>start</source>
        <translation>Start</translation>
    </message>
    <message>
        <source>arrivals</source>
        <translation>Eintreffen</translation>
    </message>
    <message>
        <source>transfer</source>
        <translation>Übertragung</translation>
    </message>
    <message>
        <source>%1, the shortest kernel</source>
        <translation>%1, der kürzeste Kernel</translation>
    </message>
    <message>
        <source>bandwidth</source>
        <translation>Bandbreite</translation>
    </message>
    <message>
        <source>matched by</source>
        <translation>zugeordnet über</translation>
    </message>
    <message>
        <source>cannot be compared: these calls were matched by their order alone</source>
        <translation>nicht vergleichbar: Nur ihre Reihenfolge macht diese Aufrufe zu einem Collective</translation>
    </message>
    <message>
        <source>confirmed by</source>
        <translation>bestätigt durch</translation>
    </message>
</context>
<context>
    <name>HeatText</name>
    <message>
        <source>not sampled</source>
        <translation>nicht gemessen</translation>
    </message>
    <message>
        <source>not known</source>
        <translation>nicht bekannt</translation>
    </message>
    <message>
        <source>above: counted · below: what collectives need, if all ranks are on one node (a guess)</source>
        <translation>oben: gezählt · unten: was Kollektive brauchen, wenn alle Ränge auf einem Knoten sind (vermutet)</translation>
    </message>
    <message>
        <source>above: counted · below: what collectives need</source>
        <translation>oben: gezählt · unten: was Kollektive brauchen</translation>
    </message>
    <message>
        <source>below: needed (guess)</source>
        <translation>unten: gebraucht (vermutet)</translation>
    </message>
    <message>
        <source>below: needed</source>
        <translation>unten: gebraucht</translation>
    </message>
</context>
<context>
    <name>KeyOverview</name>
    <message>
        <source>zoom in, out at the cursor</source>
        <translation>am Mauszeiger vergrößern, verkleinern</translation>
    </message>
    <message>
        <source>pan left, right</source>
        <translation>nach links, rechts verschieben</translation>
    </message>
    <message>
        <source>Ctrl+wheel</source>
        <translation>Strg+Mausrad</translation>
    </message>
    <message>
        <source>zoom at the cursor</source>
        <translation>am Mauszeiger zoomen</translation>
    </message>
    <message>
        <source>Shift+wheel</source>
        <translation>Umschalt+Mausrad</translation>
    </message>
    <message>
        <source>pan in time</source>
        <translation>in der Zeit verschieben</translation>
    </message>
    <message>
        <source>Ctrl+Shift+wheel</source>
        <translation>Strg+Umschalt+Mausrad</translation>
    </message>
    <message>
        <source>row height</source>
        <translation>Zeilenhöhe</translation>
    </message>
    <message>
        <source>drag</source>
        <translation>Ziehen</translation>
    </message>
    <message>
        <source>select a time range</source>
        <translation>Zeitbereich auswählen</translation>
    </message>
    <message>
        <source>Shift+drag, middle drag</source>
        <translation>Umschalt+Ziehen, Ziehen mit mittlerer Taste</translation>
    </message>
    <message>
        <source>pan</source>
        <translation>verschieben</translation>
    </message>
    <message>
        <source>right drag, Ctrl+drag</source>
        <translation>Ziehen mit rechter Taste, Strg+Ziehen</translation>
    </message>
    <message>
        <source>zoom to the dragged range</source>
        <translation>auf den gezogenen Bereich zoomen</translation>
    </message>
    <message>
        <source>drag an edge of the range</source>
        <translation>Ziehen am Rand des Bereichs</translation>
    </message>
    <message>
        <source>move that edge</source>
        <translation>diesen Rand verschieben</translation>
    </message>
    <message>
        <source>Shift+click</source>
        <translation>Umschalt+Klick</translation>
    </message>
    <message>
        <source>extend the range to here</source>
        <translation>Bereich bis hierher erweitern</translation>
    </message>
    <message>
        <source>Ctrl+click</source>
        <translation>Strg+Klick</translation>
    </message>
    <message>
        <source>add a slice to the selection, or remove it</source>
        <translation>Slice zur Auswahl hinzufügen oder aus ihr entfernen</translation>
    </message>
    <message>
        <source>Ctrl+A</source>
        <translation>Strg+A</translation>
    </message>
    <message>
        <source>select the whole run</source>
        <translation>ganzen Lauf auswählen</translation>
    </message>
    <message>
        <source>Ctrl+C</source>
        <translation>Strg+C</translation>
    </message>
    <message>
        <source>copy the selected slices</source>
        <translation>ausgewählte Slices kopieren</translation>
    </message>
    <message>
        <source>drag on the ruler</source>
        <translation>Ziehen auf dem Lineal</translation>
    </message>
    <message>
        <source>zoom with the left edge fixed; double click: fit the whole run</source>
        <translation>mit festem linkem Rand zoomen; Doppelklick: ganzer Lauf</translation>
    </message>
    <message>
        <source>right click</source>
        <translation>Rechtsklick</translation>
    </message>
    <message>
        <source>context menu of a slice or a row</source>
        <translation>was sich mit einem Slice oder einer Zeile tun lässt</translation>
    </message>
    <message>
        <source>centre the selection; again: fit it</source>
        <translation>Auswahl zentrieren; nochmals: einpassen</translation>
    </message>
    <message>
        <source>fit the whole run</source>
        <translation>ganzen Lauf einpassen</translation>
    </message>
    <message>
        <source>zoom to the range</source>
        <translation>auf den Bereich zoomen</translation>
    </message>
    <message>
        <source>previous, next slice (pan if none is selected)</source>
        <translation>voriger, nächster Slice (ohne Auswahl: verschieben)</translation>
    </message>
    <message>
        <source>slice in the row above, below (the row if no slice is selected)</source>
        <translation>Slice in der Zeile darüber, darunter; gibt es keinen: diese Zeile</translation>
    </message>
    <message>
        <source>from a kernel to its launch, and back</source>
        <translation>vom Kernel zu seinem Launch und zurück</translation>
    </message>
    <message>
        <source>Enter  *</source>
        <translation>Eingabe  *</translation>
    </message>
    <message>
        <source>expand or collapse the row, or the CPU threads of its rank</source>
        <translation>Zeile oder CPU-Threads ihres Ranks auf- oder zuklappen</translation>
    </message>
    <message>
        <source>Shift+Enter</source>
        <translation>Umschalt+Eingabe</translation>
    </message>
    <message>
        <source>collapse a rank to one row, or expand it</source>
        <translation>Rank auf eine Zeile zuklappen oder aufklappen</translation>
    </message>
    <message>
        <source>use the selected slice as the range</source>
        <translation>Bereich auf den ausgewählten Slice setzen</translation>
    </message>
    <message>
        <source>temporary mark at the cursor</source>
        <translation>vorläufige Marke am Mauszeiger</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Entf</translation>
    </message>
    <message>
        <source>remove the current mark</source>
        <translation>aktuelle Marke entfernen</translation>
    </message>
    <message>
        <source>/  arg:stream=7</source>
        <translation>/  arg:stream=7</translation>
    </message>
    <message>
        <source>find slices by an arg; arg:bf16 matches a part of any arg</source>
        <translation>Slices nach einem Argument suchen; arg:bf16: nach einem Teil eines beliebigen</translation>
    </message>
    <message>
        <source>drag in the duration histogram</source>
        <translation>Ziehen über die Dauern</translation>
    </message>
    <message>
        <source>list only slices of that duration; Esc: all (Search tab)</source>
        <translation>nur Slices dieser Dauer auflisten; Esc: alle (Tab „Suche“)</translation>
    </message>
    <message>
        <source>Home  End</source>
        <translation>Pos1  Ende</translation>
    </message>
    <message>
        <source>start, end of the run</source>
        <translation>Beginn, Ende des Laufs</translation>
    </message>
    <message>
        <source>PgUp  PgDn</source>
        <translation>Bild auf  Bild ab</translation>
    </message>
    <message>
        <source>rows up, down</source>
        <translation>Zeilen nach oben, unten</translation>
    </message>
    <message>
        <source>Esc</source>
        <translation>Esc</translation>
    </message>
    <message>
        <source>cancel loading, clear the selection</source>
        <translation>Laden abbrechen, Auswahl aufheben</translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation>Zeitleiste</translation>
    </message>
    <message>
        <source>No key matches.</source>
        <translation>Keine Taste passt.</translation>
    </message>
    <message>
        <source>Keys and gestures</source>
        <translation>Tasten und Gesten</translation>
    </message>
    <message>
        <source>Find a key or what it does</source>
        <translation>Taste oder ihre Wirkung finden</translation>
    </message>
</context>
<context>
    <name>Latencies</name>
    <message>
        <source>First token (TTFT)</source>
        <translation>Erstes Token (TTFT)</translation>
    </message>
    <message>
        <source>Per token (TPOT)</source>
        <translation>Je Token (TPOT)</translation>
    </message>
    <message>
        <source>Between tokens (ITL)</source>
        <translation>Zwischen Tokens (ITL)</translation>
    </message>
    <message>
        <source>Request (E2EL)</source>
        <translation>Anfrage (E2EL)</translation>
    </message>
    <message>
        <source>Batch</source>
        <translation>Batch</translation>
    </message>
    <message>
        <source>%1 requests</source>
        <translation>%1 Anfragen</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 s</translation>
    </message>
    <message>
        <source>%1 requests/s</source>
        <translation>%1 Anfragen/s</translation>
    </message>
    <message>
        <source>%1 output tokens/s</source>
        <translation>%1 Ausgabe-Tokens/s</translation>
    </message>
</context>
<context>
    <name>LoadProgress</name>
    <message>
        <source>file %1 of %2</source>
        <translation>Datei %1 von %2</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>%1/s</source>
        <translation>%1/s</translation>
    </message>
    <message>
        <source>%1 s left</source>
        <translation>noch %1 s</translation>
    </message>
    <message>
        <source>%1 min left</source>
        <translation>noch %1 min</translation>
    </message>
    <message>
        <source>on the other machine: %1 of %2 parts</source>
        <translation>auf dem anderen Rechner: %1 von %2 Teilen</translation>
    </message>
    <message>
        <source>on the other machine</source>
        <translation>auf dem anderen Rechner</translation>
    </message>
</context>
<context>
    <name>Location</name>
    <message>
        <source>Open a run first.</source>
        <translation>Zuerst einen Lauf öffnen.</translation>
    </message>
    <message>
        <source>That time is outside the run.</source>
        <translation>Der Lauf reicht nicht bis zu dieser Zeit.</translation>
    </message>
    <message>
        <source>This run has no track “%1” on rank %2.</source>
        <translation>Der Lauf hat auf Rank %2 keinen Track „%1“.</translation>
    </message>
    <message>
        <source>No slice starts at that time on %1 of rank %2.</source>
        <translation>Auf %1 von Rank %2 beginnt dort kein Slice.</translation>
    </message>
    <message>
        <source>Summaries of ranks contain no events to go to. Open the trace of a rank first.</source>
        <translation>Zusammenfassungen von Ranks enthalten keine Ereignisse, zu denen man gehen könnte. Zuerst den Trace eines Ranks öffnen.</translation>
    </message>
</context>
<context>
    <name>MetricExplanation</name>
    <message>
        <source>yes</source>
        <translation>ja</translation>
    </message>
    <message>
        <source>no</source>
        <translation>nein</translation>
    </message>
    <message>
        <source>… %1 in total</source>
        <translation>… insgesamt %1</translation>
    </message>
    <message>
        <source>%1 more in the JSON</source>
        <translation>%1 weitere im JSON</translation>
    </message>
    <message>
        <source>%1 reports %2: %3</source>
        <translation>%1 gibt %2 aus: %3</translation>
    </message>
    <message>
        <source>different values</source>
        <translation>andere Zahlen</translation>
    </message>
    <message>
        <source>Formula</source>
        <translation>Formel</translation>
    </message>
    <message>
        <source>Calculated from</source>
        <translation>Berechnet aus</translation>
    </message>
    <message>
        <source>Other tools</source>
        <translation>Andere Werkzeuge</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>Details</translation>
    </message>
    <message>
        <source>Open in the guide</source>
        <translation>Im Handbuch</translation>
    </message>
</context>
<context>
    <name>MomentText</name>
    <message>
        <source>%1&#xa0;ns</source>
        <translation>%1&#xa0;ns</translation>
    </message>
</context>
<context>
    <name>NameFilter</name>
    <message>
        <source>Not a regular expression: %1 at character %2</source>
        <translation>Kein regulärer Ausdruck: %1 bei Zeichen %2</translation>
    </message>
</context>
<context>
    <name>PartLabels</name>
    <message>
        <source>%1 unknown</source>
        <translation>%1 unbekannt</translation>
    </message>
    <message>
        <source>%1 %2, %3</source>
        <translation>%1 %2, %3</translation>
    </message>
    <message>
        <source>computing</source>
        <translation>rechnet</translation>
    </message>
    <message>
        <source>exposed communication</source>
        <translation>unverdeckte Kommunikation</translation>
    </message>
    <message>
        <source>waiting for other ranks</source>
        <translation>wartet auf andere Ranks</translation>
    </message>
    <message>
        <source>exposed copies</source>
        <translation>unverdeckte Kopien</translation>
    </message>
    <message>
        <source>idle</source>
        <translation>untätig</translation>
    </message>
</context>
<context>
    <name>QComboBox</name>
    <message>
        <source>all process groups</source>
        <translation>alle Prozessgruppen</translation>
    </message>
    <message>
        <source>%1: %2 groups</source>
        <translation>%1: %2 Gruppen</translation>
    </message>
    <message>
        <source>group %1 (unnamed)</source>
        <translation>Gruppe %1, ohne Namen</translation>
    </message>
</context>
<context>
    <name>QTableView</name>
    <message>
        <source>Copy rows</source>
        <translation>Zeilen kopieren</translation>
    </message>
</context>
<context>
    <name>RangeLabel</name>
    <message>
        <source>GPU busy %1</source>
        <translation>GPU aktiv %1</translation>
    </message>
    <message>
        <source>GPUs busy %1</source>
        <translation>GPUs aktiv %1</translation>
    </message>
    <message>
        <source>1 slice</source>
        <translation>1 Slice</translation>
    </message>
    <message>
        <source>%1 slices</source>
        <translation>%1 Slices</translation>
    </message>
    <message>
        <source>1 instant</source>
        <translation>1 Instant</translation>
    </message>
    <message>
        <source>%1 instants</source>
        <translation>%1 Instants</translation>
    </message>
    <message>
        <source>Hz</source>
        <translation>Hz</translation>
    </message>
    <message>
        <source>%1 events</source>
        <translation>%1 Ereignisse</translation>
    </message>
    <message>
        <source>use for metrics</source>
        <translation>Metriken dazu</translation>
    </message>
    <message>
        <source>/s</source>
        <translation>/s</translation>
    </message>
    <message>
        <source>%1, or %2 periods per second</source>
        <translation>%1, das ist %2-mal je Sekunde</translation>
    </message>
    <message>
        <source>and %1 more ranks</source>
        <translation>und %1 weitere Ranks</translation>
    </message>
    <message>
        <source>A rank traced by several sources is counted once.</source>
        <translation>Was mehrere Quellen aufgezeichnet haben, zählt nur einmal.</translation>
    </message>
    <message>
        <source>computing %1</source>
        <translation>rechnet %1</translation>
    </message>
    <message>
        <source>exposed %1</source>
        <translation>unverdeckt %1</translation>
    </message>
    <message>
        <source>rank %1: GPU busy %2, computing %3</source>
        <translation>Rang %1: GPU beschäftigt %2, rechnet %3</translation>
    </message>
    <message>
        <source>Exposed: communication, waiting in it, and copies while nothing computes; mean of the GPUs.</source>
        <translation>Unverdeckt: Kommunikation, Warten darin und Kopien, während nichts rechnet; Mittel der GPUs.</translation>
    </message>
</context>
<context>
    <name>RankBadges</name>
    <message>
        <source>%1 % idle</source>
        <translation>%1 % Leerlauf</translation>
    </message>
    <message>
        <source>late, costs %1</source>
        <translation>zu spät, kostet %1</translation>
    </message>
    <message>
        <source>The GPU is idle %1 % of the counted time, that of the median rank %2 %.</source>
        <translation>Die GPU hat %1 % der gezählten Zeit Leerlauf, die des mittleren Ranks %2 %.</translation>
    </message>
    <message>
        <source>late</source>
        <translation>spät</translation>
    </message>
</context>
<context>
    <name>RankWords</name>
    <message>
        <source>PP · pipeline stage</source>
        <translation>PP · Pipeline-Stufe</translation>
    </message>
    <message>
        <source>DP · data parallel</source>
        <translation>DP · datenparallel</translation>
    </message>
    <message>
        <source>CP · context parallel</source>
        <translation>CP · kontextparallel</translation>
    </message>
    <message>
        <source>TP · tensor parallel</source>
        <translation>TP · tensorparallel</translation>
    </message>
    <message>
        <source>EP · expert parallel</source>
        <translation>EP · expertenparallel</translation>
    </message>
</context>
<context>
    <name>Session</name>
    <message>
        <source>%1 at byte %2</source>
        <translation>%1 bei Byte %2</translation>
    </message>
    <message>
        <source>it was written by a newer version of Collscope</source>
        <translation>von einem neueren Collscope geschrieben</translation>
    </message>
    <message>
        <source>it is not a Collscope session</source>
        <translation>keine Sitzung von Collscope</translation>
    </message>
    <message>
        <source>it is too large</source>
        <translation>zu groß</translation>
    </message>
    <message>
        <source>The session %1 was not restored: %2</source>
        <translation>Die Sitzung %1 wurde nicht wiederhergestellt: %2</translation>
    </message>
    <message>
        <source>Cannot create the folder %1</source>
        <translation>Der Ordner %1 lässt sich nicht anlegen</translation>
    </message>
</context>
<context>
    <name>SliceQuestion</name>
    <message>
        <source>Type a value or name=value after arg:, for example arg:stream=7.</source>
        <translation>Hinter arg: angeben, was ein Argument enthält, zum Beispiel arg:stream=7.</translation>
    </message>
</context>
<context>
    <name>StragglerVerdict</name>
    <message>
        <source>%1 collectives in the window (%2).</source>
        <translation>%1 Collectives im Zeitfenster (%2).</translation>
    </message>
</context>
<context>
    <name>Timeline</name>
    <message>
        <source>comm</source>
        <translation>Komm.</translation>
    </message>
    <message>
        <source>copy</source>
        <translation>Kopien</translation>
    </message>
    <message>
        <source>compute</source>
        <translation>rechnet</translation>
    </message>
    <message>
        <source>overlapping</source>
        <translation>überlappend</translation>
    </message>
    <message>
        <source>annotations</source>
        <translation>Annotationen</translation>
    </message>
    <message>
        <source>CPU</source>
        <translation>CPU</translation>
    </message>
    <message>
        <source>1 thread</source>
        <translation>1 Thread</translation>
    </message>
    <message>
        <source>%1 threads</source>
        <translation>%1 Threads</translation>
    </message>
    <message>
        <source>1 stream</source>
        <translation>1 Stream</translation>
    </message>
    <message>
        <source>%1 streams</source>
        <translation>%1 Streams</translation>
    </message>
    <message>
        <source>Darker where more streams are busy. Click to expand.</source>
        <translation>Dunkler, wo mehr Streams aktiv sind. Zum Aufklappen klicken.</translation>
    </message>
    <message>
        <source>1 group</source>
        <translation>1 Gruppe</translation>
    </message>
    <message>
        <source>%1 groups</source>
        <translation>%1 Gruppen</translation>
    </message>
    <message>
        <source>Darker where more of these groups communicate. Expand the process groups to see each group.</source>
        <translation>Dunkler, wo mehr dieser Gruppen kommunizieren. Prozessgruppen aufklappen, um jede einzeln zu sehen.</translation>
    </message>
    <message>
        <source>process groups</source>
        <translation>Prozessgruppen</translation>
    </message>
    <message>
        <source>Click to show one row per kind of parallelism</source>
        <translation>Klicken, um eine Zeile je Art der Parallelität zu zeigen</translation>
    </message>
    <message>
        <source>Click to show one lane per process group</source>
        <translation>Klicken, um eine Spur je Prozessgruppe zu zeigen</translation>
    </message>
    <message>
        <source>rank %1</source>
        <translation>Rank %1</translation>
    </message>
    <message>
        <source>nsys, </source>
        <translation>nsys, </translation>
    </message>
    <message>
        <source>levels %1 and deeper</source>
        <translation>Ebene %1 und tiefer</translation>
    </message>
</context>
<context>
    <name>TimelineRuler</name>
    <message>
        <source>prefill %1</source>
        <translation>Prefill %1</translation>
    </message>
    <message>
        <source>decode %1</source>
        <translation>Decode %1</translation>
    </message>
    <message>
        <source>prefill and decode %1</source>
        <translation>Prefill und Decode %1</translation>
    </message>
    <message>
        <source>No step markers in this run</source>
        <translation>Keine Schrittmarkierungen in diesem Lauf</translation>
    </message>
</context>
<context>
    <name>TimelineToolTips</name>
    <message>
        <source>Compute the metrics for this range</source>
        <translation>Metriken über diesen Bereich berechnen</translation>
    </message>
    <message>
        <source>&lt;br&gt;and %1 more in this pixel; zoom in to separate them</source>
        <translation>&lt;br&gt;und %1 weitere in diesem Pixel; vergrößern, um sie zu trennen</translation>
    </message>
    <message>
        <source>at %1, no duration</source>
        <translation>bei %1, ohne Dauer</translation>
    </message>
    <message>
        <source>rank %1, %2</source>
        <translation>Rank %1, %2</translation>
    </message>
    <message>
        <source>at %1</source>
        <translation>bei %1</translation>
    </message>
    <message>
        <source>%1, before %2</source>
        <translation>%1, vor %2</translation>
    </message>
    <message>
        <source>%1, mostly %2</source>
        <translation>%1, meist %2</translation>
    </message>
    <message>
        <source>The GPU of rank %1 is idle: %2</source>
        <translation>Die GPU von Rang %1 steht still: %2</translation>
    </message>
</context>
<context>
    <name>ViewExport</name>
    <message>
        <source>PNG, pixels (*.png)</source>
        <translation>PNG, Pixel (*.png)</translation>
    </message>
    <message>
        <source>PDF, vectors (*.pdf)</source>
        <translation>PDF, Vektoren (*.pdf)</translation>
    </message>
    <message>
        <source>SVG, vectors (*.svg)</source>
        <translation>SVG, Vektoren (*.svg)</translation>
    </message>
    <message>
        <source>%1 is not a picture file: the file name must end in .png, .pdf or .svg</source>
        <translation>%1 ist kein Bild: Der Dateiname muss auf .png, .pdf oder .svg enden</translation>
    </message>
</context>
<context>
    <name>WindowCommands</name>
    <message>
        <source>Open &amp;run folder...</source>
        <translation>&amp;Ordner eines Laufs öffnen...</translation>
    </message>
    <message>
        <source>&amp;Open trace files...</source>
        <translation>&amp;Trace-Dateien öffnen...</translation>
    </message>
    <message>
        <source>Open &amp;demo run</source>
        <translation>&amp;Demo-Lauf öffnen</translation>
    </message>
    <message>
        <source>Re&amp;load</source>
        <translation>&amp;Neu laden</translation>
    </message>
    <message>
        <source>Assign ran&amp;ks...</source>
        <translation>Ran&amp;ks der Dateien...</translation>
    </message>
    <message>
        <source>Table of &amp;many runs...</source>
        <translation>&amp;Viele Läufe als Tabelle...</translation>
    </message>
    <message>
        <source>Com&amp;pare with another run...</source>
        <translation>Mit anderem Lauf ver&amp;gleichen...</translation>
    </message>
    <message>
        <source>&amp;Export metrics as CSV...</source>
        <translation>Metriken als &amp;CSV exportieren...</translation>
    </message>
    <message>
        <source>Export metrics as &amp;JSON...</source>
        <translation>Metriken als &amp;JSON exportieren...</translation>
    </message>
    <message>
        <source>&amp;Save session next to the run</source>
        <translation>&amp;Sitzung beim Lauf speichern</translation>
    </message>
    <message>
        <source>Discard session and st&amp;art over</source>
        <translation>Sitzung ver&amp;werfen und neu beginnen</translation>
    </message>
    <message>
        <source>&amp;New window</source>
        <translation>Neues &amp;Fenster</translation>
    </message>
    <message>
        <source>&amp;Close window</source>
        <translation>Fenster schl&amp;ießen</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>&amp;Beenden</translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation>&amp;Rückgängig</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>&amp;Wiederholen</translation>
    </message>
    <message>
        <source>&amp;Find slices</source>
        <translation>Slices &amp;suchen</translation>
    </message>
    <message>
        <source>Find slices with the &amp;same name</source>
        <translation>Slices &amp;gleichen Namens suchen</translation>
    </message>
    <message>
        <source>Nex&amp;t match</source>
        <translation>&amp;Nächster Treffer</translation>
    </message>
    <message>
        <source>&amp;Previous match</source>
        <translation>&amp;Voriger Treffer</translation>
    </message>
    <message>
        <source>&amp;Longest match</source>
        <translation>&amp;Längster Treffer</translation>
    </message>
    <message>
        <source>List slices in the selected ran&amp;ge</source>
        <translation>Slices des gewählten &amp;Bereichs auflisten</translation>
    </message>
    <message>
        <source>&amp;Copy location</source>
        <translation>Stelle &amp;kopieren</translation>
    </message>
    <message>
        <source>Set &amp;mark at the cursor</source>
        <translation>&amp;Marke am Mauszeiger setzen</translation>
    </message>
    <message>
        <source>Edit &amp;note of the mark...</source>
        <translation>Noti&amp;z zur Marke...</translation>
    </message>
    <message>
        <source>Remove the current mar&amp;k</source>
        <translation>Aktuelle Marke &amp;entfernen</translation>
    </message>
    <message>
        <source>Zoom &amp;in</source>
        <translation>&amp;Vergrößern</translation>
    </message>
    <message>
        <source>Zoom &amp;out</source>
        <translation>Ver&amp;kleinern</translation>
    </message>
    <message>
        <source>Fit &amp;whole run</source>
        <translation>&amp;Ganzen Lauf einpassen</translation>
    </message>
    <message>
        <source>&amp;Fit selection</source>
        <translation>Auswahl &amp;einpassen</translation>
    </message>
    <message>
        <source>E&amp;xpand CPU threads</source>
        <translation>&amp;CPU-Threads aufklappen</translation>
    </message>
    <message>
        <source>&amp;Collapse CPU threads</source>
        <translation>CPU-&amp;Threads zuklappen</translation>
    </message>
    <message>
        <source>Expand or collapse all CPU threads</source>
        <translation>Alle CPU-Threads auf- oder zuklappen</translation>
    </message>
    <message>
        <source>&amp;Pin or unpin row</source>
        <translation>Zeile an&amp;heften oder lösen</translation>
    </message>
    <message>
        <source>Filter rows &amp;by name</source>
        <translation>Zeilen nach &amp;Namen filtern</translation>
    </message>
    <message>
        <source>Collapse ra&amp;nks</source>
        <translation>&amp;Ranks zuklappen</translation>
    </message>
    <message>
        <source>Expand ran&amp;ks</source>
        <translation>Ranks &amp;aufklappen</translation>
    </message>
    <message>
        <source>&amp;Raw clocks</source>
        <translation>&amp;Unkorrigierte Uhren</translation>
    </message>
    <message>
        <source>&amp;Grid lines</source>
        <translation>Gitter&amp;linien</translation>
    </message>
    <message>
        <source>&amp;Zoom with the wheel, as in Tracy</source>
        <translation>Mausrad &amp;zoomt, wie in Tracy</translation>
    </message>
    <message>
        <source>Ti&amp;me: relative to start</source>
        <translation>Zeit: seit &amp;Beginn</translation>
    </message>
    <message>
        <source>Time: time of da&amp;y (UTC)</source>
        <translation>Zeit: Uhrze&amp;it (UTC)</translation>
    </message>
    <message>
        <source>Time: nanos&amp;econds</source>
        <translation>Zeit: jede Nano&amp;sekunde</translation>
    </message>
    <message>
        <source>Theme: &amp;system</source>
        <translation>&amp;Farbschema: System</translation>
    </message>
    <message>
        <source>Theme: &amp;light</source>
        <translation>Farbsche&amp;ma: hell</translation>
    </message>
    <message>
        <source>Theme: &amp;dark</source>
        <translation>Farbschema: &amp;dunkel</translation>
    </message>
    <message>
        <source>F&amp;ull screen</source>
        <translation>V&amp;ollbild</translation>
    </message>
    <message>
        <source>Rese&amp;t layout</source>
        <translation>La&amp;yout zurücksetzen</translation>
    </message>
    <message>
        <source>&amp;Back</source>
        <translation>&amp;Zurück</translation>
    </message>
    <message>
        <source>&amp;Forward</source>
        <translation>&amp;Vorwärts</translation>
    </message>
    <message>
        <source>&amp;Go to track...</source>
        <translation>Zu &amp;Track springen...</translation>
    </message>
    <message>
        <source>Same &amp;collective on the next rank</source>
        <translation>Dasselbe &amp;Collective auf dem nächsten Rank</translation>
    </message>
    <message>
        <source>Same collective on the &amp;previous rank</source>
        <translation>Dasselbe Collective auf dem vorigen &amp;Rank</translation>
    </message>
    <message>
        <source>&amp;Enclosing slice</source>
        <translation>&amp;Umschließender Slice</translation>
    </message>
    <message>
        <source>First &amp;inner slice</source>
        <translation>Erster Slice &amp;darin</translation>
    </message>
    <message>
        <source>&amp;Next mark</source>
        <translation>&amp;Nächste Marke</translation>
    </message>
    <message>
        <source>Pre&amp;vious mark</source>
        <translation>Vorige &amp;Marke</translation>
    </message>
    <message>
        <source>Next p&amp;art of the window</source>
        <translation>Nächster &amp;Fensterteil</translation>
    </message>
    <message>
        <source>Previous part of the &amp;window</source>
        <translation>V&amp;origer Fensterteil</translation>
    </message>
    <message>
        <source>E&amp;xplain selected collective or step</source>
        <translation>Gewähltes Collective oder Schritt &amp;erklären</translation>
    </message>
    <message>
        <source>&amp;Guide</source>
        <translation>&amp;Handbuch</translation>
    </message>
    <message>
        <source>&amp;Keys and gestures</source>
        <translation>&amp;Tasten und Gesten</translation>
    </message>
    <message>
        <source>&amp;All commands...</source>
        <translation>&amp;Alle Befehle...</translation>
    </message>
    <message>
        <source>W&amp;hat costs time</source>
        <translation>&amp;Was Zeit kostet</translation>
    </message>
    <message>
        <source>A&amp;bout Collscope</source>
        <translation>Ü&amp;ber Collscope</translation>
    </message>
    <message>
        <source>What if the selected &amp;slice were faster</source>
        <translation>Was, wenn das ausgewählte Ereignis sc&amp;hneller wäre</translation>
    </message>
    <message>
        <source>Export a pa&amp;ge to send...</source>
        <translation>Seite zum Versenden ex&amp;portieren...</translation>
    </message>
    <message>
        <source>Open run on another mac&amp;hine...</source>
        <translation>Lauf auf einem anderen &amp;Rechner öffnen...</translation>
    </message>
</context>
<context>
    <name>WindowParts</name>
    <message>
        <source>Loading</source>
        <translation>Laden</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Wrote %1</source>
        <translation>%1 geschrieben</translation>
    </message>
</context>
<context>
    <name>WindowPlaces</name>
    <message>
        <source>Rank %1</source>
        <translation>Rank %1</translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation>Zeitachse</translation>
    </message>
    <message>
        <source>Metric</source>
        <translation>Metrik</translation>
    </message>
    <message>
        <source>Kernel</source>
        <translation>Kernel</translation>
    </message>
</context>
<context>
    <name>collscope::ArgsJob</name>
    <message>
        <source>and more</source>
        <translation>und weitere</translation>
    </message>
</context>
<context>
    <name>collscope::Banner</name>
    <message>
        <source>Information</source>
        <translation>Information</translation>
    </message>
    <message>
        <source>Warning</source>
        <translation>Warnung</translation>
    </message>
    <message>
        <source>Error</source>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>Close the message</source>
        <translation>Meldung schließen</translation>
    </message>
    <message>
        <source>Close (Esc)</source>
        <translation>Schließen (Esc)</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
</context>
<context>
    <name>collscope::BlockMap</name>
    <message>
        <source>Memory segments</source>
        <translation>Segmente des Speichers</translation>
    </message>
    <message>
        <source>One row per segment, sorted by size; click a block to select its call stack</source>
        <translation>Eine Zeile je Segment, nach Größe; ein Klick auf einen Block wählt dessen Aufrufstapel</translation>
    </message>
    <message>
        <source>No memory was reserved at this moment.</source>
        <translation>Zu diesem Zeitpunkt war kein Speicher reserviert.</translation>
    </message>
    <message>
        <source>private</source>
        <translation>privat</translation>
    </message>
    <message>
        <source>exp.</source>
        <translation>exp.</translation>
    </message>
    <message>
        <source>%1 at 0x%2, %3</source>
        <translation>%1 bei 0x%2, %3</translation>
    </message>
    <message>
        <source>allocated</source>
        <translation>allokiert</translation>
    </message>
    <message>
        <source>freed, but a stream may still use it</source>
        <translation>freigegeben, ein Stream nutzt ihn vielleicht noch</translation>
    </message>
    <message>
        <source>Segment of %1 at 0x%2, %3 allocated</source>
        <translation>Segment von %1 bei 0x%2, %3 allokiert</translation>
    </message>
    <message>
        <source>stream %1, pool of %2 blocks</source>
        <translation>Stream %1, Pool %2 Blöcke</translation>
    </message>
    <message>
        <source>large</source>
        <translation>großer</translation>
    </message>
    <message>
        <source>small</source>
        <translation>kleiner</translation>
    </message>
    <message>
        <source>, private pool (%1, %2)</source>
        <translation>, privater Pool (%1, %2)</translation>
    </message>
    <message>
        <source>, expandable</source>
        <translation>, erweiterbar</translation>
    </message>
    <message>
        <source>released to the GPU before the snapshot</source>
        <translation>vor dem Snapshot an die GPU zurückgegeben</translation>
    </message>
</context>
<context>
    <name>collscope::CauseView</name>
    <message>
        <source>Explain the selected collective</source>
        <translation>Gewähltes Collective erklären</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Copy the explanation as text</source>
        <translation>Die Sätze als Text kopieren</translation>
    </message>
    <message>
        <source>Step to explain</source>
        <translation>Zu erklärender Schritt</translation>
    </message>
    <message>
        <source>Explanation, one fact per line</source>
        <translation>Warum: ein Befund je Zeile</translation>
    </message>
    <message>
        <source>Step %1, %2</source>
        <translation>Schritt %1, %2</translation>
    </message>
    <message>
        <source>%1 (slowest)</source>
        <translation>%1, der langsamste</translation>
    </message>
    <message>
        <source>No steps</source>
        <translation>Keine Schritte</translation>
    </message>
    <message>
        <source>Explain why its last rank arrived late (E)</source>
        <translation>Warum sein letzter Rank zu spät kam (E)</translation>
    </message>
    <message>
        <source>Select a collective in the timeline or in a table first</source>
        <translation>Zuerst ein Collective in der Zeitleiste oder einer Tabelle auswählen</translation>
    </message>
    <message>
        <source>Open a run to see why a step was slow.</source>
        <translation>Einen Lauf öffnen, um zu sehen, warum ein Schritt langsam war.</translation>
    </message>
    <message>
        <source>Comparing ranks and steps…</source>
        <translation>Ranks und Schritte werden verglichen…</translation>
    </message>
    <message>
        <source>Click to show its time range in the timeline</source>
        <translation>Klicken, um die Zeit in der Zeitleiste zu sehen</translation>
    </message>
    <message>
        <source>Click to show its slices in the timeline</source>
        <translation>Klicken, um die Slices in der Zeitleiste zu sehen</translation>
    </message>
    <message>
        <source>The run has no step markers: the tab Summary says what costs time in the whole trace. Select a collective and press E to see why its last rank arrived late.</source>
        <translation>Der Lauf hat keine Schrittmarken: Der Reiter Übersicht sagt, was im ganzen Trace Zeit kostet. Wählen Sie eine kollektive Operation und drücken Sie E, um zu sehen, warum ihr letzter Rank spät ankam.</translation>
    </message>
</context>
<context>
    <name>collscope::CellTable</name>
    <message>
        <source>Show</source>
        <translation>Zeigen</translation>
    </message>
</context>
<context>
    <name>collscope::ChooserController</name>
    <message>
        <source>file dated %1</source>
        <translation>Datei aus %1</translation>
    </message>
</context>
<context>
    <name>collscope::CollectivesModel</name>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>%1 from the first rank to the last</source>
        <translation>%1 vom ersten Rank bis zum letzten</translation>
    </message>
    <message>
        <source>%1: within the clock uncertainty</source>
        <translation>%1: unter der Genauigkeit der Uhren</translation>
    </message>
    <message>
        <source>rank %1: +%2</source>
        <translation>Rank %1: +%2</translation>
    </message>
    <message>
        <source>and %1 earlier ranks</source>
        <translation>und %1 frühere Ranks</translation>
    </message>
    <message>
        <source>%1 bytes</source>
        <translation>%1 Bytes</translation>
    </message>
    <message>
        <source>The collective has a root, and a sender may finish before the others arrive: no kernel duration equals the transfer time.</source>
        <translation>Es gibt eine Wurzel, und ein Sender kann gehen, bevor die anderen kommen: Kein Kernel dauert so lange wie die Übertragung.</translation>
    </message>
    <message>
        <source>The trace does not record the message size.</source>
        <translation>Der Trace nennt keine Nachrichtengröße.</translation>
    </message>
    <message>
        <source>message size / transfer time, decimal GB/s</source>
        <translation>Nachrichtengröße / Übertragungszeit, dezimale GB/s</translation>
    </message>
    <message>
        <source>The trace does not record the group size.</source>
        <translation>Der Trace nennt keine Gruppengröße.</translation>
    </message>
    <message>
        <source>algbw × %1 (%2 ranks), decimal GB/s</source>
        <translation>algbw × %1 (%2 Ranks), dezimale GB/s</translation>
    </message>
    <message numerus="yes">
        <source>%n loaded rank(s) of the group: no matching call</source>
        <translation>
            <numerusform>%n geladener Rank der Gruppe: kein passender Aufruf</numerusform>
            <numerusform>%n geladene Ranks der Gruppe: kein passender Aufruf</numerusform>
        </translation>
    </message>
    <message>
        <source>ranks found / ranks in the process group</source>
        <translation>vorhandene Ranks / Ranks der Prozessgruppe</translation>
    </message>
    <message>
        <source>These calls were matched by their order alone, so waits cannot be determined.</source>
        <translation>Nur ihre Reihenfolge macht diese Aufrufe zu einem Collective: Von niemandem lässt sich sagen, dass er gewartet hat.</translation>
    </message>
    <message>
        <source>The root or the type of communication is unknown, so waits cannot be determined.</source>
        <translation>Die Wurzel oder die Art der Kommunikation ist unbekannt, deshalb ist nicht zu sagen, wer gewartet hat.</translation>
    </message>
</context>
<context>
    <name>collscope::CollectivesTable</name>
    <message>
        <source>Open a run to see the collectives of its ranks.</source>
        <translation>Einen Lauf öffnen, um die Collectives seiner Ranks zu sehen.</translation>
    </message>
    <message>
        <source>Matching the calls of all ranks…</source>
        <translation>Die Aufrufe der Ranks werden einander zugeordnet…</translation>
    </message>
    <message>
        <source>Only one rank is loaded, so there is nothing to compare. Open the folder that contains the traces of all ranks.</source>
        <translation>Nur ein Rank: Es gibt keinen anderen zum Vergleich. Den Ordner mit den Traces aller Ranks öffnen.</translation>
    </message>
    <message>
        <source>No collectives across ranks: none of the %1 communication calls could be matched. The list of unmatched calls gives the reasons.</source>
        <translation>Keine Collectives mehrerer Ranks: Keiner der %1 Kommunikationsaufrufe ließ sich zuordnen. Die Liste der nicht zugeordneten Aufrufe nennt den Grund.</translation>
    </message>
    <message>
        <source>late only</source>
        <translation>nur verspätete</translation>
    </message>
    <message>
        <source>visible range only</source>
        <translation>nur sichtbarer Bereich</translation>
    </message>
    <message>
        <source>Collectives</source>
        <translation>Collectives</translation>
    </message>
    <message>
        <source>Unmatched calls</source>
        <translation>Nicht zugeordnete Aufrufe</translation>
    </message>
    <message>
        <source>Filter, e.g. allreduce bf16</source>
        <translation>Filter, zum Beispiel: allreduce bf16</translation>
    </message>
    <message>
        <source>Words that must occur in the name, the type or the process group</source>
        <translation>Wörter, die in Name, Typ oder Prozessgruppe vorkommen müssen</translation>
    </message>
    <message>
        <source>Filter collectives</source>
        <translation>Collectives filtern</translation>
    </message>
    <message>
        <source>Process group of the collectives</source>
        <translation>Prozessgruppe der Collectives</translation>
    </message>
    <message>
        <source>Matched or unmatched calls</source>
        <translation>Zugeordnete oder nicht zugeordnete Aufrufe</translation>
    </message>
    <message>
        <source>Only collectives whose skew exceeds the clock uncertainty</source>
        <translation>Nur Collectives, deren Versatz größer ist als der mögliche Fehler der Uhren</translation>
    </message>
    <message>
        <source>Only rows within the timeline&apos;s visible range</source>
        <translation>Nur was die Zeitleiste zeigt</translation>
    </message>
    <message>
        <source>matched</source>
        <translation>zugeordnet</translation>
    </message>
    <message>
        <source>unmatched</source>
        <translation>nicht zugeordnet</translation>
    </message>
    <message>
        <source>Show on the timeline</source>
        <translation>In der Zeitleiste zeigen</translation>
    </message>
    <message>
        <source>Only in the visible range</source>
        <translation>Nur im sichtbaren Bereich</translation>
    </message>
    <message>
        <source>matched (%1)</source>
        <translation>zugeordnet (%1)</translation>
    </message>
    <message>
        <source>unmatched (%1)</source>
        <translation>nicht zugeordnet (%1)</translation>
    </message>
    <message>
        <source>All communication calls were matched.</source>
        <translation>Jeder Kommunikationsaufruf fand seine Partner.</translation>
    </message>
    <message>
        <source>No communication kernel ran on any rank.</source>
        <translation>Auf keinem Rank lief ein Kommunikationskernel.</translation>
    </message>
    <message>
        <source>No rows match the filter. Clear it or choose all process groups.</source>
        <translation>Nichts passt zum Filter. Filter leeren oder alle Prozessgruppen wählen.</translation>
    </message>
    <message>
        <source>No communication calls.</source>
        <translation>Keine Kommunikationsaufrufe.</translation>
    </message>
    <message>
        <source>%1 collectives across ranks; %2 % of %3 calls matched</source>
        <translation>%1 Collectives mehrerer Ranks; %2 % von %3 Aufrufen zugeordnet</translation>
    </message>
    <message>
        <source> by %1</source>
        <translation> über %1</translation>
    </message>
    <message>
        <source>, or by </source>
        <translation>, oder über </translation>
    </message>
    <message>
        <source>; %1 unmatched.</source>
        <translation>; %1 nicht zugeordnet.</translation>
    </message>
    <message>
        <source>No collectives: none of the ranks ran a communication kernel or a collective of a CPU backend (gloo).</source>
        <translation>Keine Collectives: Auf keinem Rank lief ein Kommunikationskernel oder ein Collective eines CPU-Backends (gloo).</translation>
    </message>
</context>
<context>
    <name>collscope::ComparisonController</name>
    <message>
        <source>Choose the run to compare with</source>
        <translation>Lauf zum Vergleichen wählen</translation>
    </message>
</context>
<context>
    <name>collscope::ComparisonView</name>
    <message>
        <source>Baseline</source>
        <translation>Baseline</translation>
    </message>
    <message>
        <source>Test</source>
        <translation>Test</translation>
    </message>
    <message>
        <source>GPU time</source>
        <translation>GPU-Zeit</translation>
    </message>
    <message>
        <source>GPU times of both runs</source>
        <translation>GPU-Zeiten beider Läufe</translation>
    </message>
    <message>
        <source>GPU times of both runs, rank by rank</source>
        <translation>GPU-Zeiten beider Läufe, Rank für Rank</translation>
    </message>
    <message>
        <source>Ranks</source>
        <translation>Ranks</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>Parts of the step in both runs</source>
        <translation>Teile des Schritts in beiden Läufen</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>Schritte</translation>
    </message>
    <message>
        <source>Steps of both runs</source>
        <translation>Schritte beider Läufe</translation>
    </message>
    <message>
        <source>Collectives</source>
        <translation>Collectives</translation>
    </message>
    <message>
        <source>Kinds of collectives in both runs</source>
        <translation>Arten von Collectives in beiden Läufen</translation>
    </message>
    <message>
        <source>Calls</source>
        <translation>Aufrufe</translation>
    </message>
    <message>
        <source>Communication calls of both runs, rank by rank</source>
        <translation>Kommunikationsaufrufe beider Läufe, Rank für Rank</translation>
    </message>
    <message>
        <source>Kernel classes</source>
        <translation>Kernelklassen</translation>
    </message>
    <message>
        <source>Kernel classes in both runs</source>
        <translation>Kernelklassen in beiden Läufen</translation>
    </message>
    <message>
        <source>Kernels</source>
        <translation>Kernel</translation>
    </message>
    <message>
        <source>Kernels of both runs</source>
        <translation>Kernel beider Läufe</translation>
    </message>
    <message>
        <source>%1, rank %2</source>
        <translation>%1, Rank %2</translation>
    </message>
    <message>
        <source>Change of %1 on each rank, mean of its steps</source>
        <translation>Änderung von %1 je Rank, Mittel seiner Schritte</translation>
    </message>
    <message>
        <source>Change of step time on each rank, mean of its steps</source>
        <translation>Änderung des Schritts je Rank, Mittel seiner Schritte</translation>
    </message>
    <message>
        <source>The tables show the data available for each run.</source>
        <translation>Die Tabellen zeigen, was es zu jedem Lauf gibt.</translation>
    </message>
    <message>
        <source>%1 → %2</source>
        <translation>%1 → %2</translation>
    </message>
    <message>
        <source>Step %1</source>
        <translation>Schritt %1</translation>
    </message>
    <message>
        <source>%1: no difference</source>
        <translation>%1: kein Unterschied</translation>
    </message>
    <message>
        <source>%1: %2, %3 slower</source>
        <translation>%1: %2, %3 langsamer</translation>
    </message>
    <message>
        <source>%1: %2, %3 faster</source>
        <translation>%1: %2, %3 schneller</translation>
    </message>
    <message>
        <source>Means of %1 and %2 steps, each of one rank; the parts add up to the difference.</source>
        <translation>Mittel über %1 und %2 Schritte, je von einem Rank; die Teile ergeben zusammen den Unterschied.</translation>
    </message>
    <message>
        <source>Largest part: %1, %2.</source>
        <translation>Größter Teil: %1, %2.</translation>
    </message>
    <message>
        <source>Changes of up to %1 % count as similar.</source>
        <translation>Änderungen bis %1 % gelten als ähnlich.</translation>
    </message>
    <message>
        <source>%1 — %2</source>
        <translation>%1 – %2</translation>
    </message>
    <message>
        <source>The runs do not share a step on any rank.</source>
        <translation>Die Läufe haben auf keinem Rank einen Schritt gemeinsam.</translation>
    </message>
    <message>
        <source>Two runs are needed.</source>
        <translation>Zwei Läufe sind nötig.</translation>
    </message>
    <message>
        <source>Select a collective on one of the timelines first.</source>
        <translation>Zuerst ein Collective in einer der Zeitleisten auswählen.</translation>
    </message>
    <message>
        <source>The other run has no corresponding collective at this position.</source>
        <translation>Der andere Lauf hat an dieser Stelle kein solches Collective.</translation>
    </message>
    <message>
        <source>Change of %1 on each rank, per unit of work</source>
        <translation>Änderung von %1 je Rank, pro Arbeitseinheit</translation>
    </message>
    <message>
        <source>Change of time per unit of work on each rank</source>
        <translation>Änderung der Zeit pro Arbeitseinheit je Rank</translation>
    </message>
    <message>
        <source>Change of %1 on each rank, over the entire capture</source>
        <translation>Änderung von %1 je Rank, in der ganzen Aufzeichnung</translation>
    </message>
    <message>
        <source>Change of capture length on each rank</source>
        <translation>Änderung der Länge der Aufzeichnung je Rank</translation>
    </message>
    <message>
        <source>Means of %1 and %2 steps, each of one rank.</source>
        <translation>Mittel aus %1 und %2 Schritten, je eines Ranks.</translation>
    </message>
    <message>
        <source>GPU time per unit</source>
        <translation>GPU-Zeit pro Einheit</translation>
    </message>
    <message>
        <source>GPU times of both runs per unit of work</source>
        <translation>GPU-Zeiten beider Läufe pro Arbeitseinheit</translation>
    </message>
    <message>
        <source>Steps by rank</source>
        <translation>Schritte je Rank</translation>
    </message>
    <message>
        <source>Mean steps of both runs, rank by rank</source>
        <translation>Mittlere Schritte beider Läufe, Rank für Rank</translation>
    </message>
    <message>
        <source>Operators</source>
        <translation>Operatoren</translation>
    </message>
    <message>
        <source>CPU operators of both runs</source>
        <translation>CPU-Operatoren beider Läufe</translation>
    </message>
    <message>
        <source>GPU time of captures</source>
        <translation>GPU-Zeit der Aufzeichnungen</translation>
    </message>
    <message>
        <source>Unit of work</source>
        <translation>Arbeitseinheit</translation>
    </message>
    <message>
        <source>Capture</source>
        <translation>Aufzeichnung</translation>
    </message>
    <message>
        <source>%1: %2, %3 longer</source>
        <translation>%1: %2, %3 länger</translation>
    </message>
    <message>
        <source>%1: %2, %3 shorter</source>
        <translation>%1: %2, %3 kürzer</translation>
    </message>
    <message>
        <source>no verdict</source>
        <translation>kein Urteil</translation>
    </message>
</context>
<context>
    <name>collscope::ComparisonWindow</name>
    <message>
        <source>Comparison of %1 — Collscope</source>
        <translation>%1 im Vergleich – Collscope</translation>
    </message>
    <message>
        <source>&amp;Add a test run...</source>
        <translation>&amp;Test-Lauf hinzufügen...</translation>
    </message>
    <message>
        <source>Export &amp;reports, workbooks and plots...</source>
        <translation>&amp;Berichte, Arbeitsmappen und Plots exportieren...</translation>
    </message>
    <message>
        <source>Export reports of a&amp;ll runs...</source>
        <translation>Berichte &amp;aller Läufe exportieren...</translation>
    </message>
    <message>
        <source>Export current &amp;table as CSV...</source>
        <translation>Gezeigte Tabelle als &amp;CSV exportieren...</translation>
    </message>
    <message>
        <source>Export &amp;window as a picture...</source>
        <translation>&amp;Fenster als Bild exportieren...</translation>
    </message>
    <message>
        <source>&amp;Close window</source>
        <translation>Fenster schl&amp;ießen</translation>
    </message>
    <message>
        <source>Stac&amp;k timelines</source>
        <translation>Zeitleisten &amp;untereinander</translation>
    </message>
    <message>
        <source>&amp;Next steps</source>
        <translation>&amp;Nächste Schritte</translation>
    </message>
    <message>
        <source>&amp;Previous steps</source>
        <translation>&amp;Vorige Schritte</translation>
    </message>
    <message>
        <source>&amp;Align at the selected collective</source>
        <translation>Am gewählten Collective &amp;ausrichten</translation>
    </message>
    <message>
        <source>&amp;Keys and gestures</source>
        <translation>&amp;Tasten und Gesten</translation>
    </message>
    <message>
        <source>Tools</source>
        <translation>Werkzeuge</translation>
    </message>
    <message>
        <source>Add test run...</source>
        <translation>Test hinzufügen...</translation>
    </message>
    <message>
        <source>Test</source>
        <translation>Test</translation>
    </message>
    <message>
        <source>Current test run</source>
        <translation>Gezeigter Test-Lauf</translation>
    </message>
    <message>
        <source>Aligned at</source>
        <translation>Ausgerichtet an</translation>
    </message>
    <message>
        <source>Aligned steps</source>
        <translation>Ausgerichtete Schritte</translation>
    </message>
    <message>
        <source>Collective  L</source>
        <translation>Collective  L</translation>
    </message>
    <message>
        <source>Stack  B</source>
        <translation>Untereinander  B</translation>
    </message>
    <message>
        <source>Similar up to</source>
        <translation>Ähnlich bis</translation>
    </message>
    <message>
        <source>Changes of up to this percentage count as similar</source>
        <translation>Änderungen bis zu so viel Prozent gelten als ähnlich</translation>
    </message>
    <message>
        <source> %</source>
        <translation> %</translation>
    </message>
    <message>
        <source>Loading %1 · %2</source>
        <translation>%1 wird geladen · %2</translation>
    </message>
    <message>
        <source>Loading was cancelled.</source>
        <translation>Das Laden wurde abgebrochen.</translation>
    </message>
    <message>
        <source>CSV (*.csv)</source>
        <translation>CSV (*.csv)</translation>
    </message>
    <message>
        <source>Add a test run to compare it with %1.</source>
        <translation>Einen Test-Lauf hinzufügen, um ihn mit %1 zu vergleichen.</translation>
    </message>
    <message>
        <source>The export was cancelled: some of the reports were not written.</source>
        <translation>Der Export wurde abgebrochen: Einige Berichte sind nicht geschrieben.</translation>
    </message>
    <message>
        <source>The comparison was cancelled. Choose the test run again to compare it.</source>
        <translation>Der Vergleich wurde abgebrochen. Den Test-Lauf erneut wählen, um ihn zu vergleichen.</translation>
    </message>
    <message>
        <source>Choose the test run</source>
        <translation>Test-Lauf wählen</translation>
    </message>
    <message>
        <source>Loading %1</source>
        <translation>%1 wird geladen</translation>
    </message>
    <message>
        <source>Loading the test run…</source>
        <translation>Der Test-Lauf wird geladen…</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Erneut versuchen</translation>
    </message>
    <message>
        <source>The test run could not be opened. Add another one.</source>
        <translation>Der Test-Lauf ließ sich nicht öffnen. Einen anderen hinzufügen.</translation>
    </message>
    <message>
        <source>Comparing with %1…</source>
        <translation>Vergleich mit %1…</translation>
    </message>
    <message>
        <source>Comparing the runs…</source>
        <translation>Die Läufe werden verglichen…</translation>
    </message>
    <message>
        <source>%1 against %2 — Collscope</source>
        <translation>%1 gegen %2 – Collscope</translation>
    </message>
    <message>
        <source>Start of the runs</source>
        <translation>Beginn der Läufe</translation>
    </message>
    <message>
        <source>A collective</source>
        <translation>Collective</translation>
    </message>
    <message>
        <source>Start of the traces</source>
        <translation>Beginn der Traces</translation>
    </message>
    <message>
        <source>Step %1</source>
        <translation>Schritt %1</translation>
    </message>
    <message>
        <source>Steps %1 and %2</source>
        <translation>Schritte %1 und %2</translation>
    </message>
    <message>
        <source>Add a test run first</source>
        <translation>Zuerst einen Test-Lauf hinzufügen</translation>
    </message>
    <message>
        <source>Add a second test run first; for two runs, use the reports above</source>
        <translation>Zuerst einen zweiten Test-Lauf hinzufügen; für zwei Läufe gibt es die Berichte darüber</translation>
    </message>
    <message>
        <source>Reports are being written</source>
        <translation>Berichte werden gerade geschrieben</translation>
    </message>
    <message>
        <source>Select a collective on one of the timelines first</source>
        <translation>Zuerst ein Collective in einer der Zeitleisten auswählen</translation>
    </message>
    <message>
        <source>Align the selected collective with the same collective in the other run</source>
        <translation>Das gewählte Collective über dasselbe des anderen Laufs legen</translation>
    </message>
    <message>
        <source>Stack the timelines instead of placing them side by side</source>
        <translation>Die Zeitleisten untereinander statt nebeneinander</translation>
    </message>
    <message>
        <source>Write reports into a folder</source>
        <translation>Berichte in einen Ordner schreiben</translation>
    </message>
    <message>
        <source>Writing reports into %1…</source>
        <translation>Berichte werden nach %1 geschrieben…</translation>
    </message>
    <message>
        <source>The reports are incomplete: %1</source>
        <translation>Die Berichte sind nicht vollständig: %1</translation>
    </message>
    <message>
        <source>Export the window</source>
        <translation>Fenster exportieren</translation>
    </message>
    <message>
        <source>&amp;Guide</source>
        <translation>&amp;Handbuch</translation>
    </message>
    <message>
        <source>The guide is not installed.</source>
        <translation>Das Handbuch ist nicht installiert.</translation>
    </message>
    <message numerus="yes">
        <source>Wrote %n file(s)</source>
        <translation>
            <numerusform>%n Datei geschrieben</numerusform>
            <numerusform>%n Dateien geschrieben</numerusform>
        </translation>
    </message>
    <message>
        <source>Export %1</source>
        <translation>%1 exportieren</translation>
    </message>
</context>
<context>
    <name>collscope::DeltaTable</name>
    <message>
        <source>verdict</source>
        <translation>Urteil</translation>
    </message>
    <message>
        <source>% of difference</source>
        <translation>vom Unterschied %</translation>
    </message>
    <message>
        <source>change %</source>
        <translation>Änderung %</translation>
    </message>
    <message>
        <source>ms per step</source>
        <translation>ms je Schritt</translation>
    </message>
    <message>
        <source>Test minus baseline</source>
        <translation>Test minus Baseline</translation>
    </message>
    <message>
        <source>baseline</source>
        <translation>Baseline</translation>
    </message>
    <message>
        <source>test</source>
        <translation>Test</translation>
    </message>
    <message>
        <source>µs per call</source>
        <translation>µs pro Aufruf</translation>
    </message>
    <message>
        <source>ms per unit</source>
        <translation>ms pro Einheit</translation>
    </message>
    <message>
        <source>ms per capture</source>
        <translation>ms pro Aufzeichnung</translation>
    </message>
    <message>
        <source>Test minus baseline, in percent of the baseline; a decrease is negative</source>
        <translation>Test minus Baseline, in Prozent der Baseline: was weniger wurde, ist negativ</translation>
    </message>
</context>
<context>
    <name>collscope::DetailController</name>
    <message>
        <source>%1 is not here, or has changed since it was summarized.</source>
        <translation>%1 ist nicht hier oder wurde seit der Zusammenfassung geändert.</translation>
    </message>
    <message numerus="yes">
        <source>%1 and %n more are not here, or have changed since they were summarized.</source>
        <translation>
            <numerusform>%1 und %n weiterer sind nicht hier oder wurden seit der Zusammenfassung geändert.</numerusform>
            <numerusform>%1 und %n weitere sind nicht hier oder wurden seit der Zusammenfassung geändert.</numerusform>
        </translation>
    </message>
    <message>
        <source>Copy the commands</source>
        <translation>Befehle kopieren</translation>
    </message>
    <message>
        <source>Some of the files do not state their ranks. In the new window, these may have other numbers than here: they count from 0.</source>
        <translation>Einige Dateien nennen ihre Ranks nicht. Im neuen Fenster können diese andere Nummern haben als hier: Sie zählen ab 0.</translation>
    </message>
    <message numerus="yes">
        <source>Where the traces are, three commands get the events of rank(s) %1.</source>
        <translation>
            <numerusform>Wo die Traces liegen, holen drei Befehle die Ereignisse von Rank %1.</numerusform>
            <numerusform>Wo die Traces liegen, holen drei Befehle die Ereignisse der Ranks %1.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Copied three commands that get the events of rank(s) %1</source>
        <translation>
            <numerusform>Drei Befehle kopiert, die die Ereignisse von Rank %1 holen</numerusform>
            <numerusform>Drei Befehle kopiert, die die Ereignisse der Ranks %1 holen</numerusform>
        </translation>
    </message>
    <message>
        <source>%1. Some of the files do not state their ranks: in the run that the commands make, these count from 0.</source>
        <translation>%1. Einige Dateien nennen ihre Ranks nicht: In dem Lauf, den die Befehle erzeugen, zählen diese ab 0.</translation>
    </message>
</context>
<context>
    <name>collscope::DisplayController</name>
    <message>
        <source>Show each rank on its own clock, as recorded</source>
        <translation>Jeden Rank nach seiner eigenen Uhr zeigen, wie aufgezeichnet</translation>
    </message>
    <message>
        <source>Open a run with several ranks first</source>
        <translation>Zuerst einen Lauf mit mehreren Ranks öffnen</translation>
    </message>
    <message>
        <source>The files of this run do not record the time of day</source>
        <translation>Die Dateien dieses Laufs nennen keine Uhrzeit</translation>
    </message>
</context>
<context>
    <name>collscope::DropOverlay</name>
    <message>
        <source>Open as run</source>
        <translation>Als Lauf öffnen</translation>
    </message>
    <message>
        <source>Compare the current run with this one</source>
        <translation>Den gezeigten Lauf mit diesem vergleichen</translation>
    </message>
    <message>
        <source>Open as run
Ctrl: compare with the current run</source>
        <translation>Als Lauf öffnen
Strg: mit dem gezeigten Lauf vergleichen</translation>
    </message>
</context>
<context>
    <name>collscope::DurationChart</name>
    <message>
        <source>%1 to %2</source>
        <translation>%1 bis %2</translation>
    </message>
    <message>
        <source>Slice durations</source>
        <translation>Wie lange die Slices dauern</translation>
    </message>
    <message>
        <source>Histogram with a logarithmic axis. Drag over the bars or use the two fields below to list only slices with these durations. Escape lists all slices again.</source>
        <translation>Balken über einer logarithmischen Achse. Darüber ziehen oder die beiden Felder darunter nutzen, um nur Slices dieser Dauer aufzulisten; Esc listet wieder alle auf.</translation>
    </message>
    <message>
        <source>no slices of %1</source>
        <translation>kein Slice mit %1</translation>
    </message>
    <message>
        <source>1 slice of %1</source>
        <translation>1 Slice mit %1</translation>
    </message>
    <message>
        <source>%1 slices of %2</source>
        <translation>%1 Slices mit %2</translation>
    </message>
    <message>
        <source>Drag over the bars: list only slices with these durations
Drag an edge: move it; double click or Esc: list all slices</source>
        <translation>Über die Balken ziehen: nur Slices dieser Dauer auflisten
Rand ziehen: ihn verschieben; Doppelklick oder Esc: wieder alle</translation>
    </message>
    <message>
        <source>median %1</source>
        <translation>Median %1</translation>
    </message>
</context>
<context>
    <name>collscope::DurationFilter</name>
    <message>
        <source>Shortest duration to list</source>
        <translation>Kürzeste aufgelistete Dauer</translation>
    </message>
    <message>
        <source>Longest duration to list</source>
        <translation>Längste aufgelistete Dauer</translation>
    </message>
    <message>
        <source>All</source>
        <translation>Alle</translation>
    </message>
    <message>
        <source>List slices of all durations (Esc)</source>
        <translation>Wieder Slices jeder Dauer auflisten (Esc)</translation>
    </message>
    <message>
        <source>from</source>
        <translation>von</translation>
    </message>
    <message>
        <source>to</source>
        <translation>bis</translation>
    </message>
    <message>
        <source>Duration, such as 1.2 ms, 85 us or 3 s; the default unit is %1</source>
        <translation>Eine Dauer: 1.2 ms, 85 us, 3 s; ohne Einheit: %1</translation>
    </message>
</context>
<context>
    <name>collscope::EditController</name>
    <message>
        <source>&amp;Undo %1</source>
        <translation>&amp;Rückgängig: %1</translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation>&amp;Rückgängig</translation>
    </message>
    <message>
        <source>&amp;Redo %1</source>
        <translation>&amp;Wiederholen: %1</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>&amp;Wiederholen</translation>
    </message>
    <message>
        <source>Nothing to undo</source>
        <translation>Es wurde noch nichts geändert</translation>
    </message>
    <message>
        <source>Nothing to redo</source>
        <translation>Es wurde nichts rückgängig gemacht</translation>
    </message>
    <message>
        <source>Open a run first</source>
        <translation>Zuerst einen Lauf öffnen</translation>
    </message>
    <message>
        <source>Set a mark first, or go to one with N</source>
        <translation>Zuerst eine Marke setzen oder mit N zu einer springen</translation>
    </message>
</context>
<context>
    <name>collscope::EventsOnly</name>
    <message>
        <source>Summaries of ranks have no events: open the trace of a rank first</source>
        <translation>Zusammenfassungen der Ranks haben keine Ereignisse: zuerst den Trace eines Ranks öffnen</translation>
    </message>
</context>
<context>
    <name>collscope::EvidenceController</name>
    <message>
        <source>The highlighted items are outside the visible part of the timeline.</source>
        <translation>Was hervorgehoben ist, liegt außerhalb dessen, was die Zeitleiste zeigt.</translation>
    </message>
    <message>
        <source>Show them</source>
        <translation>Anzeigen</translation>
    </message>
</context>
<context>
    <name>collscope::ExportController</name>
    <message>
        <source>CSV (*.csv)</source>
        <translation>CSV (*.csv)</translation>
    </message>
    <message>
        <source>JSON (*.json)</source>
        <translation>JSON (*.json)</translation>
    </message>
    <message>
        <source>Export a &amp;view</source>
        <translation>&amp;Ansicht exportieren</translation>
    </message>
    <message>
        <source>&amp;Whole window...</source>
        <translation>&amp;Ganzes Fenster...</translation>
    </message>
    <message>
        <source>window</source>
        <translation>Fenster</translation>
    </message>
    <message>
        <source>&amp;Timeline and NVLink...</source>
        <translation>&amp;Zeitleiste und NVLink...</translation>
    </message>
    <message>
        <source>timeline</source>
        <translation>Zeitleiste</translation>
    </message>
    <message>
        <source>&amp;NVLink...</source>
        <translation>&amp;NVLink...</translation>
    </message>
    <message>
        <source>nvlink</source>
        <translation>NVLink</translation>
    </message>
    <message>
        <source>&amp;Metrics...</source>
        <translation>&amp;Metriken...</translation>
    </message>
    <message>
        <source>metrics</source>
        <translation>Metriken</translation>
    </message>
    <message>
        <source>Current ta&amp;b...</source>
        <translation>Aktueller &amp;Tab...</translation>
    </message>
    <message>
        <source>tab</source>
        <translation>Tab</translation>
    </message>
    <message>
        <source>This run has no NVLink counters</source>
        <translation>Dieser Lauf hat keine NVLink-Zähler</translation>
    </message>
    <message>
        <source>Open a run first</source>
        <translation>Zuerst einen Lauf öffnen</translation>
    </message>
    <message>
        <source>%1 — %2</source>
        <translation>%1 – %2</translation>
    </message>
    <message>
        <source>Export a view</source>
        <translation>Ansicht exportieren</translation>
    </message>
    <message>
        <source>Export %1</source>
        <translation>%1 exportieren</translation>
    </message>
</context>
<context>
    <name>collscope::FindingStrip</name>
    <message>
        <source>All</source>
        <translation>Alle</translation>
    </message>
    <message>
        <source>Show all findings in the tab Summary</source>
        <translation>Alle Befunde im Reiter Übersicht zeigen</translation>
    </message>
    <message>
        <source>Close the worst findings</source>
        <translation>Die teuersten Befunde schließen</translation>
    </message>
    <message>
        <source>Close; View &gt; What costs time shows them again</source>
        <translation>Schließen; Ansicht &gt; Was Zeit kostet zeigt sie wieder</translation>
    </message>
    <message>
        <source>Finding out what costs time…</source>
        <translation>Ermittle, was Zeit kostet…</translation>
    </message>
</context>
<context>
    <name>collscope::FrozenColumn</name>
    <message>
        <source>Names of the rows</source>
        <translation>Namen der Zeilen</translation>
    </message>
</context>
<context>
    <name>collscope::GainButton</name>
    <message>
        <source>What if?</source>
        <translation>Was wäre wenn?</translation>
    </message>
    <message>
        <source>Show what it would help to change this</source>
        <translation>Zeigen, was es helfen würde, das zu ändern</translation>
    </message>
    <message>
        <source>%1, not answered: %2</source>
        <translation>%1, nicht beantwortet: %2</translation>
    </message>
    <message>
        <source>What if? At most %1</source>
        <translation>Was wäre wenn? Höchstens %1</translation>
    </message>
    <message>
        <source>What if? %1</source>
        <translation>Was wäre wenn? %1</translation>
    </message>
    <message>
        <source>%1: %2 (%3 … %4)</source>
        <translation>%1: %2 (%3 … %4)</translation>
    </message>
</context>
<context>
    <name>collscope::GapsView</name>
    <message>
        <source>Idle time by cause</source>
        <translation>Leerlauf nach Ursache</translation>
    </message>
    <message>
        <source>Longest gaps</source>
        <translation>Längste Lücken</translation>
    </message>
    <message>
        <source>Open a run to see when its GPUs were idle.</source>
        <translation>Lauf öffnen, um zu sehen, wann seine GPUs nichts taten.</translation>
    </message>
    <message>
        <source>Finding the gaps of the GPUs…</source>
        <translation>Ermittle die Lücken der GPUs…</translation>
    </message>
    <message numerus="yes">
        <source>%n gap(s), %1, %2.</source>
        <translation>
            <numerusform>%n Lücke, %1, %2.</numerusform>
            <numerusform>%n Lücken, %1, %2.</numerusform>
        </translation>
    </message>
    <message>
        <source>Sums are over all ranks and steps.</source>
        <translation>Summen über alle Ranks und Schritte.</translation>
    </message>
    <message>
        <source>cause</source>
        <translation>Ursache</translation>
    </message>
    <message>
        <source>Choose a row to list only its gaps</source>
        <translation>Zeile wählen, um nur ihre Lücken aufzulisten</translation>
    </message>
    <message>
        <source>gaps</source>
        <translation>Lücken</translation>
    </message>
    <message>
        <source>total %1</source>
        <translation>Summe %1</translation>
    </message>
    <message>
        <source>share %</source>
        <translation>Anteil %</translation>
    </message>
    <message>
        <source>longest %1</source>
        <translation>längste %1</translation>
    </message>
    <message>
        <source>All causes</source>
        <translation>Alle Ursachen</translation>
    </message>
    <message>
        <source>length %1</source>
        <translation>Länge %1</translation>
    </message>
    <message>
        <source>mostly</source>
        <translation>vor allem</translation>
    </message>
    <message>
        <source>rank</source>
        <translation>Rank</translation>
    </message>
    <message>
        <source>step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>begin</source>
        <translation>Beginn</translation>
    </message>
    <message>
        <source>since the first event of the run</source>
        <translation>seit dem ersten Ereignis des Laufs</translation>
    </message>
    <message>
        <source>the operator, call or function of the launching thread; before: the GPU event after the gap</source>
        <translation>Operator, Aufruf oder Funktion des startenden Threads; vor: das GPU-Ereignis nach der Lücke</translation>
    </message>
    <message>
        <source>before %1</source>
        <translation>vor %1</translation>
    </message>
    <message>
        <source>No GPU was idle in the counted time.</source>
        <translation>Keine GPU hatte in der gezählten Zeit Leerlauf.</translation>
    </message>
    <message>
        <source>GPU idle: %1 per step (%2 %).</source>
        <translation>GPU-Leerlauf: %1 je Schritt (%2 %).</translation>
    </message>
    <message>
        <source>GPU idle: %1 (%2 %).</source>
        <translation>GPU-Leerlauf: %1 (%2 %).</translation>
    </message>
    <message>
        <source>Sums are over all ranks.</source>
        <translation>Summen über alle Ranks.</translation>
    </message>
    <message>
        <source>over all ranks, in the counted time</source>
        <translation>über alle Ranks, in der gezählten Zeit</translation>
    </message>
    <message>
        <source>of the counted time of all ranks</source>
        <translation>der gezählten Zeit aller Ranks</translation>
    </message>
    <message>
        <source>the part in the counted time</source>
        <translation>der Teil in der gezählten Zeit</translation>
    </message>
</context>
<context>
    <name>collscope::GateStrip</name>
    <message>
        <source>good</source>
        <translation>gut</translation>
    </message>
    <message>
        <source>rough: answers may be off by more than their range</source>
        <translation>grob: Antworten können um mehr als ihren Bereich daneben liegen</translation>
    </message>
    <message>
        <source>too far off to answer</source>
        <translation>zu weit daneben für eine Antwort</translation>
    </message>
    <message>
        <source>How far the replay can be trusted</source>
        <translation>Wie weit dem Nachspielen zu trauen ist</translation>
    </message>
    <message numerus="yes">
        <source>%n more measures of trust are good</source>
        <translation>
            <numerusform>%n weiteres Maß des Vertrauens ist gut</numerusform>
            <numerusform>%n weitere Maße des Vertrauens sind gut</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>All %n measures of trust are good</source>
        <translation>
            <numerusform>Das eine Maß des Vertrauens ist gut</numerusform>
            <numerusform>Alle %n Maße des Vertrauens sind gut</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>collscope::GpuCounterChart</name>
    <message>
        <source>GPU counters</source>
        <translation>GPU-Zähler</translation>
    </message>
    <message>
        <source>GPU whose counters are shown</source>
        <translation>GPU, deren Zähler gezeigt werden</translation>
    </message>
    <message>
        <source>Counters to show</source>
        <translation>Gezeigte Zähler</translation>
    </message>
    <message>
        <source>Reading the GPU counters…</source>
        <translation>Die GPU-Zähler werden gelesen…</translation>
    </message>
    <message>
        <source>Rank %1 (%2)</source>
        <translation>Rank %1 (%2)</translation>
    </message>
    <message>
        <source>GPU %1</source>
        <translation>GPU %1</translation>
    </message>
    <message>
        <source>GPU %1 (no kernels)</source>
        <translation>GPU %1 (keine Kernel)</translation>
    </message>
    <message>
        <source>Rank %1</source>
        <translation>Rank %1</translation>
    </message>
    <message>
        <source>Counters %1</source>
        <translation>Zähler %1</translation>
    </message>
    <message>
        <source>Counters</source>
        <translation>Zähler</translation>
    </message>
</context>
<context>
    <name>collscope::HangCanvas</name>
    <message>
        <source>not called</source>
        <translation>nicht aufgerufen</translation>
    </message>
    <message>
        <source>inside the call: the CPU has not returned from it</source>
        <translation>im Aufruf: die CPU ist nicht zurückgekehrt</translation>
    </message>
    <message>
        <source>called, not finished</source>
        <translation>aufgerufen, nicht beendet</translation>
    </message>
    <message>
        <source>started on the GPU, not finished</source>
        <translation>auf der GPU begonnen, nicht beendet</translation>
    </message>
    <message>
        <source>finished</source>
        <translation>beendet</translation>
    </message>
    <message>
        <source>called with arguments that do not fit</source>
        <translation>mit unpassenden Argumenten aufgerufen</translation>
    </message>
    <message>
        <source>not known</source>
        <translation>nicht bekannt</translation>
    </message>
    <message>
        <source>Ranks and their last calls</source>
        <translation>Ranks und ihre letzten Aufrufe</translation>
    </message>
    <message>
        <source>%1: %2 alike</source>
        <translation>%1: %2 gleich</translation>
    </message>
    <message>
        <source>call</source>
        <translation>Aufruf</translation>
    </message>
    <message>
        <source>
Call %1: %2</source>
        <translation>
Aufruf %1: %2</translation>
    </message>
    <message numerus="yes">
        <source>
%n waits lead from here to who is waited for</source>
        <translation>
            <numerusform>
%n Warten führt von hier zu dem, auf den gewartet wird</numerusform>
            <numerusform>
%n Warten führen von hier zu dem, auf den gewartet wird</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>collscope::HangView</name>
    <message>
        <source>Who waits for whom</source>
        <translation>Wer auf wen wartet</translation>
    </message>
    <message>
        <source>What was found</source>
        <translation>Befunde</translation>
    </message>
    <message>
        <source>Process group</source>
        <translation>Prozessgruppe</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Copy the verdict as text</source>
        <translation>Das Ergebnis als Text kopieren</translation>
    </message>
    <message>
        <source>The dumps are being examined.</source>
        <translation>Die Aufzeichnungen werden untersucht.</translation>
    </message>
    <message numerus="yes">
        <source>%1: %n waiting</source>
        <translation>
            <numerusform>%1: %n wartet</numerusform>
            <numerusform>%1: %n warten</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 of %2 ranks left a dump</source>
        <translation>%1 von %2 Ranks haben eine Aufzeichnung hinterlassen</translation>
    </message>
    <message>
        <source>First: %1</source>
        <translation>Zuerst: %1</translation>
    </message>
    <message>
        <source>N not called, E inside the call, P called, S started on the GPU, C finished, ! other arguments, ? not known. Click a cell for the call.</source>
        <translation>N nicht aufgerufen, E im Aufruf, P aufgerufen, S auf der GPU begonnen, C beendet, ! andere Argumente, ? nicht bekannt. Ein Klick auf eine Zelle zeigt den Aufruf.</translation>
    </message>
    <message>
        <source>Nobody waits for anybody that is named</source>
        <translation>Niemand wartet auf einen Genannten</translation>
    </message>
    <message>
        <source>Who waits</source>
        <translation>Wer wartet</translation>
    </message>
    <message>
        <source>%1 waits for nobody that is known</source>
        <translation>%1 wartet auf niemanden, der bekannt ist</translation>
    </message>
    <message>
        <source>From %1</source>
        <translation>Von %1</translation>
    </message>
    <message>
        <source>waits for</source>
        <translation>wartet auf</translation>
    </message>
    <message>
        <source>in</source>
        <translation>in</translation>
    </message>
    <message numerus="yes">
        <source>one of %n ranks</source>
        <translation>
            <numerusform>einer von %n Rank</numerusform>
            <numerusform>einer von %n Ranks</numerusform>
        </translation>
    </message>
    <message>
        <source>rank %1</source>
        <translation>Rank %1</translation>
    </message>
    <message numerus="yes">
        <source>%n ranks</source>
        <translation>
            <numerusform>%n Rank</numerusform>
            <numerusform>%n Ranks</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>collscope::HelpWindow</name>
    <message>
        <source>Guide</source>
        <translation>Handbuch</translation>
    </message>
    <message>
        <source>Pages of the guide</source>
        <translation>Seiten des Handbuchs</translation>
    </message>
    <message>
        <source>Page of the guide</source>
        <translation>Seite des Handbuchs</translation>
    </message>
    <message>
        <source>Find in the guide</source>
        <translation>Im Handbuch suchen</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>Zurück</translation>
    </message>
    <message>
        <source>Forward</source>
        <translation>Vor</translation>
    </message>
</context>
<context>
    <name>collscope::JobCanvas</name>
    <message>
        <source>Step times and speed of the communicators</source>
        <translation>Schrittzeiten und Geschwindigkeit der Kommunikatoren</translation>
    </message>
    <message>
        <source>%1, rank %2</source>
        <translation>%1, Rank %2</translation>
    </message>
    <message>
        <source>Time of a step</source>
        <translation>Dauer eines Schritts</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>Schritt %1</translation>
    </message>
    <message>
        <source>Speed of the collectives of each member, relative to its own typical speed (stronger: slower)</source>
        <translation>Geschwindigkeit der Kollektive jedes Mitglieds im Verhältnis zu seiner üblichen (kräftiger: langsamer)</translation>
    </message>
    <message>
        <source>first collective</source>
        <translation>erstes Kollektiv</translation>
    </message>
    <message>
        <source>last collective</source>
        <translation>letztes Kollektiv</translation>
    </message>
    <message>
        <source>step %1: %2</source>
        <translation>Schritt %1: %2</translation>
    </message>
    <message>
        <source>%1: no collective whose typical time is known</source>
        <translation>%1: kein Kollektiv, dessen übliche Dauer bekannt ist</translation>
    </message>
    <message>
        <source>%1: %2 % of its typical speed</source>
        <translation>%1: %2 % der üblichen Geschwindigkeit</translation>
    </message>
</context>
<context>
    <name>collscope::JobView</name>
    <message>
        <source>Changes of the job, and what the files cannot tell</source>
        <translation>Änderungen des Jobs, und was die Dateien nicht sagen</translation>
    </message>
    <message>
        <source>The logs are being examined.</source>
        <translation>Die Protokolle werden untersucht.</translation>
    </message>
</context>
<context>
    <name>collscope::KernelRuleController</name>
    <message>
        <source>Classify as communication…</source>
        <translation>Das ist Kommunikation…</translation>
    </message>
</context>
<context>
    <name>collscope::KernelRuleDialog</name>
    <message>
        <source>Classify kernels</source>
        <translation>Was dieser Kernel tut</translation>
    </message>
    <message>
        <source>Kernels whose names contain this text get this class, in this run and in all others. * matches any characters.</source>
        <translation>Kernel, deren Name diesen Text enthält, sind von dieser Art, in diesem Lauf und in allen anderen. * steht für beliebige Zeichen.</translation>
    </message>
    <message>
        <source>not communication</source>
        <translation>keine Kommunikation</translation>
    </message>
    <message>
        <source>Kernel</source>
        <translation>Kernel</translation>
    </message>
    <message>
        <source>Name contains</source>
        <translation>Namen mit</translation>
    </message>
    <message>
        <source>Class</source>
        <translation>sind</translation>
    </message>
    <message>
        <source>Add rule and reload</source>
        <translation>Regel hinzufügen und neu laden</translation>
    </message>
    <message>
        <source>Matches %1 of %2 kernel names in this run</source>
        <translation>%1 von %2 Kernelnamen dieses Laufs</translation>
    </message>
</context>
<context>
    <name>collscope::KernelTable</name>
    <message>
        <source>Show on the timeline</source>
        <translation>In der Zeitleiste zeigen</translation>
    </message>
    <message>
        <source>Peak kernels</source>
        <translation>Spitzen-Kernel</translation>
    </message>
    <message>
        <source>This run has no NVLink counters and therefore no peaks to explain.</source>
        <translation>Dieser Lauf hat keine NVLink-Zähler und damit keine Spitze, die zu erklären wäre.</translation>
    </message>
    <message>
        <source>Click a marked peak in the NVLink chart to see which kernels ran during it.</source>
        <translation>Eine markierte Spitze im NVLink-Diagramm anklicken, um zu sehen, welche Kernel sie verursacht haben.</translation>
    </message>
    <message>
        <source>The rank of %1 is not known, and therefore not its kernels: %2.</source>
        <translation>Der Rang von %1 ist nicht bekannt, daher auch nicht die Kernel: %2.</translation>
    </message>
    <message>
        <source>GPU %1</source>
        <translation>GPU %1</translation>
    </message>
    <message>
        <source>%1 kernels during %2 – %3 on %4</source>
        <translation>%1 Kernel von %2 bis %3 auf %4</translation>
    </message>
    <message>
        <source>(assumed: the counter file does not name its GPU)</source>
        <translation>(angenommen: Die Zählerdatei nennt ihre GPU nicht)</translation>
    </message>
    <message>
        <source>Listing the kernels of the peak…</source>
        <translation>Die Kernel der Spitze werden aufgelistet…</translation>
    </message>
    <message>
        <source>(the %1 with the largest overlap are listed)</source>
        <translation>(aufgelistet sind die %1 mit der größten Überlappung)</translation>
    </message>
    <message>
        <source>Peak kernels, %1 of %2</source>
        <translation>Spitzen-Kernel, %1 von %2</translation>
    </message>
</context>
<context>
    <name>collscope::KernelTableModel</name>
    <message>
        <source>kernel</source>
        <translation>Kernel</translation>
    </message>
    <message>
        <source>GPU</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>stream</source>
        <translation>Stream</translation>
    </message>
    <message>
        <source>overlap µs</source>
        <translation>Überlappung µs</translation>
    </message>
    <message>
        <source>overlap %</source>
        <translation>Überlappung %</translation>
    </message>
    <message>
        <source>duration µs</source>
        <translation>Dauer µs</translation>
    </message>
    <message>
        <source>class</source>
        <translation>Klasse</translation>
    </message>
    <message>
        <source>exposed µs</source>
        <translation>unverdeckt µs</translation>
    </message>
</context>
<context>
    <name>collscope::LatencyView</name>
    <message>
        <source>Latencies of the benchmark</source>
        <translation>Latenzen des Benchmarks</translation>
    </message>
    <message>
        <source>Benchmark whose latencies are shown</source>
        <translation>Benchmark, dessen Latenzen gezeigt werden</translation>
    </message>
    <message>
        <source>%1, line %2</source>
        <translation>%1, Zeile %2</translation>
    </message>
    <message>
        <source>not listed</source>
        <translation>nicht aufgelistet</translation>
    </message>
    <message>
        <source>Latency, ms</source>
        <translation>Latenz, ms</translation>
    </message>
    <message>
        <source>In milliseconds</source>
        <translation>In Millisekunden</translation>
    </message>
    <message>
        <source>Median</source>
        <translation>Median</translation>
    </message>
    <message>
        <source>p95</source>
        <translation>p95</translation>
    </message>
    <message>
        <source>p99</source>
        <translation>p99</translation>
    </message>
    <message>
        <source>Longest</source>
        <translation>Längste</translation>
    </message>
    <message>
        <source>Mean</source>
        <translation>Mittel</translation>
    </message>
    <message>
        <source>p90</source>
        <translation>p90</translation>
    </message>
    <message>
        <source>Samples</source>
        <translation>Werte</translation>
    </message>
    <message>
        <source>Number of times listed in the file; failed requests are excluded</source>
        <translation>Wie viele die Datei auflistet; fehlgeschlagene Anfragen zählen nicht</translation>
    </message>
    <message>
        <source>%1: the file does not list individual times</source>
        <translation>%1: Die Datei listet keine Einzelwerte auf</translation>
    </message>
    <message>
        <source>%1, ms</source>
        <translation>%1, ms</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>median</source>
        <translation>Median</translation>
    </message>
    <message>
        <source>%1 of %2 to %3 ms</source>
        <translation>%1 mit %2 bis %3 ms</translation>
    </message>
</context>
<context>
    <name>collscope::LatenessCanvas</name>
    <message>
        <source>Lateness of each rank in each collective</source>
        <translation>Verspätung jedes Ranks in jedem Collective</translation>
    </message>
    <message>
        <source>Arrow keys move between cells, Enter shows the rank&apos;s kernel on the timeline</source>
        <translation>Pfeiltasten gehen von Zelle zu Zelle, Eingabe zeigt den Kernel des Ranks in der Zeitleiste</translation>
    </message>
    <message>
        <source>rank %1</source>
        <translation>Rank %1</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>Schritt %1</translation>
    </message>
    <message>
        <source>collectives in time order</source>
        <translation>Collectives in zeitlicher Folge</translation>
    </message>
    <message>
        <source>not a member of this collective</source>
        <translation>ist nicht in diesem Collective</translation>
    </message>
    <message>
        <source>on time, within the clock uncertainty</source>
        <translation>pünktlich, soweit die Uhren es zeigen</translation>
    </message>
    <message>
        <source>late by %1 on average</source>
        <translation>im Mittel %1 verspätet</translation>
    </message>
    <message>
        <source>late by %1 in total</source>
        <translation>insgesamt %1 verspätet</translation>
    </message>
    <message>
        <source>step %1, %2 collectives: %3</source>
        <translation>Schritt %1, %2 Collectives: %3</translation>
    </message>
    <message>
        <source>latest in:</source>
        <translation>am spätesten in:</translation>
    </message>
    <message>
        <source>%1 in group %2</source>
        <translation>%1 in Gruppe %2</translation>
    </message>
    <message>
        <source>late by %1, then waited %2</source>
        <translation>%1 verspätet, wartete dann %2</translation>
    </message>
    <message>
        <source>rank %1 arrived last, skew %2</source>
        <translation>zuletzt kam Rank %1, Versatz %2</translation>
    </message>
    <message>
        <source>skew %1: within the clock uncertainty</source>
        <translation>Versatz %1: unter der Genauigkeit der Uhren</translation>
    </message>
    <message>
        <source>Click a cell: show the rank&apos;s kernel on the timeline
Drag over columns: show their time range on the timeline
Ctrl+wheel: zoom; Shift+drag or middle button: pan
Arrow keys: move between cells; Enter: show the kernel; 0: show everything
The line below marks the timeline&apos;s visible range</source>
        <translation>Zelle anklicken: der Kernel des Ranks in der Zeitleiste
Über Spalten ziehen: was in ihnen geschah, in der Zeitleiste
Strg+Mausrad: zoomen; Umschalt+Ziehen oder mittlere Taste: verschieben
Pfeiltasten und Eingabe: von Zelle zu Zelle; 0: alles
Die Linie darunter markiert, was die Zeitleiste zeigt</translation>
    </message>
</context>
<context>
    <name>collscope::LatenessCellCanvas</name>
    <message>
        <source>rank %1</source>
        <translation>Rank %1</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>Schritt %1</translation>
    </message>
</context>
<context>
    <name>collscope::LatenessLegend</name>
    <message>
        <source>Legend of the lateness map</source>
        <translation>Legende der Verspätungskarte</translation>
    </message>
    <message>
        <source>on time</source>
        <translation>pünktlich</translation>
    </message>
    <message>
        <source>not a member</source>
        <translation>nicht dabei</translation>
    </message>
    <message>
        <source>%1 late</source>
        <translation>%1 verspätet</translation>
    </message>
    <message>
        <source>A rank that arrived at most %1 after the first rank counts as on time: the difference is insignificant or within the clock uncertainty.</source>
        <translation>Ein Rank, der höchstens %1 nach dem ersten eintraf, gilt als pünktlich: Der Unterschied ist unbedeutend oder kleiner als der mögliche Fehler der Uhren.</translation>
    </message>
    <message>
        <source>A rank counts as on time in a step if, in the mean of its collectives, it arrived at most %1 after the first rank: the difference is insignificant or within the clock uncertainty.</source>
        <translation>Ein Rank gilt in einem Schritt als pünktlich, wenn er im Mittel seiner Collectives höchstens %1 nach dem ersten eintraf: Der Unterschied ist unbedeutend oder kleiner als der mögliche Fehler der Uhren.</translation>
    </message>
    <message>
        <source>A pixel that covers several collectives shows the largest lateness.</source>
        <translation>Ein Pixel, das mehrere Collectives umfasst, zeigt die größte Verspätung.</translation>
    </message>
    <message>
        <source>A pixel that covers several steps shows the largest lateness.</source>
        <translation>Ein Pixel, das mehrere Schritte umfasst, zeigt die größte Verspätung.</translation>
    </message>
    <message>
        <source>Between %1 and %2 the scale is logarithmic.</source>
        <translation>Zwischen %1 und %2 ist die Skala logarithmisch.</translation>
    </message>
    <message>
        <source>on time (up to %1 each)</source>
        <translation>pünktlich (je bis %1)</translation>
    </message>
</context>
<context>
    <name>collscope::LatenessMap</name>
    <message>
        <source>Process group of the lateness map</source>
        <translation>Prozessgruppe der Verspätungskarte</translation>
    </message>
    <message>
        <source>Meaning of a column</source>
        <translation>Wofür eine Spalte steht</translation>
    </message>
    <message>
        <source>per collective</source>
        <translation>je Collective</translation>
    </message>
    <message>
        <source>per step, mean</source>
        <translation>je Schritt, Mittel</translation>
    </message>
    <message>
        <source>per step, sum</source>
        <translation>je Schritt, Summe</translation>
    </message>
    <message>
        <source>Computing arrival times…</source>
        <translation>Es wird ermittelt, wer wann kam…</translation>
    </message>
    <message>
        <source>Only sends and receives were matched, and these have no late rank. Choose a pair of ranks above to see when they communicated.</source>
        <translation>Nur Sends und Receives wurden zugeordnet, und darin verspätet sich niemand: Oben ein Paar von Ranks wählen, um zu sehen, wann sie zusammenkamen.</translation>
    </message>
    <message>
        <source>None of these collectives is in a step that the trace marks. Choose &quot;per collective&quot;.</source>
        <translation>Keines dieser Collectives liegt in einem im Trace markierten Schritt: „je Collective“ wählen.</translation>
    </message>
</context>
<context>
    <name>collscope::Legend</name>
    <message>
        <source>Legend</source>
        <translation>Legende</translation>
    </message>
    <message>
        <source>prefill</source>
        <translation>Prefill</translation>
    </message>
    <message>
        <source>decode</source>
        <translation>Decode</translation>
    </message>
    <message>
        <source>waiting for other ranks</source>
        <translation>wartet auf andere Ranks</translation>
    </message>
</context>
<context>
    <name>collscope::LocationController</name>
    <message>
        <source>Copied %1: paste it into the search line or pass it to --goto</source>
        <translation>%1 kopiert: in die Suchzeile einfügen oder an --goto übergeben</translation>
    </message>
</context>
<context>
    <name>collscope::MainWindow</name>
    <message>
        <source>Collscope</source>
        <translation>Collscope</translation>
    </message>
    <message>
        <source>%1 — Collscope</source>
        <translation>%1 – Collscope</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>Collectives</source>
        <translation>Collectives</translation>
    </message>
    <message>
        <source>Lateness</source>
        <translation>Verspätung</translation>
    </message>
    <message>
        <source>Stragglers</source>
        <translation>Nachzügler</translation>
    </message>
    <message>
        <source>Why slow?</source>
        <translation>Warum langsam?</translation>
    </message>
    <message>
        <source>Selection</source>
        <translation>Auswahl</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>Suche</translation>
    </message>
    <message>
        <source>Range</source>
        <translation>Bereich</translation>
    </message>
    <message>
        <source>Peak kernels</source>
        <translation>Spitzen-Kernel</translation>
    </message>
    <message>
        <source>Problems</source>
        <translation>Probleme</translation>
    </message>
    <message>
        <source>Pipeline</source>
        <translation>Pipeline</translation>
    </message>
    <message>
        <source>Serving</source>
        <translation>Serving</translation>
    </message>
    <message>
        <source>Training</source>
        <translation>Training</translation>
    </message>
    <message>
        <source>Ranks</source>
        <translation>Ranks</translation>
    </message>
    <message>
        <source>Metrics</source>
        <translation>Metriken</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>Details</translation>
    </message>
    <message>
        <source>Problems %1</source>
        <translation>Probleme %1</translation>
    </message>
    <message>
        <source>The guide is not installed.</source>
        <translation>Das Handbuch ist nicht installiert.</translation>
    </message>
    <message>
        <source>Summary</source>
        <translation>Übersicht</translation>
    </message>
    <message>
        <source>Gaps</source>
        <translation>Lücken</translation>
    </message>
    <message>
        <source>T&amp;abs</source>
        <translation>Reiter</translation>
    </message>
    <message>
        <source>What would help?</source>
        <translation>Was würde helfen?</translation>
    </message>
    <message>
        <source>Hang</source>
        <translation>Stillstand</translation>
    </message>
    <message>
        <source>Job</source>
        <translation>Job</translation>
    </message>
    <message>
        <source>Network</source>
        <translation>Netz</translation>
    </message>
</context>
<context>
    <name>collscope::MarkNote</name>
    <message>
        <source>Note</source>
        <translation>Notiz</translation>
    </message>
    <message>
        <source>Mark note</source>
        <translation>Notiz zur Marke</translation>
    </message>
    <message>
        <source>No marks yet. Press Shift+M to set one at the cursor</source>
        <translation>Es gibt noch keine Marke: Umschalt+M setzt eine am Mauszeiger</translation>
    </message>
</context>
<context>
    <name>collscope::MemoryChart</name>
    <message>
        <source>GPU memory</source>
        <translation>Speicher einer GPU</translation>
    </message>
    <message>
        <source>Replaying the memory events…</source>
        <translation>Die Speicherereignisse werden nachvollzogen…</translation>
    </message>
    <message>
        <source>Memory GB</source>
        <translation>Speicher GB</translation>
    </message>
    <message>
        <source>rank %1</source>
        <translation>Rank %1</translation>
    </message>
    <message>
        <source>rank %1, GPU %2</source>
        <translation>Rank %1, GPU %2</translation>
    </message>
    <message>
        <source>reserved</source>
        <translation>reserviert</translation>
    </message>
    <message>
        <source>active</source>
        <translation>aktiv</translation>
    </message>
    <message>
        <source>allocated</source>
        <translation>allokiert</translation>
    </message>
    <message>
        <source>allocated %1, active %2, reserved %3</source>
        <translation>allokiert %1, aktiv %2, reserviert %3</translation>
    </message>
</context>
<context>
    <name>collscope::MemoryView</name>
    <message>
        <source>Call stacks with allocated memory at the selected moment</source>
        <translation>Aufrufstapel, die zu diesem Zeitpunkt Speicher halten</translation>
    </message>
    <message>
        <source>Frames of the selected call stack, innermost first</source>
        <translation>Frames des gewählten Aufrufstapels, innerster zuerst</translation>
    </message>
    <message>
        <source>GPU whose memory is shown</source>
        <translation>GPU, deren Speicher gezeigt wird</translation>
    </message>
    <message>
        <source>Peak</source>
        <translation>Spitze</translation>
    </message>
    <message>
        <source>The moment of peak allocation</source>
        <translation>Der Zeitpunkt, zu dem am meisten allokiert war</translation>
    </message>
    <message>
        <source>The next moment at which memory ran out</source>
        <translation>Der nächste Zeitpunkt, zu dem der Speicher ausging</translation>
    </message>
    <message>
        <source>Snapshot</source>
        <translation>Snapshot</translation>
    </message>
    <message>
        <source>The end of the record, when the snapshot was taken</source>
        <translation>Das Ende der Aufzeichnung, als der Snapshot entstand</translation>
    </message>
    <message>
        <source>Moment, event by event</source>
        <translation>Zeitpunkt, Ereignis für Ereignis</translation>
    </message>
    <message>
        <source>rank %1</source>
        <translation>Rank %1</translation>
    </message>
    <message>
        <source>rank %1, GPU %2</source>
        <translation>Rank %1, GPU %2</translation>
    </message>
    <message>
        <source>Replaying the memory events…</source>
        <translation>Die Speicherereignisse werden nachvollzogen…</translation>
    </message>
    <message>
        <source>This run has no CUDA memory snapshots: record them with torch.cuda.memory._record_memory_history() and _dump_snapshot().</source>
        <translation>Dieser Lauf hat keine CUDA-Speicher-Snapshots: mit torch.cuda.memory._record_memory_history() und _dump_snapshot() aufzeichnen.</translation>
    </message>
    <message>
        <source>Out of memory</source>
        <translation>Speicher voll</translation>
    </message>
    <message>
        <source>Out of memory (%1)</source>
        <translation>Speicher voll (%1)</translation>
    </message>
    <message>
        <source>event %1 of %2</source>
        <translation>Ereignis %1 von %2</translation>
    </message>
    <message>
        <source>%1 (%2 GiB)</source>
        <translation>%1 (%2 GiB)</translation>
    </message>
    <message>
        <source>allocated %1</source>
        <translation>allokiert %1</translation>
    </message>
    <message>
        <source>active %1</source>
        <translation>aktiv %1</translation>
    </message>
    <message>
        <source>reserved %1 in %2 segments</source>
        <translation>reserviert %1 in %2 Segmenten</translation>
    </message>
    <message>
        <source>private pools %1</source>
        <translation>private Pools %1</translation>
    </message>
    <message>
        <source>expandable segments %1</source>
        <translation>erweiterbare Segmente %1</translation>
    </message>
    <message>
        <source>OUT OF MEMORY: %1 requested, %2 free on the GPU</source>
        <translation>SPEICHER VOLL: %1 angefordert, auf der GPU waren %2 frei</translation>
    </message>
    <message>
        <source>the file is truncated: only the memory at the snapshot is known</source>
        <translation>die Datei ist abgeschnitten: nur der Speicher zum Zeitpunkt des Snapshots ist bekannt</translation>
    </message>
    <message>
        <source>no events: memory history was not recorded, only the snapshot</source>
        <translation>keine Ereignisse: kein Verlauf aufgezeichnet, nur der Snapshot</translation>
    </message>
    <message>
        <source>Peak: </source>
        <translation>Spitze: </translation>
    </message>
    <message>
        <source>Allocator settings</source>
        <translation>Einstellungen des Allokators</translation>
    </message>
    <message>
        <source>Allocated</source>
        <translation>Allokiert</translation>
    </message>
    <message>
        <source>Bytes that its allocations hold at the selected moment</source>
        <translation>Bytes, die die Allokationen zu diesem Zeitpunkt halten</translation>
    </message>
    <message>
        <source>Allocated by</source>
        <translation>Von</translation>
    </message>
    <message>
        <source>The innermost frame outside of PyTorch and other installed libraries</source>
        <translation>Der innerste Frame außerhalb von PyTorch und anderen installierten Bibliotheken</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>Anteil</translation>
    </message>
    <message>
        <source>Share of all allocated memory</source>
        <translation>An allem, was allokiert ist</translation>
    </message>
    <message>
        <source>Blocks</source>
        <translation>Blöcke</translation>
    </message>
    <message>
        <source>Live allocations</source>
        <translation>Allokationen, die noch bestehen</translation>
    </message>
    <message>
        <source>The call stack of these allocations was not recorded: they were made before recording started, or stacks were not recorded.</source>
        <translation>Der Aufrufstapel dieser Allokationen wurde nicht aufgezeichnet: Sie sind älter als die Aufzeichnung, oder sie lief ohne Aufrufstapel.</translation>
    </message>
</context>
<context>
    <name>collscope::MetricDefinitions</name>
    <message>
        <source>&amp;Add a file...</source>
        <translation>Datei &amp;hinzufügen...</translation>
    </message>
    <message>
        <source>Add metric definitions</source>
        <translation>Metrik-Definitionen hinzufügen</translation>
    </message>
    <message>
        <source>Metric definitions (*.toml);;All files (*)</source>
        <translation>Metrik-Definitionen (*.toml);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Cannot create the folder %1</source>
        <translation>Der Ordner %1 kann nicht angelegt werden</translation>
    </message>
    <message>
        <source>Cannot read %1</source>
        <translation>%1 kann nicht gelesen werden</translation>
    </message>
</context>
<context>
    <name>collscope::MetricsController</name>
    <message>
        <source>Metric de&amp;finitions</source>
        <translation>&amp;Metrik-Definitionen</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Erneut versuchen</translation>
    </message>
    <message>
        <source>Device peaks are unknown: %1</source>
        <translation>Spitzenwerte der Geräte unbekannt: %1</translation>
    </message>
</context>
<context>
    <name>collscope::MetricsPanel</name>
    <message>
        <source>Copy number</source>
        <translation>Zahl kopieren</translation>
    </message>
    <message>
        <source>Copy text</source>
        <translation>Text kopieren</translation>
    </message>
    <message>
        <source>METRICS</source>
        <translation>METRIKEN</translation>
    </message>
    <message>
        <source>Scope of the metrics</source>
        <translation>Was in die Metriken eingeht</translation>
    </message>
    <message>
        <source>Find a metric</source>
        <translation>Metrik suchen</translation>
    </message>
    <message>
        <source>Explanation of the selected metric</source>
        <translation>Erklärung der gewählten Metrik</translation>
    </message>
    <message>
        <source>CSV</source>
        <translation>CSV</translation>
    </message>
    <message>
        <source>JSON</source>
        <translation>JSON</translation>
    </message>
    <message>
        <source>Copy the explanation of the selected metric</source>
        <translation>Die Erklärung der gewählten Metrik kopieren</translation>
    </message>
    <message>
        <source>Save all metrics as CSV (identical to collscope --batch --csv)</source>
        <translation>Alle Metriken als CSV speichern: dieselben Bytes wie collscope --batch --csv</translation>
    </message>
    <message>
        <source>Save all metrics as JSON</source>
        <translation>Alle Metriken als JSON speichern</translation>
    </message>
    <message>
        <source>inner steps</source>
        <translation>innere Schritte</translation>
    </message>
    <message>
        <source>all steps</source>
        <translation>alle Schritte</translation>
    </message>
    <message>
        <source>selected range</source>
        <translation>gewählter Bereich</translation>
    </message>
    <message>
        <source>rank %1</source>
        <translation>Rank %1</translation>
    </message>
    <message>
        <source>Drag over the timeline to select a range</source>
        <translation>über die Zeitleiste ziehen, um einen Bereich auszuwählen</translation>
    </message>
    <message>
        <source>Copy the exact value, as collscope --batch prints it</source>
        <translation>Die Zahl kopieren, wie der Batch-Modus sie ausgibt</translation>
    </message>
    <message>
        <source>Select a metric that has a value</source>
        <translation>Eine Metrik auswählen, die einen Wert hat</translation>
    </message>
    <message>
        <source>Select a metric to see its formula and the slices it counted.</source>
        <translation>Eine Metrik auswählen, um ihre Formel und die gezählten Slices zu sehen.</translation>
    </message>
    <message>
        <source>this step</source>
        <translation>dieser Schritt</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>Schritt %1</translation>
    </message>
    <message>
        <source>Choose a step in the toolbar, or click one in the overview</source>
        <translation>Wählen Sie einen Schritt in der Werkzeugleiste, oder klicken Sie einen in der Übersicht an</translation>
    </message>
</context>
<context>
    <name>collscope::MetricsTable</name>
    <message>
        <source>Metrics</source>
        <translation>Metriken</translation>
    </message>
    <message>
        <source>table</source>
        <translation>Tabelle</translation>
    </message>
    <message>
        <source>n/a</source>
        <translation>entfällt</translation>
    </message>
    <message>
        <source>no input</source>
        <translation>fehlt</translation>
    </message>
    <message>
        <source>error</source>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>Select the metric to see its table</source>
        <translation>Auswählen, um die Tabelle zu sehen</translation>
    </message>
    <message>
        <source>Not available (%1)</source>
        <translation>Nicht verfügbar (%1)</translation>
    </message>
    <message>
        <source>not recorded</source>
        <translation>nicht aufgezeichnet</translation>
    </message>
    <message>
        <source>%1: none in this run</source>
        <translation>%1: nichts in diesem Lauf</translation>
    </message>
    <message>
        <source>At a glance</source>
        <translation>Auf einen Blick</translation>
    </message>
    <message>
        <source>%1 of the step</source>
        <translation>%1 des Schritts</translation>
    </message>
</context>
<context>
    <name>collscope::Minimap</name>
    <message>
        <source>Run overview</source>
        <translation>Übersicht des Laufs</translation>
    </message>
    <message>
        <source>run, %1</source>
        <translation>Lauf, %1</translation>
    </message>
    <message>
        <source>no timeline</source>
        <translation>keine Zeitleiste</translation>
    </message>
    <message>
        <source>Rank %1, step %2</source>
        <translation>Rank %1, Schritt %2</translation>
    </message>
</context>
<context>
    <name>collscope::NetworkCanvas</name>
    <message>
        <source>P2P (NVLink or PCIe)</source>
        <translation>P2P (NVLink oder PCIe)</translation>
    </message>
    <message>
        <source>network with GPUDirect</source>
        <translation>Netz mit GPUDirect</translation>
    </message>
    <message>
        <source>network without GPUDirect</source>
        <translation>Netz ohne GPUDirect</translation>
    </message>
    <message>
        <source>memory of the host (SHM)</source>
        <translation>Speicher des Rechners (SHM)</translation>
    </message>
    <message>
        <source>sockets (TCP)</source>
        <translation>Sockets (TCP)</translation>
    </message>
    <message>
        <source>By what the GPUs of each node send to those of each other node</source>
        <translation>Wodurch die GPUs jedes Knotens an die jedes anderen senden</translation>
    </message>
    <message>
        <source>A row sends to its columns, in the same order.</source>
        <translation>Eine Zeile sendet an ihre Spalten, in gleicher Reihenfolge.</translation>
    </message>
    <message>
        <source>within %1</source>
        <translation>innerhalb von %1</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 an %2</translation>
    </message>
    <message>
        <source>%1: no connection in the logs</source>
        <translation>%1: keine Verbindung in den Protokollen</translation>
    </message>
    <message>
        <source>%1: no connection that could be placed</source>
        <translation>%1: keine Verbindung, die sich zuordnen ließ</translation>
    </message>
    <message numerus="yes">
        <source>%1: %n pair(s) of GPUs</source>
        <translation>
            <numerusform>%1: %n Paar GPUs</numerusform>
            <numerusform>%1: %n Paare GPUs</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>collscope::NetworkView</name>
    <message>
        <source>Troubles, connections and measurements of the network</source>
        <translation>Störungen, Verbindungen und Messungen des Netzes</translation>
    </message>
    <message>
        <source>The logs are being examined.</source>
        <translation>Die Protokolle werden untersucht.</translation>
    </message>
</context>
<context>
    <name>collscope::NvlinkChart</name>
    <message>
        <source>NVLink throughput</source>
        <translation>NVLink-Durchsatz</translation>
    </message>
    <message>
        <source>GPU whose NVLink throughput is shown</source>
        <translation>GPU, deren NVLink-Durchsatz gezeigt wird</translation>
    </message>
    <message>
        <source>NVLinks shown as separate lines</source>
        <translation>NVLinks mit eigener Linie</translation>
    </message>
    <message numerus="yes">
        <source>All links summed, or separate lines for up to %n links</source>
        <translation>
            <numerusform>Alle Links summiert oder bis zu %n mit eigener Linie</numerusform>
            <numerusform>Alle Links summiert oder bis zu %n mit eigener Linie</numerusform>
        </translation>
    </message>
    <message>
        <source>Rank %1: %2</source>
        <translation>Rang %1: %2</translation>
    </message>
    <message>
        <source>Rank not known: %1</source>
        <translation>Rang nicht bekannt: %1</translation>
    </message>
    <message>
        <source>All GPUs as a map</source>
        <translation>Alle GPUs als Karte</translation>
    </message>
    <message>
        <source>All GPUs</source>
        <translation>Alle GPUs</translation>
    </message>
    <message>
        <source>%1: TX %2, RX %3 GB/s</source>
        <translation>%1: TX %2, RX %3 GB/s</translation>
    </message>
    <message>
        <source>Summing the NVLink counters…</source>
        <translation>Die NVLink-Zähler werden summiert…</translation>
    </message>
    <message>
        <source>All links</source>
        <translation>Alle Links</translation>
    </message>
    <message>
        <source>Link %1</source>
        <translation>Link %1</translation>
    </message>
    <message numerus="yes">
        <source>%n links</source>
        <translation>
            <numerusform>%n Link</numerusform>
            <numerusform>%n Links</numerusform>
        </translation>
    </message>
    <message>
        <source>All links summed</source>
        <translation>Alle Links summiert</translation>
    </message>
    <message numerus="yes">
        <source>At most %n links can have separate lines</source>
        <translation>
            <numerusform>Höchstens %n Link hat eine eigene Linie</numerusform>
            <numerusform>Höchstens %n Links haben eine eigene Linie</numerusform>
        </translation>
    </message>
    <message>
        <source>NVLink GB/s</source>
        <translation>NVLink GB/s</translation>
    </message>
    <message>
        <source>TX, RX of link</source>
        <translation>TX, RX von Link</translation>
    </message>
    <message>
        <source>TX</source>
        <translation>TX</translation>
    </message>
    <message>
        <source>RX</source>
        <translation>RX</translation>
    </message>
    <message>
        <source>TX %1, RX %2 GB/s</source>
        <translation>TX %1, RX %2 GB/s</translation>
    </message>
    <message>
        <source>all links</source>
        <translation>alle Links</translation>
    </message>
    <message>
        <source>No NVLink counters in this run</source>
        <translation>Dieser Lauf hat keine NVLink-Zähler</translation>
    </message>
    <message>
        <source>Sample them with NVML while the job runs (NVF1 .bin files, one per GPU) and put the files into the run directory.</source>
        <translation>Zeichnen Sie sie mit NVML auf, während der Auftrag läuft (NVF1-.bin-Dateien, eine je GPU), und legen Sie die Dateien in den Ordner des Laufs.</translation>
    </message>
    <message>
        <source>The highest throughput of each GPU in each pixel, and below it what its collectives need to send by their sizes, spread evenly over each call. Click to list the kernels of that GPU at that time</source>
        <translation>Der höchste Durchsatz jeder GPU in jedem Pixel, und darunter, was ihre Kollektive nach ihrer Größe senden müssen, gleichmäßig über jeden Aufruf verteilt. Ein Klick listet die Kernel dieser GPU zu dieser Zeit</translation>
    </message>
    <message>
        <source>%1; collectives need %2</source>
        <translation>%1; Kollektive brauchen %2</translation>
    </message>
</context>
<context>
    <name>collscope::PageController</name>
    <message>
        <source>Export a page to send</source>
        <translation>Seite zum Versenden exportieren</translation>
    </message>
    <message>
        <source>HTML (*.html)</source>
        <translation>HTML (*.html)</translation>
    </message>
    <message>
        <source>Writing the page…</source>
        <translation>Die Seite wird geschrieben…</translation>
    </message>
</context>
<context>
    <name>collscope::PartsBar</name>
    <message>
        <source>unknown</source>
        <translation>unbekannt</translation>
    </message>
</context>
<context>
    <name>collscope::PeakChart</name>
    <message>
        <source>Number of peaks to mark</source>
        <translation>Anzahl der Spitzen mit Markierung</translation>
    </message>
    <message>
        <source>Number of peaks to mark (most prominent in view)</source>
        <translation>Spitzen mit Markierung: so viele der deutlichsten sichtbaren</translation>
    </message>
</context>
<context>
    <name>collscope::PipelineLanes</name>
    <message>
        <source>waiting for a neighbour</source>
        <translation>wartet auf einen Nachbarn</translation>
    </message>
    <message>
        <source>other communication</source>
        <translation>andere Kommunikation</translation>
    </message>
    <message>
        <source>copying</source>
        <translation>kopiert</translation>
    </message>
    <message>
        <source>computing</source>
        <translation>rechnet</translation>
    </message>
    <message>
        <source>idle: nothing runs on this GPU</source>
        <translation>untätig: Auf dieser GPU läuft nichts</translation>
    </message>
    <message>
        <source>The trace of this stage&apos;s rank is not loaded.</source>
        <translation>Der Trace zum Rank dieser Stufe ist nicht geladen.</translation>
    </message>
    <message>
        <source>stage %1</source>
        <translation>Stufe %1</translation>
    </message>
    <message>
        <source>rank %1</source>
        <translation>Rank %1</translation>
    </message>
    <message>
        <source>busy %1, computing %2</source>
        <translation>aktiv %1, davon Rechnen %2</translation>
    </message>
    <message>
        <source>bubble %1 (%2 %): warm-up %3, interior %4, cool-down %5; %6 of it in sends and receives</source>
        <translation>Bubble %1 (%2 %): Anlauf %3, Mitte %4, Auslauf %5; davon %6 in Sends und Receives</translation>
    </message>
    <message>
        <source>All steps included in the metrics</source>
        <translation>Alle Schritte, die in die Metriken eingehen</translation>
    </message>
    <message>
        <source>Step %1</source>
        <translation>Schritt %1</translation>
    </message>
    <message>
        <source>Pipeline stages</source>
        <translation>Pipeline-Stufen</translation>
    </message>
    <message>
        <source>not loaded</source>
        <translation>nicht geladen</translation>
    </message>
    <message>
        <source>bubble</source>
        <translation>Bubble</translation>
    </message>
    <message>
        <source>busy %1 per rank · bubble %2</source>
        <translation>aktiv %1 je Rank · Bubble %2</translation>
    </message>
    <message>
        <source>busy %1 · bubble %2</source>
        <translation>aktiv %1 · Bubble %2</translation>
    </message>
    <message>
        <source>bubble %1</source>
        <translation>Bubble %1</translation>
    </message>
    <message>
        <source>all %1 ranks</source>
        <translation>alle %1 Ranks</translation>
    </message>
    <message>
        <source>no numbers</source>
        <translation>keine Zahlen</translation>
    </message>
    <message>
        <source>summing…</source>
        <translation>wird summiert…</translation>
    </message>
</context>
<context>
    <name>collscope::PipelineLegend</name>
    <message>
        <source>computing</source>
        <translation>rechnet</translation>
    </message>
    <message>
        <source>waiting</source>
        <translation>Warten</translation>
    </message>
    <message>
        <source>communicating</source>
        <translation>Kommunikation</translation>
    </message>
    <message>
        <source>idle</source>
        <translation>untätig</translation>
    </message>
    <message>
        <source>Legend of the pipeline</source>
        <translation>Legende der Pipeline</translation>
    </message>
    <message>
        <source>The bubble is the time spent waiting for a neighbour (in a send or receive) plus the idle time. Computing has the colours of the kernel classes, communication those of the collectives; computing is drawn over communication.</source>
        <translation>Warten auf einen Nachbarn (in einem Send oder Receive) und untätige Zeit bilden zusammen die Bubble. Rechnen hat die Farben der Kernelklassen, Kommunikation die der Collectives; Rechnen überdeckt Kommunikation.</translation>
    </message>
</context>
<context>
    <name>collscope::PipelineView</name>
    <message>
        <source>&amp;Ranks</source>
        <translation>&amp;Ranks</translation>
    </message>
    <message>
        <source>Ranks that represent their stages</source>
        <translation>Ranks, die für ihre Stufen stehen</translation>
    </message>
    <message>
        <source>Each stage is represented by the rank at this position in the mesh</source>
        <translation>Für jede Stufe wird der Rank an dieser Stelle des Mesh gezeigt</translation>
    </message>
    <message>
        <source>Open a run with pipeline stages.</source>
        <translation>Einen Lauf mit Pipeline-Stufen öffnen.</translation>
    </message>
    <message>
        <source>This run has no pipeline stages: pp = 1 (%1).</source>
        <translation>Dieser Lauf hat keine Pipeline-Stufen: pp = 1 (%1).</translation>
    </message>
    <message>
        <source>Ranks send to each other, but the run does not define which rank belongs to which pipeline stage. Put a workload_card.yaml with pp, tp and dp into the run directory, or record traces whose process groups have descriptions (mesh_pp).</source>
        <translation>Ranks senden einander Daten, aber nichts verrät, welcher Rank welche Pipeline-Stufe ist. Eine workload_card.yaml mit pp, tp und dp in den Ordner des Laufs legen oder Traces aufzeichnen, deren Prozessgruppen Beschreibungen haben (mesh_pp).</translation>
    </message>
    <message>
        <source>This run has no pipeline stages: neither a card or TOML with pp nor a process group named pp was found.</source>
        <translation>Dieser Lauf hat keine Pipeline-Stufen: keine Workload-Card oder TOML-Datei mit pp, keine Prozessgruppe namens pp.</translation>
    </message>
    <message>
        <source>Bubble %1</source>
        <translation>Bubble %1</translation>
    </message>
    <message>
        <source>schedule alone %1</source>
        <translation>allein durch den Schedule %1</translation>
    </message>
    <message>
        <source>With %1 stages and %2 micro-batches, the schedule alone leaves (p - 1) / (m + p - 1) of a step idle.</source>
        <translation>%1 Stufen und %2 Micro-Batches lassen allein schon (p - 1) / (m + p - 1) eines Schritts ungenutzt.</translation>
    </message>
    <message>
        <source>The traces contain no GPU work, which this view needs to determine when a stage works and when it waits. For a run on CPUs, the timeline shows the steps, sends and receives.</source>
        <translation>Die Traces enthalten keine Arbeit von GPUs, an der diese Ansicht abliest, wann eine Stufe arbeitet und wann sie wartet. Die Schritte eines Laufs auf CPUs stehen in der Zeitleiste, ebenso seine Sends und Receives.</translation>
    </message>
</context>
<context>
    <name>collscope::ProblemsView</name>
    <message>
        <source>severity</source>
        <translation>Schwere</translation>
    </message>
    <message>
        <source>code</source>
        <translation>Code</translation>
    </message>
    <message>
        <source>file</source>
        <translation>Datei</translation>
    </message>
    <message>
        <source>offset</source>
        <translation>Offset</translation>
    </message>
    <message>
        <source>count</source>
        <translation>Anzahl</translation>
    </message>
    <message>
        <source>events excluded</source>
        <translation>Ereignisse ausgelassen</translation>
    </message>
    <message>
        <source>meaning</source>
        <translation>Bedeutung</translation>
    </message>
    <message>
        <source>Problems</source>
        <translation>Probleme</translation>
    </message>
    <message>
        <source>%1 events in %2 files = %3 shown + %4 listed below</source>
        <translation>%1 Ereignisse in %2 Dateien = %3 gezeigt + %4 unten aufgeführt</translation>
    </message>
</context>
<context>
    <name>collscope::QuickPick</name>
    <message>
        <source>Matches</source>
        <translation>Treffer</translation>
    </message>
    <message>
        <source>There is nothing to choose from.</source>
        <translation>Es gibt nichts zur Auswahl.</translation>
    </message>
    <message>
        <source>Nothing matches “%1”.</source>
        <translation>Nichts passt zu „%1“.</translation>
    </message>
</context>
<context>
    <name>collscope::QuickPickModel</name>
    <message>
        <source>on</source>
        <translation>an</translation>
    </message>
    <message>
        <source>off</source>
        <translation>aus</translation>
    </message>
</context>
<context>
    <name>collscope::RangeModel</name>
    <message>
        <source>class</source>
        <translation>Klasse</translation>
    </message>
    <message>
        <source>name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>rank</source>
        <translation>Rank</translation>
    </message>
    <message>
        <source>stream or thread</source>
        <translation>Stream oder Thread</translation>
    </message>
    <message>
        <source>count</source>
        <translation>Anzahl</translation>
    </message>
    <message>
        <source>slices that overlap the range</source>
        <translation>Slices, die im Bereich liegen oder in ihn hineinreichen</translation>
    </message>
    <message>
        <source>total %1</source>
        <translation>Summe %1</translation>
    </message>
    <message>
        <source>sum of durations, clipped to the range; nested slices count at every level</source>
        <translation>summierte Dauern, an den Enden des Bereichs abgeschnitten; verschachtelte Slices zählen jeweils mit</translation>
    </message>
    <message>
        <source>share %</source>
        <translation>Anteil %</translation>
    </message>
    <message>
        <source>of the total time of all slices of the chosen kind, before filtering</source>
        <translation>an der Zeit aller Slices, die hier stehen können</translation>
    </message>
    <message>
        <source>mean %1</source>
        <translation>Mittel %1</translation>
    </message>
    <message>
        <source>total / count</source>
        <translation>Summe / Anzahl</translation>
    </message>
    <message>
        <source>longest %1</source>
        <translation>längster %1</translation>
    </message>
    <message>
        <source>longest part of one slice inside the range; double-click to show that slice</source>
        <translation>der Teil innerhalb des Bereichs von dem Slice, den ein Doppelklick zeigt</translation>
    </message>
    <message>
        <source>GPU utilization %</source>
        <translation>GPU aktiv %</translation>
    </message>
    <message>
        <source>time with any kernel, copy or memset, regardless of the filter</source>
        <translation>Zeit mit irgendeinem Kernel, Kopieren oder Memset, gleich was aufgelistet ist</translation>
    </message>
    <message>
        <source>rank %1 · %2</source>
        <translation>Rank %1 · %2</translation>
    </message>
    <message>
        <source>%1, overlapping</source>
        <translation>%1, überlappend</translation>
    </message>
    <message>
        <source>rank %1</source>
        <translation>Rank %1</translation>
    </message>
    <message>
        <source>%1 on rank %2</source>
        <translation>%1 auf Rank %2</translation>
    </message>
    <message>
        <source>exposed %1</source>
        <translation>unverdeckt %1</translation>
    </message>
    <message>
        <source>of communication and copies: time in the range that no compute kernel of the rank hides; those that are exposed at the same time share it equally</source>
        <translation>bei Kommunikation und Kopien: Zeit im Bereich, die kein Rechenkernel des Ranks verdeckt; was zugleich unverdeckt ist, teilt sie sich zu gleichen Teilen</translation>
    </message>
    <message>
        <source>waiting %1</source>
        <translation>Warten %1</translation>
    </message>
    <message>
        <source>of the exposed time: until the last rank arrived</source>
        <translation>von der unverdeckten Zeit: bis der letzte Rank ankam</translation>
    </message>
</context>
<context>
    <name>collscope::RangePanel</name>
    <message>
        <source>Show these on the timeline</source>
        <translation>Diese in der Zeitleiste zeigen</translation>
    </message>
    <message>
        <source>Filter, for example: gemm or /^nccl.*f32/</source>
        <translation>Filter, zum Beispiel: gemm oder /^nccl.*f32/</translation>
    </message>
    <message>
        <source>Part of a slice&apos;s name or class, or a regular expression between slashes</source>
        <translation>Teil des Namens oder der Klasse von Slices; zwischen Schrägstrichen ein regulärer Ausdruck</translation>
    </message>
    <message>
        <source>Filter the slices in the range</source>
        <translation>Filtern, was im Bereich geschieht</translation>
    </message>
    <message>
        <source>by class</source>
        <translation>nach Klasse</translation>
    </message>
    <message>
        <source>by name</source>
        <translation>nach Name</translation>
    </message>
    <message>
        <source>by rank</source>
        <translation>nach Rank</translation>
    </message>
    <message>
        <source>by stream or thread</source>
        <translation>nach Stream oder Thread</translation>
    </message>
    <message>
        <source>Group the slices in the range</source>
        <translation>Wofür die Zeilen des Bereichs stehen</translation>
    </message>
    <message>
        <source>GPU</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>CPU</source>
        <translation>CPU</translation>
    </message>
    <message>
        <source>everything</source>
        <translation>alles</translation>
    </message>
    <message>
        <source>kernels, copies and memsets on streams</source>
        <translation>Kernel, Kopien und Memsets auf Streams</translation>
    </message>
    <message>
        <source>calls and annotations on threads</source>
        <translation>Aufrufe und Annotationen auf Threads</translation>
    </message>
    <message>
        <source>both, and annotations on GPUs</source>
        <translation>beides, und Annotationen auf GPUs</translation>
    </message>
    <message>
        <source>Slices to count in the range</source>
        <translation>Welche Slices des Bereichs zählen</translation>
    </message>
    <message>
        <source>Slices in the range</source>
        <translation>Was im Bereich geschieht</translation>
    </message>
    <message>
        <source>Show the longest</source>
        <translation>Den längsten zeigen</translation>
    </message>
    <message>
        <source>Available when the table is grouped by name</source>
        <translation>Suchen lassen sich nur Slices eines einzelnen Namens</translation>
    </message>
    <message>
        <source>Selected %1: %2</source>
        <translation>Gewählt %1: %2</translation>
    </message>
    <message>
        <source>Visible %1: %2</source>
        <translation>Sichtbar %1: %2</translation>
    </message>
    <message>
        <source>Open a run to see its slices in a time range.</source>
        <translation>Einen Lauf öffnen, um zu sehen, was in einem Bereich davon geschieht.</translation>
    </message>
    <message>
        <source>This run has no timeline.</source>
        <translation>Dieser Lauf hat keine Zeitleiste.</translation>
    </message>
    <message>
        <source>Adding up the slices in the range…</source>
        <translation>Die Slices des Bereichs werden summiert…</translation>
    </message>
    <message>
        <source>Nothing happens in this range. Drag over the timeline to select another.</source>
        <translation>In diesem Bereich geschieht nichts. Über die Zeitleiste ziehen, um einen anderen auszuwählen.</translation>
    </message>
    <message>
        <source>Nothing happens in this range on the visible ranks. To include hidden ranks, tick them in the list of ranks.</source>
        <translation>In diesem Bereich geschieht nichts, aber es sind Ranks ausgeblendet: in der Liste der Ranks anhaken.</translation>
    </message>
    <message>
        <source>Nothing in this range matches the filter.</source>
        <translation>Nichts in diesem Bereich passt zum Filter.</translation>
    </message>
    <message>
        <source>No kernel, copy or memset runs in this range. Choose CPU, or everything, to see the rest.</source>
        <translation>In diesem Bereich läuft kein Kernel, keine Kopie und kein Memset. CPU oder alles wählen, um den Rest zu sehen.</translation>
    </message>
    <message>
        <source>No CPU thread is active in this range. Choose GPU, or everything, to see the rest.</source>
        <translation>In diesem Bereich tut kein CPU-Thread etwas. GPU oder alles wählen, um den Rest zu sehen.</translation>
    </message>
</context>
<context>
    <name>collscope::RankChanges</name>
    <message>
        <source>Change of each rank</source>
        <translation>Änderung je Rank</translation>
    </message>
    <message>
        <source>Left and Right select a rank, Esc selects all ranks</source>
        <translation>Pfeil links und rechts wählen einen Rank, Esc alle Ranks</translation>
    </message>
    <message>
        <source>rank %1: %2 → %3, %4</source>
        <translation>Rank %1: %2 → %3, %4</translation>
    </message>
</context>
<context>
    <name>collscope::RankHead</name>
    <message>
        <source>RANKS</source>
        <translation>RANKS</translation>
    </message>
    <message>
        <source>fold alike</source>
        <translation>falten</translation>
    </message>
    <message>
        <source>Here, in the timeline and in Lateness, one rank stands for all ranks whose time is divided alike, to 1 % of it</source>
        <translation>Hier, in der Zeitleiste und in Verspätung steht ein Rang für alle, deren Zeit gleich aufgeteilt ist, auf 1 % genau</translation>
    </message>
    <message>
        <source>worst first</source>
        <translation>schlimmste zuerst</translation>
    </message>
    <message>
        <source>Here, in the timeline and in Lateness, ranks that the others wait for come first, then those that are idle longer</source>
        <translation>Hier, in der Zeitleiste und in Verspätung stehen Ränge oben, auf die andere warten, dann solche, die länger stillstehen</translation>
    </message>
</context>
<context>
    <name>collscope::RankMapDialog</name>
    <message>
        <source>Assign ranks</source>
        <translation>Ranks der Dateien</translation>
    </message>
    <message>
        <source>Collscope takes the rank from the file&apos;s contents, or else from its name. If both are missing or wrong, set the rank here. The setting is remembered for this run.</source>
        <translation>Collscope entnimmt den Rank dem Inhalt einer Datei, sonst ihrem Namen. Wo beide nichts oder Falsches sagen, hier angeben; die Angabe wird mit dem Lauf gemerkt.</translation>
    </message>
    <message>
        <source>File</source>
        <translation>Datei</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>Rank</translation>
    </message>
    <message>
        <source>Files and their ranks</source>
        <translation>Dateien und ihre Ranks</translation>
    </message>
    <message>
        <source>Rank of %1</source>
        <translation>Rank von %1</translation>
    </message>
    <message>
        <source>Reload</source>
        <translation>Neu laden</translation>
    </message>
    <message>
        <source>Use ranks from files</source>
        <translation>Wie in den Dateien</translation>
    </message>
</context>
<context>
    <name>collscope::RankSummariesView</name>
    <message>
        <source>Copy the commands</source>
        <translation>Befehle kopieren</translation>
    </message>
    <message>
        <source>For traces that are on another machine: plan, reduce and open the ranks with their events</source>
        <translation>Für Traces auf einem anderen Rechner: die Ranks mit ihren Ereignissen planen, reduzieren und öffnen</translation>
    </message>
    <message>
        <source>Finding the rank that the others waited for…</source>
        <translation>Es wird ermittelt, auf welchen Rank die anderen warteten…</translation>
    </message>
    <message>
        <source>Computing arrival times…</source>
        <translation>Es wird ermittelt, wer wann kam…</translation>
    </message>
    <message>
        <source>All ranks are hidden. Tick them in the Ranks panel.</source>
        <translation>Alle Ranks sind ausgeblendet. In der Liste der Ranks anhaken.</translation>
    </message>
    <message>
        <source>The traces mark no steps. The tab Stragglers compares the ranks over the whole run.</source>
        <translation>Die Traces markieren keine Schritte. Der Tab Nachzügler vergleicht die Ranks über den ganzen Lauf.</translation>
    </message>
    <message>
        <source>These are summaries: sums of each step, without events. Double-click a rank to open its trace.</source>
        <translation>Dies sind Zusammenfassungen: Summen jedes Schritts, ohne Ereignisse. Ein Doppelklick auf einen Rank öffnet seinen Trace.</translation>
    </message>
    <message>
        <source>Open rank %1</source>
        <translation>Rank %1 öffnen</translation>
    </message>
    <message>
        <source>not known</source>
        <translation>nicht bekannt</translation>
    </message>
    <message>
        <source>This run has no map of late ranks. %1</source>
        <translation>Dieser Lauf hat keine Karte der Verspätungen. %1</translation>
    </message>
    <message>
        <source>Open ranks %1</source>
        <translation>Ranks %1 öffnen</translation>
    </message>
</context>
<context>
    <name>collscope::RankTree</name>
    <message>
        <source>Group ranks by</source>
        <translation>Ranks gruppieren nach</translation>
    </message>
    <message>
        <source>How the list of ranks is grouped</source>
        <translation>Wie die Liste der Ranks gruppiert ist</translation>
    </message>
    <message>
        <source>&amp;Group by</source>
        <translation>Gr&amp;uppierung</translation>
    </message>
    <message>
        <source>Filter: 12, 8-15, TP1, node name</source>
        <translation>Filter: 12, 8-15, TP1, Knotenname</translation>
    </message>
    <message>
        <source>Filter ranks</source>
        <translation>Ranks filtern</translation>
    </message>
    <message>
        <source>Ranks</source>
        <translation>Ranks</translation>
    </message>
    <message>
        <source>node</source>
        <translation>Knoten</translation>
    </message>
    <message>
        <source>no grouping</source>
        <translation>keine Gruppen</translation>
    </message>
    <message>
        <source>node unknown</source>
        <translation>Knoten unbekannt</translation>
    </message>
    <message>
        <source>node %1</source>
        <translation>Knoten %1</translation>
    </message>
    <message>
        <source>%1 unknown</source>
        <translation>%1 unbekannt</translation>
    </message>
    <message>
        <source>rank %1</source>
        <translation>Rank %1</translation>
    </message>
    <message>
        <source>%1 of %2 shown</source>
        <translation>%1 von %2 gezeigt</translation>
    </message>
    <message>
        <source>1 rank</source>
        <translation>1 Rank</translation>
    </message>
    <message>
        <source>%1 ranks</source>
        <translation>%1 Ranks</translation>
    </message>
    <message>
        <source>Show &amp;only %1</source>
        <translation>&amp;Nur %1 einblenden</translation>
    </message>
    <message>
        <source>&amp;Show %1</source>
        <translation>%1 &amp;einblenden</translation>
    </message>
    <message>
        <source>&amp;Hide %1</source>
        <translation>%1 &amp;ausblenden</translation>
    </message>
    <message>
        <source>Show &amp;all ranks</source>
        <translation>A&amp;lle Ranks einblenden</translation>
    </message>
    <message>
        <source>&amp;Expand all groups</source>
        <translation>Alle Gruppen au&amp;fklappen</translation>
    </message>
    <message>
        <source>&amp;Collapse all groups</source>
        <translation>Alle Gruppen &amp;zuklappen</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1 (%2)</translation>
    </message>
    <message>
        <source>GPU %1</source>
        <translation>GPU %1</translation>
    </message>
    <message>
        <source>device</source>
        <translation>Gerät</translation>
    </message>
    <message>
        <source>file</source>
        <translation>Datei</translation>
    </message>
    <message>
        <source>files</source>
        <translation>Dateien</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>unbekannt</translation>
    </message>
    <message>
        <source>%1 of %2 (%3)</source>
        <translation>%1 von %2 (%3)</translation>
    </message>
    <message>
        <source>: replica %1, shard %2</source>
        <translation>: Replikat %1, Shard %2</translation>
    </message>
    <message>
        <source>and %1 alike</source>
        <translation>und %1 gleiche</translation>
    </message>
    <message>
        <source>&amp;What if %1 were like its peers</source>
        <translation>&amp;Was, wenn %1 wie seinesgleichen wäre</translation>
    </message>
    <message>
        <source>&amp;What if %1 were like their peers</source>
        <translation>&amp;Was, wenn %1 wie ihresgleichen wären</translation>
    </message>
</context>
<context>
    <name>collscope::RanksPanel</name>
    <message>
        <source>WORKLOAD</source>
        <translation>WORKLOAD</translation>
    </message>
    <message>
        <source>LEGEND</source>
        <translation>LEGENDE</translation>
    </message>
    <message>
        <source>model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>phase</source>
        <translation>Phase</translation>
    </message>
    <message>
        <source>precision</source>
        <translation>Präzision</translation>
    </message>
    <message>
        <source>batch × seq</source>
        <translation>Batch × Seq</translation>
    </message>
    <message>
        <source>parallelism</source>
        <translation>parallel</translation>
    </message>
    <message>
        <source>framework</source>
        <translation>Framework</translation>
    </message>
    <message>
        <source>library</source>
        <translation>Bibliothek</translation>
    </message>
    <message>
        <source>seq</source>
        <translation>Seq</translation>
    </message>
    <message>
        <source>world size</source>
        <translation>World Size</translation>
    </message>
    <message>
        <source>at least %1</source>
        <translation>mindestens %1</translation>
    </message>
    <message>
        <source>GPU</source>
        <translation>GPU</translation>
    </message>
</context>
<context>
    <name>collscope::RecentRuns</name>
    <message>
        <source>Open recen&amp;t</source>
        <translation>&amp;Zuletzt geöffnet</translation>
    </message>
</context>
<context>
    <name>collscope::RowFilterLine</name>
    <message>
        <source>Filter rows</source>
        <translation>Zeilen filtern</translation>
    </message>
    <message>
        <source>Row filter</source>
        <translation>Zeilenfilter</translation>
    </message>
    <message>
        <source>Part of a row name, such as rank 3, comm or stream 7, or a /regular expression/</source>
        <translation>Teil eines Namens, etwa Rank 3, Komm., stream 7, oder ein /regulärer Ausdruck/</translation>
    </message>
</context>
<context>
    <name>collscope::RunChooser</name>
    <message>
        <source>Open</source>
        <translation>Öffnen</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>Vergleichen</translation>
    </message>
    <message>
        <source>The runs contain the same ranks, or were recorded one after another. Choose the run to open.</source>
        <translation>Sie enthalten dieselben Ranks oder wurden nacheinander aufgezeichnet: Welcher soll geöffnet werden?</translation>
    </message>
    <message>
        <source>Runs of the folder</source>
        <translation>Läufe des Ordners</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Lauf</translation>
    </message>
    <message>
        <source>Ranks</source>
        <translation>Ranks</translation>
    </message>
    <message>
        <source>Recorded</source>
        <translation>Aufgezeichnet</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>Open all in the runs table</source>
        <translation>Alle in der Tabelle der Läufe</translation>
    </message>
    <message>
        <source>Open as one run</source>
        <translation>Als einen Lauf öffnen</translation>
    </message>
    <message>
        <source>Use this if these are the nodes of one job. If a rank has several files, one of them is shown.</source>
        <translation>Falls es doch die Knoten eines Jobs sind. Von mehreren Dateien eines Ranks wird eine gezeigt.</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>Zurück</translation>
    </message>
    <message>
        <source>%1 contains %2 runs</source>
        <translation>%1 enthält %2 Läufe</translation>
    </message>
    <message>
        <source>Select two runs (Ctrl+click) to compare</source>
        <translation>Zwei Läufe auswählen (Strg+Klick), um sie zu vergleichen</translation>
    </message>
</context>
<context>
    <name>collscope::RunContext</name>
    <message>
        <source>GPU %1</source>
        <translation>GPU %1</translation>
    </message>
    <message>
        <source>GPU ?</source>
        <translation>GPU ?</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>Rank %1: %2</source>
        <translation>Rang %1: %2</translation>
    </message>
</context>
<context>
    <name>collscope::RunController</name>
    <message>
        <source>Loading %1 · %2</source>
        <translation>%1 wird geladen · %2</translation>
    </message>
    <message>
        <source>The demo run is not installed.</source>
        <translation>Der Demo-Lauf ist nicht installiert.</translation>
    </message>
    <message>
        <source>Open trace files</source>
        <translation>Trace-Dateien öffnen</translation>
    </message>
    <message>
        <source>Traces (*.json *.json.gz *.jsonl *.sqlite *.bin *.nsys-rep);;All files (*)</source>
        <translation>Traces (*.json *.json.gz *.jsonl *.sqlite *.bin *.nsys-rep);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Open run folder</source>
        <translation>Ordner eines Laufs öffnen</translation>
    </message>
    <message>
        <source>Loading %1</source>
        <translation>%1 wird geladen</translation>
    </message>
    <message>
        <source>Loading %1 — a preview is shown, the rest follows</source>
        <translation>%1 wird geladen – ein erster Teil ist zu sehen, der Rest folgt</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Erneut versuchen</translation>
    </message>
    <message>
        <source>Open run on another machine</source>
        <translation>Lauf auf einem anderen Rechner öffnen</translation>
    </message>
    <message>
        <source>HOST:FOLDER or ssh://HOST/FOLDER. The program there reads the traces and sends their events. If ssh has questions, connect once in a terminal.</source>
        <translation>RECHNER:ORDNER oder ssh://RECHNER/ORDNER. Das Programm dort liest die Traces und sendet ihre Ereignisse. Wenn ssh Fragen stellt, verbinden Sie sich einmal in einem Terminal.</translation>
    </message>
</context>
<context>
    <name>collscope::RunEdits</name>
    <message>
        <source>mark</source>
        <translation>Marke</translation>
    </message>
    <message>
        <source>mark removal</source>
        <translation>Marke entfernen</translation>
    </message>
    <message>
        <source>note</source>
        <translation>Notiz</translation>
    </message>
    <message>
        <source>pin</source>
        <translation>Anheften</translation>
    </message>
    <message>
        <source>unpin</source>
        <translation>Lösen</translation>
    </message>
</context>
<context>
    <name>collscope::RunNotices</name>
    <message>
        <source>Some files of this run could not be used completely.</source>
        <translation>Einige Dateien dieses Laufs ließen sich nicht vollständig verwenden.</translation>
    </message>
    <message>
        <source>One event of this run is excluded.</source>
        <translation>Ein Ereignis dieses Laufs fehlt.</translation>
    </message>
    <message>
        <source>%1 events of this run are excluded.</source>
        <translation>%1 Ereignisse dieses Laufs sind ausgelassen.</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>Details</translation>
    </message>
    <message numerus="yes">
        <source>%n Nsight Systems report(s) (.nsys-rep) must be exported by nsys before they can be shown.</source>
        <translation>
            <numerusform>%n Bericht von Nsight Systems (.nsys-rep) kann erst gezeigt werden, wenn nsys ihn exportiert hat.</numerusform>
            <numerusform>%n Berichte von Nsight Systems (.nsys-rep) können erst gezeigt werden, wenn nsys sie exportiert hat.</numerusform>
        </translation>
    </message>
    <message>
        <source>Run nsys export</source>
        <translation>nsys export ausführen</translation>
    </message>
</context>
<context>
    <name>collscope::RunPane</name>
    <message>
        <source>Timeline: %1</source>
        <translation>Zeitleiste: %1</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>1 rank</source>
        <translation>1 Rank</translation>
    </message>
    <message>
        <source>%1 ranks</source>
        <translation>%1 Ranks</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>no step markers</source>
        <translation>keine Schrittmarkierungen</translation>
    </message>
    <message>
        <source>1 step counted</source>
        <translation>1 gezählter Schritt</translation>
    </message>
    <message>
        <source>%1 steps counted</source>
        <translation>%1 gezählte Schritte</translation>
    </message>
</context>
<context>
    <name>collscope::RunTable</name>
    <message>
        <source>Filter, for example: llama tp:4 mfu&gt;40</source>
        <translation>Filter, zum Beispiel: llama tp:4 mfu&gt;40</translation>
    </message>
    <message>
        <source>Words that a row must contain; field:word searches one column; metric&gt;number or metric&lt;number compares a value</source>
        <translation>Wörter, die eine Zeile enthalten muss; Feld:Wort für eine Spalte; Metrik&gt;Zahl oder Metrik&lt;Zahl für einen Wert</translation>
    </message>
    <message>
        <source>Filter runs</source>
        <translation>Läufe filtern</translation>
    </message>
    <message>
        <source>Runs and their metrics</source>
        <translation>Läufe und ihre Metriken</translation>
    </message>
    <message>
        <source>Choose folder…</source>
        <translation>Ordner wählen…</translation>
    </message>
    <message>
        <source>CSV</source>
        <translation>CSV</translation>
    </message>
    <message>
        <source>Save the runs shown as CSV (identical to collscope --batch RUN… --csv)</source>
        <translation>Die gezeigten Läufe als CSV speichern: dieselben Bytes wie collscope --batch RUN… --csv</translation>
    </message>
    <message>
        <source>Choose a folder that contains several runs. Each of its subfolders becomes a row.</source>
        <translation>Einen Ordner mit mehreren Läufen wählen: Jeder Unterordner wird eine Zeile.</translation>
    </message>
    <message>
        <source>%1 of %2 runs shown</source>
        <translation>%1 von %2 Läufen gezeigt</translation>
    </message>
    <message>
        <source> · %1 loaded</source>
        <translation> · %1 geladen</translation>
    </message>
    <message>
        <source> · colours: public dashboard&apos;s thresholds · double-click opens a run</source>
        <translation> · Farben: Schwellen des öffentlichen Dashboards · Doppelklick öffnet einen Lauf</translation>
    </message>
</context>
<context>
    <name>collscope::RunTableModel</name>
    <message>
        <source>table</source>
        <translation>Tabelle</translation>
    </message>
    <message>
        <source>run</source>
        <translation>Lauf</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <comment>metric, unit</comment>
        <translation>%1, %2</translation>
    </message>
</context>
<context>
    <name>collscope::RunToolBar</name>
    <message>
        <source>Tools</source>
        <translation>Werkzeuge</translation>
    </message>
    <message>
        <source>Open run...</source>
        <translation>Lauf öffnen...</translation>
    </message>
    <message>
        <source>Compare...</source>
        <translation>Vergleichen...</translation>
    </message>
    <message>
        <source>Step to show</source>
        <translation>Zu zeigender Schritt</translation>
    </message>
    <message>
        <source>Profiler iteration to load</source>
        <translation>Zu ladende Profiler-Iteration</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>Open a run with step markers to jump to a step</source>
        <translation>Einen Lauf mit Schrittmarkierungen öffnen, um zu einem Schritt zu springen</translation>
    </message>
    <message>
        <source>Step %1</source>
        <translation>Schritt %1</translation>
    </message>
    <message>
        <source>Show a step</source>
        <translation>Einen Schritt zeigen</translation>
    </message>
    <message>
        <source>Iteration %1</source>
        <translation>Iteration %1</translation>
    </message>
    <message>
        <source>Selection  %1</source>
        <translation>Auswahl  %1</translation>
    </message>
    <message>
        <source>View  %1</source>
        <translation>Ausschnitt  %1</translation>
    </message>
    <message>
        <source>Fit</source>
        <translation>Einpassen</translation>
    </message>
    <message>
        <source>Open the trace of a rank to jump to a step</source>
        <translation>Trace eines Ranks öffnen, um zu einem Schritt zu springen</translation>
    </message>
</context>
<context>
    <name>collscope::RunsWindow</name>
    <message>
        <source>Runs — Collscope</source>
        <translation>Läufe – Collscope</translation>
    </message>
    <message>
        <source>Choose a folder that contains several runs</source>
        <translation>Einen Ordner mit mehreren Läufen wählen</translation>
    </message>
    <message>
        <source>Export runs</source>
        <translation>Läufe exportieren</translation>
    </message>
    <message>
        <source>CSV (*.csv)</source>
        <translation>CSV (*.csv)</translation>
    </message>
    <message>
        <source>These folders contain no runs: %1</source>
        <translation>Nichts in diesen Ordnern ist ein Lauf: %1</translation>
    </message>
</context>
<context>
    <name>collscope::SearchBar</name>
    <message>
        <source>Regular expression</source>
        <translation>Regulärer Ausdruck</translation>
    </message>
    <message>
        <source>Previous match (Shift+F3)</source>
        <translation>Voriger Treffer (Umschalt+F3)</translation>
    </message>
    <message>
        <source>Next match (F3)</source>
        <translation>Nächster Treffer (F3)</translation>
    </message>
    <message>
        <source>Search slices  /</source>
        <translation>Slices suchen  /</translation>
    </message>
    <message>
        <source>Search slices by name or arg</source>
        <translation>Slices nach Name oder Argument suchen</translation>
    </message>
    <message>
        <source>Part of a kernel, operator or call name
arg:stream=7  an arg with this value
arg:bfloat16  part of any arg
gemm arg:stream=7  both
or a copied location</source>
        <translation>Teil des Namens eines Kernels, eines Operators, eines Aufrufs
arg:stream=7  ein Argument mit diesem Wert
arg:bfloat16  Teil eines beliebigen Arguments
gemm arg:stream=7  beides
oder eine kopierte Stelle</translation>
    </message>
    <message>
        <source>location</source>
        <translation>eine Stelle</translation>
    </message>
    <message>
        <source>not in this run</source>
        <translation>nicht in diesem Lauf</translation>
    </message>
    <message>
        <source>invalid pattern</source>
        <translation>kein Muster</translation>
    </message>
    <message>
        <source>arg: needs a value</source>
        <translation>arg: wovon?</translation>
    </message>
    <message>
        <source>searching…</source>
        <translation>Suche läuft…</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
</context>
<context>
    <name>collscope::SearchController</name>
    <message>
        <source>Search for a name first</source>
        <translation>Zuerst nach einem Namen suchen</translation>
    </message>
    <message>
        <source>Select a slice first</source>
        <translation>Zuerst einen Slice auswählen</translation>
    </message>
    <message>
        <source>Drag over the timeline to select a range first</source>
        <translation>Zuerst über die Zeitleiste ziehen, um einen Bereich auszuwählen</translation>
    </message>
</context>
<context>
    <name>collscope::SearchModel</name>
    <message>
        <source>name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>start ms</source>
        <translation>Start ms</translation>
    </message>
    <message>
        <source>on the timeline&apos;s time axis</source>
        <translation>auf der Zeitachse der Zeitleiste</translation>
    </message>
    <message>
        <source>duration %1</source>
        <translation>Dauer %1</translation>
    </message>
    <message>
        <source>rank</source>
        <translation>Rank</translation>
    </message>
    <message>
        <source>stream or thread</source>
        <translation>Stream oder Thread</translation>
    </message>
    <message>
        <source>exposed %1</source>
        <translation>unverdeckt %1</translation>
    </message>
    <message>
        <source>of communication: time that no compute kernel of the rank hides, waiting included</source>
        <translation>bei Kommunikation: Zeit, die kein Rechenkernel des Ranks verdeckt, einschließlich Warten</translation>
    </message>
</context>
<context>
    <name>collscope::SearchResults</name>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Cancel reading the files</source>
        <translation>Lesen der Dateien abbrechen</translation>
    </message>
    <message>
        <source>Slices found</source>
        <translation>Gefundene Slices</translation>
    </message>
    <message>
        <source>Show on the timeline</source>
        <translation>In der Zeitleiste zeigen</translation>
    </message>
    <message>
        <source>List the slices of the selected range</source>
        <translation>Slices des gewählten Bereichs auflisten</translation>
    </message>
    <message>
        <source>1 slice</source>
        <translation>1 Slice</translation>
    </message>
    <message>
        <source>%1 slices</source>
        <translation>%1 Slices</translation>
    </message>
    <message>
        <source>%1 of %2 slices</source>
        <translation>%1 von %2 Slices</translation>
    </message>
    <message>
        <source>%1.</source>
        <translation>%1.</translation>
    </message>
    <message>
        <source>1 name</source>
        <translation>1 Name</translation>
    </message>
    <message>
        <source>%1 names</source>
        <translation>%1 Namen</translation>
    </message>
    <message>
        <source>%1 of %2 in the range, </source>
        <translation>%1 (%2) im Bereich, </translation>
    </message>
    <message>
        <source>%1 of %2, </source>
        <translation>%1 (%2), </translation>
    </message>
    <message>
        <source>%1 total, %2 mean, %3 median, %4 p95, %5 min, %6 max.</source>
        <translation>zusammen %1, Mittel %2, Median %3, p95 %4, min. %5, max. %6.</translation>
    </message>
    <message>
        <source>The %1 longest are listed.</source>
        <translation>Die %1 längsten sind aufgelistet.</translation>
    </message>
    <message>
        <source>Open a run to search its slices.</source>
        <translation>Einen Lauf öffnen, um seine Slices zu durchsuchen.</translation>
    </message>
    <message>
        <source>Press / and type part of the name of a kernel, operator, CPU call or annotation.
arg:stream=7 finds slices by their args.</source>
        <translation>/ drücken und einen Teil eines Namens tippen: Kernel, Operatoren, CPU-Aufrufe, Annotationen.
arg:stream=7 findet Slices nach ihren Argumenten.</translation>
    </message>
    <message>
        <source>Searching…</source>
        <translation>Suche läuft…</translation>
    </message>
    <message>
        <source>None of the %1 slices has that duration. Drag the edges on the left, or press Esc there.</source>
        <translation>Keiner der %1 Slices hat diese Dauer. Links die Ränder ziehen oder dort Esc drücken.</translation>
    </message>
    <message>
        <source>Nothing runs in the selected range on the visible ranks.</source>
        <translation>Im gewählten Bereich läuft auf den gezeigten Ranks nichts.</translation>
    </message>
    <message>
        <source>No slice in the run has a matching arg.</source>
        <translation>Kein Slice des Laufs hat ein solches Argument.</translation>
    </message>
    <message>
        <source>No match in the data searched so far.</source>
        <translation>Keiner im durchsuchten Teil.</translation>
    </message>
    <message>
        <source>No slice in the run has a matching name.</source>
        <translation>Kein Slice des Laufs heißt so.</translation>
    </message>
</context>
<context>
    <name>collscope::SelectionDetails</name>
    <message>
        <source>collective</source>
        <translation>Collective</translation>
    </message>
    <message>
        <source>process group</source>
        <translation>Prozessgruppe</translation>
    </message>
    <message>
        <source>group ranks</source>
        <translation>Ranks der Gruppe</translation>
    </message>
    <message>
        <source>group size</source>
        <translation>Gruppengröße</translation>
    </message>
    <message>
        <source>sequence</source>
        <translation>Sequenz</translation>
    </message>
    <message>
        <source>message size</source>
        <translation>Nachricht</translation>
    </message>
    <message>
        <source>described in</source>
        <translation>beschrieben im</translation>
    </message>
    <message>
        <source>the execution trace</source>
        <translation>Execution-Trace</translation>
    </message>
    <message>
        <source>grid</source>
        <translation>Grid</translation>
    </message>
    <message>
        <source>block</source>
        <translation>Block</translation>
    </message>
    <message>
        <source>registers per thread</source>
        <translation>Register je Thread</translation>
    </message>
    <message>
        <source>est. occupancy</source>
        <translation>Occupancy (gesch.)</translation>
    </message>
    <message>
        <source>bytes</source>
        <translation>Bytes</translation>
    </message>
    <message>
        <source>Selection</source>
        <translation>Auswahl</translation>
    </message>
    <message>
        <source>class</source>
        <translation>Klasse</translation>
    </message>
    <message>
        <source>rank</source>
        <translation>Rank</translation>
    </message>
    <message>
        <source>track</source>
        <translation>Track</translation>
    </message>
    <message>
        <source>start</source>
        <translation>Start</translation>
    </message>
    <message>
        <source>start as recorded</source>
        <translation>Start wie aufgezeichnet</translation>
    </message>
    <message>
        <source>%1 (this rank&apos;s own clock)</source>
        <translation>%1, nach der eigenen Uhr dieses Ranks</translation>
    </message>
    <message>
        <source>duration</source>
        <translation>Dauer</translation>
    </message>
    <message>
        <source>time of day</source>
        <translation>Uhrzeit</translation>
    </message>
    <message>
        <source>correlation</source>
        <translation>Korrelation</translation>
    </message>
    <message>
        <source>launched by</source>
        <translation>gestartet von</translation>
    </message>
    <message>
        <source>launches</source>
        <translation>startet</translation>
    </message>
    <message>
        <source>file</source>
        <translation>Datei</translation>
    </message>
    <message>
        <source>Click a slice in the timeline to see its details.</source>
        <translation>Einen Slice in der Zeitleiste anklicken, um zu sehen, was er ist.</translation>
    </message>
</context>
<context>
    <name>collscope::SessionController</name>
    <message>
        <source>Some files do not state their rank.</source>
        <translation>Nicht jede Datei nennt ihren Rank.</translation>
    </message>
    <message>
        <source>Assign ranks…</source>
        <translation>Angeben…</translation>
    </message>
    <message>
        <source>A run opened from several paths, or on another machine, has no folder to save a session in</source>
        <translation>Ein Lauf aus mehreren Pfaden oder auf einem anderen Rechner hat keinen Ordner für eine Sitzung</translation>
    </message>
</context>
<context>
    <name>collscope::SliceFinder</name>
    <message>
        <source>%1 of the files cannot be read again; only their data already loaded was searched: %2</source>
        <translation>Nicht erneut lesbare Dateien: %1; dort entscheidet, was das Modell behält: %2</translation>
    </message>
    <message>
        <source>Reading 1 file</source>
        <translation>1 Datei wird gelesen</translation>
    </message>
    <message>
        <source>Reading %1 files</source>
        <translation>%1 Dateien werden gelesen</translation>
    </message>
    <message>
        <source>%1 for all args… %2 %. Results so far are from the data already loaded.</source>
        <translation>%1, um alle Argumente zu kennen… %2 %. Bis dahin zählt, was das Modell davon behält.</translation>
    </message>
    <message>
        <source>Results are from the data already loaded; the files were not read completely.</source>
        <translation>Gefunden anhand dessen, was das Modell behält; die Dateien wurden nicht zu Ende gelesen.</translation>
    </message>
</context>
<context>
    <name>collscope::StackPair</name>
    <message>
        <source>Call stacks</source>
        <translation>Aufrufstapel</translation>
    </message>
    <message>
        <source>The files have no call stacks of these ranks: py-spy dump --pid PID &gt; pyspy_rank_N.txt beside the dumps adds them.</source>
        <translation>Die Dateien enthalten keine Aufrufstapel dieser Ranks: py-spy dump --pid PID &gt; pyspy_rank_N.txt neben den Aufzeichnungen fügt sie hinzu.</translation>
    </message>
    <message>
        <source>rank %1 (%2), outermost first</source>
        <translation>Rank %1 (%2), äußerster zuerst</translation>
    </message>
</context>
<context>
    <name>collscope::StatusController</name>
    <message>
        <source>clocks aligned on %1 collectives, residual %2</source>
        <translation>Uhren an %1 Collectives ausgerichtet, Restfehler %2</translation>
    </message>
    <message>
        <source>raw clocks, differ by up to %1</source>
        <translation>unkorrigierte Uhren, bis zu %1 auseinander</translation>
    </message>
    <message>
        <source>clocks as recorded, agree within %1</source>
        <translation>Uhren wie aufgezeichnet, sie stimmen auf %1 genau überein</translation>
    </message>
    <message>
        <source>Drop a run folder onto the window, or press %1</source>
        <translation>Einen Trace-Ordner auf das Fenster ziehen oder %1 drücken</translation>
    </message>
    <message>
        <source>1 rank</source>
        <translation>1 Rank</translation>
    </message>
    <message>
        <source>%1 ranks</source>
        <translation>%1 Ranks</translation>
    </message>
    <message>
        <source>%1 events</source>
        <translation>%1 Ereignisse</translation>
    </message>
    <message>
        <source>loaded in %1 s</source>
        <translation>in %1 s geladen</translation>
    </message>
    <message>
        <source>reduced, without most CPU operators</source>
        <translation>reduziert, ohne die meisten CPU-Operatoren</translation>
    </message>
    <message>
        <source>clocks: wall clock as recorded</source>
        <translation>Uhren: Uhrzeit wie aufgezeichnet</translation>
    </message>
    <message>
        <source>clocks: as recorded, no wall clock</source>
        <translation>Uhren: wie aufgezeichnet, ohne Uhrzeit</translation>
    </message>
    <message>
        <source>no problems</source>
        <translation>keine Probleme</translation>
    </message>
    <message numerus="yes">
        <source>%n problem(s)</source>
        <translation>
            <numerusform>%n Problem</numerusform>
            <numerusform>%n Probleme</numerusform>
        </translation>
    </message>
    <message>
        <source>1 event excluded</source>
        <translation>1 Ereignis ausgelassen</translation>
    </message>
    <message>
        <source>%1 events excluded</source>
        <translation>%1 Ereignisse ausgelassen</translation>
    </message>
    <message>
        <source>summaries of %1 events</source>
        <translation>Zusammenfassungen von %1 Ereignissen</translation>
    </message>
</context>
<context>
    <name>collscope::StepLatenessCanvas</name>
    <message>
        <source>Lateness of each rank in each step, the worst rank first</source>
        <translation>Verspätung jedes Ranks in jedem Schritt, der schlimmste zuerst</translation>
    </message>
    <message>
        <source>Arrow keys move between cells, Enter opens the trace of the rank</source>
        <translation>Pfeiltasten gehen von Zelle zu Zelle, Eingabe öffnet den Trace des Ranks</translation>
    </message>
    <message>
        <source>rank %1</source>
        <translation>Rank %1</translation>
    </message>
    <message numerus="yes">
        <source>step %1, %n collective(s): late by %2 in total, then waited %3</source>
        <translation>
            <numerusform>Schritt %1, %n Collective: insgesamt %2 zu spät, wartete dann %3</numerusform>
            <numerusform>Schritt %1, %n Collectives: insgesamt %2 zu spät, wartete dann %3</numerusform>
        </translation>
    </message>
    <message>
        <source>step %1: no collective in which it is known who waited</source>
        <translation>Schritt %1: kein Collective, bei dem bekannt ist, wer wartete</translation>
    </message>
    <message>
        <source>In all steps of the window it made other ranks wait %1, and waited %2 itself.</source>
        <translation>In allen Schritten des Zeitfensters ließ er andere Ranks %1 warten und wartete selbst %2.</translation>
    </message>
    <message>
        <source>A cell is the time by which a rank arrived after the first one, summed over its collectives of the step.
The ranks that made others wait longest come first.
Double click or Enter: open the trace of the rank
Ctrl+wheel: zoom; Shift+drag or middle button: pan
Arrow keys: move between cells; 0: show all steps</source>
        <translation>Eine Zelle ist die Zeit, um die ein Rank nach dem ersten kam, summiert über seine Collectives des Schritts.
Die Ranks, die andere am längsten warten ließen, stehen oben.
Doppelklick oder Eingabe: den Trace des Ranks öffnen
Strg+Mausrad: zoomen; Umschalt+Ziehen oder mittlere Taste: verschieben
Pfeiltasten: von Zelle zu Zelle; 0: alle Schritte zeigen</translation>
    </message>
    <message>
        <source>caused wait</source>
        <translation>verursachtes Warten</translation>
    </message>
    <message>
        <source>This counts as on time: up to %1 per collective is insignificant or within the clock uncertainty.</source>
        <translation>Das gilt als pünktlich: Bis zu %1 je Collective sind unbedeutend oder kleiner als der mögliche Fehler der Uhren.</translation>
    </message>
    <message>
        <source>The clocks are uncertain: by up to %1 per collective.</source>
        <translation>Der mögliche Fehler der Uhren ist bis zu %1 je Collective.</translation>
    </message>
    <message>
        <source>Double click or Enter: open the trace of the rank</source>
        <translation>Doppelklick oder Eingabetaste: Trace des Ranks öffnen</translation>
    </message>
</context>
<context>
    <name>collscope::StragglerPanel</name>
    <message>
        <source>Waits per rank</source>
        <translation>Wartezeiten je Rank</translation>
    </message>
    <message>
        <source>Skew per process group</source>
        <translation>Versatz je Prozessgruppe</translation>
    </message>
    <message>
        <source>Collectives in which a rank made the others wait</source>
        <translation>Collectives, in denen ein Rank die anderen warten ließ</translation>
    </message>
    <message>
        <source>Process groups</source>
        <translation>Prozessgruppen</translation>
    </message>
    <message>
        <source>Worst collectives</source>
        <translation>Schlimmste Collectives</translation>
    </message>
    <message>
        <source>Process groups, or the worst collectives of a rank</source>
        <translation>Prozessgruppen oder die schlimmsten Collectives eines Ranks</translation>
    </message>
    <message>
        <source>Open a run to see which rank the others wait for.</source>
        <translation>Einen Lauf öffnen, um zu sehen, auf welchen Rank die anderen warten.</translation>
    </message>
    <message>
        <source>Finding the rank that the others waited for…</source>
        <translation>Es wird ermittelt, auf welchen Rank die anderen warteten…</translation>
    </message>
    <message>
        <source>rank</source>
        <translation>Rank</translation>
    </message>
    <message>
        <source>imposed wait</source>
        <translation>direkt verursacht</translation>
    </message>
    <message>
        <source>waits of all ranks in the collectives where this rank arrived last</source>
        <translation>Wartezeiten aller Ranks in den Collectives, zu denen dieser Rank zuletzt kam</translation>
    </message>
    <message>
        <source>last</source>
        <translation>zuletzt</translation>
    </message>
    <message>
        <source>how often it arrived last, by more than the clock uncertainty</source>
        <translation>wie oft er zuletzt kam, um mehr als die Ungenauigkeit der Uhren</translation>
    </message>
    <message>
        <source>own wait</source>
        <translation>eigenes Warten</translation>
    </message>
    <message>
        <source>time until the last rank arrived, summed over all collectives of this rank</source>
        <translation>bis der letzte Rank kam, über alle Collectives dieses Ranks</translation>
    </message>
    <message>
        <source>by duration</source>
        <translation>nach Dauer</translation>
    </message>
    <message>
        <source>own wait from durations (each minus the shortest); does not depend on clocks</source>
        <translation>eigenes Warten aus den Dauern: jede minus die kürzeste. Braucht keine Uhren</translation>
    </message>
    <message>
        <source>last %</source>
        <translation>zuletzt %</translation>
    </message>
    <message>
        <source>share of its collectives where it arrived last</source>
        <translation>Anteil seiner Collectives, zu denen er zuletzt kam</translation>
    </message>
    <message>
        <source>last in %1 of %2 collectives</source>
        <translation>zuletzt in %1 von %2 Collectives</translation>
    </message>
    <message>
        <source>process group</source>
        <translation>Prozessgruppe</translation>
    </message>
    <message>
        <source>name and ranks</source>
        <translation>Name und Ranks</translation>
    </message>
    <message>
        <source>skew, sum</source>
        <translation>Versatz, Summe</translation>
    </message>
    <message>
        <source>time from the first rank&apos;s start to the last rank&apos;s start, summed</source>
        <translation>vom Beginn des ersten Ranks bis zum Beginn des letzten, summiert</translation>
    </message>
    <message>
        <source>largest</source>
        <translation>größter</translation>
    </message>
    <message>
        <source>largest skew of one collective</source>
        <translation>größter Versatz eines Collectives</translation>
    </message>
    <message>
        <source>collectives</source>
        <translation>Collectives</translation>
    </message>
    <message>
        <source>all ranks</source>
        <translation>alle Ranks</translation>
    </message>
    <message>
        <source>Rank %1: worst collectives</source>
        <translation>Rank %1: schlimmste Collectives</translation>
    </message>
    <message>
        <source>The collectives in which it made the others wait longest</source>
        <translation>Die Collectives, in denen er die anderen am längsten warten ließ</translation>
    </message>
    <message>
        <source>Click a rank to see the collectives where it arrived last</source>
        <translation>Einen Rank anklicken, um die Collectives zu sehen, zu denen er zuletzt kam</translation>
    </message>
    <message>
        <source>waits of all ranks together</source>
        <translation>Wartezeiten aller Ranks zusammen</translation>
    </message>
    <message>
        <source>collective</source>
        <translation>Collective</translation>
    </message>
    <message>
        <source>step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>start ms</source>
        <translation>Start ms</translation>
    </message>
    <message>
        <source>start on the first rank</source>
        <translation>Beginn des ersten Ranks</translation>
    </message>
    <message>
        <source>late by</source>
        <translation>Verspätung</translation>
    </message>
    <message>
        <source>after the first rank</source>
        <translation>nach dem ersten Rank</translation>
    </message>
    <message>
        <source>caused wait</source>
        <translation>verursachtes Warten</translation>
    </message>
    <message>
        <source>waits of all ranks, attributed to the rank where the lateness began: a rank that was late only because it had waited passes them on</source>
        <translation>Wartezeiten aller Ranks, zugeordnet dem Rank, bei dem die Verspätung begann: ein Rank, der nur spät kam, weil er gewartet hatte, gibt sie weiter</translation>
    </message>
</context>
<context>
    <name>collscope::SummaryView</name>
    <message>
        <source>What costs time</source>
        <translation>Was Zeit kostet</translation>
    </message>
    <message>
        <source>Open a run to see what costs time in it.</source>
        <translation>Öffnen Sie einen Lauf, um zu sehen, was darin Zeit kostet.</translation>
    </message>
    <message>
        <source>Finding out what costs time…</source>
        <translation>Ermittle, was Zeit kostet…</translation>
    </message>
    <message>
        <source>Per step, %1, %2.</source>
        <translation>Je Schritt, %1, %2.</translation>
    </message>
    <message>
        <source>%1, %2.</source>
        <translation>%1, %2.</translation>
    </message>
    <message numerus="yes">
        <source>%n more cost(s) less than 1 % each.</source>
        <translation>
            <numerusform>%n weiterer Befund kostet weniger als 1 %.</numerusform>
            <numerusform>%n weitere Befunde kosten je weniger als 1 %.</numerusform>
        </translation>
    </message>
    <message>
        <source>Time of a step, mean of all ranks</source>
        <translation>Dauer eines Schritts, Mittel aller Ranks</translation>
    </message>
    <message>
        <source>Length of the window, mean of all ranks</source>
        <translation>Länge des Fensters, Mittel aller Ranks</translation>
    </message>
    <message>
        <source>Mean of all ranks. The parts add up to the step exactly.</source>
        <translation>Mittel aller Ranks. Die Teile ergeben zusammen genau den Schritt.</translation>
    </message>
    <message>
        <source>#</source>
        <translation>#</translation>
    </message>
    <message>
        <source>by cost; findings that are not about time come first</source>
        <translation>nach Kosten; Befunde, die nicht die Zeit betreffen, stehen vorn</translation>
    </message>
    <message>
        <source>what costs time</source>
        <translation>was Zeit kostet</translation>
    </message>
    <message>
        <source>cost %1</source>
        <translation>Kosten %1</translation>
    </message>
    <message>
        <source>time per step, mean of all ranks; no two findings count the same time</source>
        <translation>Zeit je Schritt, Mittel aller Ranks; keine zwei Befunde zählen dieselbe Zeit</translation>
    </message>
    <message>
        <source>mean of all ranks; no two findings count the same time</source>
        <translation>Mittel aller Ranks; keine zwei Befunde zählen dieselbe Zeit</translation>
    </message>
    <message>
        <source>share %</source>
        <translation>Anteil %</translation>
    </message>
    <message>
        <source>of the step</source>
        <translation>am Schritt</translation>
    </message>
    <message>
        <source>where it is worst</source>
        <translation>wo am schlimmsten</translation>
    </message>
    <message>
        <source>Enter or a double click shows it on the timeline</source>
        <translation>Eingabetaste oder Doppelklick zeigt es auf der Zeitachse</translation>
    </message>
    <message>
        <source>%1 on the ranks that pay: %2</source>
        <translation>%1 auf den betroffenen Ranks: %2</translation>
    </message>
    <message>
        <source>rank %1, %2</source>
        <translation>Rank %1, %2</translation>
    </message>
    <message>
        <source>%1 The tabs Stragglers, Lateness and Why slow? compare its ranks.</source>
        <translation>%1 Die Reiter Nachzügler, Verspätung und Warum langsam? vergleichen seine Ranks.</translation>
    </message>
    <message numerus="yes">
        <source>%n call(s) may contain waits that count as communication: the files do not show when all ranks arrived.</source>
        <translation>
            <numerusform>%n Aufruf kann Wartezeit enthalten, die als Kommunikation zählt: Die Dateien zeigen nicht, wann alle Ranks ankamen.</numerusform>
            <numerusform>%n Aufrufe können Wartezeit enthalten, die als Kommunikation zählt: Die Dateien zeigen nicht, wann alle Ranks ankamen.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n call(s) may contain waits that count as communication: the sums of a rank do not show when the others arrived.</source>
        <translation>
            <numerusform>%n Aufruf kann Wartezeit enthalten, die als Kommunikation zählt: Die Summen eines Ranks zeigen nicht, wann die anderen ankamen.</numerusform>
            <numerusform>%n Aufrufe können Wartezeit enthalten, die als Kommunikation zählt: Die Summen eines Ranks zeigen nicht, wann die anderen ankamen.</numerusform>
        </translation>
    </message>
    <message>
        <source>List the gaps with this cause</source>
        <translation>Die Lücken mit dieser Ursache auflisten</translation>
    </message>
    <message>
        <source>Explain why the last rank arrived late at the selected collective</source>
        <translation>Erklären, warum der letzte Rank bei der gewählten kollektiven Operation spät ankam</translation>
    </message>
    <message>
        <source>List the collectives</source>
        <translation>Die kollektiven Operationen auflisten</translation>
    </message>
    <message>
        <source>Show the whole job</source>
        <translation>Den ganzen Job zeigen</translation>
    </message>
    <message>
        <source>Show how the nodes are connected</source>
        <translation>Zeigen, wie die Knoten verbunden sind</translation>
    </message>
    <message>
        <source>Why?</source>
        <translation>Warum?</translation>
    </message>
    <message>
        <source>Enter or a double click opens the trace of the rank</source>
        <translation>Eingabetaste oder Doppelklick öffnet den Trace des Ranks</translation>
    </message>
    <message>
        <source>rank %1</source>
        <translation>Rank %1</translation>
    </message>
</context>
<context>
    <name>collscope::TableExport</name>
    <message>
        <source>Export table as CSV...</source>
        <translation>Tabelle als CSV exportieren...</translation>
    </message>
</context>
<context>
    <name>collscope::TimelineChart</name>
    <message>
        <source>log</source>
        <translation>log</translation>
    </message>
    <message>
        <source>Logarithmic scale</source>
        <translation>Logarithmische Skala</translation>
    </message>
    <message>
        <source>Logarithmic scale: powers of ten are evenly spaced</source>
        <translation>Logarithmische Skala: Zehnerpotenzen in gleichen Abständen</translation>
    </message>
    <message>
        <source>sample %1: %2</source>
        <translation>Sample %1: %2</translation>
    </message>
    <message>
        <source>no sample</source>
        <translation>kein Sample</translation>
    </message>
</context>
<context>
    <name>collscope::TimelineController</name>
    <message>
        <source>communication</source>
        <translation>Kommunikation</translation>
    </message>
    <message>
        <source>GPU stream</source>
        <translation>GPU-Stream</translation>
    </message>
    <message>
        <source>annotations</source>
        <translation>Annotationen</translation>
    </message>
    <message>
        <source>CPU thread</source>
        <translation>CPU-Thread</translation>
    </message>
    <message>
        <source>rank %1</source>
        <translation>Rank %1</translation>
    </message>
    <message>
        <source>Go to track</source>
        <translation>Zu Track springen</translation>
    </message>
</context>
<context>
    <name>collscope::TimelineInput</name>
    <message>
        <source>Mark this time	Shift+M</source>
        <translation>Diese Zeit markieren	Umschalt+M</translation>
    </message>
    <message>
        <source>Zoom to slice</source>
        <translation>Auf den Slice zoomen</translation>
    </message>
    <message>
        <source>Select its time range	R</source>
        <translation>Seine Zeit auswählen	R</translation>
    </message>
    <message>
        <source>Go to launch call	[</source>
        <translation>Zu seinem Launch springen	[</translation>
    </message>
    <message>
        <source>Go to launched GPU work	]</source>
        <translation>Zum gestarteten Slice springen	]</translation>
    </message>
    <message>
        <source>Copy name</source>
        <translation>Namen kopieren</translation>
    </message>
    <message>
        <source>Collapse</source>
        <translation>Zuklappen</translation>
    </message>
    <message>
        <source>Expand</source>
        <translation>Aufklappen</translation>
    </message>
    <message>
        <source>Unpin row	P</source>
        <translation>Zeile lösen	P</translation>
    </message>
    <message>
        <source>Pin row to the top	P</source>
        <translation>Zeile oben anheften	P</translation>
    </message>
    <message>
        <source>Hide rank %1</source>
        <translation>Rank %1 ausblenden</translation>
    </message>
    <message>
        <source>Open the full trace of rank %1</source>
        <translation>Ganzen Trace von Rank %1 öffnen</translation>
    </message>
</context>
<context>
    <name>collscope::TimelineNavigator</name>
    <message>
        <source>The selected slice has no parent slice</source>
        <translation>Der gewählte Slice liegt in keinem anderen</translation>
    </message>
    <message>
        <source>The selected slice has no child slice</source>
        <translation>Im gewählten Slice liegt kein weiterer</translation>
    </message>
    <message>
        <source>Select a slice to copy; Ctrl+click adds more</source>
        <translation>Zum Kopieren einen Slice auswählen; Strg+Klick fügt weitere hinzu</translation>
    </message>
    <message numerus="yes">
        <source>Copied %n slice(s)</source>
        <translation>
            <numerusform>%n Slice kopiert</numerusform>
            <numerusform>%n Slices kopiert</numerusform>
        </translation>
    </message>
    <message>
        <source>The selected slice does not belong to a collective that was matched across ranks</source>
        <translation>Der gewählte Slice gehört zu keinem Collective, das auch auf anderen Ranks gefunden wurde</translation>
    </message>
    <message>
        <source>Select a collective first to step through its ranks</source>
        <translation>Zuerst ein Collective auswählen, dann über seine Ranks gehen</translation>
    </message>
    <message>
        <source>%1 on rank %2 (%3 of %4)</source>
        <translation>%1 auf Rank %2 (%3 von %4)</translation>
    </message>
    <message>
        <source>Select a kernel or its launch call first to follow the link between them</source>
        <translation>Zuerst einen Kernel oder seinen Launch auswählen, dann der Verbindung folgen</translation>
    </message>
    <message>
        <source>The trace does not record which call launched this</source>
        <translation>Der Trace nennt keinen Aufruf, der dies gestartet hat</translation>
    </message>
    <message>
        <source>Kernels have no outgoing link; press [ to go to the launch call</source>
        <translation>Von einem Kernel geht es nicht weiter; [ führt zu seinem Launch</translation>
    </message>
    <message>
        <source>This slice did not launch any GPU work</source>
        <translation>Dies hat nichts auf der GPU gestartet</translation>
    </message>
    <message>
        <source>CPU slices have no incoming link; press ] to go to the launched GPU work</source>
        <translation>Zu einem CPU-Slice führt nichts; ] führt zu dem, was er gestartet hat</translation>
    </message>
    <message>
        <source>No marks yet. Press Shift+M to set one at the cursor</source>
        <translation>Es gibt noch keine Marke: Umschalt+M setzt eine am Mauszeiger</translation>
    </message>
    <message>
        <source>This is the last mark</source>
        <translation>Dies ist die letzte Marke</translation>
    </message>
    <message>
        <source>This is the first mark</source>
        <translation>Dies ist die erste Marke</translation>
    </message>
</context>
<context>
    <name>collscope::TimelineRows</name>
    <message>
        <source>Select a slice or click a row name to pin that row</source>
        <translation>Einen Slice auswählen oder den Namen einer Zeile anklicken, um diese Zeile anzuheften</translation>
    </message>
    <message>
        <source>and %1 alike</source>
        <translation>und %1 gleiche</translation>
    </message>
</context>
<context>
    <name>collscope::TimelineView</name>
    <message>
        <source>This run has no timeline.
Add PyTorch profiler traces (*.pt.trace.json) or an Nsight Systems export (*.sqlite).</source>
        <translation>Dieser Lauf hat keine Zeitleiste.
Traces des PyTorch-Profilers (*.pt.trace.json) oder einen Export von Nsight Systems (*.sqlite) hinzufügen.</translation>
    </message>
    <message>
        <source>Open a trace directory, or drop one here.</source>
        <translation>Einen Trace-Ordner öffnen oder hierher ziehen.</translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation>Zeitleiste</translation>
    </message>
    <message>
        <source>steps</source>
        <translation>Schritte</translation>
    </message>
    <message>
        <source>All ranks are hidden. Tick them in the Ranks panel.</source>
        <translation>Alle Ranks sind ausgeblendet. In der Liste der Ranks anhaken.</translation>
    </message>
    <message>
        <source>No row matches “%1”. Clear the filter at the top left to show all rows.</source>
        <translation>Keine Zeile heißt „%1“. Das Feld oben links leeren, um alle zu sehen.</translation>
    </message>
    <message>
        <source>rank %1</source>
        <translation>Rank %1</translation>
    </message>
</context>
<context>
    <name>collscope::TrainingView</name>
    <message>
        <source>Values logged by the training program, over steps</source>
        <translation>Was das Trainingsprogramm protokolliert hat, über die Schritte</translation>
    </message>
    <message>
        <source>profile</source>
        <translation>Profil</translation>
    </message>
    <message>
        <source>step %1: %2 %3</source>
        <translation>Schritt %1: %2 %3</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>Loss</translation>
    </message>
    <message>
        <source>Gradient norm</source>
        <translation>Gradientennorm</translation>
    </message>
    <message>
        <source>Tokens/s per GPU</source>
        <translation>Tokens/s je GPU</translation>
    </message>
    <message>
        <source>Memory GB</source>
        <translation>Speicher GB</translation>
    </message>
    <message>
        <source>MFU %</source>
        <translation>MFU %</translation>
    </message>
    <message>
        <source>Learning rate</source>
        <translation>Lernrate</translation>
    </message>
</context>
<context>
    <name>collscope::UnmatchedModel</name>
    <message>
        <source>collective</source>
        <translation>Collective</translation>
    </message>
    <message>
        <source>rank</source>
        <translation>Rank</translation>
    </message>
    <message>
        <source>process group</source>
        <translation>Prozessgruppe</translation>
    </message>
    <message>
        <source>start ms</source>
        <translation>Start ms</translation>
    </message>
    <message>
        <source>duration %1</source>
        <translation>Dauer %1</translation>
    </message>
    <message>
        <source>size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>why it was not matched</source>
        <translation>warum ohne Partner</translation>
    </message>
</context>
<context>
    <name>collscope::WaterfallView</name>
    <message>
        <source>Step time of the test versus the baseline, by part</source>
        <translation>Schrittzeit des Tests gegen die Baseline, Teil für Teil</translation>
    </message>
    <message>
        <source>Up and Down select a part, Enter shows it on both timelines</source>
        <translation>Pfeil auf und ab wählen einen Teil, Eingabe zeigt ihn in beiden Zeitleisten</translation>
    </message>
    <message>
        <source>%1: mean step time %2 over %3 steps of all ranks shown</source>
        <translation>%1: mittlerer Schritt %2, über %3 Schritte aller gezeigten Ranks</translation>
    </message>
    <message>
        <source>%1 of a step: %2 in %3, %4 in %5</source>
        <translation>%1 je Schritt: %2 in %3, %4 in %5</translation>
    </message>
    <message>
        <source>%1: %2 per unit of work, mean of %3 captures</source>
        <translation>%1: %2 pro Arbeitseinheit, Mittel aus %3 Aufzeichnungen</translation>
    </message>
    <message>
        <source>%1: %2, mean of %3 captures</source>
        <translation>%1: %2, Mittel aus %3 Aufzeichnungen</translation>
    </message>
    <message>
        <source>%1 of a unit of work: %2 in %3, %4 in %5</source>
        <translation>%1 einer Arbeitseinheit: %2 in %3, %4 in %5</translation>
    </message>
    <message>
        <source>%1 of a capture: %2 in %3, %4 in %5</source>
        <translation>%1 einer Aufzeichnung: %2 in %3, %4 in %5</translation>
    </message>
    <message>
        <source>%1 of the total difference</source>
        <translation>%1 des ganzen Unterschieds</translation>
    </message>
    <message>
        <source>Waiting and transfer cannot be separated: the calls of the other ranks are not known</source>
        <translation>Warten und Übertragen sind nicht zu trennen: die Aufrufe der anderen Ranks sind nicht bekannt</translation>
    </message>
</context>
<context>
    <name>collscope::WelcomePage</name>
    <message>
        <source>Open demo run</source>
        <translation>Demo-Lauf öffnen</translation>
    </message>
    <message>
        <source>Drop a trace directory here</source>
        <translation>Trace-Ordner hierher ziehen</translation>
    </message>
    <message>
        <source>PyTorch profiler traces, Nsight Systems .sqlite exports and NVLink samples of one run:
all ranks appear on one time axis.</source>
        <translation>Traces des PyTorch-Profilers, .sqlite-Exporte von Nsight Systems und NVLink-Samples eines Laufs:
Alle Ranks erscheinen auf einer Zeitachse.</translation>
    </message>
    <message>
        <source>Open run...</source>
        <translation>Lauf öffnen...</translation>
    </message>
    <message>
        <source>RECENT RUNS</source>
        <translation>LETZTE LÄUFE</translation>
    </message>
    <message>
        <source>First steps</source>
        <translation>Erste Schritte</translation>
    </message>
    <message>
        <source>Open the guide&apos;s five-minute introduction</source>
        <translation>Die ersten fünf Minuten, im Handbuch</translation>
    </message>
</context>
<context>
    <name>collscope::WhatIfView</name>
    <message>
        <source>What would help</source>
        <translation>Was helfen würde</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>Mean length of a step in the scenario</source>
        <translation>Mittlere Länge eines Schritts im Szenario</translation>
    </message>
    <message>
        <source>Change</source>
        <translation>Änderung</translation>
    </message>
    <message>
        <source>Of the length of a step</source>
        <translation>Der Länge eines Schritts</translation>
    </message>
    <message>
        <source>Between</source>
        <translation>Zwischen</translation>
    </message>
    <message>
        <source>How much the change may be off</source>
        <translation>Wie weit die Änderung daneben liegen kann</translation>
    </message>
    <message>
        <source>Basis</source>
        <translation>Grundlage</translation>
    </message>
    <message>
        <source>Scenarios</source>
        <translation>Szenarien</translation>
    </message>
    <message>
        <source>Try: rank=5, late, kernels=gemm:50%, bandwidth=2, comm=0, launches=0, input=0</source>
        <translation>Versuchen: rank=5, late, kernels=gemm:50%, bandwidth=2, comm=0, launches=0, input=0</translation>
    </message>
    <message>
        <source>Scenario to try</source>
        <translation>Szenario zum Ausprobieren</translation>
    </message>
    <message>
        <source>Show in timeline</source>
        <translation>Im Zeitstrahl zeigen</translation>
    </message>
    <message>
        <source>Above each stream, its work as it would be in the chosen scenario</source>
        <translation>Über jedem Stream seine Arbeit, wie sie im gewählten Szenario wäre</translation>
    </message>
    <message>
        <source>Open a run to see what would make its steps shorter.</source>
        <translation>Öffnen Sie einen Lauf, um zu sehen, was seine Schritte verkürzen würde.</translation>
    </message>
    <message>
        <source>Replaying the run…</source>
        <translation>Der Lauf wird nachgespielt…</translation>
    </message>
    <message>
        <source>Steps take %1 times as long as with the usual duration of each operation (S).</source>
        <translation>Schritte dauern %1-mal so lange wie mit der üblichen Dauer jeder Operation (S).</translation>
    </message>
    <message>
        <source>Cannot be told. %1</source>
        <translation>Nicht zu sagen. %1</translation>
    </message>
    <message>
        <source>With %1, a step would take %2 instead of %3 (%4).</source>
        <translation>Mit %1 würde ein Schritt %2 statt %3 dauern (%4).</translation>
    </message>
    <message>
        <source>Nothing that was tried makes it shorter by more than %1.</source>
        <translation>Nichts von dem, was versucht wurde, verkürzt die Zeit um mehr als %1.</translation>
    </message>
    <message>
        <source>With %1, it would take at least %2 instead of %3 (%4).</source>
        <translation>Mit %1 würde es mindestens %2 statt %3 dauern (%4).</translation>
    </message>
    <message>
        <source>With %1, it would take %2 instead of %3 (%4).</source>
        <translation>Mit %1 würde es %2 statt %3 dauern (%4).</translation>
    </message>
    <message>
        <source>Not answered: %1</source>
        <translation>Nicht beantwortet: %1</translation>
    </message>
</context>
</TS>
