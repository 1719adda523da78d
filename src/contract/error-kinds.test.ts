import { expect, test } from "vitest";
import { countErrors, countLasting, isLastingError, kindOfError } from "./error-kinds.ts";

test("errors that come again are told from errors that may pass, by a code or a status; unknown ones may pass", () => {
  const kinds = {
    content_filter: "refused",
    content_policy_violation: "refused",
    SAFETY: "refused",
    context_length_exceeded: "too_long",
    http_413: "too_long",
    http_400: "invalid",
    400: "invalid",
    invalid_request_error: "invalid",
    unsupported_by_service: "invalid",
    INVALID_ARGUMENT: "invalid",
    invalid_api_key: "other",
    rate_limit_exceeded: "limited",
    http_429: "limited",
    upstream_timeout: "timed_out",
    model_not_found: "other",
    json_validate_failed: "other",
    http_401: "other",
    http_503: "other",
    internal_error: "other",
    "": "other",
  } as const;
  for (const [code, kind] of Object.entries(kinds)) expect([code, kindOfError(code)]).toEqual([code, kind]);
  const lasting = Object.keys(kinds).filter(isLastingError);
  expect(lasting.map(kindOfError)).not.toContain("other");
  const counts = countErrors(["http_400", "http_429", "content_filter", "content_filter"]);
  expect(counts).toEqual({ limited: 1, refused: 2, invalid: 1 });
  expect(countLasting(counts)).toBe(3);
});
