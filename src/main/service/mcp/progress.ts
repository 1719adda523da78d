import type { ServerContext } from "@modelcontextprotocol/server";

/** Tells the client how far a call has come, where it asked for that: at most once for each percent, and only forward. */
export function createProgress({ _meta, notify }: ServerContext["mcpReq"]): (done: number, total: number) => void {
  const progressToken = _meta?.progressToken;
  let told = -1;
  return (done, total) => {
    const percent = total === 0 ? 100 : Math.floor((100 * done) / total);
    if (progressToken === undefined || percent <= told) return;
    told = percent;
    const message = `Judged ${done} of ${total} claims`;
    const params = { progressToken, progress: percent, total: 100, message };
    // A client that has gone hears nothing, and needs nothing.
    notify({ method: "notifications/progress", params }).catch(() => undefined);
  };
}
