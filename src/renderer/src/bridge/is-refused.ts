/** How long an answer is waited for, in milliseconds. */
const patience = 5_000;

/**
 * Whether the service answers, but lets this page in no more: the browser tells that of a request, and not of a WebSocket.
 * False where there is no answer.
 */
export async function isRefused(page: URL): Promise<boolean> {
  try {
    const { status } = await fetch(page, {
      method: "HEAD",
      cache: "no-store",
      signal: AbortSignal.timeout(patience),
    });
    return status === 401 || status === 403;
  } catch {
    return false;
  }
}
