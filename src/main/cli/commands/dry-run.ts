import { z } from "zod";
import { type Connection, chatRequestSchema, formatBytes, formatCount, type Problem } from "#contract";
import { countPromptTokens, createLineChecker, createProblemTally, elsewhereRules, scanLines } from "#service";
import { createJobPlanner, type JobPlanner, modelAt, pricesDate, priceTokens } from "../../connections/index.ts";
import { reportProblems } from "../batch-report.ts";
import { type ExitCode, exitCodes } from "../cli-error.ts";
import { type CommandProcess, print } from "../command-process.ts";
import type { RunFlags } from "../flags.ts";
import type { InputRows } from "../input-rows.ts";
import { countKnown } from "../jobs/count-known.ts";
import { openConnectionStore, requireConnection } from "./connections.ts";

/** `sheaf run FILE --connection NAME --dry-run`: says the plan and the cost, and asks nothing. */
export async function planOnConnection(
  input: InputRows,
  name: string,
  flags: RunFlags,
  io: CommandProcess,
): Promise<ExitCode> {
  const store = await openConnectionStore(flags, io);
  const connection = await requireConnection(store, name);
  const planner = createJobPlanner(connection);
  try {
    const { problems, ...sizes } = await measure(input, planner);
    if (problems.length > 0) return reportProblems({ file: input.file, lineOf: (line) => line }, problems, flags, io);
    const known = await countKnown(input, connection, { store, dataDir: flags.dataDir }, io);
    const plan = { ...sizes, known, parts: planner.parts(), ...estimateCost(sizes.models, connection) };
    if (flags.json) print(JSON.stringify(toJson(plan, connection)), io);
    else for (const line of describePlan(plan, connection)) print(line, io);
    return exitCodes.ok;
  } finally {
    await planner.close();
  }
}

/** What the requests for one model take. */
interface ModelUse {
  promptTokens: number;
  /** The most that the answers may have; null where a request sets no limit. */
  mostCompletionTokens: number | null;
}

interface Sizes {
  readonly requests: number;
  readonly bytes: number;
  readonly models: ReadonlyMap<string, ModelUse>;
}

const requestSchema = z.object({ body: chatRequestSchema });

/** One pass over the rows: the same check that they meet before they are sent, and what they take. */
async function measure(input: InputRows, planner: JobPlanner): Promise<Sizes & { problems: readonly Problem[] }> {
  const checker = createLineChecker(elsewhereRules);
  const tally = createProblemTally();
  const models = new Map<string, ModelUse>();
  let requests = 0;
  let bytes = 0;
  let number = 0;
  const addRequest = (text: string) => {
    const { body } = requestSchema.parse(JSON.parse(text));
    const use = models.get(body.model) ?? { promptTokens: 0, mostCompletionTokens: 0 };
    const most = body.max_completion_tokens ?? body.max_tokens ?? null;
    use.promptTokens += countPromptTokens(body.messages);
    if (most === null || use.mostCompletionTokens === null) use.mostCompletionTokens = null;
    else use.mostCompletionTokens += most * (body.n ?? 1);
    models.set(body.model, use);
  };
  await scanLines(input.path, ({ bytes: line }) => {
    number += 1;
    if (!input.isChosen(number)) return;
    const found = line === null ? checker.refuse(number, "The line is too long.") : checker.check(line, number);
    for (const problem of found) tally.add(problem);
    const text = line?.toString() ?? "";
    if (found.length > 0 || text.trim() === "") return;
    requests += 1;
    bytes += (line?.length ?? 0) + 1;
    for (const problem of planner.add(text, number)) tally.add(problem);
    addRequest(text);
  });
  for (const problem of checker.finish(bytes)) tally.add(problem);
  return { requests, bytes, models, problems: tally.errorCount > 0 ? tally.list() : [] };
}

interface CostEstimate {
  readonly promptTokens: number;
  readonly mostCompletionTokens: number | null;
  /** Of the prompts, in US dollars; null where no price is known. */
  readonly cost: number | null;
  /** With the longest answers; null where no price is known, or where they have no limit. */
  readonly mostCost: number | null;
}

function estimateCost(models: Sizes["models"], connection: Connection): CostEstimate {
  let promptTokens = 0;
  let mostCompletionTokens: number | null = 0;
  let cost: number | null = 0;
  let mostCost: number | null = 0;
  for (const [name, use] of models) {
    const source = { connection, model: modelAt(connection)(name) };
    const most = use.mostCompletionTokens;
    promptTokens += use.promptTokens;
    mostCompletionTokens = addOrNull(mostCompletionTokens, most);
    cost = addOrNull(cost, priceTokens({ promptTokens: use.promptTokens, completionTokens: 0 }, source));
    mostCost = addOrNull(
      mostCost,
      most === null ? null : priceTokens({ promptTokens: use.promptTokens, completionTokens: most }, source),
    );
  }
  return { promptTokens, mostCompletionTokens, cost, mostCost };
}

const addOrNull = (a: number | null, b: number | null) => (a === null || b === null ? null : a + b);

interface Plan extends Omit<Sizes, "models">, CostEstimate {
  readonly parts: ReturnType<JobPlanner["parts"]>;
  /** Requests that were answered before. */
  readonly known: number;
}

function describePlan(plan: Plan, { name, concurrency, prices }: Connection): string[] {
  const { requests, bytes, known, parts, promptTokens, mostCompletionTokens, cost, mostCost } = plan;
  const count = (tokens: number) => formatCount(tokens, "token");
  const how = parts === null ? `, ${concurrency} at a time` : ` in ${formatCount(parts.length, "part")}`;
  const answers = mostCompletionTokens === null ? "no limit (no max_tokens)" : `at most ${count(mostCompletionTokens)}`;
  const dated = prices === null ? `prices of ${pricesDate}` : "your prices";
  const paid =
    cost === null
      ? "no price is known"
      : `about $${cost.toFixed(2)} for the prompts${mostCost === null ? "" : `, at most $${mostCost.toFixed(2)} in all`} (${dated})`;
  return [
    `${formatCount(requests, "request")} (${formatBytes(bytes)}) to ${name}${how}`,
    ...(parts !== null && parts.length > 1
      ? parts.map(({ from, to }, at) => `  part ${at + 1}: requests ${from} to ${to}`)
      : []),
    `Prompts: about ${count(promptTokens)}. Answers: ${answers}.`,
    `Cost: ${paid}.`,
    ...(known === 0
      ? []
      : [`${known.toLocaleString("en")} of these are answered already: --reuse takes their answers.`]),
    "Nothing was sent.",
  ];
}

function toJson(plan: Plan, { name, prices }: Connection) {
  return {
    dry_run: true,
    connection: name,
    total: plan.requests,
    known: plan.known,
    bytes: plan.bytes,
    parts: plan.parts,
    prompt_tokens: plan.promptTokens,
    most_completion_tokens: plan.mostCompletionTokens,
    prompt_cost: plan.cost,
    most_cost: plan.mostCost,
    prices_of: plan.cost === null ? null : prices === null ? pricesDate : "user",
  };
}
