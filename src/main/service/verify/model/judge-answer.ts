import { z } from "zod";
import { type ChatCompletion, type ResponseFormat, textSourceSchema, verdictSchema } from "#contract";

/** Longest reason of a model that is kept, in UTF-16 units. */
const longestReason = 500;
/** Most pieces of evidence that are kept for one statement. */
const mostEvidence = 5;

const evidenceSchema = z.object({ source: textSourceSchema, quote: z.string() });

const judgementSchema = z.object({
  /** Number of the statement, as it was asked for. */
  id: z.int(),
  verdict: verdictSchema,
  reason: z.string().transform((text) => text.replaceAll(/\s+/g, " ").trim().slice(0, longestReason).toWellFormed()),
  /** The part of the statement that the verdict is about. */
  quote: z.string(),
  evidence: z.array(evidenceSchema).transform((all) => all.slice(0, mostEvidence)),
});
export type Judgement = z.infer<typeof judgementSchema>;

const answerSchema = z.object({ judgements: z.array(judgementSchema) });

/** What a model's answer came to: its judgements, or why there are none, as the end of a sentence. */
export type JudgeAnswer = { readonly judgements: readonly Judgement[] } | { readonly problem: string };

/** The form in which a model is asked to answer: strict, and with the numbers of the statements only. */
export function createAnswerFormat(ids: readonly number[]): ResponseFormat {
  const text = { type: "string" };
  const evidence = closedObject({ source: { type: "string", enum: textSourceSchema.options }, quote: text });
  const judgement = closedObject({
    id: { type: "integer", enum: ids },
    verdict: { type: "string", enum: verdictSchema.options },
    reason: text,
    quote: text,
    evidence: { type: "array", items: evidence },
  });
  const schema = closedObject({ judgements: { type: "array", items: judgement } });
  return { type: "json_schema", json_schema: { name: "verification", strict: true, schema } };
}

function closedObject(properties: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return { type: "object", properties, required: Object.keys(properties), additionalProperties: false };
}

/** Reads an answer that may be anything: a refusal, JSON that is cut off, or JSON of another form. */
export function readJudgeAnswer(completion: ChatCompletion): JudgeAnswer {
  const choice = completion.choices[0];
  const content = choice?.message.content ?? "";
  if (typeof choice?.message.refusal === "string" || choice?.finish_reason === "content_filter") {
    return { problem: "it refused to answer" };
  }
  if (choice?.finish_reason === "length") return { problem: "its answer was cut off" };
  const parsed = answerSchema.safeParse(parseJson(content));
  if (parsed.success) return parsed.data;
  return { problem: content.trim() === "" ? "its answer was empty" : "its answer was not the JSON that was asked for" };
}

/** JSON as models write it: after their thoughts, and between code fences. */
function parseJson(content: string): unknown {
  const thoughtsEnd = content.lastIndexOf("</think>");
  const answer = thoughtsEnd === -1 ? content : content.slice(thoughtsEnd);
  const json = answer.slice(answer.indexOf("{"), answer.lastIndexOf("}") + 1);
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
