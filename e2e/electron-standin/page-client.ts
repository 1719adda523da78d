import { once } from "node:events";
import type { MessagePort } from "node:worker_threads";
import { createORPCClient } from "@orpc/client";
import { RPCLink } from "@orpc/client/message-port";
import type { ContractRouterClient } from "@orpc/contract";
import { channels, type rpcContract } from "#contract";
import type { PageMessage, PageWindow } from "./page.ts";

export type Client = ContractRouterClient<typeof rpcContract>;

/** The page's half of the handshake: says that it is ready, and takes the port that comes. */
export async function askForPort(page: PageWindow): Promise<MessagePort> {
  const { promise, resolve } = Promise.withResolvers<MessagePort>();
  const take = (event: Event & Partial<PageMessage>) => {
    const [port] = event.ports ?? [];
    if (event.data === channels.portForPage && event.source === page && port) resolve(port);
  };
  page.addEventListener("message", take);
  page.postMessage(channels.pageReady, page.location.origin);
  const port = await promise;
  page.removeEventListener("message", take);
  return port;
}

/** The RPC client of the page, on a port that it got. */
export function createClient(port: MessagePort): Client {
  const client: Client = createORPCClient(new RPCLink({ port }));
  port.start();
  return client;
}

/** Resolves when the other end of a port has been closed. The port has to be started for that. */
export async function untilClosed(port: MessagePort): Promise<void> {
  await once(port, "close");
}
