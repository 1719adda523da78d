import { isUtf8 } from "node:buffer";
import { appendFile, type FileHandle, mkdir, open } from "node:fs/promises";
import { extname } from "node:path";
import { type ChatRequest, messageText } from "#contract";
import { isAnswered } from "#main/answers";
import type { JsonObject } from "#main/base";
import {
  defaultScope,
  type EndpointCall,
  type Engine,
  type EngineCall,
  type EngineError,
  type EngineReply,
  type Logger,
  type PassedReply,
  type PassingOn,
} from "#main/base";
import { parseJson } from "#main/storage";
import { StreamError, writeChunk } from "../upstream/read-answer.ts";
import { readData, toEvent, writeEvent } from "../upstream/server-events.ts";
import { digestCall, digestRequest } from "./rule-book.ts";
import type { Reply, Rule } from "./rule-schema.ts";
import { isFolder, RulesError, recordingOf } from "./rules-source.ts";

const longestName = 60;

/**
 * The engine, with a file that stores all its answers as rules for the scripted engine, a line each; in a folder, with a file
 * for each scope. An answer is in the file before it is given. Rejects with a RulesError when the file can't be a recording.
 * @param onRecord called with each rule that is stored
 */
export async function createRecordingEngine(
  engine: Engine,
  path: string,
  logger: Logger,
  onRecord: (scope: string, rule: Rule) => void = () => undefined,
): Promise<Engine> {
  const prepared = new Set<string>();
  if (isFolder(path)) await makeFolder(path);
  else await prepare(path);
  let writing: Promise<void> = Promise.resolve();

  async function prepare(file: string): Promise<void> {
    if (prepared.has(file)) return;
    await prepareRecording(file);
    prepared.add(file);
  }

  function record(call: EngineCall, reply: Reply): Promise<void> {
    return keep(call, toRule(call, reply));
  }

  function keep({ scope = defaultScope }: Pick<EngineCall, "scope">, rule: Rule): Promise<void> {
    onRecord(scope, rule);
    const line = `${JSON.stringify(rule)}\n`;
    writing = writing.then(() => append(recordingOf(path, scope), line));
    return writing;
  }

  /** A disk that refuses must not keep answers back that were paid for. */
  async function append(file: string, line: string): Promise<void> {
    try {
      await prepare(file);
      await appendFile(file, line, { mode: 0o600 });
    } catch (error) {
      logger.error("An answer can't be recorded", { file, error: String(error) });
    }
  }

  async function* recordChunks(call: EngineCall, chunks: AsyncIterable<JsonObject>) {
    const said: Chunk[] = [];
    try {
      for await (const chunk of chunks) {
        said.push(toChunk(writeChunk(chunk), chunk));
        yield chunk;
      }
    } catch (error) {
      const rest = error instanceof StreamError ? error.events.map((event) => toChunk(event)) : [];
      // It ends with what came in place of a chunk, or without an end.
      const reply = rest.length === 0 ? { chunks: said, cut_after: said.length } : { chunks: [...said, ...rest] };
      if (!call.signal.aborted) await record(call, reply);
      throw error;
    }
    await record(call, { chunks: said });
  }

  /** What is streamed is given as it comes, and recorded at its end. */
  async function recordPassed(passingOn: PassingOn, call: EndpointCall): Promise<PassedReply | EngineError> {
    const reply = await passingOn.answer(call);
    if (!("bytes" in reply)) {
      await keep(call, toPassedRule(call, toReply(reply)));
      return reply;
    }
    const bytes = collect(reply.bytes, async (pieces, isCut) => {
      if (isCut && call.signal.aborted) return;
      const raw = toRaw(reply, Buffer.concat(pieces));
      await keep(call, toPassedRule(call, isCut ? { raw, cut_after: 1 } : { raw }));
    });
    return { ...reply, bytes: isStream(reply) ? bytes : await readAhead(bytes) };
  }

  return {
    get passingOn() {
      const { passingOn } = engine;
      if (passingOn === undefined) return undefined;
      return { takes: passingOn.takes, answer: (call: EndpointCall) => recordPassed(passingOn, call) };
    },
    get description() {
      return `${engine.description}, recorded`;
    },
    get mayCost() {
      return engine.mayCost === true;
    },
    get concurrency() {
      return engine.concurrency;
    },
    async complete(call) {
      const reply = await engine.complete(call);
      await record(call, toReply(reply));
      return reply;
    },
    async stream(call) {
      const stream = await engine.stream(call);
      if ("chunks" in stream) return { ...stream, chunks: recordChunks(call, stream.chunks) };
      await record(call, toReply(stream));
      return stream;
    },
    async close() {
      await engine.close?.();
      await writing;
    },
  };
}

/** @param onEnd called once with all that came; `isCut` where it broke off */
async function* collect<T>(items: AsyncIterable<T>, onEnd: (items: readonly T[], isCut: boolean) => Promise<void>) {
  const all: T[] = [];
  try {
    for await (const item of items) {
      all.push(item);
      yield item;
    }
  } catch (error) {
    await onEnd(all, true);
    throw error;
  }
  await onEnd(all, false);
}

/** The same items, read before any of them is given. */
async function readAhead<T>(items: AsyncIterable<T>): Promise<AsyncIterable<T>> {
  const all: T[] = [];
  let failure: { readonly error: unknown } | null = null;
  try {
    for await (const item of items) all.push(item);
  } catch (error) {
    failure = { error };
  }
  return (async function* () {
    yield* all;
    if (failure !== null) throw failure.error;
  })();
}

function isStream({ headers }: PassedReply): boolean {
  return headers["content-type"]?.startsWith("text/event-stream") === true;
}

/** Bytes that are no text are in base64. */
function toRaw({ statusCode, headers }: PassedReply, bytes: Buffer): NonNullable<Reply["raw"]> {
  const type = headers["content-type"] === undefined ? {} : { content_type: headers["content-type"] };
  const content = isUtf8(bytes) ? { text: bytes.toString() } : { base64: bytes.toString("base64") };
  return { status: statusCode, ...type, ...content };
}

function toPassedRule(call: EndpointCall, reply: Reply): Rule {
  const customId = call.line === null ? {} : { custom_id: call.line.customId };
  return { name: call.endpoint, match: { ...customId, request: digestCall(call) }, reply };
}

function toRule({ request, line }: EngineCall, reply: Reply): Rule {
  const customId = line === null ? {} : { custom_id: line.customId };
  const match = { ...customId, request: digestRequest(request) };
  return { name: nameOf(request), match, recorded: request as Rule["recorded"], reply };
}

async function makeFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 }).catch((error: unknown) => {
    throw new RulesError([
      `${path}: the folder for recordings can't be made: ${error instanceof Error ? error.message : error}.`,
    ]);
  });
}

/** For people who look into the file. */
function nameOf({ messages }: ChatRequest): string {
  const last = messages.findLast(({ role }) => role === "user");
  const text = last === undefined ? "" : messageText(last);
  return text.slice(0, longestName).toWellFormed();
}

type Chunk = NonNullable<Reply["chunks"]>[number];

/** The chunk itself; its data, where they can't be written from it; or the whole event, where that has more than data. */
function toChunk(event: string, chunk?: JsonObject): Chunk {
  // Engines give chunks of chat completions alone.
  if (chunk !== undefined && event === writeEvent(JSON.stringify(chunk))) return chunk as Chunk;
  const data = readData(event);
  return data !== null && event === toEvent(data) ? data : event;
}

function toReply(reply: EngineReply): Reply {
  if (isAnswered(reply)) {
    const { body, json } = reply;
    const isSame = json === undefined || json === JSON.stringify(body);
    return { completion: isSame ? (body as NonNullable<Reply["completion"]>) : json };
  }
  const { statusCode, body, headers } = reply;
  const { message, type, param, code } = body.error;
  const seconds = Number(headers?.["retry-after"] ?? Number.NaN);
  const wait = Number.isInteger(seconds) ? { retry_after: seconds } : {};
  return { error: { status: statusCode, message, type, param, code, ...wait } };
}

/**
 * Makes a file a recording that lines can be appended to. What it has already stays; half a line at its end, which a process that died may have
 * left, is cut off. Rejects with a RulesError when the file is something else: nothing is written to it then.
 */
async function prepareRecording(path: string): Promise<void> {
  if (extname(path).toLowerCase() !== ".jsonl") {
    throw new RulesError([`${path}: a recording is JSONL: its name has to end in .jsonl.`]);
  }
  const file = await open(path, "a+", 0o600).catch((error: unknown) => {
    throw new RulesError([
      `${path}: the recording can't be opened: ${error instanceof Error ? error.message : error}.`,
    ]);
  });
  try {
    await repairEnd(file, path);
  } finally {
    await file.close();
  }
}

async function repairEnd(file: FileHandle, path: string): Promise<void> {
  const { size } = await file.stat();
  const start = await findLastLine(file, size);
  if (start === size) return;
  const line = Buffer.alloc(size - start);
  await file.read(line, 0, line.length, start);
  if (parseJson(line.toString()) !== undefined) await file.appendFile("\n");
  else if (line[0] === "{".charCodeAt(0)) await file.truncate(start);
  else throw new RulesError([`${path}: there is a file already, and it is no recording.`]);
}

/** Where the text behind the last line end begins. */
async function findLastLine(file: FileHandle, size: number): Promise<number> {
  const step = 64 * 1024;
  const buffer = Buffer.alloc(step);
  for (let end = size; end > 0; end -= step) {
    const start = Math.max(0, end - step);
    const { bytesRead } = await file.read(buffer, 0, end - start, start);
    const lineEnd = buffer.subarray(0, bytesRead).lastIndexOf("\n");
    if (lineEnd !== -1) return start + lineEnd + 1;
  }
  return 0;
}
