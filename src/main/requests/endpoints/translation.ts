import type { ChatRequest } from "#contract";
import type { ReadChunk, ReadCompletion } from "#main/answers";
import type { JsonObject } from "#main/base";

export type { JsonObject };

/** A field of a request that has no counterpart in a chat completion's. */
export interface TranslationProblem {
  /** Where it is, as `tools[0].type`. */
  readonly param: string;
  readonly message: string;
}

/** A request as chat completions, one for each of its prompts, or the fields that have no counterpart there. */
export type Translated =
  | { readonly requests: readonly [ChatRequest, ...ChatRequest[]] }
  | { readonly problems: readonly TranslationProblem[] };

/** What an answer has that its request does not. */
export interface AnswerFacts {
  readonly id: string;
  /** In Unix seconds. */
  readonly created: number;
}

/** A server-sent event, which may have a name. */
export interface StreamEvent {
  readonly name?: string;
  /** A text is sent as it is. */
  readonly data: JsonObject | string;
}

/** A shape that requests and answers have at an endpoint, and how they are those of chat completions. Its functions are pure. */
export interface Translator<Request extends JsonObject> {
  toChat(request: Request): Translated;
  /** The completions of all its prompts as one answer. */
  fromChat(completions: readonly ReadCompletion[], request: Request, facts: AnswerFacts): JsonObject;
  /** The same of a streamed one. */
  fromChunks(chunks: AsyncIterable<ReadChunk>, request: Request, facts: AnswerFacts): AsyncIterable<StreamEvent>;
  /** What fields of a chat completion are called here, where an error names one. */
  readonly fields: Readonly<Record<string, string>>;
}

/** Names of fields that are set and not among `known`. */
export function listUnknown(request: JsonObject, known: ReadonlySet<string>): string[] {
  return Object.keys(request).filter((name) => !known.has(name) && isSet(request[name]));
}

export function isSet<T>(value: T): value is NonNullable<T> {
  return value !== undefined && value !== null;
}

/** The fields of the names that are set. */
export function pickSet<T extends object, K extends keyof T>(value: T, names: readonly K[]): Partial<Pick<T, K>> {
  const picked: Partial<Pick<T, K>> = {};
  for (const name of names) if (isSet(value[name])) picked[name] = value[name];
  return picked;
}
