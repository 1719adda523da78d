import { expect, onTestFinished, test } from "vitest";
import type { ChatRequest } from "#contract";
import { isAnswered, readAnswer, readChunks, readCompletion } from "#main/answers";
import { createRandomIds, createSystemClock } from "#main/base";
import { toGenerateAnswer, toMessage } from "#main/requests";
import { type Behaviour, send, startBadServer } from "./testing/bad-server.ts";
import {
  answersInText,
  answersWithCalls,
  failedAnswers,
  failedStream,
  streams,
  writeBody,
} from "./testing/service-answers.ts";
import { createUpstreamEngine } from "./upstream-engine.ts";

async function open(behave: Behaviour) {
  const { url, asked } = await startBadServer(behave);
  const engine = createUpstreamEngine({
    url,
    key: "sk-upstream-secret-0123456789",
    models: new Map(),
    concurrency: 4,
    timeout: 60_000,
    retries: 3,
    requestsPerMinute: null,
    tokensPerMinute: null,
    clock: createSystemClock(),
    ids: createRandomIds(),
  });
  onTestFinished(() => engine.close?.());
  const request: ChatRequest = { model: "ours", messages: [{ role: "user", content: "What is 2 + 2?" }] };
  const call = { requestId: "r", line: null, signal: new AbortController().signal };
  return {
    asked,
    complete: () => engine.complete({ ...call, request }),
    stream: () => engine.stream({ ...call, request: { ...request, stream: true } }),
  };
}

/** What comes of a stream: its text, and the message of the error that it ends with. */
async function readStream(stream: Awaited<ReturnType<Awaited<ReturnType<typeof open>>["stream"]>>) {
  if (!("chunks" in stream)) throw new Error(JSON.stringify(stream));
  let [text, reasoning, failure] = ["", "", ""];
  try {
    for await (const { choices } of readChunks(stream.chunks)) {
      text += choices[0]?.delta.content ?? "";
      reasoning += choices[0]?.delta.reasoning_content ?? "";
    }
  } catch (error) {
    failure = String(error);
  }
  return { text, reasoning, failure };
}

const asSent = (body: object) => JSON.parse(writeBody(body).replaceAll("-Infinity", '"-Infinity"'));

test.each(Object.entries({ ...answersInText, ...answersWithCalls }))(
  "an answer is taken as it came, asked once and read in every dialect: %s",
  async (_, body) => {
    const { complete, stream, asked } = await open((response) => send(response, 200, writeBody(body)));
    const reply = await complete();
    expect(reply).toMatchObject({ statusCode: 200 });
    expect(isAnswered(reply) && reply.body).toEqual(asSent(body));
    expect(asked).toHaveLength(1);
    if (!isAnswered(reply)) throw new Error("no answer");
    const [choice] = readCompletion(reply.body).choices;
    const isCall = choice?.message.tool_calls.length === 1;
    const call = { id: expect.any(String), type: "function", function: { name: "look", arguments: '{"at":1}' } };
    expect(choice?.message).toMatchObject(isCall ? { content: null, tool_calls: [call] } : { content: "Four." });
    expect(readAnswer(reply.body).answer).toBe(isCall ? 'look({"at":1})' : "Four.");
    const block = isCall ? { type: "tool_use", name: "look", input: { at: 1 } } : { type: "text", text: "Four." };
    expect(toMessage(reply.body, "standard").content.at(-1)).toMatchObject(block);
    const part = isCall ? { functionCall: { name: "look", args: { at: 1 } } } : { text: "Four." };
    expect(toGenerateAnswer(reply.body, { withThoughts: true }).candidates[0]?.content.parts.at(-1)).toMatchObject(
      part,
    );
    expect((await readStream(await stream())).text).toBe(isCall ? "" : "Four.");
  },
);

test.each(Object.entries(streams))(
  "a stream passes as it came, and one that nobody asked for is put together: %s",
  async (_, text) => {
    const types = ["text/event-stream", "text/event-stream; charset=utf-8", "application/json", "text/plain"];
    const { complete, stream, asked } = await open((response, __, count) =>
      send(response, 200, text, { "content-type": types[(count - 1) % types.length] ?? "" }),
    );
    const streamed = await readStream(await stream());
    expect(streamed).toMatchObject({ text: "Four.", failure: "" });
    for (const __ of types.slice(1)) {
      const reply = await complete();
      expect(reply).toMatchObject({
        statusCode: 200,
        body: {
          id: "a1",
          object: "chat.completion",
          choices: [{ index: 0, message: { role: "assistant", content: "Four." }, finish_reason: "stop" }],
          usage: { prompt_tokens: 9, completion_tokens: 3, total_tokens: 12 },
        },
      });
      expect(readAnswer(reply.body).reasoning ?? "").toBe(streamed.reasoning);
    }
    expect(asked).toHaveLength(types.length);
  },
);

test("pieces of calls, of parts and of several choices are put together", async () => {
  const piece = (index: number, delta: object, finish_reason: string | null = null) =>
    `data: ${JSON.stringify({ id: "a", choices: [{ index, delta, finish_reason }] })}\n\n`;
  const text = [
    piece(0, { tool_calls: [{ index: 0, id: "c", type: "function", function: { name: "look", arguments: "" } }] }),
    piece(1, { content: [{ type: "thinking", thinking: [{ type: "text", text: "hm" }] }] }),
    piece(0, { tool_calls: [{ index: 0, function: { arguments: '{"at"' } }] }),
    piece(0, { tool_calls: [{ index: 0, id: null, function: { name: null, arguments: ":1}" } }] }, "tool_calls"),
    piece(1, { content: "Four." }, "stop"),
    "data: [DONE]\n\n",
  ].join("");
  const { complete } = await open((response) => send(response, 200, text, { "content-type": "text/event-stream" }));
  const { choices } = readCompletion((await complete()).body);
  expect(choices).toMatchObject([
    { message: { tool_calls: [{ id: "c", function: { name: "look", arguments: '{"at":1}' } }] } },
    { message: { content: "Four.", reasoning_content: "hm" } },
  ]);
});

test.each(Object.entries(failedAnswers))(
  "%s is an error, asked once, and keeps the text and the usage of the answer",
  async (_, { body, text, paid }) => {
    const { complete, asked } = await open((response) => send(response, 200, body));
    const reply = await complete();
    expect(reply).toMatchObject({
      isSettled: true,
      body: { error: { message: expect.stringContaining("Out of memory") } },
    });
    expect(reply.statusCode).toBeGreaterThanOrEqual(400);
    expect(readAnswer(reply.body)).toMatchObject({ answer: text, promptTokens: paid ? 9 : null });
    expect(asked).toHaveLength(1);
  },
);

test("a stream with an error in its middle keeps what came before it, asked for or not", async () => {
  const { complete, stream, asked } = await open((response) =>
    send(response, 200, failedStream, { "content-type": "text/event-stream" }),
  );
  expect(await complete()).toMatchObject({
    statusCode: 503,
    body: {
      error: { message: "Out of memory" },
      choices: [{ message: { content: "Fo" } }],
      usage: { prompt_tokens: 9, completion_tokens: 3 },
    },
  });
  expect(await readStream(await stream())).toMatchObject({
    text: "Fo",
    failure: expect.stringContaining("Out of memory"),
  });
  expect(asked).toHaveLength(2);
});

test.each([
  "<html>Welcome</html>",
  '{"object":"list","data":[]}',
  '{"id":"a","choices":[]}',
  '{"id":',
  "",
  "data: hello\n\n",
])("a success that can't be read is an error with its text, asked once: %s", async (text) => {
  const { complete, asked } = await open((response) => send(response, 200, text));
  expect(await complete()).toMatchObject({
    statusCode: 502,
    isSettled: true,
    unread: { isPaid: false },
    body: { error: { code: "upstream_invalid_answer" }, raw_answer: text },
  });
  expect(asked).toHaveLength(1);
});

test("an answer that is nested too deep to be written again is an error with its text", async () => {
  const text = `{"choices":[{"message":{"content":${"[".repeat(20_000)}${"]".repeat(20_000)}}}]}`;
  const { complete, asked } = await open((response) => send(response, 200, text));
  expect(await complete()).toMatchObject({ isSettled: true, body: { raw_answer: text } });
  expect(asked).toHaveLength(1);
});

test("digits that no number holds are kept", async () => {
  const text = '{"id":"a","created":12345678901234567890,"choices":[{"message":{"content":"Four."}}],"usage":null}';
  const { complete } = await open((response) => send(response, 200, text));
  expect(JSON.stringify((await complete()).body)).toBe(text);
});
