/** One side of an equation in one unknown, as a function of it. Null where the text is no such expression. */
export type Side = (unknown: number) => number;

/** "3 1/2" is one number. */
const mixed = /(\d+) (\d+)\/(\d+)(?!\d)/g;
const token = /\s*(\d+(?:,\d{3})*(?:\.\d+)?|\.\d+|[A-Za-z]|[-+*/^()×÷·−–])/y;
const deepest = 20;
const longest = 120;

/** Reads numbers, one letter, operators and brackets; what is next to each other multiplies ("2x", "3(x + 1)"). */
export function readSide(text: string): Side | null {
  const tokens = splitTokens(text);
  if (tokens === null || tokens.length === 0) return null;
  let at = 0;
  const side = readSum(0);
  return side !== null && at === tokens.length ? side : null;

  function readSum(depth: number): Side | null {
    let sum = readProduct(depth);
    while (sum !== null && (tokens?.[at] === "+" || tokens?.[at] === "-")) {
      const sign = tokens[at] === "+" ? 1 : -1;
      at += 1;
      const [left, right] = [sum, readProduct(depth)];
      sum = right === null ? null : (unknown) => left(unknown) + sign * right(unknown);
    }
    return sum;
  }

  function readProduct(depth: number): Side | null {
    let product = readSigned(depth);
    while (product !== null && tokens?.[at] !== undefined && !"+-)".includes(tokens[at] ?? "")) {
      const operator = tokens[at] ?? "";
      const isInverse = operator === "/";
      if (isInverse || operator === "*") at += 1;
      const [left, right] = [product, readSigned(depth)];
      product = right && ((unknown) => (isInverse ? left(unknown) / right(unknown) : left(unknown) * right(unknown)));
    }
    return product;
  }

  function readSigned(depth: number): Side | null {
    if (tokens?.[at] !== "-") return readPower(depth);
    at += 1;
    const value = readPower(depth);
    return value && ((unknown) => -value(unknown));
  }

  function readPower(depth: number): Side | null {
    const base = readValue(depth);
    if (base === null || tokens?.[at] !== "^") return base;
    at += 1;
    const exponent = readValue(depth);
    return exponent && ((unknown) => base(unknown) ** exponent(unknown));
  }

  function readValue(depth: number): Side | null {
    const next = tokens?.[at];
    at += 1;
    if (next === undefined || depth > deepest) return null;
    if (next === "(") {
      const inner = readSum(depth + 1);
      at += 1;
      return tokens?.[at - 1] === ")" ? inner : null;
    }
    if (/[\d.]/.test(next)) {
      const value = Number(next.replaceAll(",", ""));
      return () => value;
    }
    return /[A-Za-z]/.test(next) ? (unknown) => unknown : null;
  }
}

/** Null where the text has anything else. An "x" between two numbers multiplies. */
function splitTokens(text: string): readonly string[] | null {
  if (text.length > longest) return null;
  const tokens: string[] = [];
  token.lastIndex = 0;
  const trimmed = text.trimEnd().replace(mixed, "($1+$2/$3)");
  while (token.lastIndex < trimmed.length) {
    const found = token.exec(trimmed)?.[1];
    if (found === undefined) return null;
    tokens.push(
      found === "×" || found === "·" ? "*" : found === "÷" ? "/" : found === "−" || found === "–" ? "-" : found,
    );
  }
  return tokens.map((one, index) =>
    /^[xX]$/.test(one) && /\d/.test(tokens[index - 1] ?? "") && /^\d/.test(tokens[index + 1] ?? "") ? "*" : one,
  );
}
