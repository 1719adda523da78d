import { z } from "zod";
import { type Connection, chatRequestSchema, formatBytes, formatCost, formatCount, type Problem } from "#contract";
import {
  addCosts,
  createJobPlanner,
  estimateLine,
  type JobCost,
  type JobPlanner,
  noCost,
  openLinePrice,
  pricesDate,
} from "#main/connections";
import { connectionRules, countPromptTokens, createLineChecker, createProblemTally } from "#main/requests";
import { scanLines } from "#main/storage";
import type { RunFlags } from "../batch-flags.ts";
import { reportProblems } from "../batch-report.ts";
import { type ExitCode, exitCodes } from "../cli-error.ts";
import { type CommandProcess, print } from "../command-process.ts";
import type { InputRows } from "../input-rows.ts";
import { countKnown } from "../jobs/count-known.ts";
import { warnOfSchemas } from "../jobs/warn-of-schemas.ts";
import { openConnectionStore, requireConnection } from "./connections.ts";

/** `sheaf run FILE --connection NAME --dry-run`: prints the plan and the cost, and sends nothing. */
export async function planOnConnection(
  input: InputRows,
  name: string,
  flags: RunFlags,
  io: CommandProcess,
): Promise<ExitCode> {
  const store = await openConnectionStore(flags, io);
  const connection = await requireConnection(store, name);
  const planner = createJobPlanner(connection, io.machine);
  try {
    const { problems, ...sizes } = await measure(input, planner, connection);
    if (problems.length > 0) return reportProblems({ file: input.file, lineOf: (line) => line }, problems, flags, io);
    await warnOfSchemas(input, connection, io);
    const found = await countKnown(input, connection, { store, dataDir: flags.dataDir }, io);
    const parts = planner.parts();
    // What takes an answer that is there already costs nothing.
    const { cost } = flags.reuse ? await measure(input, null, connection, found.knownLines) : sizes;
    const plan = { ...sizes, cost, known: found.known, isReused: flags.reuse, parts };
    if (flags.json) print(JSON.stringify(toJson(plan, connection)), io);
    else for (const line of describePlan(plan, connection)) print(line, io);
    return exitCodes.ok;
  } finally {
    await planner.close();
  }
}

interface Sizes {
  readonly requests: number;
  readonly bytes: number;
  readonly promptTokens: number;
  /** The most that the answers may have; null where a request sets no limit. */
  readonly mostCompletionTokens: number | null;
  readonly cost: JobCost;
}

const requestSchema = z.object({ body: chatRequestSchema });

/** One pass over the rows: the same check as before they are sent, their tokens and their cost. */
async function measure(
  input: InputRows,
  planner: JobPlanner | null,
  connection: Connection,
  unasked: ReadonlySet<number> = new Set(),
): Promise<Sizes & { problems: readonly Problem[] }> {
  const checker = createLineChecker(connectionRules);
  const tally = createProblemTally();
  const price = await openLinePrice(connection);
  let promptTokens = 0;
  let mostCompletionTokens: number | null = 0;
  let cost: JobCost = noCost;
  let requests = 0;
  let bytes = 0;
  let number = 0;
  const addRequest = (text: string) => {
    const { messages, model, n, ...limits } = requestSchema.parse(JSON.parse(text)).body;
    const most = limits.max_completion_tokens ?? limits.max_tokens ?? null;
    const longestAnswer = most === null ? null : most * (n ?? 1);
    const prompt = countPromptTokens(messages, model);
    promptTokens += prompt;
    mostCompletionTokens =
      mostCompletionTokens === null || longestAnswer === null ? null : mostCompletionTokens + longestAnswer;
    if (unasked.has(requests)) return;
    cost = addCosts(cost, estimateLine({ model, promptTokens: prompt, usualAnswer: null, longestAnswer }, price));
  };
  await scanLines(
    input.path,
    ({ bytes: line }) => {
      number += 1;
      if (!input.isChosen(number)) return;
      const found = line === null ? checker.refuseLong(number) : checker.check(line, number);
      for (const problem of found) tally.add(problem);
      const text = line?.toString() ?? "";
      if (found.length > 0 || text.trim() === "") return;
      requests += 1;
      bytes += (line?.length ?? 0) + 1;
      for (const problem of planner?.add(text, number) ?? []) tally.add(problem);
      addRequest(text);
    },
    { maxLineBytes: connectionRules.fileLimits.lineBytes },
  );
  for (const problem of checker.finish(bytes)) tally.add(problem);
  return {
    requests,
    bytes,
    promptTokens,
    mostCompletionTokens,
    cost,
    problems: tally.errorCount > 0 ? tally.list() : [],
  };
}

interface Plan extends Sizes {
  readonly parts: ReturnType<JobPlanner["parts"]>;
  /** Requests that were answered before, and whether they take these answers. */
  readonly known: number;
  readonly isReused: boolean;
}

function describePlan(plan: Plan, { name, concurrency, ...connection }: Connection): string[] {
  const { requests, bytes, known, isReused, parts, promptTokens, mostCompletionTokens, cost } = plan;
  const count = (tokens: number) => formatCount(tokens, "token");
  const how = parts === null ? `, ${concurrency} at a time` : ` in ${formatCount(parts.length, "part")}`;
  const answers = mostCompletionTokens === null ? "no limit (no max_tokens)" : `at most ${count(mostCompletionTokens)}`;
  const dated = datePrices(connection) === "user" ? "your prices" : `prices of ${pricesDate}`;
  return [
    `${formatCount(requests, "request")} (${formatBytes(bytes)}) to ${name}${how}`,
    ...(parts !== null && parts.length > 1
      ? parts.map(({ from, to }, at) => `  part ${at + 1}: requests ${from} to ${to}`)
      : []),
    `Prompts: about ${count(promptTokens)}. Answers: ${answers}.`,
    `Cost: ${describeCost(cost, dated)}.`,
    ...(known === 0
      ? []
      : isReused
        ? [`${known.toLocaleString("en")} of these are answered already: they are not asked, and cost nothing.`]
        : [`${known.toLocaleString("en")} of these are answered already: --reuse takes their answers.`]),
    "Nothing was sent.",
  ];
}

function describeCost({ prompts, most, lines, unknown, isCeiling }: JobCost, dated: string): string {
  if (lines === 0 && unknown > 0) return "no price is known";
  const certainly = isCeiling ? `${dated}, without a discount that is not certain` : dated;
  if (unknown > 0) {
    const missing = `no price for ${unknown.toLocaleString("en")} of ${formatCount(lines + unknown, "request")}`;
    return `at least ${formatCost(prompts)} for the prompts; ${missing} (${certainly})`;
  }
  const limit = most === null ? "" : `, at most ${formatCost(most)} in all`;
  return `about ${formatCost(prompts)} for the prompts${limit} (${certainly})`;
}

/** Whose prices they are: the list's day, or `user`. */
function datePrices({ prices, modelPrices }: Pick<Connection, "prices" | "modelPrices">): string {
  return prices === null && modelPrices.every((own) => own.prices === null) ? pricesDate : "user";
}

function toJson(plan: Plan, connection: Connection) {
  const { name } = connection;
  const { prompts, most, lines, unknown, isCeiling } = plan.cost;
  const isKnown = lines > 0 || unknown === 0;
  return {
    dry_run: true,
    connection: name,
    total: plan.requests,
    known: plan.known,
    bytes: plan.bytes,
    parts: plan.parts?.map(({ from, to }) => ({ from, to })) ?? null,
    prompt_tokens: plan.promptTokens,
    most_completion_tokens: plan.mostCompletionTokens,
    prompt_cost: isKnown ? prompts : null,
    most_cost: isKnown && unknown === 0 ? most : null,
    ...(isKnown && unknown > 0 && { at_least: true, without_price: unknown }),
    ...(isCeiling && { at_most: true }),
    prices_of: isKnown ? datePrices(connection) : null,
  };
}
