import { answerEnds } from "#contract";
import type { AnswerBill, AnswerFacts } from "#main/storage";

/** What is in a column of tokens where their number is not known. */
export const unknownTokens = 0xffff_ffff;

/** Names as numbers of one byte; 0 stands for none. */
export interface CodeColumn {
  readonly codes: Uint8Array;
  /** The name of a code is at its place; the first is of no use. */
  readonly names: readonly string[];
}

/** The facts of the answers to all lines, 20 bytes a line. */
export interface FactColumns {
  readonly models: CodeColumn;
  readonly finishReasons: CodeColumn;
  /** Of `answerEnds`. */
  readonly ends: CodeColumn;
  readonly errorCodes: CodeColumn;
  readonly promptTokens: Uint32Array;
  /** Also 0 where not known. */
  readonly cachedTokens: Uint32Array;
  readonly completionTokens: Uint32Array;
  /** Also 0 where not known. */
  readonly reasoningTokens: Uint32Array;
  /** Of the lines with a bill, by their numbers less one: few services report what is in it. */
  readonly bills: ReadonlyMap<number, AnswerBill>;
  facts(at: number): AnswerFacts;
  setFacts(at: number, facts: AnswerFacts): void;
}

/** Facts of no line yet. */
export function createFactColumns(total: number): FactColumns {
  return openFactColumns({
    models: { codes: new Uint8Array(total), names: [""] },
    finishReasons: { codes: new Uint8Array(total), names: [""] },
    ends: { codes: new Uint8Array(total), names: ["", ...answerEnds] },
    errorCodes: { codes: new Uint8Array(total), names: [""] },
    promptTokens: new Uint32Array(total).fill(unknownTokens),
    cachedTokens: new Uint32Array(total),
    completionTokens: new Uint32Array(total).fill(unknownTokens),
    reasoningTokens: new Uint32Array(total),
  });
}

/** Columns that are filled already, to continue with. */
function openFactColumns(columns: Omit<FactColumns, "bills" | "facts" | "setFacts">): FactColumns {
  const { promptTokens, cachedTokens, completionTokens, reasoningTokens } = columns;
  const models = openCodeColumn(columns.models);
  const finishReasons = openCodeColumn(columns.finishReasons);
  const { ends } = columns;
  const errorCodes = openCodeColumn(columns.errorCodes);
  const bills = new Map<number, AnswerBill>();
  return {
    models,
    finishReasons,
    ends,
    errorCodes,
    promptTokens,
    cachedTokens,
    completionTokens,
    reasoningTokens,
    bills,
    facts: (at) => ({
      model: models.name(at),
      finishReason: finishReasons.name(at),
      end: answerEnds[(ends.codes[at] ?? 0) - 1] ?? null,
      errorCode: errorCodes.name(at),
      promptTokens: toNumber(promptTokens[at]),
      cachedTokens: cachedTokens[at] ?? 0,
      completionTokens: toNumber(completionTokens[at]),
      reasoningTokens: reasoningTokens[at] ?? 0,
      ...(bills.has(at) && { bill: bills.get(at) }),
    }),
    setFacts(at, facts) {
      models.set(at, facts.model);
      finishReasons.set(at, facts.finishReason);
      ends.codes[at] = facts.end === null ? 0 : answerEnds.indexOf(facts.end) + 1;
      errorCodes.set(at, facts.errorCode);
      promptTokens[at] = facts.promptTokens ?? unknownTokens;
      cachedTokens[at] = facts.cachedTokens;
      completionTokens[at] = facts.completionTokens ?? unknownTokens;
      reasoningTokens[at] = facts.reasoningTokens;
      if (facts.bill !== undefined) bills.set(at, facts.bill);
      else bills.delete(at);
    },
  };
}

function toNumber(tokens: number | undefined): number | null {
  return tokens === undefined || tokens === unknownTokens ? null : tokens;
}

type TokenColumns = Pick<FactColumns, "promptTokens" | "cachedTokens" | "completionTokens" | "reasoningTokens">;

/** The tokens of all lines, as far as they are known. */
export function sumTokens({ promptTokens, cachedTokens, completionTokens, reasoningTokens }: TokenColumns) {
  const sum = (tokens: Uint32Array) => tokens.reduce((total, each) => total + (each === unknownTokens ? 0 : each), 0);
  return {
    prompt: sum(promptTokens),
    cached: sum(cachedTokens),
    completion: sum(completionTokens),
    reasoning: sum(reasoningTokens),
  };
}

/** What more names than a byte can tell apart are called. */
const otherName = "other";
const mostNames = 0xff;

function openCodeColumn({ codes, names: known }: CodeColumn) {
  const names = [...known];
  const codeOf = new Map(names.map((name, code) => [name, code]));

  function encode(name: string): number {
    const code = codeOf.get(name);
    if (code !== undefined) return code;
    if (names.length === mostNames) names.push(otherName);
    if (names.length > mostNames) return mostNames;
    names.push(name);
    codeOf.set(name, names.length - 1);
    return names.length - 1;
  }

  return {
    codes,
    names: names as readonly string[],
    name: (at: number) => names[codes[at] ?? 0] || null,
    set(at: number, name: string | null): void {
      codes[at] = name === null ? 0 : encode(name);
    },
  };
}
