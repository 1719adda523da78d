/** How an answer ended, whatever word its service has for it. */
export type FinishKind = "complete" | "calls" | "cut" | "filtered" | "other";

/** The words of services, in lower case. Every other one is kept, and means nothing that is known here. */
const kinds: Readonly<Record<Exclude<FinishKind, "other">, readonly string[]>> = {
  complete: ["stop", "end_turn", "stop_sequence", "eos", "eos_token", "complete"],
  calls: ["tool_calls", "function_call", "tool_use", "tool_call"],
  cut: ["length", "max_tokens", "model_length", "max_output_tokens", "model_context_window_exceeded"],
  filtered: [
    ...["content_filter", "refusal", "safety", "recitation", "blocklist", "prohibited_content", "spii", "model_armor"],
    ...["image_safety", "image_prohibited_content", "image_recitation"],
  ],
};

const kindByWord = new Map(
  Object.entries(kinds).flatMap(([kind, words]) => words.map((word) => [word, kind as FinishKind] as const)),
);

export function kindOfFinish(word: string | null): FinishKind {
  return kindByWord.get(word?.toLowerCase() ?? "") ?? "other";
}
