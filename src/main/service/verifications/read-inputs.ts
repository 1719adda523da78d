import type { DocumentChoice, ResultDetail, VerifyInput } from "#contract";
import { assertNever } from "../assert-never.ts";
import type { LineIndex } from "../results/index.ts";
import type { ReadColumn } from "../types.ts";
import type { VerdictIndex } from "../verdicts/index.ts";
import { type CellCursor, openCellCursor } from "./cell-cursor.ts";
import { systemTextOf, toPrompt, withoutSystem } from "./texts.ts";

/** Most lines that are read at a time, and about how many bytes of them. */
const mostLines = 64;
const mostBytes = 1024 * 1024;

/** A line that is to be judged. */
export interface LineInput {
  readonly line: number;
  readonly customId: string;
  readonly input: VerifyInput;
}

export interface InputParts {
  readonly index: LineIndex;
  /** Lines that have a verdict are passed over. */
  readonly verdicts: Pick<VerdictIndex, "verdict">;
  readonly readLines: (lines: readonly number[]) => Promise<readonly ResultDetail[]>;
  readonly document: DocumentChoice;
  readonly strict: boolean;
  readonly readColumn: ReadColumn | undefined;
}

/** Whether a line has an answer that can be judged: one that failed has none. */
export function hasAnswer(index: LineIndex, line: number): boolean {
  return index.answer(line)?.file === "output";
}

/** All lines with an answer and without a verdict, a few at a time, in their order. */
export async function* readInputs(parts: InputParts): AsyncGenerator<readonly LineInput[]> {
  let cells: CellCursor | null = null;
  try {
    for (const lines of chunk(parts)) {
      const [first = 1] = lines;
      cells ??= openCells(parts, first);
      const inputs: LineInput[] = [];
      for (const detail of await parts.readLines(lines)) {
        const document = await documentOf(parts.document, detail, cells);
        const { line, customId, messages, answer: response } = detail;
        const asked = parts.document.from === "system_message" ? withoutSystem(messages) : messages;
        inputs.push({ line, customId, input: { prompt: toPrompt(asked), response, document, strict: parts.strict } });
      }
      yield inputs;
    }
  } finally {
    await cells?.close();
  }
}

function* chunk({ index, verdicts }: InputParts): Generator<readonly number[]> {
  let lines: number[] = [];
  let bytes = 0;
  for (let line = 1; line <= index.total; line++) {
    if (!hasAnswer(index, line) || verdicts.verdict(line) !== null) continue;
    const { start, end } = index.request(line);
    lines.push(line);
    bytes += end - start + (index.answer(line)?.length ?? 0);
    if (lines.length < mostLines && bytes < mostBytes) continue;
    yield lines;
    lines = [];
    bytes = 0;
  }
  if (lines.length > 0) yield lines;
}

function openCells({ document, readColumn }: InputParts, from: number): CellCursor | null {
  if (document.from !== "column") return null;
  if (readColumn === undefined) throw new Error("The column of a document has nobody to read it.");
  return openCellCursor(readColumn, document.column, from);
}

async function documentOf(
  document: DocumentChoice,
  { line, messages }: ResultDetail,
  cells: CellCursor | null,
): Promise<string | null> {
  switch (document.from) {
    case "none":
      return null;
    case "system_message":
      return systemTextOf(messages);
    case "column":
      return (await cells?.cell(line)) ?? null;
    default:
      return assertNever(document);
  }
}
