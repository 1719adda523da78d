interface Advice {
  readonly title: string;
  /** What can be done about it. */
  readonly advice: string;
}

const advices: Readonly<Record<string, Advice>> = {
  rate_limit_exceeded: {
    title: "The service was asked too fast",
    advice: "Retry these lines: they are sent more slowly while the service refuses.",
  },
  context_length_exceeded: {
    title: "The prompt is longer than the model can read",
    advice: "Shorten the prompt, leave out a column, or choose a model with a longer context.",
  },
  content_filter: {
    title: "The service refused the content",
    advice: "These requests break the service’s rules. Read the lines, then change the prompt or leave them out.",
  },
  insufficient_quota: {
    title: "The account has no credit left",
    advice: "Add credit at the service, then retry these lines.",
  },
  invalid_api_key: {
    title: "The key was refused",
    advice: "Change the key of the connection in Settings, then retry these lines.",
  },
  model_not_found: {
    title: "The service has no such model",
    advice: "Retry these lines with a model that the connection offers.",
  },
  injected_fault: {
    title: "The mock server failed it, as it was set to",
    advice: "Retry these lines, or change the failures in Server first.",
  },
  file_damaged: {
    title: "Damaged on disk",
    advice: "All other lines are unchanged. Retry these lines. You may pay for them again.",
  },
  result_awaited: {
    title: "Not there yet",
    advice:
      "The service counted these lines as done, so you may have paid for them. Fetch the batch again before you retry them.",
  },
  result_missing: {
    title: "No result",
    advice: "Retry these lines: the service’s results have nothing for them.",
  },
  result_unreadable: {
    title: "The result can’t be read",
    advice: "These lines may be paid. Look for their results at the service before you retry them.",
  },
  results_gone: {
    title: "The service no longer has the results",
    advice: "These lines may be paid. Retry them only if you need their answers.",
  },
  timeout: { title: "No answer in time", advice: "Retry these lines." },
  batch_cancelled: {
    title: "Never ran, because the batch was cancelled",
    advice: "Retry these lines when you want their answers.",
  },
  batch_expired: {
    title: "Never ran, because the time was over",
    advice: "Retry these lines: the service did not get to them within its 24 hours.",
  },
  internal_error: {
    title: "The service failed",
    advice: "Retry these lines. If they fail again, look up their request ids in the service’s log.",
  },
};

/** Statuses that mean the same as a code, for errors that came without one. */
const codeOfStatus: Readonly<Record<string, string>> = {
  http_401: "invalid_api_key",
  http_402: "insufficient_quota",
  http_429: "rate_limit_exceeded",
};

/** What an error means, and what can be done about it; by its status where the code is not known. */
export function adviceOf(code: string): Advice {
  const known = advices[codeOfStatus[code] ?? code];
  if (known !== undefined) return known;
  const status = Number(/^http_(\d{3})$/.exec(code)?.[1] ?? Number.NaN);
  if (status >= 500) return { title: "The service failed", advice: "Retry these lines: such failures often pass." };
  if (status >= 400)
    return { title: "The service refused the request", advice: "Read its message and change the lines." };
  return { title: "The line failed", advice: "Read the message of the service: it says what was wrong." };
}
