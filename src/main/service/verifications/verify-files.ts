import type { VerifyResult } from "#contract";
import type { Verifier } from "../verify/index.ts";
import type { BatchFiles } from "./batch-files.ts";
import { type LineInput, readInputs } from "./read-inputs.ts";

export interface VerifyFilesParts {
  readonly files: BatchFiles;
  readonly verifier: Verifier;
  /** The document of every line: a text, the system message of each, or none. */
  readonly document: { readonly text: string } | "system_message" | null;
  readonly strict: boolean;
  /** Answers that are judged at a time. */
  readonly concurrency: number;
}

/** An answer and what its verification came to. */
export interface VerifiedLine {
  readonly customId: string;
  readonly result: VerifyResult;
}

/** Verifies all answers of a batch; they come in the order of the input. */
export async function* verifyFiles(parts: VerifyFilesParts): AsyncGenerator<VerifiedLine> {
  const { files, verifier, document, strict, concurrency } = parts;
  const text = document === null || document === "system_message" ? null : document.text;
  const judge = async ({ customId, input }: LineInput): Promise<VerifiedLine> => ({
    customId,
    result: await verifier.verify(text === null ? input : { ...input, document: text }),
  });
  const inputs = readInputs({
    index: files.index,
    verdicts: { verdict: () => null },
    readLines: files.readLines,
    document: { from: document === "system_message" ? "system_message" : "none" },
    strict,
    readColumn: undefined,
  });
  /** In the order of the input; the first is the next to be handed out. */
  const judging: Promise<VerifiedLine>[] = [];
  for await (const chunk of inputs) {
    for (const input of chunk) {
      const judged = judge(input);
      judged.catch(() => undefined);
      judging.push(judged);
      while (judging.length >= concurrency) {
        const first = await judging.shift();
        if (first !== undefined) yield first;
      }
    }
  }
  for (const judged of judging) yield await judged;
}
