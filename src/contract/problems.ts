import { z } from "zod";

/**
 * Codes of everything that can be wrong with a batch input file (decisions.md, Validation errors). The
 * service, `sheaf validate` and Build use the same ones, because the same code finds them.
 */
export const problemCodes = [
  "invalid_json_line",
  "missing_required_parameter",
  "invalid_type",
  "duplicate_custom_id",
  "invalid_method",
  "invalid_url",
  "model_not_found",
  "invalid_request",
  "streaming_unsupported",
  "context_length_exceeded",
  "max_output_exceeded",
  "empty_file",
  "too_many_requests_in_file",
  "file_too_large",
  "line_too_large",
  "file_damaged",
  "file_unreadable",
  "injected_fault",
  "too_many_problems",
] as const;

/** Codes that only Build finds: they are about the table and the prompt, before there is a request. */
export const buildProblemCodes = [
  "invalid_row",
  "formula_without_value",
  "failed_formula",
  "rounded_number",
  "hidden_rows",
  "text_as_condition",
  "template_error",
  "unknown_column",
  "empty_value",
  "no_prompt",
  "picture_not_allowed",
  "picture_unreadable",
  "invalid_parameter",
] as const;

export const problemCodeSchema = z.enum([...problemCodes, ...buildProblemCodes]);
export type ProblemCode = z.infer<typeof problemCodeSchema>;

/**
 * One problem. `line` counts from 1 and is null where the whole file is meant; `param` is a path such as
 * `body.messages[0].role`. An `error` keeps the file from running; a `warning` does not.
 */
export const problemSchema = z.object({
  code: problemCodeSchema,
  message: z.string(),
  param: z.string().nullable(),
  line: z.int().nullable(),
  severity: z.enum(["error", "warning"]),
  /** The flag of the mock server that would have it accept the request. */
  flag: z.literal("--lenient").optional(),
});
export type Problem = z.infer<typeof problemSchema>;

/** Numbers from `[0]` to `[1]`, both included. */
export const spanSchema = z.tuple([z.int(), z.int()]);
export type Span = z.infer<typeof spanSchema>;

/** All problems with one code and cause, such as an empty column: how many, on how many lines, and the first of them. */
export const problemGroupSchema = z.object({
  code: problemCodeSchema,
  severity: z.enum(["error", "warning"]),
  count: z.int(),
  /** Each counted once, however many problems it has; 0 where the whole file is meant. */
  lines: z.int(),
  first: z.array(problemSchema),
  /** Where they are, ascending; absent while a check is under way. */
  where: z.array(spanSchema).optional(),
});
export type ProblemGroup = z.infer<typeof problemGroupSchema>;
