import { z } from "zod";

/** Most characters of a prompt, a response or a document that are verified. */
export const longestVerifyText = 4_000_000;

const text = z.string().max(longestVerifyText);

/** What is checked: a response to a prompt, against a document where there is one. */
export const verifyInputSchema = z.object({
  prompt: text,
  response: text,
  /** Null where the prompt is all there is to go by. */
  document: text.nullable(),
});
export type VerifyInput = z.infer<typeof verifyInputSchema>;

/** What a claim came to. A checkable claim for which the document has no support is `contradicted`, and its reason says so. */
export const verdictSchema = z.enum(["supported", "contradicted", "not_checkable"]);
export type Verdict = z.infer<typeof verdictSchema>;

export const textSourceSchema = z.enum(["prompt", "document", "response"]);
export type TextSource = z.infer<typeof textSourceSchema>;

/** A part of one of the texts: `[start, end)` in UTF-16 units, as JavaScript slices. */
export const textSpanSchema = z.object({
  source: textSourceSchema,
  start: z.int().min(0),
  end: z.int().min(0),
  text: z.string(),
});
export type TextSpan = z.infer<typeof textSpanSchema>;

/** Who came to a verdict: a kind of rule, or a model. */
export const verifyCheckSchema = z.enum([
  "arithmetic",
  "dates",
  "grounding",
  "instructions",
  "consistency",
  "model",
  "none",
]);
export type VerifyCheck = z.infer<typeof verifyCheckSchema>;

/** One claim of a response, with the verdict and what it stands on. */
export const claimSchema = z.object({
  /** Where it stands in the response; its text is the claim. */
  span: textSpanSchema,
  verdict: verdictSchema,
  /** `none` where no check applied. */
  check: verifyCheckSchema,
  /** One sentence. */
  reason: z.string(),
  /** The parts of prompt, document and response that the verdict stands on. */
  evidence: z.array(textSpanSchema),
});
export type Claim = z.infer<typeof claimSchema>;

/** `rules` needs no network and no model; `both` asks a model only for what the rules could not check. */
export const judgeNameSchema = z.enum(["rules", "model", "both"]);
export type JudgeName = z.infer<typeof judgeNameSchema>;

/** The result of the MCP tools `verify` and `verify_document` (decisions.md, MCP), as it is on the wire. */
export const verifyResultSchema = z.object({
  prompt: z.string(),
  response: z.string(),
  /** True where a claim is contradicted. */
  is_hallucination: z.boolean(),
  /** The verdict in one or two sentences; when nothing could be checked its first words say so. */
  explanation: z.string(),
  /** In the order of the response. */
  claims: z.array(claimSchema),
  /** Always empty: nothing is looked up on a network. */
  search_results: z.array(z.never()),
  /** Tokens that a model used; all 0 where none was asked. */
  usage: z.object({ completion_tokens: z.int(), prompt_tokens: z.int(), total_tokens: z.int() }),
});
export type VerifyResult = z.infer<typeof verifyResultSchema>;
