import { isDeepStrictEqual } from "node:util";
import type { Engine, LineTarget, RemoteRun, RequestIdentity } from "#main/base";
import type { Faults } from "#main/engines";
import type { LineIndex, RequestReader } from "#main/results";
import type { AnswerFiles } from "./answer-files.ts";
import { cutPromptNotice } from "./cut-prompts.ts";
import type { BatchDeps } from "./deps.ts";
import type { HeldLines } from "./held-lines.ts";
import type { KnownAnswers } from "./known-answers.ts";
import type { LineTries } from "./line-retries.ts";
import { type AskedLines, createRemoteJob } from "./remote-job.ts";
import { copyIdentical, findIdentical, type ReuseDeps, reuseAnswers } from "./reuse-answers.ts";
import { type LineRun, startLineRun } from "./run-lines.ts";
import type { RunningBatch } from "./running-batch.ts";
import { type Scheduler, weightOf } from "./scheduler.ts";
import { skipReasons, skipWaiting } from "./skip-lines.ts";
import { isExpiring, type NotedFields } from "./state.ts";

/** The files of a batch while its lines are answered. */
export interface OpenedBatch {
  readonly index: LineIndex;
  readonly reader: RequestReader;
  readonly answers: AnswerFiles;
  readonly held: HeldLines;
  /** Whether the places and checksums of its requests were just made from the input file. */
  readonly isScanned: boolean;
}

/** Has the lines of a batch answered that have no answer. */
export interface LineAsker {
  /** Resolves when no more lines are to be asked: all have an answer, or the batch is to end or to stop. */
  ask(opened: OpenedBatch): Promise<void>;
  /** What asks them; null while nothing does. */
  readonly run: LineRun | RemoteRun | null;
  /** Resolves once there was a run. */
  readonly started: Promise<void>;
}

export interface AskerDeps extends Omit<BatchDeps, "faults"> {
  /** Those of the batch's scope. */
  readonly faults: Faults;
  readonly known: KnownAnswers;
  readonly schedulerOf: (engine: Engine) => Scheduler;
  /** Resolves when the batch's connection was changed, or the batch is to end. */
  readonly untilResumed: () => Promise<void>;
  /** Aborted when the service closes. */
  readonly closing: AbortSignal;
}

export function createLineAsker(parts: AskerDeps, batch: RunningBatch): LineAsker {
  const { schedulerOf, untilResumed, closing } = parts;
  const { record: current, state, dispatch } = batch;
  let run: LineRun | RemoteRun | null = null;
  const started = Promise.withResolvers<void>();

  const update = (change: NotedFields, isLasting: boolean) => dispatch({ type: "noted", change, isLasting });
  const wait = (reason: string | null) => dispatch({ type: "waits", reason });

  /** Asks what is not answered yet: what other batches have, and what is asked once for several lines, is taken over. */
  async function ask({ index, reader, answers, held, isScanned }: OpenedBatch): Promise<void> {
    const reuse = await prepareReuse(index, answers);
    const identical = reuse !== null && current().onceIdentical ? await findIdentical(reuse) : noLines;
    if (reuse !== null && current().reuse && current().reused === null) {
      const reused = await reuseAnswers(reuse, parts.known, identical);
      if (closing.aborted) return;
      update({ reused }, true);
    }
    // What was sent of it already is fetched all the same.
    const isSent = current().remote?.some(({ sentAt }) => sentAt !== null) ?? false;
    // A line that is sent by itself is checked then, unless what it is checked by was just made from the file.
    const isCheckedWhole = isScanned || current().connection !== null;
    if (!isSent && isCheckedWhole && !(await isInputSound())) {
      return await skipWaiting(index, reader, answers, skipReasons.damaged, () => {});
    }
    const isAnswered = (line: number) => index.isAnswered(line) || identical.has(line);
    await runLines({ ...index, isAnswered }, reader, answers, held).finally(() => {
      run = null;
    });
    // All that can be sent was sent.
    if (held.size > 0 && !closing.aborted) await held.fail(answers);
    if (current().status === "in_progress" && current().remote !== null && !closing.aborted) {
      if (hasSkipped(index, skipReasons.expired)) dispatch({ type: "window_cut" });
      else if (hasSkipped(index, skipReasons.cancelled)) dispatch({ type: "cancel_requested", by: "user" });
    }
    if (reuse === null || identical.size === 0 || closing.aborted) return;
    update({ copied: await copyIdentical(reuse, identical) }, true);
  }

  /** No time passes on the clock meanwhile. */
  function isInputSound(): Promise<boolean> {
    const read = () => parts.files.isSound(current().inputFileId);
    return parts.clock.perform(`the check of the input of ${batch.id}`, read);
  }

  async function prepareReuse(index: LineIndex, answers: AnswerFiles): Promise<ReuseDeps | null> {
    const { reuse, onceIdentical } = current();
    const identity = reuse || onceIdentical ? await recordAnswerer() : null;
    const isOver = () => closing.aborted || current().status !== "in_progress";
    return identity && { ...parts, current, index, answers, identity, isOver };
  }

  /** Notes who answers, so that the answers can be found again. Those of several are not distinguished. */
  async function recordAnswerer(): Promise<RequestIdentity | null> {
    const { connection, endpoint, answeredAs, counts, remote } = current();
    const identity = connection && (await parts.connectionRuntime?.connections.identify(connection, endpoint));
    if (!identity) return null;
    const isFresh = counts.completed === 0 && !remote?.some(({ sentAt }) => sentAt !== null);
    const next = isFresh || answeredAs === identity.answeredAs ? identity.answeredAs : null;
    if (next !== answeredAs) update({ answeredAs: next }, true);
    return identity;
  }

  async function runLines(
    index: AskedLines,
    reader: RequestReader,
    answers: AnswerFiles,
    held: HeldLines,
  ): Promise<void> {
    if (isExpiring(current()) || closing.aborted) return;
    // What is at a service elsewhere is followed to its end all the same.
    if (current().remote === null && isAllAnswered(index)) return;
    const { endpoint, metadata, scope, outcome, connection, direct } = current();
    const weight = weightOf({ metadata }, parts.tier());
    const common = {
      ...parts,
      batchId: batch.id,
      endpoint,
      metadata,
      scope,
      weight,
      stopAfter: outcome === null ? null : Math.floor(index.total / 2),
      index,
      reader,
      answers,
      held,
      onWaiting: wait,
      onTries(tries: readonly LineTries[]) {
        if (!isDeepStrictEqual(tries, current().lineTries ?? [])) update({ lineTries: [...tries] }, true);
      },
      onNotice(text: string) {
        const { notice } = current();
        if (notice === null || notice.startsWith(cutPromptNotice)) update({ notice: text }, true);
      },
    };
    do {
      // Its user has changed the connection, or has it tried again.
      if (state().isRestarting) {
        await held.release();
        if (current().lineTries !== null) update({ lineTries: null }, true);
      }
      dispatch({ type: "run_planned" });
      const target =
        connection === null ? { kind: "engine" as const, engine: parts.engine } : await openTarget(connection, direct);
      if (target === null) return;
      await recordAnswerer();
      // Who closed or expired it meanwhile found no run to stop.
      if (isExpiring(current()) || closing.aborted) return;
      const triesBefore = current().lineTries ?? [];
      if (target.kind === "remote") run = target.driver.run(createRemoteJob(common, current, update));
      else {
        const { engine } = target;
        run = startLineRun({ ...common, engine, triesBefore, scheduler: schedulerOf(engine), run: batch.openRun() });
      }
      dispatch({ type: "run_begun" });
      started.resolve();
      if (state().isCancelAsked || current().status === "cancelling") run.cancel();
      await run.ended;
    } while (state().isRestarting && !closing.aborted);
    if (state().run.isCutShort && current().status === "in_progress") {
      if (outcome === "cancelled") dispatch({ type: "cancel_requested", by: "user" });
      else dispatch({ type: "window_cut" });
    }
  }

  /** What answers the lines of the batch's connection. Null when the batch is to end before there is such. */
  async function openTarget(connection: string, direct: boolean): Promise<LineTarget | null> {
    for (;;) {
      const target = (await parts.connectionRuntime?.connections.open(connection, direct)) ?? null;
      if (target !== null || closing.aborted || current().status !== "in_progress") return target;
      wait("Its connection was removed. Cancel the batch: what is answered stays.");
      await untilResumed();
    }
  }

  return {
    ask,
    get run() {
      return run;
    },
    started: started.promise,
  };
}

/** Whether a service elsewhere ended the batch for this reason before all lines had run. */
function hasSkipped({ columns }: LineIndex, { code }: { readonly code: string }): boolean {
  return columns.errorCodes.names.includes(code);
}

const noLines: ReadonlyMap<number, number> = new Map();

function isAllAnswered({ total, isAnswered }: AskedLines): boolean {
  for (let line = 1; line <= total; line++) if (!isAnswered(line)) return false;
  return true;
}
