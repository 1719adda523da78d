import { createSystemMachine } from "#main/base";

/** Progress is reported at most this often: every 100 ms. */
const interval = 100;

/** Answers true when it is time to report progress again. */
export function createThrottle(now = createSystemMachine().monotonic): () => boolean {
  let last = now();
  return () => {
    if (now() - last < interval) return false;
    last = now();
    return true;
  };
}
