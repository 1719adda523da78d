import { createORPCClient } from "@orpc/client";
import { RPCLink } from "@orpc/client/websocket";
import type { RpcClient } from "../../app/testing/app-fixture.ts";
import { exchangeCode, openSocket } from "../../web/testing/enter.ts";

/** The page's end of `sheaf web`, with every message of its WebSocket recorded. */
export interface RecordedPage {
  readonly client: RpcClient;
  /** The token of its browser. */
  readonly token: string;
  /** All messages so far, in both directions. */
  readFrames(): Promise<Uint8Array[]>;
  close(): void;
}

/** Enters at the one-time address, as a browser does. */
export async function openRecordedPage(address: string): Promise<RecordedPage> {
  const token = await exchangeCode(address);
  const socket = await openSocket(new URL(address).origin, token);
  const frames: Promise<Uint8Array>[] = [];
  const record = (data: unknown) => {
    if (typeof data === "string") frames.push(Promise.resolve(Buffer.from(data)));
    else if (data instanceof Blob) frames.push(data.bytes());
    else if (data instanceof ArrayBuffer) frames.push(Promise.resolve(new Uint8Array(data)));
    else if (ArrayBuffer.isView(data)) frames.push(Promise.resolve(new Uint8Array(data.buffer)));
    else throw new Error("A message of a kind that is not recorded.");
  };
  const send = socket.send.bind(socket);
  socket.send = (data) => {
    record(data);
    send(data);
  };
  socket.addEventListener("message", ({ data }) => record(data));
  const client: RpcClient = createORPCClient(new RPCLink({ websocket: socket }));
  return { client, token, readFrames: () => Promise.all(frames), close: () => socket.close() };
}
