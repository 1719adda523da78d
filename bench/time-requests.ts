import { readCpuTime } from "./cpu-time.ts";
import { type Answer, connectLeanClient } from "./lean-client.ts";
import type { Contestant, Sample } from "./measure.ts";
import type { Server } from "./servers.ts";

/** What it takes to do something: its time, and the time of the server's processor meanwhile. */
export async function timeWork(server: Server, work: () => Promise<void>): Promise<Sample> {
  const cpuBefore = readCpuTime(server.pid);
  const start = performance.now();
  await work();
  const time = performance.now() - start;
  const cpuAfter = readCpuTime(server.pid);
  return { time, cpu: cpuBefore === null || cpuAfter === null ? null : cpuAfter - cpuBefore };
}

interface RequestWork {
  /** How many requests are under way at a time, each on a connection of its own. */
  readonly connections: number;
  /** The requests of one round. */
  write(): readonly Uint8Array[];
  /** Throws unless the answer is right. */
  check(answer: Answer): void;
}

/** Sends a server many requests in every round; the sample is for one of them. */
export async function createSender(server: Server, { connections, write, check }: RequestWork): Promise<Contestant> {
  const client = await connectLeanClient(server.url, connections);
  return {
    name: server.name,
    async run() {
      const requests = write();
      const { time, cpu } = await timeWork(server, () => client.send(requests, check));
      return { time: time / requests.length, cpu: cpu === null ? null : cpu / requests.length };
    },
    close: () => client.close(),
  };
}

/** Throws unless an answer is a success that has this text in it. */
export function requireText(text: string): (answer: Answer) => void {
  const bytes = Buffer.from(text);
  return ({ status, body }) => {
    if (status === 200 && body.includes(bytes)) return;
    throw new Error(`Expected ${text} in an answer of status ${status}: ${body.toString().slice(0, 500)}`);
  };
}
