import type { Engine } from "#main/base";

const refuse = () =>
  Promise.reject(new Error("This service answers nothing itself: its batches belong to connections."));

/** For a service whose batches all belong to connections: it has no engine of its own. */
export const connectionsOnly: Engine = {
  description: "connections only",
  concurrency: 1,
  complete: refuse,
  stream: refuse,
};
