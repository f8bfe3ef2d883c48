# SPDX-FileCopyrightText: 2026 The Collscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Workbooks as JSON by a reader that is not ours: sheet -> state, rows, tables, colour scales."""

import json
import sys

import openpyxl


def rules(sheet):
    for cells in sheet.conditional_formatting:
        for rule in cells.rules:
            scale = rule.colorScale
            if scale:
                yield {
                    "range": str(cells.sqref),
                    "points": [[point.type, point.val] for point in scale.cfvo],
                    "colors": [str(color.rgb)[-6:] for color in scale.color],
                }


def tables(sheet):
    for table in sheet.tables.values():
        style = table.tableStyleInfo
        yield table.name, {
            "ref": table.ref,
            "style": style.name,
            "stripes": bool(style.showRowStripes),
            "filter": table.autoFilter is not None,
        }


books = {}
for path in sys.argv[1:]:
    book = openpyxl.load_workbook(path)
    books[path] = {
        sheet.title: {
            "state": sheet.sheet_state,
            "rows": [list(row) for row in sheet.iter_rows(values_only=True)],
            "tables": dict(tables(sheet)),
            "scales": list(rules(sheet)),
            "formats": [cell.number_format for row in sheet.iter_rows(min_row=2, max_row=2) for cell in row],
        }
        for sheet in book
    }
json.dump(books, sys.stdout)
