import type { CheckProgress, Problem, ProblemCode, ProblemGroup } from "#contract";
import { formatCount, formatNumber } from "../../../components/index.ts";

/** What a group's problems have in common, for `rows` of a table or `lines` of a file of requests. */
type Sentence = (count: string, one: boolean) => string;

const sentences: Readonly<Record<ProblemCode, Sentence>> = {
  invalid_json_line: (lines, one) => `${lines} ${one ? "is" : "are"} not JSON`,
  missing_required_parameter: (lines, one) => `${lines} ${one ? "lacks" : "lack"} a field that every request needs`,
  invalid_type: (lines, one) => `${lines} ${one ? "has" : "have"} a value of the wrong type`,
  duplicate_custom_id: (lines, one) => `${lines} ${one ? "shares its" : "share their"} line id with an earlier one`,
  invalid_method: (lines, one) => `${lines} ${one ? "has" : "have"} a method other than POST`,
  invalid_url: (lines, one) => `${lines} ${one ? "goes" : "go"} to another endpoint`,
  model_not_found: (lines, one) => `${lines} ${one ? "names" : "name"} a model that is not offered here`,
  invalid_request: (lines, one) => `${lines} ${one ? "gives a request" : "give requests"} that would be refused`,
  streaming_unsupported: (lines, one) => `${lines} ${one ? "asks" : "ask"} for streaming, which a batch can’t do`,
  context_length_exceeded: (lines, one) => `${lines} ${one ? "is" : "are"} too long for the model`,
  max_output_exceeded: (lines, one) => `${lines} ${one ? "asks" : "ask"} for a longer answer than the model gives`,
  empty_file: () => "There is no request in the file",
  too_many_requests_in_file: () => "There are more requests than one batch can take",
  file_damaged: () => "The file is damaged on disk",
  file_unreadable: () => "The file can’t be read",
  injected_fault: () => "The batch fails on purpose",
  line_too_large: (lines, one) => `${lines} ${one ? "gives a request that is" : "give requests that are"} too large`,
  file_too_large: () => "The requests are larger than one batch can take",
  too_many_problems: () => "There are more problems than are listed",
  invalid_row: (lines, one) => `${lines} can’t be read, so ${one ? "it gives" : "they give"} no request`,
  formula_without_value: () => "Some formulas have no value in the file",
  failed_formula: () => "Some formulas have an error in the file",
  rounded_number: () => "Some numbers have more digits than spreadsheets have",
  hidden_rows: () => "The sheet hides some rows",
  text_as_condition: (lines, one) =>
    `${lines} ${one ? "has" : "have"} a text such as “false” where an if takes it as true`,
  template_error: (lines) => `The prompt can’t be filled in for ${lines}`,
  unknown_column: () => "A placeholder names a column that the source doesn’t have",
  empty_value: (lines, one) => `${lines} ${one ? "leaves" : "leave"} a placeholder empty`,
  picture_not_allowed: () => "Pictures of this computer are not sent yet",
  picture_unreadable: (lines, one) => `${lines} ${one ? "names a picture" : "name pictures"} that can’t be sent`,
  invalid_parameter: () => "The parameters of the prompt can’t be used as they are",
  no_prompt: (lines, one) => `${lines} ${one ? "has" : "have"} no text in the user message`,
};

/** A group of problems in one sentence, with its rows, each counted once. */
export function describeGroup({ code, lines }: ProblemGroup, unit: "row" | "line"): string {
  if (code === "model_not_found" && lines === 0) return "No model is chosen yet";
  if (code === "no_prompt" && lines === 0) return "There is no prompt yet";
  return sentences[code](formatCount(lines, unit), lines === 1);
}

/** Names a group among the others of a check. */
export function keyOf({ code, severity, first: [problem] }: ProblemGroup): string {
  return [severity, code, problem?.param, problem?.message].join(" ");
}

/**
 * What a group's problems are, in full: of the prompt each one, since they differ; of rows the first one with its row, since it
 * doesn't speak for the others.
 */
export function examplesOf({ first, lines }: ProblemGroup, unit: "row" | "line"): string[] {
  if (lines === 0) return [...new Set(first.map(({ message }) => message))];
  return first.slice(0, 1).map(({ line, message }) => {
    const name = unit === "row" ? "Row" : "Line";
    return line === null ? message : `${name} ${formatNumber(line)}: ${message}`;
  });
}

/** The rows of a group from the one at `offset` on, each once; of the first problems only while a check is under way. */
export function pageOfRows({ first, where }: ProblemGroup, offset: number, size: number): number[] {
  if (where === undefined) {
    const rows = first.flatMap(({ line }) => (line === null ? [] : [line]));
    return [...new Set(rows)].slice(offset, offset + size);
  }
  const rows: number[] = [];
  let before = 0;
  for (const [from, to] of where) {
    const skipped = Math.max(0, offset + rows.length - before);
    for (let row = from + skipped; row <= to && rows.length < size; row += 1) rows.push(row);
    before += to - from + 1;
  }
  return rows;
}

const parts = new Map(
  [
    { param: "body.response_format", name: "the answer’s format" },
    { param: "body.temperature", name: "the temperature" },
    { param: "body.max_completion_tokens", name: "the most tokens" },
  ].map((part) => [part.param, part]),
);
/** Parts that are no one's field. */
const elsewhere = ["body.model", "body.messages"];

/** The parts of the prompt that a group's problems come from whatever the rows are, as one would call them. */
export function firstParts({ first }: ProblemGroup): { param: string; name: string }[] {
  const params = new Set(first.flatMap(({ param, line }) => (param === null || line !== null ? [] : [param])));
  return [...params].flatMap((param) => {
    const message = /^body\.messages\[(\d+)\]/.exec(param)?.[1];
    if (message !== undefined) return { param, name: `message ${Number(message) + 1}` };
    if (param === "custom_id") return { param, name: "the line id" };
    return param.startsWith("body") && !elsewhere.includes(param)
      ? (parts.get(param) ?? { param: "body", name: "the further parameters" })
      : [];
  });
}

/** Errors before warnings, the most frequent first. */
export function sortGroups(groups: readonly ProblemGroup[]): ProblemGroup[] {
  const weight = ({ severity }: ProblemGroup) => (severity === "error" ? 0 : 1);
  return groups.toSorted((a, b) => weight(a) - weight(b) || b.count - a.count);
}

/** True when nothing is wrong but that the prompt has not been written yet: a next step, not a mistake. */
export function isUnwritten(problems: readonly Pick<Problem, "code" | "line">[]): boolean {
  return problems.length > 0 && problems.every(({ code, line }) => code === "no_prompt" && line === null);
}

/** The same of a check of the whole file. */
export function isCheckUnwritten({ groups }: Pick<CheckProgress, "groups">): boolean {
  return isUnwritten(groups.flatMap(({ first }) => first));
}
