/** A solution with one number of one equation changed, and where the changed equation is in it. */
export interface Changed {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly kind: ChangeKind;
  /** The number as it was, and as it is now. */
  readonly from: string;
  readonly to: string;
}

export type ChangeKind =
  | "operand in the text"
  | "result in the text"
  | "operand in the annotation"
  | "result in the annotation"
  | "operand in both"
  | "result in both";

/** Whether an equation, in digits and operators only, holds for a result shown to so many digits. */
export type Holds = (left: string, right: string) => boolean;

interface Place {
  readonly start: number;
  readonly end: number;
}

/** An annotated equation: "She makes 9 * 2 = $<<9*2=18>>18 every day". */
interface Equation extends Place {
  /** The numbers of the expression before the sign, where the text has the same ones as the annotation; else none. */
  readonly textOperands: readonly Place[];
  readonly textResult: Place;
  readonly operands: readonly Place[];
  readonly result: Place;
  readonly left: Place;
}

const annotated = /<<([^<>=]+)=([^<>=]+)>>(\d+(?:,\d{3})*(?:\.\d+)?|\.\d+)/g;
const number = /(?:\d+(?:,\d{3})*(?:\.\d+)?|\.\d+)/g;
/** The expression right before an annotation: numbers, operators, brackets, currency, and one or two words for a unit. */
const before = /(?:[-+*/x×÷–()$%\s.,\d]|(?<=\d\s?)[a-z]+(?:\s[a-z]+)?(?=\s?[-+*/=x×÷–)]))+=\s*\$?$/i;

export const changeKinds: readonly ChangeKind[] = [
  "operand in the text",
  "result in the text",
  "operand in the annotation",
  "result in the annotation",
  "operand in both",
  "result in both",
];

/**
 * Changes one number in one equation of a solution, chosen by the seed, so that the equation no longer holds. Null where
 * the solution has no equation of that kind. The same arguments always change the same number in the same way.
 */
export function changeNumber(solution: string, kind: ChangeKind, seed: number, holds: Holds): Changed | null {
  const random = createRandom(seed);
  const equations = findEquations(solution);
  for (let attempt = 0; attempt < 20 && equations.length > 0; attempt += 1) {
    const equation = pick(equations, random);
    const changed = equation && changeEquation(solution, equation, kind, random, holds);
    if (changed) return changed;
  }
  return null;
}

/** The solution as models write them, without annotations; the changed equation is found again there. */
export function stripAnnotations(changed: Changed): Changed {
  const strip = (text: string) => text.replaceAll(/<<[^<>]*>>/g, "");
  const start = strip(changed.text.slice(0, changed.start)).length;
  const end = strip(changed.text.slice(0, changed.end)).length;
  return { ...changed, text: strip(changed.text), start, end };
}

function findEquations(solution: string): readonly Equation[] {
  const equations: Equation[] = [];
  for (const { index, 0: all, 1: left = "", 2: right = "", 3: shown = "" } of solution.matchAll(annotated)) {
    if (!/[\d)] *[-+*/]/.test(left)) continue;
    const leftStart = index + 2;
    const operands = placesOf(left, leftStart);
    const resultStart = leftStart + left.length + 1;
    const lineStart = solution.lastIndexOf("\n", index) + 1;
    const words = before.exec(solution.slice(lineStart, index).replace(/.*>>/, (cut) => " ".repeat(cut.length)));
    const textStart = lineStart + (words?.index ?? index - lineStart);
    const inText = placesOf(solution.slice(textStart, index), textStart);
    const isSame =
      inText.length === operands.length &&
      inText.every((place, at) => valueAt(solution, place) === valueAt(solution, operands[at]));
    const end = index + all.length;
    equations.push({
      start: isSame ? (inText[0]?.start ?? index) : index,
      end,
      textOperands: isSame ? inText : [],
      textResult: { start: end - shown.length, end },
      operands,
      result: { start: resultStart, end: resultStart + right.length },
      left: { start: leftStart, end: leftStart + left.length },
    });
  }
  return equations;
}

function changeEquation(
  solution: string,
  equation: Equation,
  kind: ChangeKind,
  random: () => number,
  holds: Holds,
): Changed | null {
  const index = Math.floor(random() * equation.operands.length);
  const isOperand = kind.startsWith("operand");
  const inAnnotation = isOperand ? equation.operands[index] : equation.result;
  const inText = isOperand ? equation.textOperands[index] : equation.textResult;
  if (inAnnotation === undefined || (inText === undefined && kind !== "operand in the annotation")) return null;
  if (kind === "result in both" && valueAt(solution, inAnnotation) !== valueAt(solution, inText)) return null;
  const from = solution.slice(inAnnotation.start, inAnnotation.end);
  const to = alter(from, random);
  const left = isOperand
    ? replaceAt(solution.slice(equation.left.start, equation.left.end), shift(inAnnotation, equation.left.start), to)
    : solution.slice(equation.left.start, equation.left.end);
  const right = isOperand ? solution.slice(equation.result.start, equation.result.end) : to;
  if (holds(left, right)) return null;
  const places = kind.endsWith("annotation")
    ? [inAnnotation]
    : kind.endsWith("text")
      ? [inText]
      : [inText, inAnnotation];
  let text = solution;
  let end = equation.end;
  for (const place of places.filter((one) => one !== undefined).toSorted((a, b) => b.start - a.start)) {
    text = replaceAt(text, place, to);
    end += to.length - (place.end - place.start);
  }
  return { text, start: equation.start, end, kind, from, to };
}

/** Another number in the same form: off by a little, a digit changed, or ten times as much. */
function alter(from: string, random: () => number): string {
  const plain = from.replaceAll(",", "");
  const decimals = plain.includes(".") ? plain.length - plain.indexOf(".") - 1 : 0;
  const value = Number(plain);
  const unit = 10 ** -decimals;
  const choices = [
    value + unit,
    value - unit,
    value + 10 * unit,
    value * 10,
    value + 2 * unit,
    value + 5 * unit,
    value * 2,
  ];
  const next =
    pick(
      choices.filter((one) => one > 0 && one !== value),
      random,
    ) ?? value + 1;
  return next.toFixed(decimals);
}

function placesOf(text: string, offset: number): readonly Place[] {
  return [...text.matchAll(number)].map(({ index, 0: found }) => ({
    start: offset + index,
    end: offset + index + found.length,
  }));
}

function valueAt(text: string, place: Place | undefined): number {
  return place === undefined ? Number.NaN : Number(text.slice(place.start, place.end).replaceAll(",", ""));
}

function replaceAt(text: string, { start, end }: Place, by: string): string {
  return text.slice(0, start) + by + text.slice(end);
}

function shift({ start, end }: Place, by: number): Place {
  return { start: start - by, end: end - by };
}

function pick<Item>(items: readonly Item[], random: () => number): Item | undefined {
  return items[Math.floor(random() * items.length)];
}

/** Mulberry32. */
function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
