import { z } from "zod";
import {
  agreementKeys,
  claimKeys,
  countVerdicts,
  type DocumentChoice,
  documentChoiceSchema,
  type FormVerdict,
  findingKindSchema,
  formKeys,
  type JudgeChoice,
  judgeChoiceSchema,
  storedVerifyResultSchema,
  type Verdict,
  type VerificationRun,
  type VerifyInput,
  type VerifyResult,
  verdictSchema,
} from "#contract";
import type { Verifier } from "#main/judging";
import type { LineIndex, ReadColumn } from "#main/results";
import type { Store } from "#main/storage";
import { hasAnswer, readBatchLines } from "./batch-lines.ts";
import type { FindVerifier, JudgeThread } from "./judge-thread.ts";
import { systemTextOf, toVerifyInput } from "./line-texts.ts";
import { createRunFiles, type Recount, type RunFiles } from "./run-file.ts";
import { createRuns, type RunDeps, type RunKind, refusal } from "./runs.ts";
import { addClaimCounts, listRulesAlone, recountVerdict, toVerdictOutcome } from "./verdict-outcome.ts";
import { type AddQueue, type OpenQueue, type WorkTarget, workInChunks, workThroughEngine } from "./work.ts";

export interface StartVerification {
  readonly batchId: string;
  readonly choice: JudgeChoice;
  readonly document: DocumentChoice;
  readonly strict: boolean;
  /** Whether the form of the answers is checked; default true. */
  readonly form?: boolean;
  /** Needed where the document is a column. */
  readonly readColumn?: ReadColumn;
}

/** Verifies the answers of whole batches, in the background. */
export interface Verifications {
  /** Null when the batch has never been verified. */
  get(batchId: string): Promise<VerificationRun | null>;
  /** Whether some of its requests have a system message; judged by the first hundred. */
  hasSystemMessages(batchId: string): Promise<boolean>;
  /** Starts over. Fails with a ServiceError when the batch has not ended, or is being verified. */
  start(what: StartVerification): Promise<VerificationRun>;
  /** Continues where a run stopped; one that is running or done is left as it is. */
  resume(batchId: string, readColumn?: ReadColumn): Promise<VerificationRun>;
  /** What was being judged is given up; resolves when no more verdicts come. */
  cancel(batchId: string): Promise<VerificationRun>;
  /** Calls the listener with every change, merged to at most four a second for each batch. The answer stops it. */
  subscribe(listener: (run: VerificationRun) => void): () => void;
  /** Those that are under way. */
  listRunning(): VerificationRun[];
  /** The whole result for one line; null when it has none. */
  line(batchId: string, line: number): Promise<VerifyResult | null>;
  /** Resolves when the batch is not being verified (any more). */
  settled(batchId: string): Promise<VerificationRun | null>;
}

/** The first line of a file of verdicts: what they are of, and how they came about. */
const verdictsHeaderSchema = z.object({
  /**
   * 1: verdicts meant something else. 2: a broken form and a single supported claim made the verdict of a response. 3: claims
   * were not counted by line.
   */
  version: z.literal([1, 2, 3, 4]),
  choice: judgeChoiceSchema,
  document: documentChoiceSchema,
  strict: z.boolean().default(false),
  form: z.boolean().default(true),
  /** Lines of the batch that had an answer when it was started. */
  total: z.int().min(0),
  /** How many the batch had answered then: more came late. */
  answered: z.int().optional(),
});
/** Of the runs that are written. */
const currentVersion = 4;
type VerdictsHeader = Readonly<z.infer<typeof verdictsHeaderSchema>>;

/** What the lines of earlier versions count as today. */
const recounts: Partial<Record<VerdictsHeader["version"], Recount<Verdict>>> = { 2: recountVerdict, 3: addClaimCounts };

const earlierSchema = z.object({ line: z.int(), verdict: z.string().max(50) });

export type VerdictFiles = RunFiles<VerdictsHeader, Verdict, VerifyResult>;

/** The files of the verdicts of batches, which need not be there yet. */
export function createVerdictFiles({ verdictsDir: folder, durability, notices }: Store): VerdictFiles {
  return createRunFiles({
    folder,
    durability,
    notices,
    headerSchema: verdictsHeaderSchema,
    marks: verdictSchema.options,
    keys: {
      kinds: [...findingKindSchema.options, ...Object.values(formKeys), ...Object.values(agreementKeys)],
      counted: Object.values(claimKeys),
    },
    resultSchema: storedVerifyResultSchema,
    recountFor: ({ version }) => recounts[version] ?? null,
    readEarlier: (head) => earlierSchema.safeParse(head).data?.verdict ?? null,
  });
}

export interface VerificationsDeps extends RunDeps {
  readonly files: VerdictFiles;
  readonly thread: JudgeThread;
  readonly verifierFor: FindVerifier;
  readonly openQueue: OpenQueue;
}

/** The verification of batches. */
export function createVerifications(parts: VerificationsDeps): {
  readonly verifications: Verifications;
  isRunning(batchId: string): boolean;
  /** Gives up what is in work; what has come of the batch stays. */
  stop(batchId: string): Promise<void>;
  /** Judges answers that came late by the rules, where these have judged the others. */
  judgeLate(batchId: string, lines: number, readColumn: ReadColumn | undefined): Promise<void>;
  /** Gives up what is in work, and removes what has come of the batch. */
  forget(batchId: string): Promise<void>;
  close(): Promise<void>;
} {
  const { files, thread, verifierFor, openQueue } = parts;

  const kind: RunKind<VerdictsHeader, Verdict, VerifyResult, VerificationRun> = {
    files,
    participle: "verified",
    countLines: ({ total, answered }, { counts }) =>
      total + Math.max(0, counts.completed - (answered ?? counts.completed)),
    isByRules: ({ choice }) => choice.judge === "rules",
    prepare({ version, choice, document, strict, form }, readColumn) {
      // One run has one set of rules. Model verdicts of version 3 lack only counts, which opening the file adds: nothing is paid twice.
      if (version !== currentVersion && !(version === 3 && choice.judge === "model")) {
        throw refusal("An earlier version of Sheaf verified this batch, by other rules. Start over.");
      }
      const verifier = verifierFor(choice);
      if (document.from === "column" && readColumn === undefined) {
        throw refusal("The table that this batch was built from is gone. Start over with another document.");
      }
      const readCells =
        document.from === "column" && readColumn !== undefined
          ? (from: number) => readColumn(document.column, from)
          : null;
      return async ({ index, outcomes, readLines, ...target }) => {
        const isWanted = (line: number) => hasAnswer(index, line) && outcomes.mark(line) === null;
        const chunks = readBatchLines({ index, isWanted, readLines, readCells });
        const inputs = (async function* () {
          for await (const chunk of chunks) {
            yield chunk.map(({ detail, cell }) => ({
              line: detail.line,
              input: toVerifyInput(detail, { document, strict, form, cell }),
            }));
          }
        })();
        if (verifier.judge === "rules") await judgeByRules(inputs, target);
        else await judgeByModel(inputs, verifier, await openQueue(choice.connectionId), target);
        return null;
      };
    },
    describe({ header, index, earlier }, status, total) {
      const { version, choice, document, strict, form: checksForm } = header;
      const isEarlier = version === 1;
      const earlierCounts = Array.from(earlier, ([verdict, count]) => ({ verdict, count }));
      const tallies = new Map(index.tallies());
      const countForm = (form: FormVerdict) => tallies.get(formKeys[form]) ?? 0;
      const done = earlierCounts.reduce((sum, { count }) => sum + count, 0);
      return {
        ...status,
        choice,
        document,
        strict,
        checksForm,
        total,
        isEarlier,
        earlierCounts: isEarlier ? earlierCounts : [],
        counts: countVerdicts((verdict) => index.count(verdict)),
        form: { kept: countForm("kept"), broken: countForm("broken") },
        claims: countVerdicts((verdict) => tallies.get(claimKeys[verdict]) ?? 0),
        disagreements: tallies.get(agreementKeys.disagree) ?? 0,
        kinds: index.tallies().flatMap(([key, count]) => {
          const kind = findingKindSchema.safeParse(key).data;
          return kind === undefined ? [] : [{ kind, count }];
        }),
        rulesAlone: listRulesAlone(index.tallies()),
        // It can't continue: what it has found means something else.
        ...(isEarlier && { state: "done" as const, done }),
      };
    },
  };
  const { close, forget, stop, isRunning, judgeLate, start, sample, ...runs } = createRuns(kind, parts);

  type LineInput = { readonly line: number; readonly input: VerifyInput };

  async function judgeByRules(chunks: AsyncIterable<readonly LineInput[]>, target: WorkTarget<Verdict>): Promise<void> {
    const judge = (inputs: readonly LineInput[], signal: AbortSignal) =>
      thread.client().judge(
        inputs.map(({ input }) => input),
        { signal },
      );
    await workInChunks(chunks, judge, target);
  }

  async function judgeByModel(
    chunks: AsyncIterable<readonly LineInput[]>,
    verifier: Verifier,
    addQueue: AddQueue,
    target: WorkTarget<Verdict>,
  ): Promise<void> {
    const judge = async ({ input }: LineInput, signal: AbortSignal) => {
      let fallback: string | null = null;
      const onFallback = (problem: string) => {
        fallback = problem;
      };
      return toVerdictOutcome(await verifier.verify(input, { signal, onFallback }), fallback);
    };
    await workThroughEngine(chunks, judge, target, addQueue);
  }

  return {
    isRunning,
    judgeLate,
    stop,
    forget,
    close,
    verifications: {
      ...runs,
      start: ({ batchId, choice, document, strict, form = true, readColumn }) =>
        start({
          batchId,
          createHeader: (index, { counts: { completed: answered } }) => {
            return { version: currentVersion, choice, document, strict, form, total: countAnswers(index), answered };
          },
          readColumn,
        }),
      async hasSystemMessages(batchId) {
        // Someone is about to choose a judge: the worker starts meanwhile.
        thread.client();
        const lines = await sample(batchId);
        return lines.some(({ messages }) => systemTextOf(messages) !== null);
      },
    },
  };
}

function countAnswers(index: LineIndex): number {
  let count = 0;
  for (let line = 1; line <= index.total; line++) if (hasAnswer(index, line)) count += 1;
  return count;
}
