import type { HttpApp } from "./http-app.ts";

const namesOf = new WeakMap<object, readonly string[]>();

/** Notes what a lenient server left out of the body that a route gets. */
export function noteDropped(body: unknown, names: readonly string[]): void {
  if (names.length > 0 && typeof body === "object" && body !== null) namesOf.set(body, names);
}

const longestHeader = 1_000;

/** Has each answer name in `x-sheaf-dropped` what was left out of its request; so it is in the log of requests, too. */
export function reportDropped(app: HttpApp): void {
  app.addHook("preHandler", ({ body }, reply, done) => {
    const names = typeof body === "object" && body !== null ? namesOf.get(body) : undefined;
    if (names !== undefined) reply.header("x-sheaf-dropped", writeNames(names));
    done();
  });
}

/** Names come from the request: a header takes visible ASCII alone. */
function writeNames(names: readonly string[]): string {
  const text = names.map((name) => name.replace(/[^ -~]/gu, (letter) => encodeURIComponent(letter.toWellFormed())));
  const whole = text.join(", ");
  return whole.length <= longestHeader ? whole : `${whole.slice(0, longestHeader)}...`;
}
