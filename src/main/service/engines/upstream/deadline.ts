/** Does a piece of work that is aborted with the signal, and with a TimeoutError after so many milliseconds. */
export async function withDeadline<T>(
  signal: AbortSignal,
  milliseconds: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const ending = new AbortController();
  const end = () => ending.abort(signal.reason);
  const timer = setTimeout(() => ending.abort(new DOMException("It took too long.", "TimeoutError")), milliseconds);
  if (signal.aborted) end();
  signal.addEventListener("abort", end, { once: true });
  try {
    return await work(ending.signal);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", end);
  }
}
