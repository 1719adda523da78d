import { dateToSerial, format, getFormatDateInfo, isDateFormat, tokenize } from "numfmt";

const dayMilliseconds = 24 * 60 * 60 * 1000;

/** How the numbers of a format are read. */
type NumberKind = "number" | "moment" | "duration" | "label";

/** A number, or a moment, of a cell as JSON: by its value, or as its format shows it. */
export interface CellFormatter {
  formatNumber(value: number, code: string): string;
  /** A moment in ISO 8601, as Strict Open XML writes them. */
  formatIsoMoment(text: string, code: string): string;
}

interface CellFormats {
  readonly asShown: boolean;
  /** Whether days are counted from 1904. */
  readonly startsIn1904: boolean;
}

/** Reads numbers by the formats of their cells. Each format is looked at once. */
export function createCellFormatter({ asShown, startsIn1904 }: CellFormats): CellFormatter {
  const kinds = new Map<string, NumberKind>();
  const kindOf = (code: string): NumberKind => {
    let kind = kinds.get(code);
    if (kind === undefined) {
      kind = findKind(code);
      kinds.set(code, kind);
    }
    return kind;
  };

  function show(value: number, code: string): string | null {
    try {
      // Formats count from 1900.
      const shifted = startsIn1904 && isDateFormat(code) ? value + 1462 : value;
      return JSON.stringify(format(code, shifted, { dateErrorThrows: true, nbsp: false }).trim());
    } catch {
      return null;
    }
  }

  function formatNumber(value: number, code: string): string {
    const kind = kindOf(code);
    if (asShown && !isGeneral(code)) return show(value, code) ?? printNumber(value);
    if (kind === "label" && Number.isInteger(value)) return show(value, code) ?? printNumber(value);
    if (kind === "moment") return formatSerialDate(value, startsIn1904);
    return kind === "duration" ? JSON.stringify(formatDuration(value)) : printNumber(value);
  }

  return {
    formatNumber,
    formatIsoMoment(text, code) {
      if (!asShown) return JSON.stringify(trimMoment(text, code));
      const moment = Date.parse(text.endsWith("Z") ? text : `${text}${text.includes("T") ? "Z" : "T00:00:00Z"}`);
      const serial = Number.isNaN(moment) ? undefined : dateToSerial(new Date(moment), { ignoreTimezone: true });
      return serial === undefined ? JSON.stringify(text) : (show(serial, code) ?? JSON.stringify(text));
    },
  };
}

/** The longest format that spreadsheets accept. */
const longestFormat = 255;

function isGeneral(code: string): boolean {
  return /^(?:general|standard|@)?$/i.test(code);
}

function findKind(code: string): NumberKind {
  if (code.length > longestFormat || isGeneral(code)) return "number";
  if (isDateFormat(code)) return /\[(?:h+|m+|s+)\]/i.test(code.split(";")[0] ?? "") ? "duration" : "moment";
  return code.split(";").some(isLabel) ? "label" : "number";
}

/** Whether a part of a format writes a number as a label: zeros that pad it, such as `00000`, maybe between other signs. */
function isLabel(code: string): boolean {
  try {
    const types = tokenize(code).map(({ type }) => type);
    return types.filter((type) => type === "ZERO").length > 1 && !types.some((type) => quantitySigns.has(type));
  } catch {
    return false;
  }
}

/** The signs of formats that write a quantity. */
const quantitySigns: ReadonlySet<string> = new Set(
  "HASH QMARK POINT GROUP SCALE PERCENT EXP SLASH DIGIT CURRENCY ERROR".split(" "),
);

/** A number with the 15 digits that spreadsheets have, in plain decimals. */
export function printNumber(value: number): string {
  const text = String(Number(value.toPrecision(15)));
  const [, sign = "", whole = "", fraction = "", exponent] = /^(-?)(\d+)(?:\.(\d+))?e([+-]\d+)$/.exec(text) ?? [];
  if (exponent === undefined) return text === "-0" ? "0" : text;
  const shift = Number(exponent);
  const digits = whole + fraction;
  return shift < 0
    ? `${sign}0.${"0".repeat(-shift - 1)}${digits}`
    : `${sign}${digits}${"0".repeat(shift - fraction.length)}`;
}

/** A day number of a workbook as ISO 8601, as exact as it is: a day, a day and time, or a time alone. */
function formatSerialDate(serial: number, startsIn1904: boolean): string {
  // Day 60 of a workbook is 29 February 1900, which did not exist: days before it are shifted by one.
  const leap = !startsIn1904 && serial >= 1 && serial < 60 ? 1 : 0;
  const epoch = startsIn1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, 30);
  const date = new Date(epoch + roundTime((serial + leap) * dayMilliseconds));
  if (serial < 0 || Number.isNaN(date.getTime()) || date.getUTCFullYear() > 9999) return printNumber(serial);
  const [day = "", time = ""] = date
    .toISOString()
    .replace(/(?:\.000)?Z$/, "")
    .split("T");
  if (serial >= 0 && serial < 1) return JSON.stringify(time);
  return JSON.stringify(time === "00:00:00" ? day : `${day}T${time}`);
}

/** Milliseconds of a time that was stored as a part of a day: those next to a whole second are meant to be one. */
function roundTime(milliseconds: number): number {
  const seconds = Math.round(milliseconds / 1000);
  const rounded = Math.round(milliseconds);
  return Math.abs(rounded - seconds * 1000) <= 1 ? seconds * 1000 : rounded;
}

/** A length of time in days as hours and minutes, `36:30`, with seconds where there are some. */
function formatDuration(days: number): string {
  const milliseconds = roundTime(Math.abs(days) * dayMilliseconds);
  const pad = (value: number) => String(value).padStart(2, "0");
  const seconds = Math.floor(milliseconds / 1000);
  const fraction = milliseconds % 1000 === 0 ? "" : `.${String(milliseconds % 1000).padStart(3, "0")}`;
  const tail = seconds % 60 === 0 && fraction === "" ? "" : `:${pad(seconds % 60)}${fraction}`;
  return `${days < 0 && milliseconds > 0 ? "-" : ""}${Math.floor(seconds / 3600)}:${pad(Math.floor(seconds / 60) % 60)}${tail}`;
}

/** A moment in ISO 8601 without a midnight, and without the day where its format shows the time alone. */
function trimMoment(text: string, code: string): string {
  const [, day = "", time = ""] = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d(?::\d\d(?:\.\d+)?)?)Z?$/.exec(text) ?? [];
  if (day === "") return text;
  const short = time.replace(/\.0+$/, "").replace(/^(\d\d:\d\d)$/, "$1:00");
  const { year, month, day: hasDay } = getFormatDateInfo(isDateFormat(code) ? code : "yyyy");
  const isTimeAlone = !year && !hasDay && !(month && !/h|s/i.test(code)) && /^(?:1899|190[04])-/.test(day);
  if (isTimeAlone) return short;
  return short === "00:00:00" ? day : `${day}T${short}`;
}
