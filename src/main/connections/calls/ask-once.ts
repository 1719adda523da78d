import type { ChatRequest, Connection, ConnectionCheck } from "#contract";
import { isAnswered, readAnswer } from "#main/answers";
import { createRandomIds, type Engine, type EngineError, type EngineReply, type Machine, shorten } from "#main/base";
import { ConnectionError, describeErrorStatus, describeNetworkError } from "../adapters/connection-error.ts";
import { listModels } from "../adapters/open-adapter.ts";
import { openDirectEngine } from "./direct-engine.ts";

/** How long the answer may take: a model on this computer may have to be loaded first. In milliseconds. */
const timeout = 120_000;
/** How much of what came back is shown. */
const longestShown = 2_000;

interface AskDeps {
  readonly key: string | null;
  readonly machine: Machine;
  /** Default: the first that the connection lists. */
  readonly model?: string | undefined;
}

/** Sends one chat of at most one token, which may cost, and reports what came back. */
export async function askOnce(
  connection: Connection,
  { key, machine, model }: AskDeps,
  signal: AbortSignal,
): Promise<ConnectionCheck> {
  const asked = model ?? (await findModel(connection, { key, machine }, signal));
  if (asked === null) {
    return {
      what: "answer",
      state: "fails",
      message: "No model is listed to send a request to. Give one as *=NAME, or with --ask NAME.",
    };
  }
  const engine = openDirectEngine(connection, key, { timeout, retries: 0, ids: createRandomIds(), machine });
  try {
    const reply = await ask(engine, asked, signal);
    return isAnswered(reply) ? describeAnswer(asked, reply.body) : describeFailure(connection.name, reply);
  } finally {
    await engine.close?.();
  }
}

/** Null where none is listed; a name of ours that stands for every model needs no list. */
async function findModel(
  connection: Connection,
  parts: Pick<AskDeps, "key" | "machine">,
  signal: AbortSignal,
): Promise<string | null> {
  const usual = connection.models["*"];
  if (usual !== undefined) return usual;
  try {
    return (await listModels(connection, parts, signal))[0] ?? null;
  } catch (error) {
    if (error instanceof ConnectionError) return null;
    throw error;
  }
}

/** Newer models refuse the older name of the limit; that costs nothing. */
async function ask(engine: Engine, model: string, signal: AbortSignal): Promise<EngineReply> {
  const request: ChatRequest = { model, messages: [{ role: "user", content: "Hi" }] };
  const call = { requestId: "test", line: null, signal };
  const reply = await engine.complete({ ...call, request: { ...request, max_tokens: 1 } });
  const isRefused = reply.statusCode === 400 && JSON.stringify(reply.body).includes("max_completion_tokens");
  return isRefused ? await engine.complete({ ...call, request: { ...request, max_completion_tokens: 1 } }) : reply;
}

function describeAnswer(model: string, body: EngineReply["body"]): ConnectionCheck {
  const { answer, promptTokens, completionTokens } = readAnswer(body);
  const said = answer === "" ? "without text" : `“${shorten(answer)}”`;
  const counted =
    promptTokens === null || completionTokens === null
      ? "It reported no token counts, so no costs can be shown."
      : `It counted ${promptTokens} tokens in and ${completionTokens} out.`;
  return { what: "answer", state: "works", message: `${model} answered ${said}. ${counted}`, details: show(body) };
}

function describeFailure(name: string, { statusCode, body, cause, isSettled }: EngineError): ConnectionCheck {
  const failed = { what: "answer", state: "fails" } as const;
  const { raw_answer: raw } = body;
  if (isSettled === true) {
    return { ...failed, message: body.error.message, details: typeof raw === "string" ? cut(raw) : show(body) };
  }
  const { message, stepThere } =
    cause === undefined
      ? describeErrorStatus(statusCode, JSON.stringify(body.error), name, null)
      : describeNetworkError(cause, name);
  return { ...failed, message: `${message} ${stepThere}`, ...(cause === undefined && { details: show(body) }) };
}

const show = (body: object) => cut(JSON.stringify(body));

function cut(text: string): string {
  return text.length > longestShown ? `${text.slice(0, longestShown).toWellFormed()} …` : text;
}
