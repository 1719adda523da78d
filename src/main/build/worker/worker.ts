import { MessagePort, workerData } from "node:worker_threads";
import { RPCHandler } from "@orpc/server/message-port";
import { z } from "zod";
import { workerRouter } from "./router.ts";

/** The entry of Build's worker thread. It answers on the port that it was started with, until it is terminated. */
const { port } = z.object({ port: z.instanceof(MessagePort) }).parse(workerData);
new RPCHandler(workerRouter).upgrade(port);
port.start();
