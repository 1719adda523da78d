/** What a number field takes. */
export interface NumberRule {
  readonly least: number;
  /** Null where there is no upper end. */
  readonly most: number | null;
  readonly isWhole: boolean;
}

/** What was typed: the number that it is, and why it can't be used. Nothing typed is no number, and right. */
export interface TypedNumber {
  /** Null for nothing, and for what is no number. */
  readonly value: number | null;
  readonly problem: string | null;
}

const plain = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

/** Parses what was typed into a number field, and describes what is wrong with it. */
export function readNumber(typed: string, { least, most, isWhole }: NumberRule): TypedNumber {
  const text = typed.trim();
  if (text === "") return { value: null, problem: null };
  if (/^[+-]?\d*,\d+$/.test(text)) {
    return { value: null, problem: `Write ${text.replace(",", ".")}, with a point.` };
  }
  if (!plain.test(text)) return { value: null, problem: "This is not a number." };
  const value = Number(text);
  if (isWhole && !Number.isInteger(value)) return { value: null, problem: "Only whole numbers fit here." };
  if (value < least || (most !== null && value > most)) return { value, problem: describeRange(least, most) };
  return { value, problem: null };
}

function describeRange(least: number, most: number | null): string {
  const number = (value: number) => value.toLocaleString("en");
  return most === null ? `${number(least)} or more.` : `From ${number(least)} to ${number(most)}.`;
}
