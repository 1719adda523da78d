import { CaFileError } from "#main/base";

/** What a failure of the network means, whoever was asked. */
export interface NetworkFailure {
  readonly kind: "unreachable" | "timed_out" | "certificate" | "not_http" | "failed";
  /** A clause; of a certificate, about that. Empty where the kind has it all. */
  readonly reason: string;
  /** Whether it happens before anything is sent. */
  readonly isUnsent?: true;
}

const closed = { kind: "unreachable", reason: "it closed the connection" } as const;
const noTls = { kind: "certificate", reason: "the server does not speak TLS there", isUnsent: true } as const;
const unknownSigner = { kind: "certificate", reason: "who signed it is not known here", isUnsent: true } as const;

/** By the error's code. */
const failures: Readonly<Record<string, NetworkFailure>> = {
  ECONNREFUSED: { kind: "unreachable", reason: "nothing listens there", isUnsent: true },
  ENOTFOUND: { kind: "unreachable", reason: "there is no such host", isUnsent: true },
  EAI_AGAIN: { kind: "unreachable", reason: "its name can't be looked up now", isUnsent: true },
  EHOSTUNREACH: { kind: "unreachable", reason: "there is no way to it" },
  ENETUNREACH: { kind: "unreachable", reason: "there is no network" },
  ENETDOWN: { kind: "unreachable", reason: "there is no network" },
  ECONNRESET: closed,
  ECONNABORTED: closed,
  EPIPE: closed,
  ERR_STREAM_PREMATURE_CLOSE: closed,
  UND_ERR_SOCKET: closed,
  ETIMEDOUT: { kind: "timed_out", reason: "no connection came about" },
  UND_ERR_CONNECT_TIMEOUT: { kind: "timed_out", reason: "no connection came about", isUnsent: true },
  UND_ERR_HEADERS_TIMEOUT: { kind: "timed_out", reason: "no answer began" },
  UND_ERR_BODY_TIMEOUT: { kind: "timed_out", reason: "the answer stopped in the middle" },
  Z_DATA_ERROR: { kind: "unreachable", reason: "its compressed answer can't be read" },
  Z_BUF_ERROR: { kind: "unreachable", reason: "its compressed answer is cut" },
  CERT_HAS_EXPIRED: { kind: "certificate", reason: "it has expired", isUnsent: true },
  DEPTH_ZERO_SELF_SIGNED_CERT: { kind: "certificate", reason: "it is signed by itself", isUnsent: true },
  SELF_SIGNED_CERT_IN_CHAIN: {
    kind: "certificate",
    reason: "its chain is signed by itself",
    isUnsent: true,
  },
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: {
    kind: "certificate",
    reason: "its chain is not complete",
    isUnsent: true,
  },
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unknownSigner,
  UNABLE_TO_GET_ISSUER_CERT: unknownSigner,
  CERT_UNTRUSTED: unknownSigner,
  CERT_NOT_YET_VALID: { kind: "certificate", reason: "it is not valid yet", isUnsent: true },
  CERT_REVOKED: { kind: "certificate", reason: "it was called back by its signer", isUnsent: true },
  ERR_TLS_CERT_ALTNAME_INVALID: {
    kind: "certificate",
    reason: "it is for another name",
    isUnsent: true,
  },
  ERR_SSL_WRONG_VERSION_NUMBER: noTls,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: noTls,
  EPROTO: noTls,
};

/** What a request failed with that got no whole answer. A code that is not known here is named, and means nothing more. */
export function readNetworkFailure(error: unknown): NetworkFailure {
  if (error instanceof CaFileError) return { kind: "certificate", reason: error.message, isUnsent: true };
  const code = readCode(error);
  const known = failures[code];
  if (known !== undefined) return known;
  if (error instanceof Error && error.name === "TimeoutError") return { kind: "timed_out", reason: "" };
  if (code.startsWith("HPE_")) return { kind: "not_http", reason: "its answer is no HTTP" };
  return { kind: "failed", reason: code || "the request broke off" };
}

function readCode(error: unknown): string {
  if (!(error instanceof Error)) return "";
  if ("code" in error && typeof error.code === "string") return error.code;
  return readCode(error.cause);
}
