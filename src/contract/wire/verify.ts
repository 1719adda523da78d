import { z } from "zod";
import { countSchema } from "./numbers.ts";

/** Most characters of a prompt, a response or a document that are verified. */
export const longestVerifyText = 4_000_000;

const text = z.string().max(longestVerifyText);

/** What is checked: a response to a prompt, against a document where there is one. */
export const verifyInputSchema = z.object({
  prompt: text,
  response: text,
  /** Null where the prompt is all there is to go by. */
  document: text.nullable(),
  /** Whether `is_hallucination` is also true where something is not in the document. */
  strict: z.boolean().default(false),
  /** False where the form (sentences, words, format) is not checked. */
  form: z.boolean().optional(),
});
export type VerifyInput = z.infer<typeof verifyInputSchema>;

/**
 * The gravest first, which is also the order of claims, answers and counts wherever they are listed. `contradicted`: a text
 * or a computation contradicts it. `not_found`: the document doesn't have it. `supported`: the details are together in one
 * passage, or the computation comes out. `not_checkable`: nothing in it can be looked up.
 */
export const verdictSchema = z.enum(["contradicted", "not_found", "supported", "not_checkable"]);
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

/** What a finding is about. */
export const findingKindSchema = z.enum([
  "number",
  "date",
  "name",
  "quotation",
  "opposite",
  "sum",
  "unit",
  "instruction",
  "format",
]);
export type FindingKind = z.infer<typeof findingKindSchema>;

/** What a check or a model reports about a part of a claim. */
export const findingSchema = z.object({
  /** Null where it is about the claim as a whole. */
  kind: findingKindSchema.nullable(),
  verdict: verdictSchema,
  /** The part of the response that it is about. */
  span: textSpanSchema,
  /** One sentence. */
  reason: z.string(),
  /** The parts of prompt, document and response that are its evidence. */
  evidence: z.array(textSpanSchema),
});
export type Finding = z.infer<typeof findingSchema>;

/** A word, or a number or date as a whole, that one of two sentences has and the other lacks. */
export const differingWordSchema = textSpanSchema.extend({
  kind: z.enum(["number", "name", "negation", "comparison", "word"]),
});
export type DifferingWord = z.infer<typeof differingWordSchema>;

/** The sentence of the document, or of the prompt's passage, that is most like a claim. */
export const nearestPassageSchema = z.object({
  span: textSpanSchema,
  /** Words of the claim (`response`) that it lacks, and words of it that the claim lacks; numbers, names, negations and comparisons first. */
  differing: z.array(differingWordSchema),
});
export type NearestPassage = z.infer<typeof nearestPassageSchema>;

/** Who came to the verdict of a claim. */
export const claimJudgeSchema = z.enum(["rules", "model"]);
export type ClaimJudge = z.infer<typeof claimJudgeSchema>;

/** One sentence, list item or table row of a response, or all of it where its form is judged. */
export const claimSchema = z.object({
  /** Where it is in the response; its text is the claim. */
  span: textSpanSchema,
  /** The gravest of its findings. */
  verdict: verdictSchema,
  judge: claimJudgeSchema,
  /** The gravest first. Empty where nothing in it can be looked up. */
  findings: z.array(findingSchema),
  /** To compare with where the rules could not check the claim, or did not find it; left out where no passage shares a word. */
  nearest: nearestPassageSchema.optional(),
  /** What each judge said; in `both` alone, where both judged the claim. */
  verdicts: z.object({ rules: verdictSchema, model: verdictSchema }).optional(),
});
export type Claim = z.infer<typeof claimSchema>;

/**
 * `rules` needs no network and no model. In `both` the rules judge sums, units, instructions, formats and quotations, and a
 * model everything else.
 */
export const judgeNameSchema = z.enum(["rules", "model", "both"]);
export type JudgeName = z.infer<typeof judgeNameSchema>;

/** How a model is asked and its answer read: as any chat model, or as one that was trained to judge. */
export const judgePresetSchema = z.enum(["general", "minicheck", "granite-guardian-4", "granite-guardian"]);
export type JudgePreset = z.infer<typeof judgePresetSchema>;

/** How many claims of a response came to each verdict. Its form, of which there is one claim, counts by instructions. */
export const claimCountsSchema = z.object({
  contradicted: countSchema,
  not_found: countSchema,
  supported: countSchema,
  not_checkable: countSchema,
  form: z.object({ kept: countSchema, broken: countSchema }),
});
export type ClaimCounts = z.infer<typeof claimCountsSchema>;

/** The result of the MCP tools `verify` and `verify_document` (decisions.md, MCP), as it is on the wire. */
export const verifyResultSchema = z.object({
  prompt: z.string(),
  response: z.string(),
  /** True where a claim is contradicted; with `strict` also where one is not found. */
  is_hallucination: z.boolean(),
  /** The verdict in one or two sentences; when nothing could be checked its first words are that. */
  explanation: z.string(),
  /** In the order of the response. */
  claims: z.array(claimSchema),
  counts: claimCountsSchema,
  /** Always empty: nothing is looked up on a network. */
  search_results: z.array(z.never()),
  /** Tokens that a model used; all 0 where none was asked. */
  usage: z.object({ completion_tokens: countSchema, prompt_tokens: countSchema, total_tokens: countSchema }),
});
export type VerifyResult = z.infer<typeof verifyResultSchema>;
