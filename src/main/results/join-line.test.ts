import { expect, test } from "vitest";
import { isLastingError } from "#contract";
import { readOutcome } from "./join-line.ts";

const codeOf = (status: number, code: string | null) => {
  const body = { error: { message: "No.", type: "invalid_request_error", param: null, code } };
  const response = { status_code: status, request_id: "r", body };
  return readOutcome(JSON.stringify({ id: "a", custom_id: "a", response, error: null })).errorCode ?? "";
};

test.each([
  [400, "invalid_request_error", "invalid_request_error", true],
  [400, null, "http_400", true],
  // Some services send this code with every status.
  [402, "invalid_request_error", "http_402", false],
  [429, "invalid_request_error", "http_429", false],
  [401, "invalid_organization", "http_401", false],
  [403, "unsupported_country_region_territory", "http_403", false],
  [401, "invalid_api_key", "invalid_api_key", false],
  [403, "content_filter", "content_filter", true],
  [500, "invalid_value", "invalid_value", true],
])("a line that failed with %j and %j has the code %j", (status, code, read, isLasting) => {
  expect([codeOf(status, code), isLastingError(codeOf(status, code))]).toEqual([read, isLasting]);
});
