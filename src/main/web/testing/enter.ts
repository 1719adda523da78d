import { once } from "node:events";
import { webEntry } from "#contract";

/** Exchanges the code of a one-time address for a token, as the page does. */
export async function exchangeCode(address: string): Promise<string> {
  const { origin, hash } = new URL(address);
  const code = new URLSearchParams(hash.slice(1)).get(webEntry.codeParameter) ?? "";
  const response = await fetch(new URL(webEntry.exchangePath, origin), {
    method: "POST",
    headers: { origin },
    body: code,
  });
  if (!response.ok) throw new Error(`The code was answered with ${response.status}.`);
  return await response.text();
}

/** A socket of the page's, admitted: what comes next on it is RPC. */
export async function openSocket(origin: string, token: string): Promise<WebSocket> {
  const address = new URL(webEntry.socketPath, origin.replace("http", "ws"));
  // As in a browser, which sends its origin by itself.
  const socket: WebSocket = Reflect.construct(WebSocket, [address, { headers: { origin } }]);
  await once(socket, "open");
  socket.send(token);
  const [{ data }] = await once(socket, "message");
  if (data !== webEntry.admitted) throw new Error(`The socket was answered with ${data}.`);
  return socket;
}
