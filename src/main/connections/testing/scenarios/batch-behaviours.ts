import type { Behaviour, Counts, CreateFault, Row } from "./behaviour.ts";
import type { Kind } from "./kinds.ts";

const minute = 60_000;
const hour = 60 * minute;

/** Those with two files of results. */
const twoFiles: readonly Kind[] = ["openai", "groq", "azure", "together"];
/** Together's records have no counts at all (`BatchJob` of together-ai). */
const withCounts: readonly Kind[] = ["openai", "groq", "azure", "anthropic", "gemini"];

type Rows = NonNullable<Behaviour["rows"]>;

/** Lines of the last third have other rows than the rest. */
const lastThird =
  (late: (read: number) => readonly Row[], others: readonly Row[] = ["answer"]): Rows =>
  ({ at, total }, read) =>
    at < total - Math.ceil(total / 3) ? others : late(read);

const zero = ({ total: _, ...rest }: Counts): Counts => ({ ...rest, total: 0, completed: 0, failed: 0 });

/** Where a redirect leads, as servers do it: a move, a page to log in, the batch that was made. */
const locations = [
  [301, "moved"],
  [302, "login"],
  [307, "moved"],
  [308, "moved"],
] as const;

const creates: Record<string, Behaviour> = {};
for (const made of [true, false]) {
  const add = (name: string, fault: CreateFault) => {
    creates[`create: ${name}, ${made ? "made" : "not made"}`] = { creates: [fault] };
  };
  for (const [status, location] of locations) add(`${status}`, { status, made, location });
  add("303", { status: 303, made, location: made ? "batch" : "login" });
  add("303 elsewhere", { status: 303, made, location: "elsewhere" });
  add("307 elsewhere", { status: 307, made, location: "elsewhere" });
  // 425: RFC 8470. 499: nginx's word for a client that left, also used by proxies in front of services.
  for (const status of [408, 425, 499, 500, 502, 503, 504, 520]) add(`${status}`, { status, made });
  add("cut", { made, ends: "cut" });
  add("hang", { made, ends: "hang" });
  add("200 without an id", { made, status: 200, body: "{}" });
  add("200 with a page", { made, status: 200, body: "<!DOCTYPE html><title>Please wait</title>" });
}

/**
 * The behaviours of batch services, by name. Sources: a completed batch without a file, ellmer's pull request 926 (Gemini says
 * BATCH_STATE_SUCCEEDED before the file is there) and litellm's 34067; an empty file id, kaibo's 93; fewer results than
 * counted, mistralai/client-python issue 159 and cds-snc/ai-answers 1272; counts of 0, litellm's 38744; outputs and errors
 * apart, the guide at platform.openai.com/docs/guides/batch; PartiallyCompleted, Amazon Bedrock's list of job states.
 */
const batchBehaviours: Readonly<Record<string, Behaviour>> = {
  plain: {},

  "file: null": { file: { reads: Number.POSITIVE_INFINITY } },
  "file: null for 3 reads": { file: { reads: 3 } },
  "file: empty text for 3 reads": { file: { reads: 3, until: "" } },
  "file: null for 20 minutes": { file: { after: 20 * minute } },
  "file: null for 3 hours": { file: { after: 3 * hour } },
  "file: null for 8 days": { file: { after: 8 * 24 * hour } },
  "file: errors late": {
    on: twoFiles,
    file: { which: "error", reads: 3 },
    rows: lastThird(() => ["error"]),
  },
  "file: outputs late, errors there": {
    on: twoFiles,
    file: { which: "output", reads: 3 },
    rows: lastThird(() => ["error"]),
  },

  "download: 404": { downloads: [404] },
  "download: 404 twice": { downloads: [404, 404, "whole"] },
  "download: 500 twice": { downloads: [500, 500, "whole"] },
  "download: empty": { downloads: ["empty"] },
  "download: empty twice": { downloads: ["empty", "empty", "whole"] },
  "download: cut in a line": { downloads: ["cut in a line"] },
  "download: cut in a line twice": { downloads: ["cut in a line", "cut in a line", "whole"] },
  "download: cut at a line twice": { downloads: ["cut at a line", "cut at a line", "whole"] },
  "download: short": { downloads: ["short"] },
  "download: short twice": { downloads: ["short", "short", "whole"] },
  "download: slow": { downloads: ["slow"] },
  "download: hang once": { downloads: ["hang", "whole"] },

  "rows: fewer than counted": { rows: lastThird(() => ["withheld"]) },
  "rows: fewer at first": { rows: lastThird((read) => (read < 2 ? ["withheld"] : ["answer"])) },
  "rows: none at first": { rows: (_, read) => (read < 2 ? ["withheld"] : ["answer"]) },
  "rows: errors apart": { on: twoFiles, rows: lastThird(() => ["error"]) },
  "rows: errors apart, fewer answers at first": {
    on: twoFiles,
    rows: ({ at }, read) => (at % 2 === 0 ? ["error"] : read < 2 ? ["withheld"] : ["answer"]),
  },
  "rows: unreadable": { rows: lastThird(() => ["unreadable"]) },
  "rows: overlong": { rows: ({ at }) => (at === 0 ? ["overlong"] : ["answer"]) },
  "rows: answer, then error": { rows: lastThird(() => ["answer", "error in output"]) },
  "rows: error, then answer": { rows: lastThird(() => ["error in output", "answer"]) },
  "rows: answer and error apart": { on: twoFiles, rows: lastThird(() => ["answer", "error"]) },
  "rows: error first, answer in a later read": {
    rows: ({ at }, read) => (at === 0 && read < 1 ? ["withheld"] : at === 1 && read < 1 ? ["error"] : ["answer"]),
  },
  "rows: answer first, error in a later read": {
    rows: ({ at }, read) => (at === 0 && read < 1 ? ["withheld"] : at === 1 && read > 0 ? ["error"] : ["answer"]),
  },
  "rows: two answers": { rows: lastThird(() => ["answer", "other answer"]) },
  "rows: two answers, in two reads": {
    rows: ({ at }, read) =>
      at === 0 && read < 1 ? ["withheld"] : at === 1 && read > 0 ? ["other answer"] : ["answer"],
  },
  "rows: the same answer twice": { rows: lastThird(() => ["answer", "answer"]) },

  "counts: zero": { on: withCounts, counts: zero },
  "counts: zero, fewer at first": {
    on: withCounts,
    counts: zero,
    rows: lastThird((read) => (read < 2 ? ["withheld"] : ["answer"])),
  },
  "counts: none": { on: withCounts, counts: () => null },
  "counts: none, fewer at first": {
    counts: () => null,
    rows: lastThird((read) => (read < 2 ? ["withheld"] : ["answer"])),
  },
  "counts: none, errors apart, fewer at first": {
    on: twoFiles,
    counts: () => null,
    rows: ({ at }, read) => (at % 2 === 0 ? ["error"] : read < 2 ? ["withheld"] : ["answer"]),
  },

  "list: redirects to a login": { list: { redirect: 302, location: "login" } },
  "list: redirects elsewhere": { list: { redirect: 307, location: "elsewhere" } },
  "list: moved": { list: { redirect: 308, location: "moved" } },
  "list: 500": { list: { status: 500 } },
  "list: 404": { list: { status: 404 } },
  "list: without ours for 3 reads": { list: { hidesOwn: 3 } },
  "list: without ours": { list: { hidesOwn: Number.POSITIVE_INFINITY } },
  "list: oldest first": { list: { isOldestFirst: true, nights: [{ ago: 24 * hour }, { ago: 48 * hour }] } },
  "list: without what was sent": { list: { forgets: "mark and file" } },
  "list: without token": { list: { forgets: "mark" } },
  "list: a copy of the file": { on: twoFiles, list: { forgets: "mark, file is a copy" } },
  "nights: before": { list: { nights: [{ ago: 24 * hour }, { ago: 48 * hour }] } },
  "nights: a minute before": { list: { nights: [{ ago: minute }] } },
  "nights: 100 before": { list: { nights: Array.from({ length: 120 }, (_, at) => ({ ago: (at + 1) * hour })) } },
  "nights: at the same time": { list: { nights: [{ after: 0 }] } },
  "nights: two hours after": { list: { nights: [{ after: 2 * hour }] } },

  "clock: no Date": { clock: { date: "none" } },
  "clock: broken Date": { clock: { date: "broken" } },
  "clock: 3 hours ahead": { clock: { offset: 3 * hour } },
  "clock: 3 hours behind": { clock: { offset: -3 * hour } },

  "models: without ours": { models: ["another-model", "some-model-mini"] },
  "models: with a tag": { models: ["some-model:latest", "another-model:7b"] },
  "models: none": { models: [] },
  "models: 404": { models: 404 },
  "lm studio": { on: ["chat"], answersAnyPath: true },
};

/** Nothing was answered, or half of the lines. */
const nothing: Rows = () => [];
const half: Rows = ({ at, total }) => (at < total / 2 ? ["answer"] : []);
/** What is left at the end of the window, as the vendors write it. */
const halfExpired: Rows = ({ at, total }) => (at < total / 2 ? ["answer"] : ["expired"]);
const halfCanceled: Rows = ({ at, total }) => (at < total / 2 ? ["answer"] : ["canceled"]);
const never = { reads: Number.POSITIVE_INFINITY };

/** The final states. The first words are known; the others are not in any vendor's list. */
const states: Record<string, Behaviour> = {
  "state: expired": { state: "expired", rows: halfExpired },
  "state: expired, no counts, fewer at first": {
    state: "expired",
    counts: () => null,
    rows: ({ at, total }, read) => (at >= total / 2 ? [] : read < 1 && at > 0 ? ["withheld"] : ["answer"]),
  },
  "state: cancelled": { state: "cancelled", rows: halfCanceled },
  "state: cancelled, no counts": { state: "cancelled", counts: () => null, rows: half },
  "state: failed": { state: "failed", rows: nothing },
  "state: failed, with answers": { state: "failed", rows: half },
  "state: failed, no counts, answers late": { state: "failed", counts: () => null, rows: half, file: { reads: 2 } },
};
for (const word of ["done", "finished", "partially_completed"]) {
  states[`state: ${word}`] = { state: word };
  states[`state: ${word}, fewer at first`] = {
    state: word,
    rows: lastThird((read) => (read < 2 ? ["withheld"] : ["answer"])),
  };
}
for (const word of ["error", "errored", "aborted"]) {
  states[`state: ${word}`] = { state: word, rows: nothing };
  states[`state: ${word}, with answers`] = { state: word, rows: half };
}
for (const word of ["archived", "delivered_to_bucket"]) {
  states[`state: ${word}`] = { state: word };
  states[`state: ${word}, half`] = { state: word, rows: half };
  states[`state: ${word}, no counts`] = { state: word, counts: () => null };
  states[`state: ${word}, no counts, half`] = { state: word, counts: () => null, rows: half };
  states[`state: ${word}, no file`] = { state: word, file: never };
  states[`state: ${word}, no counts, no file`] = { state: word, counts: () => null, file: never };
}

const all = { ...batchBehaviours, ...creates, ...states };

/** The behaviours that a kind of service can play, by name. */
export function behavioursOf(kind: Kind): readonly string[] {
  return Object.keys(all).filter((name) => all[name]?.on?.includes(kind) ?? true);
}

/** Several behaviours in one. Of two that decide the same, the later one counts; an unknown name is an error. */
export function mixBehaviours(names: readonly string[]): Behaviour {
  const found = names.map((name) => {
    const behaviour = all[name];
    if (behaviour === undefined) throw new Error(`No service behaves like that: ${name}.`);
    return behaviour;
  });
  const list = Object.assign({}, ...found.map((behaviour) => behaviour.list ?? {}));
  return { ...Object.assign({}, ...found), ...(Object.keys(list).length > 0 ? { list } : {}) };
}

/** What a mixture never has: nothing of it can end without a user. */
const hopeless =
  /^(plain|models|lm studio|state: (archived|delivered))|^(file: null|file: null for 8 days|download: (404|empty|cut in a line|short))$|^rows: (fewer than counted|unreadable|overlong)$|hang$/;

/** A mixture for a seed, the same each time: a create, a list, a clock, a file, a download and rows, counts or a state. */
export function mixtureOf(kind: Kind, seed: number): readonly string[] {
  const names = behavioursOf(kind).filter((name) => !hopeless.test(name));
  let state = (seed % 2_147_483_646) + 1;
  const draw = (pattern: RegExp): string => {
    state = (state * 48_271) % 2_147_483_647;
    const choice = names.filter((name) => pattern.test(name));
    return choice[state % choice.length] ?? "plain";
  };
  return [/^create/, /^(list|nights)/, /^clock/, /^file/, /^download/, /^(rows|counts|state)/].map(draw);
}
