import { model, type Question } from "../job.ts";
import { writeRequest } from "../lean-client.ts";
import type { Row } from "../measure.ts";
import type { Server } from "../servers.ts";
import { createSender, requireText } from "../time-requests.ts";

export const chatPath = "/v1/chat/completions";

const connections = 8;
const requestsPerRound = 2_000;

/** The body of a request that asks this. */
export function writeQuestion(content: string): string {
  return JSON.stringify({ model, messages: [{ role: "user", content }] });
}

/** Chat completions: the same question again and again, and one that was never asked before each time. */
export async function createChatRows(servers: readonly Server[], questions: readonly Question[]): Promise<Row[]> {
  const texts = questions.map(({ question }) => question);
  let asked = 0;
  const ask = (): string => {
    asked += 1;
    return `Question ${asked}. ${texts[asked % texts.length]}`;
  };
  return [
    await createRow("Chat completion, the same question", servers, () => writeQuestion(texts[0] ?? "")),
    await createRow("Chat completion, a new question each time", servers, () => writeQuestion(ask())),
  ];
}

async function createRow(title: string, servers: readonly Server[], writeBody: () => string): Promise<Row> {
  const contestants = servers.map((server) => {
    const headers = { authorization: `Bearer ${server.apiKey}`, "content-type": "application/json" };
    const write = () =>
      Array.from({ length: requestsPerRound }, () => writeRequest("POST", chatPath, headers, writeBody()));
    return createSender(server, { connections, write, check: requireText('"finish_reason":"stop"') });
  });
  return { title: `${title}, ${connections} connections`, asRate: true, contestants: await Promise.all(contestants) };
}
