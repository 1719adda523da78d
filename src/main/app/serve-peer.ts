import { onMessagePortClose, onMessagePortMessage, type SupportedMessagePort } from "@orpc/client/message-port";
import type { StandardHandler } from "@orpc/server/standard";
import { createServerPeerHandleRequestFn } from "@orpc/server/standard-peer";
import { ServerPeer } from "@orpc/standard-server-peer";
import type { WebSocket } from "ws";
import { z } from "zod";
import type { Logger } from "#main/base";
import type { RpcContext } from "#main/rpc";

/** A two-way message channel. */
export interface Channel {
  send(message: string | Uint8Array | ArrayBufferLike): void;
  onMessage(listener: (message: unknown) => void): void;
  onClose(listener: () => void): void;
}

export function channelOfPort(port: SupportedMessagePort): Channel {
  return {
    send: (message) => port.postMessage(message),
    onMessage: (listener) => onMessagePortMessage(port, listener),
    onClose: (listener) => onMessagePortClose(port, listener),
  };
}

export function channelOfSocket(socket: WebSocket): Channel {
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
export function servePeer(
  channel: Channel,
  handler: StandardHandler<RpcContext>,
  context: RpcContext,
  logger: Logger,
): void {
  const peer = new ServerPeer(async (message) => channel.send(message));
  const handle = createServerPeerHandleRequestFn(handler, { context });
  channel.onMessage((message) => {
    const parsed = messageSchema.safeParse(message);
    if (!parsed.success) {
      logger.warn("rpc message not understood");
      return;
    }
    peer.message(parsed.data, handle).catch((error: unknown) => {
      logger.warn("rpc message not understood", { error: error instanceof Error ? error.name : typeof error });
    });
  });
  channel.onClose(() => peer.close());
}
