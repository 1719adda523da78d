const dayMilliseconds = 24 * 60 * 60 * 1000;

/** Formats that every workbook has by number: of dates and times, those of East Asia included. */
function isBuiltInDate(format: number): boolean {
  return (
    (format >= 14 && format <= 22) ||
    (format >= 27 && format <= 36) ||
    (format >= 45 && format <= 47) ||
    (format >= 50 && format <= 58)
  );
}

/** The longest format that spreadsheets accept. */
const longestFormat = 255;

/** Whether a format such as `dd/mm/yyyy` shows a date. A length of time (`[h]:mm`) stays a number. */
function isDateFormat(code: string): boolean {
  if (code.length > longestFormat) return false;
  if (/\[(?:h+|m+|s+)\]/i.test(code)) return false;
  const letters = code.replaceAll(/"[^"]*"|\\.|\[[^\]]*\]|_.|\*./g, "");
  return !/general/i.test(letters) && /[ymdhs]/i.test(letters);
}

/** A day number of a workbook as ISO 8601, as exact as it is: a day, a day and time, or a time alone. */
function formatSerialDate(serial: number, startsIn1904: boolean): string {
  // Day 60 of a workbook is 29 February 1900, which did not exist: days before it are shifted by one.
  const leap = !startsIn1904 && serial >= 1 && serial < 60 ? 1 : 0;
  const epoch = startsIn1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, 30);
  const date = new Date(Math.round(epoch + (serial + leap) * dayMilliseconds));
  if (Number.isNaN(date.getTime())) return String(serial);
  const [day = "", time = ""] = date
    .toISOString()
    .replace(/(?:\.000)?Z$/, "")
    .split("T");
  if (serial >= 0 && serial < 1) return time;
  return time === "00:00:00" ? day : `${day}T${time}`;
}

/** Reads `styles.xml`, and formats numbers by the style of their cells. */
export function createDateStyles(startsIn1904: boolean) {
  const custom = new Map<number, string>();
  const styles: boolean[] = [];
  let isCellFormats = false;
  return {
    open(name: string, { numFmtId = "0", formatCode = "" }: Readonly<Record<string, string>>): void {
      if (name === "cellXfs") isCellFormats = true;
      if (name === "numFmt") custom.set(Number(numFmtId), formatCode);
      if (name !== "xf" || !isCellFormats) return;
      const code = custom.get(Number(numFmtId));
      styles.push(code === undefined ? isBuiltInDate(Number(numFmtId)) : isDateFormat(code));
    },
    close(name: string): void {
      if (name === "cellXfs") isCellFormats = false;
    },
    /** A number keeps the text that it has in the file. */
    format: (value: string, style: number): string =>
      styles[style] && value !== "" && Number.isFinite(Number(value))
        ? formatSerialDate(Number(value), startsIn1904)
        : value,
  };
}
