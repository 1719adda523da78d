import { isUtf8 } from "node:buffer";
import { formatBytes, formatNumber, type Problem, type ProblemCode } from "#contract";
import { isNestedTooDeep, mostLevels } from "#main/storage";
import { createBodyCheck, isAcceptedLeniently, type JsonObject } from "./check-body.ts";
import { describeFound, describeJsonError, quote } from "./describe-issues.ts";
import type { CheckRules } from "./rules.ts";

/** Checks the lines of one batch input file, in their order. The service, `sheaf validate` and Build share it. */
export interface LineChecker {
  /**
   * All problems that show with this line; its line end may be left on. Blank lines are reported together, when the next
   * request comes or the file ends: at its end one of them is allowed, and a file of nothing else is empty.
   */
  check(line: string | Uint8Array, lineNumber: number): Problem[];
  /** Counts a line whose bytes are not known, because it has more than one may have. */
  refuseLong(lineNumber: number): Problem[];
  /** Counts a line that is not there to be checked. */
  count(): void;
  /** Takes the last line back: it will not be in the file. */
  withdraw(): void;
  /** The problems of the file as a whole, once all lines have been checked. */
  finish(fileBytes: number): Problem[];
  /** Lines so far that are not blank. Those over the limit are counted, but not checked. */
  readonly requests: number;
  /** The ids of the models that lines named so far, the most frequent first. */
  models(): string[];
}

type ReportProblem = (code: ProblemCode, param: string | null, message: string, flag?: Problem["flag"]) => void;

const fields = ["custom_id", "method", "url", "body"] as const;

/** `place` is what the numbers of lines count: lines of the file, or rows of the table that they are made from. */
export function createLineChecker(rules: CheckRules, place: "line" | "row" = "line"): LineChecker {
  const checkBody = createBodyCheck(rules);
  const firstLines = new Map<string, number>();
  const modelCounts = new Map<string, number>();
  let requests = 0;
  /** The blank lines since the last request. */
  let blank: { readonly first: number; readonly last: number } | null = null;
  /** What the last line gave to the counts of the file. */
  let last: { customId: string | null; model: string | null } = { customId: null, model: null };

  /** The problem of the blank lines before this one, to which those of this one are added. */
  function startRequest(): Problem[] {
    requests += 1;
    last = { customId: null, model: null };
    if (blank === null) return [];
    const problems = [blankProblem(blank.first, blank.last)];
    blank = null;
    return problems;
  }

  function isTooLong(line: string | Uint8Array): boolean {
    const { lineBytes } = rules.fileLimits;
    // A text has at most three bytes for each of its units.
    if (typeof line === "string" && line.length * 3 <= lineBytes) return false;
    return (typeof line === "string" ? Buffer.byteLength(line) : line.length) > lineBytes;
  }

  function longLine(line: number): Problem {
    const message = `The line has more than ${formatBytes(rules.fileLimits.lineBytes)}, the most that a request may have.`;
    return { code: "line_too_large", message, param: null, line, severity: "error" };
  }

  function checkText(text: string, lineNumber: number, problems: Problem[]): void {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch (error) {
      problems.push(lineProblem(lineNumber, `The line is not valid JSON: ${describeJsonError(error)}.`));
      return;
    }
    if (!isJsonObject(value)) {
      problems.push(lineProblem(lineNumber, `The line is ${describeFound(value)}; expected a JSON object.`));
      return;
    }
    checkRequest(value, lineNumber, (code, param, message, flag) => {
      problems.push({ code, message, param, line: lineNumber, severity: "error", ...(flag && { flag }) });
    });
  }

  function checkRequest(request: JsonObject, lineNumber: number, report: ReportProblem): void {
    for (const field of fields) {
      if (request[field] === undefined) {
        report("missing_required_parameter", field, `${field} is missing; each request needs one.`);
      }
    }
    const { custom_id, method, url, body } = request;
    if (isText(custom_id, "custom_id", report)) checkCustomId(custom_id, lineNumber, report);
    if (isText(method, "method", report) && method !== "POST") {
      report("invalid_method", "method", `method is ${quote(method)}; only "POST" is supported.`);
    }
    if (isText(url, "url", report) && url !== rules.endpoint) {
      report(
        "invalid_url",
        "url",
        `url is ${quote(url)}; expected the endpoint of the batch, ${quote(rules.endpoint)}.`,
      );
    }
    if (isNestedTooDeep(body)) {
      const message = `body has more than ${mostLevels} values in one another. Send it with fewer levels.`;
      report("invalid_request", "body", message);
    } else if (isJsonObject(body)) {
      let isLifted: boolean | null = null;
      const model = checkBody(body, (code, param, message) => {
        isLifted ??= rules.strictness === "api" && isAcceptedLeniently(rules, body);
        report(code, param, message, isLifted && code !== "model_not_found" ? "--lenient" : undefined);
      });
      if (body.stream === true) report("streaming_unsupported", "body.stream", streamMessage);
      last.model = model;
      if (model !== null) modelCounts.set(model, (modelCounts.get(model) ?? 0) + 1);
    } else if (body !== undefined) {
      report("invalid_type", "body", `body is ${describeFound(body)}; expected an object.`);
    }
  }

  function checkCustomId(customId: string, lineNumber: number, report: ReportProblem): void {
    if (customId === "") {
      report("missing_required_parameter", "custom_id", "custom_id is empty; each request needs one.");
      return;
    }
    const firstLine = firstLines.get(customId);
    if (firstLine === undefined) {
      firstLines.set(customId, lineNumber);
      last.customId = customId;
      return;
    }
    const where = place === "line" ? `on line ${firstLine}` : `in row ${firstLine}`;
    const message = `custom_id ${quote(customId)} is used ${where} already; it must be unique in the file.`;
    report("duplicate_custom_id", "custom_id", message);
  }

  return {
    check(line, lineNumber) {
      const isReadable = typeof line === "string" || isUtf8(line);
      const text = typeof line === "string" ? line : Buffer.from(line.buffer, line.byteOffset, line.length).toString();
      if (isReadable && isBlank(text)) {
        blank = { first: blank?.first ?? lineNumber, last: lineNumber };
        return [];
      }
      const problems = startRequest();
      if (requests > rules.fileLimits.requests) return problems;
      if (isTooLong(line)) problems.push(longLine(lineNumber));
      else if (isReadable) checkText(text, lineNumber, problems);
      else problems.push(lineProblem(lineNumber, "The line is not UTF-8 text. Save the file as UTF-8."));
      return problems;
    },
    refuseLong(lineNumber) {
      const problems = startRequest();
      return requests > rules.fileLimits.requests ? problems : [...problems, longLine(lineNumber)];
    },
    count: () => void startRequest(),
    withdraw() {
      const { customId, model } = last;
      requests -= 1;
      if (customId !== null) firstLines.delete(customId);
      if (model !== null) modelCounts.set(model, (modelCounts.get(model) ?? 1) - 1);
      last = { customId: null, model: null };
    },
    finish(fileBytes) {
      const { bytes: maxBytes, requests: maxRequests } = rules.fileLimits;
      const problems: Problem[] = [];
      if (requests > 0 && blank !== null && blank.last > blank.first) {
        problems.push(blankProblem(blank.first, blank.last - 1));
      }
      const report = (code: ProblemCode, message: string) => {
        problems.push({ code, message, param: null, line: null, severity: "error" });
      };
      if (requests === 0) report("empty_file", "The file has no request in it.");
      if (requests > maxRequests) {
        const found = `The file has ${formatNumber(requests)} requests; at most ${formatNumber(maxRequests)} are taken.`;
        report("too_many_requests_in_file", `${found} Split it. Lines over the limit were not checked.`);
      }
      if (fileBytes > maxBytes) {
        const found = `The file has ${formatBytes(fileBytes)}; at most ${formatBytes(maxBytes)} are taken.`;
        report("file_too_large", `${found} Split it.`);
      }
      return problems;
    },
    get requests() {
      return requests;
    },
    models: () => [...modelCounts].sort((a, b) => b[1] - a[1]).map(([id]) => id),
  };
}

const streamMessage = "stream is true; the answers of a batch can't be streamed.";

function blankProblem(first: number, last: number): Problem {
  const message =
    first === last
      ? "The line is blank; each line holds one request. Remove it."
      : `Lines ${first} to ${last} are blank; each line holds one request. Remove them.`;
  return lineProblem(first, message);
}

function lineProblem(line: number, message: string): Problem {
  return { code: "invalid_json_line", message, param: null, line, severity: "error" };
}

function isText(value: unknown, field: string, report: ReportProblem): value is string {
  if (typeof value === "string") return true;
  if (value !== undefined) report("invalid_type", field, `${field} is ${describeFound(value)}; expected text.`);
  return false;
}

function isBlank(text: string): boolean {
  const first = text.charCodeAt(0);
  return text === "" || (first <= 0x20 && /^[ \t\r\n]*$/.test(text));
}

function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
