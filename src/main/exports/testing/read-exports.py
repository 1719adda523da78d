"""Reads exports with Python's csv, openpyxl and json, compares each cell with the answers and the table, and prints
what it read. Usage: read-exports.py FOLDER. The folder has answers.jsonl, table.json, the exports, and parquet.json:
the Parquet file as DuckDB read it. Nothing here is shared with the code that wrote the exports."""

import csv
import hashlib
import json
import math
import re
import sys
from decimal import Decimal
from pathlib import Path

import openpyxl

folder = Path(sys.argv[1])
csv.field_size_limit(sys.maxsize)


class Number(str):
    """A number as its text."""


def load(text):
    return json.loads(text, parse_float=Number, parse_int=Number, parse_constant=Number)


def well_formed(text):
    return re.sub("[\ud800-\udfff]", "\ufffd", text)


def dump(value):
    """JSON text as a value with its numbers as texts, to compare nested values."""
    return load(value) if isinstance(value, str) else value


# --- What each row has to be, from the sources alone.

DEEPEST = 4


def walk(value, prefix, depth, into):
    for key, member in value.items():
        path = f"{prefix}{key}"
        if isinstance(member, dict) and depth < DEEPEST:
            walk(member, f"{path}.", depth + 1, into)
        elif isinstance(member, (dict, list)):
            into[path] = ("json", member)
        else:
            into[path] = member


def read_object(text):
    match = re.fullmatch(r"\s*```(?:json)?\s*\n(.*?)\n?```\s*", text, re.S)
    try:
        value = load(match.group(1) if match else text)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def expect_row(line):
    cells = {"custom_id": line["custom_id"], "answer": None, "error": None}
    body = line["response"]["body"]
    if line["response"]["status_code"] != "200":
        error = body["error"]
        cells["status"] = "failed"
        cells["error"] = (error["code"], error["message"])
        return cells
    cells["status"] = "answered"
    first, *others = body["choices"]
    message = first["message"]
    calls = [(call["function"]["name"], call["function"]["arguments"]) for call in message.get("tool_calls") or []]
    text = message.get("content")
    if text is None:
        text = message.get("refusal") or "\n".join(f"{name}({given})" for name, given in calls)
    cells["answer"] = text
    cells["finish_reason"] = first["finish_reason"]
    cells["reasoning"] = message.get("reasoning_content")
    cells["prompt_tokens"] = body["usage"]["prompt_tokens"]
    cells["completion_tokens"] = body["usage"]["completion_tokens"]
    found = read_object(text)
    if found is not None:
        walk(found, "answer.", 1, cells)
    seen = {}
    for name, given in calls:
        seen[name] = seen.get(name, 0) + 1
        path = f"tool.{name}" + ("" if seen[name] == 1 else f"_{seen[name]}")
        cells[path] = given
        fields = read_object(given)
        if fields is not None:
            walk(fields, f"{path}.", 1, cells)
    for at, other in enumerate(others):
        cells[f"choice.{at + 2}"] = other["message"]["content"]
    return cells


lines = [load(line) for line in (folder / "answers.jsonl").read_text("utf-8").split("\n") if line]
table = json.loads((folder / "table.json").read_text("utf-8"))
expected = []
for at, line in enumerate(lines):
    cells = expect_row(line)
    row = table["rows"][at] if at < len(table["rows"]) else [None] * len(table["columns"])
    for name, cell in zip(table["columns"], row):
        cells[f"table.{name}" if name in cells else name] = ("cell", cell)
    expected.append(cells)

# --- Whether a cell of a format is the one that was expected.

FORMULA = re.compile(r"[=+\-@\t\r]")


def is_number(text):
    return re.fullmatch(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?", text) is not None


def plain(value):
    """An expected value as text; an error is one text."""
    if value is None:
        return ""
    if value is True or value is False:
        return "true" if value else "false"
    if isinstance(value, tuple) and value[0] == "cell":
        return value[1] or ""
    if isinstance(value, tuple):
        return f"{value[0] or ''}: {value[1]}" if value[0] else None
    return value


def same_json(cell, value):
    try:
        return load(cell) == value[1]
    except ValueError:
        return False


def agrees_text(cell, value):
    """The same text, or JSON with the same values; of an error without a code any code is allowed."""
    if isinstance(value, tuple) and value[0] == "json":
        return same_json(cell, value)
    text = plain(value)
    if text is None:
        return cell.endswith(f": {value[1]}")
    return well_formed(cell) == well_formed(text)


def agrees_csv(cell, value, escaped, comma):
    if comma and "," in cell and (isinstance(value, Number) or (isinstance(value, tuple) and value[0] == "cell")):
        if cell.replace(",", ".") == plain(value):
            return True
    if comma and "." in cell and is_number(cell) and isinstance(value, Number):
        return False
    if agrees_text(cell, value):
        # What a spreadsheet would take for a formula has to be escaped.
        risky = escaped and FORMULA.match(cell) and not isinstance(value, Number)
        return not risky or re.fullmatch(r"[+-]?[\d.,' ]+%?|[+-]?[\d.]+[eE][+-]?\d+", cell) is not None
    return escaped and cell.startswith("'") and FORMULA.match(cell[1:]) is not None and agrees_text(cell[1:], value)


LONGEST = 32767


def utf16(text):
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def digits_of(text):
    return len(Decimal(text).as_tuple().digits)


def agrees_sheet(cell, value):
    text = plain(value)
    if cell is None:
        return text == ""
    if isinstance(cell, bool):
        return cell is value
    if isinstance(cell, (int, float)):
        known = text is not None and is_number(text) and not isinstance(value, str) or isinstance(value, Number)
        if not known or (isinstance(value, tuple) and re.match(r"-?0\d", text)):
            return False
        # As a double it is the same number, or one whose 15 digits are those that were written.
        return float(text) == float(cell) and (digits_of(text) <= 15 or Decimal(repr(float(cell))) == Decimal(text))
    if isinstance(value, Number):
        # Text only where a spreadsheet would round it: beyond 15 digits, or the range of doubles.
        tiny = float(text) == 0 or math.isinf(float(text)) or abs(float(text)) < 2.3e-308
        return cell == text and (digits_of(text) > 15 or tiny)
    if text is not None and utf16(text) > LONGEST:
        return LONGEST - 1 <= utf16(cell) <= LONGEST and well_formed(text).startswith(cell)
    return agrees_text(cell, value)


def agrees_parquet(cell, value):
    if cell is None:
        return plain(value) == ""
    kind, found = cell
    if kind == "boolean":
        return found is value
    text = plain(value)
    if kind == "integer":
        return text is not None and is_number(text) and Decimal(text) == Decimal(found)
    if kind == "double":
        return text is not None and is_number(text) and Decimal(repr(float(text))) == Decimal(text) and float(text) == found
    return agrees_text(found, value)


def agrees_flat(cell, value):
    if cell is None:
        return plain(value) == ""
    if isinstance(cell, bool):
        return cell is value
    if isinstance(cell, Number):
        return cell == plain(value) or Decimal(cell) == Decimal(plain(value))
    return not isinstance(value, Number) and agrees_text(cell, value)


# --- The exports.

problems = []
readings = {}


def short(cell):
    """Long texts by their length and hash: what is kept of a reading is to be readable."""
    if isinstance(cell, tuple):
        kind, found = cell
        return short(found) if kind == "text" else {kind: found}
    if isinstance(cell, Number):
        return {"number": str(cell)}
    if isinstance(cell, bool) or cell is None:
        return cell
    if isinstance(cell, (int, float)):
        return {"double": float(cell)}
    text = well_formed(cell)
    if len(text) <= 1000:
        return text
    return {"characters": utf16(text), "sha256": hashlib.sha256(text.encode()).hexdigest()}


def check(name, columns, rows, agrees):
    readings[name] = {"columns": columns, "rows": [[short(cell) for cell in row] for row in rows]}
    if len(rows) != len(expected):
        problems.append(f"{name}: {len(rows)} rows, not {len(expected)}")
    if len(set(columns)) != len(columns):
        problems.append(f"{name}: two columns of a name")
    for number, (row, wanted) in enumerate(zip(rows, expected), 1):
        if len(row) != len(columns):
            problems.append(f"{name}: row {number} has {len(row)} cells")
            continue
        cells = dict(zip(columns, row))
        for path, value in wanted.items():
            if path not in cells and plain(value) == "":
                continue
            if path not in cells:
                problems.append(f"{name}: row {number}: no column {path}")
            elif not agrees(cells[path], value):
                problems.append(f"{name}: row {number}: {path}: {ascii(cells[path])[:90]} for {ascii(value)[:90]}")
        # What no source has is empty.
        for path in columns:
            own = re.match(r"(answer|tool|choice)\.", path) and path not in wanted
            if own and cells[path] not in (None, ""):
                problems.append(f"{name}: row {number}: {path}: {ascii(cells[path])[:90]} from nowhere")


def unquote_header(columns, escaped):
    return [name[1:] if escaped and name.startswith("'") else name for name in columns]


for name, delimiter, escaped, comma in [
    ("plain.csv", ",", True, False),
    ("raw.csv", "\t", False, False),
    ("excel-us.csv", ",", True, False),
    ("excel-de.csv", ";", True, True),
    ("excel-ch.csv", ";", True, False),
]:
    with open(folder / name, encoding="utf-8-sig" if name.startswith("excel") else "utf-8", newline="") as file:
        columns, *rows = csv.reader(file, delimiter=delimiter, strict=True)
    check(name, columns, rows, lambda cell, value: agrees_csv(cell, value, escaped, comma))

with open(folder / "flat.jsonl", encoding="utf-8", newline="\n") as file:
    objects = [load(line) for line in file.read().split("\n") if line]
columns = list(objects[0])
check("flat.jsonl", columns, [[one[path] for path in columns] for one in objects], agrees_flat)

parquet = json.loads((folder / "parquet.json").read_text("utf-8"))
typed = [[None if cell is None else tuple(cell) for cell in row] for row in parquet["rows"]]
check("table.parquet", parquet["columns"], typed, agrees_parquet)
readings["table.parquet"]["types"] = parquet["types"]


def unescape(cell):
    """`_xHHHH_` of texts in workbooks (ST_Xstring), which openpyxl leaves as it is."""
    if not isinstance(cell, str):
        return cell
    return re.sub(r"_x([0-9A-Fa-f]{4})_", lambda found: chr(int(found.group(1), 16)), cell)


book = openpyxl.load_workbook(folder / "book.xlsx")
sheet = book["Results"]
columns, *rows = [[unescape(cell.value) for cell in row] for row in sheet.iter_rows()]
for row in sheet.iter_rows(min_row=2):
    for cell in row:
        if cell.data_type == "f":
            problems.append(f"book.xlsx: {cell.coordinate} is a formula")
check("book.xlsx", columns, rows, agrees_sheet)
cut = [[unescape(cell.value) for cell in row] for row in book["Cut cells"].iter_rows(min_row=2)]
readings["book.xlsx"]["cut"] = [[short(cell) for cell in row] for row in cut]
readings["book.xlsx"]["formats"] = sorted({cell.number_format for row in sheet.iter_rows(min_row=2) for cell in row})

print(json.dumps({"problems": problems, "readings": readings}, ensure_ascii=True))
