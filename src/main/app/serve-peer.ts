import { onMessagePortClose, onMessagePortMessage, type SupportedMessagePort } from "@orpc/client/message-port";
import { ServerPeer, type ServerPeerHandleRequestFn } from "@orpc/standard-server-peer";
import type { WebSocket } from "ws";
import { z } from "zod";
import type { Logger } from "#main/base";

/** A two-way message channel. */
interface Channel {
  send(message: string | Uint8Array | ArrayBufferLike): void;
  onMessage(listener: (message: unknown) => void): void;
  onClose(listener: () => void): void;
}

function channelOfPort(port: SupportedMessagePort): Channel {
  return {
    send: (message) => port.postMessage(message),
    onMessage: (listener) => onMessagePortMessage(port, listener),
    onClose: (listener) => onMessagePortClose(port, listener),
  };
}

function channelOfSocket(socket: WebSocket): Channel {
  return {
    send: (message) => socket.send(message),
    onMessage: (listener) => {
      socket.on("message", (data, isBinary) => listener(isBinary ? data : data.toString()));
    },
    onClose: (listener) => {
      socket.on("close", listener);
    },
  };
}

const messageSchema = z.union([z.string(), z.instanceof(Uint8Array), z.instanceof(ArrayBuffer)]);

/**
 * Serves the calls of a channel. A malformed message is skipped and logged: in the library's own adapters it would end the
 * process.
 */
function servePeer(channel: Channel, answer: ServerPeerHandleRequestFn, logger: Logger): void {
  const peer = new ServerPeer(async (message) => channel.send(message));
  channel.onMessage((message) => {
    const parsed = messageSchema.safeParse(message);
    if (!parsed.success) {
      logger.warn("rpc message not understood");
      return;
    }
    peer.message(parsed.data, answer).catch((error: unknown) => {
      logger.warn("rpc message not understood", { error: error instanceof Error ? error.name : typeof error });
    });
  });
  channel.onClose(() => peer.close());
}

/** A MessagePort of Electron, or of worker_threads. */
export type PagePort = SupportedMessagePort & { start?(): void };

/** Where pages come in. */
export interface Doors {
  /** Serves RPC to a page on the app's end of a port, which it starts. Ends with the port. */
  connectPort(port: PagePort): void;
  /** Serves RPC to a page on a WebSocket. Ends with the socket. */
  connectSocket(socket: WebSocket): void;
}

export function createDoors(answer: ServerPeerHandleRequestFn, logger: Logger): Doors {
  return {
    connectPort(port) {
      servePeer(channelOfPort(port), answer, logger);
      port.start?.();
    },
    connectSocket: (socket) => servePeer(channelOfSocket(socket), answer, logger),
  };
}
