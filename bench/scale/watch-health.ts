/** A thread that asks a service for its health every 20 ms until it gets a message; it answers with how long each took, in milliseconds. */
import { parentPort, workerData } from "node:worker_threads";
import { connectLeanClient, writeRequest } from "../lean-client.ts";
import { requireText } from "../time-requests.ts";

const interval = 20;
const client = await connectLeanClient(String(workerData), 1);
const asked = writeRequest("GET", "/health", {});
const times: number[] = [];
let ended = false;
parentPort?.once("message", () => {
  ended = true;
});
while (!ended) {
  const start = performance.now();
  await client.send([asked], requireText('"status":"ok"'));
  const time = performance.now() - start;
  times.push(time);
  await new Promise((resolve) => setTimeout(resolve, Math.max(0, interval - time)));
}
client.close();
parentPort?.postMessage(times);
