import type { ChatRequest, ErrorBody, ServerView, StoredSecretName } from "#contract";
import type { JsonObject } from "./json-values.ts";

/**
 * The computer's time: what depends on other programs, on people or on the network goes by it. Everything that belongs to
 * batches of the service itself goes by its `Clock`.
 */
export interface Machine {
  /** Unix milliseconds, as people see them. May be set back or forward at any moment: durations are never made of it. */
  wall(): number;
  /** Milliseconds since some moment in the past, which only grow: for durations. */
  monotonic(): number;
  /** Calls `run` once when `delay` milliseconds have passed by `monotonic`, never earlier. The answer cancels it. */
  after(delay: number, run: () => void, options?: TimerOptions): () => void;
  /**
   * Calls `run` once when the wall clock shows `moment`, or when the time that is left until then now has passed by
   * `monotonic`, whichever comes first. A wall clock that is set forward is noticed within 30 seconds. The answer cancels it.
   */
  at(moment: number, run: () => void): () => void;
  /** Calls `run` again and again, `interval` milliseconds after the last time. The answer ends that. */
  every(interval: number, run: () => void, options?: TimerOptions): () => void;
  /** Resolves after `delay` milliseconds by `monotonic`; rejects with the signal's reason when it is aborted. */
  sleep(delay: number, signal?: AbortSignal): Promise<void>;
  /** Aborted with a TimeoutError after `delay` milliseconds by `monotonic`. Doesn't keep the process alive. */
  timeout(delay: number): AbortSignal;
}

export interface TimerOptions {
  /** True for a timer that doesn't keep the process alive. */
  readonly unref?: boolean;
}

/** Time, so that tests and the clock of a mock server can turn it forward. */
export interface Clock {
  /** Unix milliseconds. */
  now(): number;
  /** Milliseconds of its own time, for durations: a wall clock that is set forward or back has no part in them. */
  monotonic(): number;
  /** How many of its seconds pass in one of the machine's; 0 for a clock that stands still. */
  readonly speed: number;
  /** Calls `run` once after `delay` milliseconds of this clock, never earlier. The answer cancels it. */
  after(delay: number, run: () => void): () => void;
  /**
   * Calls `run` once when it shows `moment`, or when the time that is left until then now has passed, whichever comes first.
   * Of what is due at the same time, this comes first. The answer cancels it.
   */
  at(moment: number, run: () => void): () => void;
  /** Resolves after `delay` milliseconds of this clock; rejects with the signal's reason when it is aborted. */
  sleep(delay: number, signal?: AbortSignal): Promise<void>;
  /**
   * Registers work that the clock waits for while it is turned; `what` names it for people. With `stopsTime`, a clock that
   * is faster than the machine's stands still for it, too.
   */
  track(what: string, options?: { readonly stopsTime?: boolean }): TrackedWork;
  /** Registers a task that stops time. On a clock that stands still, one such task runs after the other: the same on every run. */
  perform<T>(what: string, task: (progress: () => void) => Promise<T>): Promise<T>;
  /** Calls `run` when no work is registered, on a clock that stands still, so that no disk decides on the order; else at once. */
  whenSettled(run: () => void): void;
}

/** Work that a clock which is turned waits for, before it moves to the next event. */
export interface TrackedWork {
  /** It has come further: without a sign of that, turning the clock fails after 30 seconds. */
  progress(): void;
  end(): void;
}

/** What ids are made for; each kind has its own prefix on the wire. */
export type IdKind =
  | "file"
  | "batch"
  | "batch_req"
  | "request"
  | "completion"
  | "response"
  | "text_completion"
  | "moderation"
  | "draft"
  | "source"
  | "verification"
  | "event";

/** Ids that are never given twice. */
export interface Ids {
  create(kind: IdKind): string;
}

export type LogFields = Readonly<Record<string, string | number | boolean | null>>;

/** The service's log. Never given a key, a token or the text of a request. */
export interface Logger {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}

/** The scope of what names none. Tests that run side by side each have a scope of their own. */
export const defaultScope = "default";

/** Whose API a request is written for. They claim it in this order: the compatible API takes the rest. */
export const vendors = ["anthropic", "gemini", "openai"] as const;
export type Vendor = (typeof vendors)[number];

/** One request for an engine, with what it needs to know of where it came from. */
export interface EngineCall {
  readonly request: ChatRequest;
  /** The path that it came to, in whatever shape; that of chat completions by default. */
  readonly endpoint?: string;
  readonly requestId: string;
  /** Of a direct call; names in lower case. */
  readonly headers?: Readonly<Record<string, string | string[] | undefined>>;
  /** Whose rules and faults hold; the default scope's by default. */
  readonly scope?: string;
  /** Set for a line of a batch, null for a direct call. */
  readonly line: {
    readonly batchId: string;
    readonly customId: string;
    readonly number: number;
    /** Of its batch. */
    readonly metadata?: Readonly<Record<string, string>>;
  } | null;
  readonly signal: AbortSignal;
  /** Called when the server asks to wait so many milliseconds before it is asked again, which the engine then does. */
  readonly onWait?: (milliseconds: number) => void;
  /** Called with true when the request is sent, and with false while it waits for a limit or for its next attempt. */
  readonly onSent?: (isSent: boolean) => void;
  /** Called with the rule that answers, where one does. */
  readonly onRule?: (rule: AnsweringRule) => void;
  /** Whether the token counts of an answer of our own have all details, also those that are zero. Not by default. */
  readonly isUsageDetailed?: boolean;
}

/** A rule, by its place in the list of its scope, from 0, and its name. */
export interface AnsweringRule {
  readonly index: number;
  readonly name: string | null;
}

/** An error of an engine: the body, with headers that tell more of it (`retry-after`). */
export interface EngineError {
  readonly statusCode: number;
  /** Next to the error may be what came of the answer all the same; `raw_answer` is a text that could not be read. */
  readonly body: ErrorBody & JsonObject;
  readonly headers?: Readonly<Record<string, string>>;
  /** Set where it was the server that could not answer and not the request that failed: why, in a sentence or two. */
  readonly unavailable?: string;
  /** With `unavailable`: the request itself may be the cause. It fails with this error once it was tried often enough. */
  readonly mayBeItsOwn?: boolean;
  /** Set where the server doesn't have the request's model: that, and what to do, in a sentence or two. */
  readonly unknownModel?: string;
  /** True where the server accepted the request, which may have cost: it is not sent again by itself. */
  readonly isSettled?: boolean;
  /** Set where the server's success could not be read; `isPaid` where tokens were counted in it. */
  readonly unread?: { readonly isPaid: boolean };
  /** With `unavailable`: the request is not sent again before its user says so. */
  readonly isHeld?: boolean;
  /** What was thrown when the server was asked, for code that has better words for it. */
  readonly cause?: unknown;
}

/**
 * An answer as its server sent it: of an engine a chat completion, whatever it lacks. `json` is the body as text, where an
 * engine has that at hand: no one need write it again.
 */
export interface EngineAnswer {
  readonly statusCode: 200;
  readonly body: JsonObject;
  readonly json?: string;
}

/** An engine's answer: a chat completion with status 200, or an error body with any other status. */
export type EngineReply = EngineAnswer | EngineError;

/**
 * An answer that comes in pieces, or an error before the first of them. The chunks are what the client gets, in their
 * order: role first, finish reason last, then the usage where `stream_options.include_usage` asks for it. They throw when
 * the signal is aborted, and when the answer breaks off in the middle.
 */
export type EngineStream = { readonly statusCode: 200; readonly chunks: AsyncIterable<JsonObject> } | EngineError;

/** A request of another shape than a chat completion's, as it came to its endpoint. */
export interface EndpointCall extends Omit<EngineCall, "request"> {
  /** Its path, such as `/v1/embeddings`. */
  readonly endpoint: string;
  readonly body: JsonObject;
}

/** The answer to a request of any shape, or an error. */
export type EndpointReply = EngineReply;

/** An answer as its server sent it. */
export interface PassedReply {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: AsyncIterable<Uint8Array>;
}

/** Requests that are passed on as they came: no check of ours holds for them, and what is answered is not read. */
export interface PassingOn {
  /** Whether such a request is. */
  takes(call: Pick<EndpointCall, "endpoint" | "body" | "scope">): boolean;
  answer(call: EndpointCall): Promise<PassedReply | EngineError>;
}

/** What answers requests: the built-in mock, a rules file, or a server elsewhere. */
export interface Engine {
  /** For people: `mock, realistic pace, seed 1`. */
  readonly description: string;
  /** True where the answers are made up: such an engine can't judge anything. */
  readonly isMock?: boolean;
  /** True where an answer may cost money: it is that of a server elsewhere. */
  readonly mayCost?: boolean;
  /** How many calls it takes at a time, over all batches. */
  readonly concurrency: number;
  /**
   * Answers one request; at once where nothing has to be waited for. Throws or rejects only when the signal is aborted:
   * every other failure is a reply.
   */
  complete(call: EngineCall): EngineReply | Promise<EngineReply>;
  /** The same, piece by piece. */
  stream(call: EngineCall): Promise<EngineStream>;
  /**
   * Answers a request that can't be answered by a chat completion: embeddings and moderations. An engine without it supports
   * neither.
   */
  answerEndpoint?(call: EndpointCall): EndpointReply | Promise<EndpointReply>;
  /** Where requests may be passed on: to an upstream all of them, in a recording those that it has. */
  readonly passingOn?: PassingOn | undefined;
  /** Lets go of its files and connections. The service calls it once, when nothing runs any more. */
  close?(): Promise<void>;
}

/** Where keys and tokens are kept. A failure names the place, never a value. */
export interface SecretStore {
  readonly kind: ServerView["secrets"]["kind"];
  /** One sentence for people on where they are kept. */
  readonly note: string;
  get(name: StoredSecretName): Promise<string | null>;
  set(name: StoredSecretName, value: string): Promise<void>;
  remove(name: StoredSecretName): Promise<void>;
}
