import type { Connections, Logger, Machine } from "#main/base";
import { createJudgeCallWriter, type Store } from "#main/storage";
import { type AnsweredCall, costOf } from "./judge-cost-sum.ts";

/** What models that judge and grade cost, in all that judges: each call has the price of its time. */
export interface JudgeSpending {
  /** Resolves when it is stored, or can't be stored now: then it is tried again after a while. */
  note(call: AnsweredCall): Promise<void>;
  /** Stores what is left. The log tells how much of it the disk refused. */
  close(): Promise<void>;
}

interface SpendingDeps {
  readonly dir: string;
  readonly durability: Store["durability"];
  readonly prices: Store["prices"];
  readonly describeConnection: Connections["describe"] | undefined;
  readonly machine: Pick<Machine, "wall" | "monotonic" | "after">;
  readonly logger: Logger;
}

/** How long the log is silent after it told that the disk refuses, in milliseconds. */
const warnInterval = 60_000;

/** Keeps what calls used, and cost, in a data folder. */
export function createJudgeSpending({
  dir,
  durability,
  prices,
  describeConnection,
  machine,
  logger,
}: SpendingDeps): JudgeSpending {
  const writer = createJudgeCallWriter(dir, durability, machine);
  let warnedAt = Number.NEGATIVE_INFINITY;

  function warn(error: unknown): void {
    const now = machine.monotonic();
    if (now - warnedAt < warnInterval) return;
    warnedAt = now;
    const details = { calls: writer.unwritten, error: String(error) };
    logger.warn("The usage of judge models is not stored yet", details);
  }

  async function price({ connectionId, model, ...call }: AnsweredCall, at: number) {
    const day = new Date(at);
    const found = await describeConnection?.(connectionId, { models: [model], isDirect: true, day }).catch(() => null);
    const connectionName = found?.name ?? "Removed connection";
    const known = found != null && found.prices.models.length > 0 ? found.prices : null;
    const record = known && (await prices.keep(known).catch(() => null));
    const cost = costOf(model, call, known);
    return { connectionName, cost, prices: record };
  }

  return {
    async note(call) {
      const at = machine.wall();
      const { connectionId: connection, model, promptTokens, cachedTokens, completionTokens, bill } = call;
      const used = {
        model,
        promptTokens,
        cachedTokens,
        completionTokens,
        cacheWriteTokens: bill?.cacheWriteTokens ?? 0,
        cacheWrite1hTokens: bill?.cacheWrite1hTokens ?? 0,
        tier: bill?.tier ?? null,
      };
      try {
        await writer.append({ at, connection, ...used, ...(await price(call, at)) });
      } catch (error) {
        warn(error);
      }
    },
    async close() {
      try {
        await writer.close();
      } catch (error) {
        const details = { calls: writer.unwritten, error: String(error) };
        logger.warn("The usage of judge models could not be stored", details);
      }
    },
  };
}
