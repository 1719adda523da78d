import type { Run } from "./parse.ts";
import { startsOperand, type Token } from "./tokens.ts";

const operatorSigns = { "+": " + ", "-": " − ", "*": " × ", "/": " ÷ ", "^": "^", of: " of " };
const longest = 80;

/** An expression as a reader would write it: "16 − 3 − 4", without the words in between. */
export function describeRun(text: string, tokens: readonly Token[], { first, next }: Run): string {
  let words = "";
  for (let at = first; at < next && words.length <= longest; at += 1) {
    const token = tokens[at];
    if (token === undefined) break;
    if (token.kind === "operator") {
      const isRate = tokens[at + 1]?.kind === "word" && !startsOperand(tokens, at + 2);
      const isSign = token.operator === "-" && at === first;
      words += isRate ? "" : isSign ? "−" : operatorSigns[token.operator];
    } else if (token.kind === "fraction") words += "";
    else if (token.kind === "root") words += "√";
    else if (token.kind === "power") words += token.value === 2 ? "²" : "³";
    else if (token.kind === "percent") words += "%";
    else if (token.kind === "currency") words += text.slice(token.start, token.end).replace("\\", "");
    else if (token.kind === "open") words += tokens[at - 1]?.kind === "close" ? " ÷ (" : "(";
    else if (token.kind === "close") words += ")";
    else if (token.kind === "number") words += text.slice(token.start, token.end);
  }
  return words.length <= longest ? words : `${words.slice(0, longest)}…`;
}

// Made once: a formatter costs more than all else that is done for an equation.
const formats = {
  0: new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 }),
  2: new Intl.NumberFormat("en-US", { maximumFractionDigits: 2 }),
  4: new Intl.NumberFormat("en-US", { maximumFractionDigits: 4 }),
  money: new Intl.NumberFormat("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 }),
};

/** A number with grouped thousands and no more digits than matter. */
export function formatNumber(value: number, currency = ""): string {
  if (Math.abs(value) >= 1e15 || (value !== 0 && Math.abs(value) < 1e-6)) return `${currency}${value}`;
  const isWhole = Math.abs(value - Math.round(value)) < 1e-9;
  const digits = isWhole ? 0 : Math.abs(value) < 1 ? 4 : 2;
  const rounded = formats[currency !== "" && !isWhole ? "money" : digits].format(Math.abs(value));
  return `${value < 0 ? "−" : ""}${currency}${rounded}`;
}
