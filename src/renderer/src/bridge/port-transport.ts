import { DynamicLink } from "@orpc/client";
import { RPCLink } from "@orpc/client/message-port";
import { channels } from "../../../contract/channels.ts";
import { createConnectionStore, markOpen, type Transport } from "./connection.ts";

/**
 * Calls over the MessagePort that the preload passes in. The page says that it is ready, and takes the first
 * port that comes from its own window and origin.
 */
export function createPortTransport(page: Window): Transport {
  const connection = createConnectionStore();
  const link = receivePort(page).then((port) => {
    const ready = new RPCLink({ port });
    port.addEventListener("close", () => connection.setState({ status: "lost" }));
    port.start();
    markOpen(connection);
    return ready;
  });
  return { connection, link: new DynamicLink(() => link) };
}

function receivePort(page: Window): Promise<MessagePort> {
  const { promise, resolve } = Promise.withResolvers<MessagePort>();
  function take(event: MessageEvent<unknown>) {
    const [port] = event.ports;
    if (event.source === page && event.origin === page.origin && event.data === channels.portForPage && port) {
      page.removeEventListener("message", take);
      resolve(port);
    }
  }
  page.addEventListener("message", take);
  page.postMessage(channels.pageReady, page.origin);
  return promise;
}
