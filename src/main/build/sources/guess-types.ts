/** Whether a text is a number, as programs and people write it: `-1.5`, `1e3`, `1.234,50`, `12 %`, `$5`. */
export function isNumber(text: string): boolean {
  if (text === "") return false;
  return (
    Number.isFinite(Number(text.replace(",", "."))) || /^[-+(]?[$€£¥]?\s?\d[\d.,'\u00a0 ]*\s?[%$€£¥]?\)?$/.test(text)
  );
}

/** Whether a text begins as a date or a time does: `2024-05-01`, `1.5.2024`, `05/01/24 10:30`, `1 May 2024`, `9:30`. */
export function isDate(text: string): boolean {
  return /^(\d{1,4}([-./])\d{1,2}\2\d{1,4}|\d{1,2}[-. ]{1,2}\p{L}{3,9}[-. ]{1,2}\d{2,4}|\d{1,2}:\d{2})\b/u.test(text);
}

type CellType = "number" | "date" | "truth" | "text";

export function typeOf(text: string): CellType {
  if (isDate(text)) return "date";
  if (isNumber(text)) return "number";
  return /^(true|false|yes|no)$/i.test(text) ? "truth" : "text";
}
