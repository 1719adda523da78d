import type { ProblemCode } from "#contract";

/** What each code means for who has to mend the file, as a heading. */
const titles: Record<ProblemCode, string> = {
  invalid_json_line: "Lines that are not JSON objects",
  missing_required_parameter: "Something required is missing",
  invalid_type: "A value has the wrong type",
  duplicate_custom_id: "The same custom_id more than once",
  invalid_method: "A method other than POST",
  invalid_url: "A URL other than the batch’s endpoint",
  model_not_found: "A model that is not known here",
  invalid_request: "A request that would be refused",
  streaming_unsupported: "Streaming, which a batch can’t do",
  context_length_exceeded: "A prompt longer than the model’s context",
  max_output_exceeded: "An answer longer than the tier allows",
  file_unreadable: "The file can’t be read",
  empty_file: "There is no request in the file",
  too_many_requests_in_file: "Too many requests in one file",
  file_too_large: "The file is too large",
  too_many_problems: "More problems than are listed",
  invalid_row: "Rows that can’t be read",
  template_error: "A mistake in the prompt",
  unknown_column: "A column that the table does not have",
  empty_value: "Empty values",
  no_prompt: "No prompt yet",
};

export function titleOfProblem(code: ProblemCode): string {
  return titles[code];
}
