import { connect, createServer, type Socket } from "node:net";

/** What a SOCKS proxy was asked: where to, and as whom. */
export interface SocksCall {
  readonly to: string;
  readonly user: string | null;
}

/**
 * A SOCKS5 proxy (RFC 1928, RFC 1929) that connects every host name to one port of this machine. With a `user`, it refuses
 * all other users.
 */
export function createSocksProxy({
  port,
  user = null,
  calls,
}: {
  readonly port: number;
  readonly user?: string | null;
  readonly calls: SocksCall[];
}) {
  return createServer((socket) => {
    const read = readerOf(socket);
    const serve = async () => {
      const [, methods = 0] = await read(2);
      await read(methods);
      socket.write(Uint8Array.of(5, user === null ? 0 : 2));
      let name: string | null = null;
      if (user !== null) {
        const [, length = 0] = await read(2);
        name = (await read(length)).toString();
        const [passwordLength = 0] = await read(1);
        await read(passwordLength);
        socket.write(Uint8Array.of(1, name === user ? 0 : 1));
        if (name !== user) return void socket.end();
      }
      const [, , , , hostLength = 0] = await read(5);
      const host = (await read(hostLength)).toString();
      const asked = (await read(2)).readUInt16BE();
      calls.push({ to: `${host}:${asked}`, user: name });
      const onward = connect(port, "127.0.0.1", () => {
        socket.write(Uint8Array.of(5, 0, 0, 1, 127, 0, 0, 1, 0, 0));
        socket.pipe(onward).pipe(socket);
      });
      onward.on("error", () => socket.destroy());
      socket.on("close", () => onward.destroy());
    };
    socket.on("error", () => {});
    void serve();
  });
}

/** Bytes as they come, so many at a time. */
function readerOf(socket: Socket) {
  return async (count: number): Promise<Buffer> => {
    for (;;) {
      if (count === 0) return Buffer.alloc(0);
      const bytes: Buffer | null = socket.read(count);
      if (bytes !== null) return bytes;
      await new Promise((resolve) => socket.once("readable", resolve));
    }
  };
}
