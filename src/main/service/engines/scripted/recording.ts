import { type ChatCompletionChunk, type ChatRequest, messageText } from "#contract";
import type { Engine, EngineCall, EngineReply, Logger } from "../../ports.ts";
import { openRecording } from "./open-recording.ts";
import { digestRequest } from "./request-digest.ts";
import type { Reply, Rule } from "./rule-schema.ts";

const longestName = 60;

/**
 * The engine, with a file that keeps all it says as rules for the scripted engine, a line each. An answer is in the file
 * before it is given. Rejects with a RulesError when the file can't be a recording.
 */
export async function createRecordingEngine(engine: Engine, path: string, logger: Logger): Promise<Engine> {
  const file = await openRecording(path);
  let writing: Promise<void> = Promise.resolve();

  function record(call: EngineCall, reply: Reply): Promise<void> {
    const line = `${JSON.stringify(toRule(call, reply))}\n`;
    writing = writing.then(() => append(line));
    return writing;
  }

  /** A disk that refuses must not keep answers back that were paid for. */
  async function append(line: string): Promise<void> {
    try {
      await file.appendFile(line);
    } catch (error) {
      logger.error("An answer can't be recorded", { file: path, error: String(error) });
    }
  }

  async function* recordChunks(call: EngineCall, chunks: AsyncIterable<ChatCompletionChunk>) {
    const said: ChatCompletionChunk[] = [];
    try {
      for await (const chunk of chunks) {
        said.push(chunk);
        yield chunk;
      }
    } catch (error) {
      if (!call.signal.aborted && said.length > 0) await record(call, { chunks: said, cut_after: said.length });
      throw error;
    }
    await record(call, { chunks: said });
  }

  return {
    get description() {
      return `${engine.description}, recorded`;
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
      await file.close();
    },
  };
}

function toRule({ request, line }: EngineCall, reply: Reply): Rule {
  const customId = line === null ? {} : { custom_id: line.customId };
  return { name: nameOf(request), match: { ...customId, request: digestRequest(request) }, reply };
}

/** For people who look into the file. */
function nameOf({ messages }: ChatRequest): string {
  const last = messages.findLast(({ role }) => role === "user");
  const text = last === undefined ? "" : messageText(last);
  return text.slice(0, longestName).toWellFormed();
}

function toReply(reply: EngineReply): Reply {
  const { body, ...rest } = reply;
  if ("choices" in body) return { completion: body };
  const seconds = "headers" in rest ? Number(rest.headers?.["retry-after"] ?? Number.NaN) : Number.NaN;
  const wait = Number.isInteger(seconds) ? { retry_after: seconds } : {};
  return { error: { status: rest.statusCode, ...body.error, ...wait } };
}
