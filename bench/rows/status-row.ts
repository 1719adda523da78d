import { writeRequest } from "../lean-client.ts";
import type { Row } from "../measure.ts";
import type { Server } from "../servers.ts";
import { createSender, requireText } from "../time-requests.ts";

const connections = 8;
const requestsPerRound = 3_000;

/** `paths` reports where each server, by its name, has a batch that is complete. */
export async function createStatusRow(servers: readonly Server[], paths: ReadonlyMap<string, string>): Promise<Row> {
  return {
    title: `GET of a batch's status, ${connections} connections`,
    asRate: true,
    contestants: await Promise.all(
      servers.map((server) => {
        const request = writeRequest("GET", paths.get(server.name) ?? "", { authorization: `Bearer ${server.apiKey}` });
        const requests = new Array<Buffer>(requestsPerRound).fill(request);
        return createSender(server, { connections, write: () => requests, check: requireText('"status":"completed"') });
      }),
    ),
  };
}
