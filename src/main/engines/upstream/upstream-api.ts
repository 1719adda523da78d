import type { ChatRequest } from "#contract";
import type { EngineCall, JsonObject } from "#main/base";
import { type Additions, readChunks, readCompletion } from "./read-answer.ts";

/** A request as the server takes it: where it goes below the address, and its body. */
interface UpstreamRequest {
  readonly path: string;
  readonly body: unknown;
}

/** What a request has that the server has no counterpart for; at least one thing. */
interface Untranslatable {
  readonly problems: readonly { readonly param: string; readonly message: string }[];
}

/** The API that a server is asked in. */
export interface UpstreamApi {
  readonly headers?: Readonly<Record<string, string>>;
  /** The request, under the model's name at the server. */
  write(
    request: ChatRequest,
    how: { readonly line: EngineCall["line"]; readonly streamed: boolean },
  ): UpstreamRequest | Untranslatable;
  /** An answer as a chat completion; null where it is none. One that is a chat completion already is returned itself. */
  read(value: unknown, additions: Additions): JsonObject | null;
  /** The chunks of a stream, from its events as they came (`readData` has what they say). Throws when it breaks off, or has something else in it. */
  readStream(events: AsyncIterable<string>, additions: Additions): AsyncIterable<JsonObject>;
}

/** The API that requests are written in: they pass with all they have, and so do answers. */
export const chatCompletionsApi: UpstreamApi = {
  write: (body) => ({ path: "/chat/completions", body }),
  read: readCompletion,
  readStream: readChunks,
};
