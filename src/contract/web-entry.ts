/**
 * How a page in a browser gets in. Nothing of it is a cookie: a browser sends those to every port of a machine.
 *
 * 1. The terminal prints an address with a one-time code in its fragment, which browsers send to no one.
 * 2. The page takes the code out of its address and posts it to `exchangePath`, as plain text. The answer is a token, which
 *    the page keeps in its localStorage: other ports can't read that.
 * 3. The token is the first message on the WebSocket at `socketPath`. The host answers `admitted`, and RPC begins; or it
 *    closes the socket with `refusedCode`.
 *
 * The token serves further tabs and reloads, until it has had no socket for a day or the host ends.
 */
export const webEntry = {
  /** The parameter of the fragment: `#code=…`. */
  codeParameter: "code",
  exchangePath: "/session",
  socketPath: "/rpc",
  admitted: "admitted",
  refusedCode: 4401,
} as const;
