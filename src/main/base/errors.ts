/** Codes of the service's errors and the HTTP status that each has (decisions.md, HTTP errors). */
const statusByCode = {
  invalid_api_key: 401,
  missing_api_key: 401,
  host_not_allowed: 403,
  origin_not_allowed: 403,
  not_found: 404,
  method_not_allowed: 405,
  not_acceptable: 406,
  invalid_value: 400,
  invalid_type: 400,
  missing_required_parameter: 400,
  invalid_json: 400,
  integer_above_max_value: 400,
  integer_below_min_value: 400,
  model_not_found: 404,
  thread_not_found: 404,
  thread_already_continued: 400,
  thread_continue_in_flight: 400,
  file_not_downloadable: 400,
  context_length_exceeded: 400,
  max_output_exceeded: 400,
  unsupported_media_type: 415,
  file_too_large: 413,
  body_too_large: 413,
  range_not_satisfiable: 416,
  file_in_use: 409,
  batch_in_use: 409,
  batch_not_cancellable: 409,
  batch_not_verifiable: 409,
  batch_read_only: 409,
  batch_running: 409,
  data_is_kept: 409,
  idempotency_key_reused: 409,
  may_be_paid: 409,
  nothing_to_retry: 409,
  nothing_to_settle: 409,
  rate_limit_exceeded: 429,
  newer_version: 409,
  internal_error: 500,
  clock_stalled: 503,
  data_dir_lost: 503,
  disk_failed: 503,
  disk_full: 503,
  too_many_open_files: 503,
  out_of_memory: 503,
  service_closing: 503,
  work_stopped: 503,
  file_damaged: 500,
} as const;

export type ServiceErrorCode = keyof typeof statusByCode;
export const errorCodes = Object.keys(statusByCode) as readonly ServiceErrorCode[];

export function isServiceErrorCode(code: unknown): code is ServiceErrorCode {
  return typeof code === "string" && Object.hasOwn(statusByCode, code);
}

/** A failure that is the caller's to fix: a stable code, a sentence without internals, and the field it is about. */
export class ServiceError extends Error {
  override readonly name = "ServiceError";
  readonly code: ServiceErrorCode;
  readonly param: string | null;

  readonly status: number;

  /** `status` is that of the code by default. */
  constructor(code: ServiceErrorCode, message: string, param: string | null = null, status?: number) {
    super(message);
    this.code = code;
    this.param = param;
    this.status = status ?? statusByCode[code];
  }
}
