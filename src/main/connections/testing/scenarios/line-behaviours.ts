import { type Family, fail, familyOf, type Kind } from "./kinds.ts";
import { always, type LineBehaviour, seconds, type Table, times, wait } from "./line-behaviour.ts";
import { openaiLines } from "./openai-lines.ts";
import { anthropicLines, geminiLines } from "./vendor-lines.ts";

const quoted = "The card declined, insufficient funds: what do I tell the customer about my quota?";

/** What all services can do. */
function everyFamily(family: Family): Table {
  const serverError = fail(family, 500, "The server had an error while processing your request.");
  const limit = fail(family, 429, "Rate limit reached.");
  const table: Table = {
    plain: always({}),
    "500 always": always(serverError),
    "408 always": always(fail(family, 408, "Request Timeout")),
    "503 always": always(fail(family, 503, "The model is overloaded. Please try again later.")),
    "429 always, without numbers": always(limit),
    "429 three times": times(3, () => limit),
    "hang always": { isDirect: true, answer: () => "hang" },
    "hang twice": times(2, () => "hang"),
    "cut always": { isDirect: true, answer: () => "cut" },
    "cut twice": times(2, () => "cut"),
    "cut in the answer, once": times(1, () => "cut in the answer"),
    "400 that quotes the prompt": always(fail(family, 400, `Invalid value for 'messages[0].content': '${quoted}'.`)),
    "400 that quotes the prompt elsewhere": always(
      fail(family, 400, "This prompt can't be processed.", { prompt: quoted, detail: "insufficient_quota? no" }),
    ),
    "413 that quotes the prompt": always(fail(family, 413, `Request too large: ${quoted}`)),
    "a message of 2,500 characters": always(fail(family, 400, `${"long ".repeat(499)}end.`)),
    "401": always(fail(family, 401, "Incorrect API key provided.")),
    "403": always(fail(family, 403, "Your key has no access to this model.")),
    "402": always(fail(family, 402, "Insufficient Balance", { code: "insufficient_balance" })),
    "empty answer": always({ text: "" }),
    "prompt cut to 2048": always({ promptTokens: 2_048 }),
    "prompt cut to 4096": always({ promptTokens: 4_096 }),
    "wait: retry-after": wait(family, 6_000, (left) => ({ headers: { "retry-after": seconds(left) } })),
    "wait: retry-after, a date": wait(family, 6_000, (left, now) => ({
      headers: { "retry-after": new Date(Math.ceil((now + left) / 1_000) * 1_000).toUTCString() },
    })),
    "wait: retry-after, an hour": wait(family, 3_600_000, (left) => ({ headers: { "retry-after": seconds(left) } })),
    "wait: 503 and retry-after": wait(family, 20_000, (left) => ({ headers: { "retry-after": seconds(left) } }), 503),
    "wait: nothing said": wait(family, 30_000, () => ({})),
  };
  for (const count of [1, 2, 5, 11]) table[`500 ${count} times`] = times(count, () => serverError);
  return table;
}

const tables: Readonly<Record<Family, Table>> = {
  openai: { ...everyFamily("openai"), ...openaiLines },
  anthropic: { ...everyFamily("anthropic"), ...anthropicLines },
  gemini: { ...everyFamily("gemini"), ...geminiLines },
};

/** The ways in which a line can be answered at a kind of service: in calls, or in batches. */
export function lineBehavioursOf(kind: Kind, where: "calls" | "batches"): readonly string[] {
  return Object.entries(tables[familyOf(kind)])
    .filter(([, { isDirect }]) => where === "calls" || isDirect !== true)
    .map(([name]) => name);
}

/** One of them by its name; an unknown name is an error. */
export function findLineBehaviour(kind: Kind, name: string): LineBehaviour {
  const behaviour = tables[familyOf(kind)][name];
  if (behaviour === undefined) throw new Error(`No line is answered like that at ${kind}: ${name}.`);
  return behaviour;
}
