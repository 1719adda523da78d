import { listCodes, readServiceError, type ServiceError } from "#main/answers";
import { ProxyError } from "#main/base";
import { AnswerTooLargeError, type NetworkFailure, readNetworkFailure, UnusableKeyError } from "#main/engines";

/** What kept a connection from answering. None of them is a failure of a line. */
export type ConnectionErrorCode =
  | "key_refused"
  | "key_missing"
  | "key_unusable"
  | "mcp_refused"
  | "no_credit"
  | "model_unknown"
  | "queue_full"
  | "too_large"
  | "rate_limited"
  | "timed_out"
  | "unreachable"
  | "failed"
  | "certificate"
  | "proxy"
  | "proxy_variable"
  | "not_the_api"
  | "answer_too_large"
  | "results_unreadable"
  | "service_down"
  | "refused";

interface Guidance {
  /** What happened, after "<name>": `refused the key.` */
  readonly happened: string;
  readonly nextStep: string;
  /** Whether that is done in Settings → Connections. */
  readonly isSetting?: true;
  /** Whether trying again by itself may help; otherwise something has to be changed first. */
  readonly isPassing: boolean;
}

/** Whether the reason for which a batch waits is that its connection has no key, or a wrong one. */
export function asksForKey(reason: string): boolean {
  return [guidance.key_refused, guidance.key_missing, guidance.key_unusable].some(({ happened }) =>
    reason.includes(happened),
  );
}

/** What each code means to the user, and what to do about it. */
const guidance: Readonly<Record<ConnectionErrorCode, Guidance>> = {
  key_refused: {
    happened: "refused the key",
    nextStep: "Enter the key again.",
    isSetting: true,
    isPassing: false,
  },
  key_missing: {
    happened: "wants a key",
    nextStep: "Enter its key, or set the variable and start Sheaf again.",
    isSetting: true,
    isPassing: false,
  },
  key_unusable: {
    happened: "could not be sent its key",
    nextStep: "Enter the key again.",
    isSetting: true,
    isPassing: false,
  },
  mcp_refused: {
    happened: "refused the token of its MCP endpoint",
    nextStep: "Turn the endpoint on or enter its token.",
    isSetting: true,
    isPassing: false,
  },
  no_credit: {
    happened: "says that there is no credit left",
    nextStep: "Add credit at the service; what waits goes on by itself.",
    isPassing: true,
  },
  model_unknown: {
    happened: "does not know the model",
    nextStep: "Choose one of the models that the connection offers.",
    isPassing: false,
  },
  queue_full: {
    happened: "has as many requests queued as it takes",
    nextStep: "Nothing to do: the rest is sent when there is room.",
    isPassing: true,
  },
  too_large: {
    happened: "does not take a file of this size",
    nextStep: "Lower the most bytes of a file.",
    isSetting: true,
    isPassing: false,
  },
  rate_limited: {
    happened: "asks to send requests more slowly",
    nextStep: "Nothing to do: it is tried again when the service says.",
    isPassing: true,
  },
  timed_out: { happened: "did not answer in time", nextStep: "Nothing to do: it is tried again.", isPassing: true },
  unreachable: {
    happened: "can't be reached",
    nextStep: "Check the address, and whether the server runs.",
    isPassing: true,
  },
  failed: {
    happened: "could not be asked",
    nextStep: "It is tried again; if it stays so, report the fault with its details.",
    isPassing: true,
  },
  certificate: {
    happened: "has a certificate that can't be trusted",
    nextStep: "Check the address. A company's own certificates are named as the connection's CA file.",
    isPassing: false,
  },
  proxy: {
    happened: "can't be reached through the proxy",
    nextStep: "Check the proxy of the connection, or HTTPS_PROXY and NO_PROXY of the environment.",
    isPassing: true,
  },
  proxy_variable: {
    happened: "can't be reached through the proxy",
    nextStep: "Correct the variable and start Sheaf again, or name a proxy in the connection.",
    isPassing: false,
  },
  not_the_api: {
    happened: "answered with something that is not this API",
    nextStep: "Check the address: it usually ends in /v1.",
    isPassing: false,
  },
  answer_too_large: {
    happened: "sent an answer of more than 64 MB",
    nextStep: "Check the address, or ask for shorter answers.",
    isPassing: false,
  },
  results_unreadable: {
    happened: "sent results that can't be read",
    nextStep: "Nothing to do: they are fetched again.",
    isPassing: true,
  },
  service_down: {
    happened: "has a failure of its own",
    nextStep: "Nothing to do: it is tried again.",
    isPassing: true,
  },
  refused: {
    happened: "refused the request",
    nextStep: "It is tried again; if it stays so, check the connection.",
    isPassing: false,
  },
};

/** A connection that could not answer: its message has what happened, where, and what to do next. */
export class ConnectionError extends Error {
  readonly code: ConnectionErrorCode;
  readonly nextStep: string;
  /** The next step for a user who has the connection open already: where that is is left out. */
  readonly stepThere: string;
  readonly isPassing: boolean;
  /** The service's own words, shown as details; never with a key in it. */
  readonly details: string;
  readonly status: number | null;
  /** Whether the request surely had no effect: no connection was made, or the service answered that it refused. */
  readonly hasNoEffect: boolean;
  /** How long the service asked to wait, in milliseconds. */
  readonly retryAfter: number | null;

  /** `reason` is more precise than the code, such as `nothing listens there`. */
  constructor(
    code: ConnectionErrorCode,
    where: string,
    about: {
      reason?: string;
      details?: string;
      status?: number;
      retryAfter?: number | null;
      /** Whether no connection was made. */
      isUnsent?: boolean;
      /** Where the service may be instead. */
      suggestedUrl?: string | null;
    } = {},
  ) {
    const { happened, nextStep, isSetting = false, isPassing } = guidance[code];
    super(`${where} ${happened}${about.reason === undefined ? "" : `: ${about.reason}`}.`);
    this.name = "ConnectionError";
    this.code = code;
    const step = about.suggestedUrl ? `Change its address: try ${about.suggestedUrl}.` : nextStep;
    this.nextStep = isSetting ? step.replace(/(?=[.,])/, " in Settings → Connections") : step;
    this.stepThere = step;
    this.isPassing = isPassing;
    this.details = about.details ?? "";
    this.status = about.status ?? null;
    this.retryAfter = about.retryAfter ?? null;
    this.hasNoEffect = about.isUnsent ?? (this.status !== null && isRefusal(this.status));
  }
}

/**
 * Statuses between 400 and 499 that leave open what became of the request: a time-out, a conflict, a replay that came too early
 * (425), and a proxy whose client left (499).
 */
const unsureStatuses = new Set([408, 409, 425, 499]);

/** Whether the status means that the request had no effect. A redirect may follow what was done (303), so it doesn't. */
function isRefusal(status: number): boolean {
  return status >= 400 && status < 500 && !unsureStatuses.has(status);
}

/** Whether the service sent the request to another address, which the message has. */
export function isRedirect(error: unknown): boolean {
  return error instanceof ConnectionError && error.status !== null && error.status >= 300 && error.status < 400;
}

/** Whether what was asked for doesn't exist, or the service doesn't have that endpoint. */
export function isMissing(error: unknown): boolean {
  if (!(error instanceof ConnectionError)) return false;
  return error.status === 404 || error.status === 405 || error.status === 410 || error.status === 501;
}

/** What a failure of the network is to a connection. */
const codes: Readonly<Record<NetworkFailure["kind"], ConnectionErrorCode>> = {
  unreachable: "unreachable",
  timed_out: "timed_out",
  certificate: "certificate",
  not_http: "not_the_api",
  failed: "failed",
};

/** The error of a request that got no complete answer. `where` names the connection. */
export function describeNetworkError(error: unknown, where: string): ConnectionError {
  if (error instanceof AnswerTooLargeError) return new ConnectionError("answer_too_large", where);
  const proxy = findProxyError(error);
  if (proxy !== null) {
    const proxyCode = proxy.isVariable ? "proxy_variable" : "proxy";
    return new ConnectionError(proxyCode, where, {
      reason: proxy.message,
      details: messageOf(proxy.cause ?? proxy),
      isUnsent: true,
    });
  }
  if (error instanceof UnusableKeyError) {
    return new ConnectionError("key_unusable", where, { reason: error.message, isUnsent: true });
  }
  const { kind, reason, isUnsent: isEarly } = readNetworkFailure(error);
  const isUnsent = isEarly === true || isWhileConnecting(error);
  return new ConnectionError(codes[kind], where, { ...(reason && { reason }), details: messageOf(error), isUnsent });
}

/** Whether it was the attempt to connect that failed. */
function isWhileConnecting(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return ("syscall" in error && error.syscall === "connect") || isWhileConnecting(error.cause);
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The MCP client hands on errors of its requests as a cause. */
function findProxyError(error: unknown): ProxyError | null {
  if (error instanceof ProxyError) return error;
  return error instanceof Error ? findProxyError(error.cause) : null;
}

/** A connection without a key. `variable` is the environment variable that should have it. */
export interface MissingKey {
  readonly variable: string | null;
}

export const describeMissing = ({ variable }: MissingKey) =>
  variable === null ? "none is stored here" : `the variable ${variable} is not set`;

/**
 * The error that an answer with an error status means. Its status, code and type decide. A service repeats what it was sent in its
 * message: words in there count only with a status of that meaning.
 */
export function describeErrorStatus(
  status: number,
  body: string,
  where: string,
  retryAfter: number | null,
  missingKey: MissingKey | null = null,
): ConnectionError {
  const about = { details: body.slice(0, longestDetails), status, retryAfter };
  const error = readServiceError(body);
  const codes = new Set(error === null ? [] : listCodes(error));
  const message = error?.message ?? "";
  const says = (pattern: RegExp) => pattern.test(message);
  if (status === 402 || codes.has("insufficient_quota") || isOutOfCredit(status, message)) {
    return new ConnectionError("no_credit", where, about);
  }
  if (status === 401 || status === 403 || codes.has("api_key_invalid") || says(/^API key not valid/)) {
    return missingKey === null
      ? new ConnectionError("key_refused", where, about)
      : new ConnectionError("key_missing", where, { ...about, reason: describeMissing(missingKey) });
  }
  if (status === 407) return new ConnectionError("proxy", where, about);
  if (status === 413 || codes.has("request_too_large")) return new ConnectionError("too_large", where, about);
  if (modelCodes.some((code) => codes.has(code)) || isAboutModel(status, error)) {
    return new ConnectionError("model_unknown", where, about);
  }
  if (codes.has("token_limit_exceeded") || (status === 429 && says(/enqueued token/i))) {
    return new ConnectionError("queue_full", where, about);
  }
  if (status === 429) return new ConnectionError("rate_limited", where, about);
  if (status === 408 || status === 504) return new ConnectionError("timed_out", where, about);
  const inItsWords = message
    .slice(0, longestReason)
    .toWellFormed()
    .replace(/\.?\s*$/, "");
  const withReason = inItsWords ? { ...about, reason: inItsWords } : about;
  if (status >= 500) return new ConnectionError("service_down", where, withReason);
  if (/^\s*(<!doctype|<html)/i.test(body) || status < 400) return new ConnectionError("not_the_api", where, about);
  return new ConnectionError("refused", where, withReason);
}

/** Why a batch that was refused as a whole can be sent again later, by the service's sentences about it; null for another reason. */
export function describePostponed(errors: readonly string[], where: string): ConnectionError | null {
  const about = { details: errors.join("\n").slice(0, longestDetails), status: 400 };
  if (errors.some((error) => /token_limit_exceeded|enqueued token/i.test(error))) {
    return new ConnectionError("queue_full", where, about);
  }
  const isCredit = errors.some((error) => /insufficient_quota/.test(error) || isOutOfCredit(429, error));
  return isCredit ? new ConnectionError("no_credit", where, about) : null;
}

const creditWords = /insufficient.{0,20}(credit|balance|funds)|credit balance is too low/i;

/** Anthropic has no status of its own for it: its sentence stands at the beginning, where no message quotes a prompt. */
function isOutOfCredit(status: number, message: string): boolean {
  if (message.startsWith("Your credit balance is too low")) return true;
  return (status === 401 || status === 403 || status === 429) && creditWords.test(message);
}

/** What OpenAI, Mistral and Together call a model that they don't have. */
const modelCodes = ["model_not_found", "invalid_model", "model_not_available"];

/** Whether a refusal is about the model and not about the address: the sentences of services stand alone, so that none quotes a prompt. */
function isAboutModel(status: number, error: ServiceError | null): boolean {
  if (error === null || (status !== 404 && status !== 400)) return false;
  return (
    (status === 404 && error.param === "model") ||
    /^(the )?models?\b.*(not exist|not found|unknown)|^model: \S+$|^(unknown|invalid) model\b|^\S+ is not a valid model id\b/i.test(
      error.message,
    )
  );
}

/** How much of a service's message is repeated in a sentence of ours. */
const longestReason = 2_000;

const longestDetails = 4_000;
