import { z } from "zod";

/**
 * The wire of Gemini's API, as `@google/genai` 2.32 has it. A request holds what has a counterpart in a chat completion and
 * nothing else, so that all that can't be translated is refused by its name. The service that answers it (routes/gemini.ts)
 * and the stand-in that connections are tested with share these shapes. Names are as in JavaScript: `toCamelCase` has been at
 * requests, which may have them as in Python.
 */

const blobSchema = z.strictObject({ mimeType: z.string(), data: z.string(), displayName: z.string().optional() });
const fileDataSchema = z.strictObject({
  mimeType: z.string().optional(),
  fileUri: z.string(),
  displayName: z.string().optional(),
});
const functionCallSchema = z.strictObject({
  id: z.string().optional(),
  name: z.string(),
  args: z.record(z.string(), z.unknown()).optional(),
});
const functionResponseSchema = z.strictObject({
  id: z.string().optional(),
  name: z.string(),
  response: z.record(z.string(), z.unknown()).optional(),
});

const partSchema = z
  .strictObject({
    text: z.string().optional(),
    thought: z.boolean().optional(),
    thoughtSignature: z.string().optional(),
    inlineData: blobSchema.optional(),
    fileData: fileDataSchema.optional(),
    functionCall: functionCallSchema.optional(),
    functionResponse: functionResponseSchema.optional(),
  })
  .refine(({ thought: _, thoughtSignature: _signature, ...data }) => Object.keys(data).length === 1, {
    message: "A part has one of text, inlineData, fileData, functionCall and functionResponse.",
  });
export type Part = z.infer<typeof partSchema>;

const contentSchema = z.strictObject({
  role: z.enum(["user", "model", "function"]).optional(),
  parts: z.array(partSchema).min(1),
});
export type Content = z.infer<typeof contentSchema>;

const anySchema = z.record(z.string(), z.unknown());

const functionSchema = z.strictObject({
  name: z.string(),
  description: z.string().optional(),
  parameters: anySchema.optional(),
  parametersJsonSchema: anySchema.optional(),
  response: anySchema.optional(),
  responseJsonSchema: anySchema.optional(),
  behavior: z.string().optional(),
});
export type FunctionDeclaration = z.infer<typeof functionSchema>;

const generationConfigSchema = z.strictObject({
  temperature: z.number().min(0).max(2).optional(),
  topP: z.number().min(0).max(1).optional(),
  topK: z.number().min(0).optional(),
  candidateCount: z.int().min(1).max(8).optional(),
  maxOutputTokens: z.int().min(1).optional(),
  stopSequences: z.array(z.string()).max(4).optional(),
  seed: z.int().optional(),
  presencePenalty: z.number().min(-2).max(2).optional(),
  frequencyPenalty: z.number().min(-2).max(2).optional(),
  responseLogprobs: z.boolean().optional(),
  logprobs: z.int().min(0).max(20).optional(),
  responseMimeType: z.enum(["text/plain", "application/json"]).optional(),
  responseSchema: anySchema.optional(),
  responseJsonSchema: anySchema.optional(),
  responseModalities: z.array(z.enum(["TEXT", "MODALITY_UNSPECIFIED"])).optional(),
  mediaResolution: z.string().optional(),
  thinkingConfig: z
    .strictObject({
      includeThoughts: z.boolean().optional(),
      thinkingBudget: z.int().optional(),
      // Google's own examples have it in lower case.
      thinkingLevel: z
        .string()
        .toUpperCase()
        .pipe(z.enum(["THINKING_LEVEL_UNSPECIFIED", "MINIMAL", "LOW", "MEDIUM", "HIGH"]))
        .optional(),
    })
    .optional(),
});

/** The body of `generateContent` and of `streamGenerateContent`. */
export const generateRequestSchema = z.strictObject({
  model: z.string().optional(),
  contents: z.array(contentSchema).min(1),
  systemInstruction: contentSchema.extend({ role: z.string().optional() }).optional(),
  generationConfig: generationConfigSchema.optional(),
  tools: z.array(z.strictObject({ functionDeclarations: z.array(functionSchema).optional() })).optional(),
  toolConfig: z
    .strictObject({
      functionCallingConfig: z
        .strictObject({
          mode: z.enum(["MODE_UNSPECIFIED", "AUTO", "ANY", "NONE", "VALIDATED"]).optional(),
          allowedFunctionNames: z.array(z.string()).optional(),
        })
        .optional(),
    })
    .optional(),
  safetySettings: z.array(z.looseObject({})).optional(),
  labels: z.record(z.string(), z.string()).optional(),
  serviceTier: z.string().optional(),
});
export type GenerateRequest = z.infer<typeof generateRequestSchema>;

/** The body of `countTokens`: contents, or a whole request. */
export const countRequestSchema = z
  .strictObject({
    contents: z.array(contentSchema).optional(),
    generateContentRequest: generateRequestSchema.optional(),
  })
  .refine(({ contents, generateContentRequest: request }) => contents !== undefined || request !== undefined, {
    path: ["contents"],
    message: "There is nothing to count.",
  });

/** The answer of `countTokens`. */
export const countedTokensSchema = z.object({
  totalTokens: z.int(),
  promptTokensDetails: z.array(z.object({ modality: z.literal("TEXT"), tokenCount: z.int() })),
});

/** The body of `embedContent`: one content, whose texts are one. */
export const embedRequestSchema = z.strictObject({
  model: z.string().optional(),
  content: z.strictObject({
    role: z.string().optional(),
    parts: z.array(z.strictObject({ text: z.string().min(1) })).min(1),
  }),
  taskType: z.string().optional(),
  title: z.string().optional(),
  outputDimensionality: z.int().min(1).max(4_096).optional(),
});
export type EmbedRequest = z.infer<typeof embedRequestSchema>;

/** The body of `batchEmbedContents`. */
export const batchEmbedRequestSchema = z.strictObject({ requests: z.array(embedRequestSchema).min(1).max(2_048) });

const embeddingSchema = z.object({ values: z.array(z.number()) });

/** The answers of the two. */
export const embedAnswerSchema = z.object({ embedding: embeddingSchema });
export const batchEmbedAnswerSchema = z.object({ embeddings: z.array(embeddingSchema) });

const answerPartSchema = z.object({
  text: z.string().optional(),
  thought: z.literal(true).optional(),
  functionCall: z.object({ id: z.string(), name: z.string(), args: anySchema }).optional(),
  inlineData: z.object({ mimeType: z.string(), data: z.string() }).optional(),
  fileData: z.object({ fileUri: z.string() }).optional(),
});
export type AnswerPart = z.infer<typeof answerPartSchema>;

const logprobSchema = z.object({ token: z.string(), logProbability: z.number() });

const candidateSchema = z.object({
  content: z.object({ role: z.literal("model"), parts: z.array(answerPartSchema) }),
  finishReason: z.enum(["STOP", "MAX_TOKENS", "SAFETY"]).optional(),
  index: z.int(),
  avgLogprobs: z.number().optional(),
  logprobsResult: z
    .object({
      chosenCandidates: z.array(logprobSchema),
      topCandidates: z.array(z.object({ candidates: z.array(logprobSchema) })),
    })
    .optional(),
});
export type Candidate = z.infer<typeof candidateSchema>;

const usageMetadataSchema = z.object({
  promptTokenCount: z.int(),
  candidatesTokenCount: z.int(),
  totalTokenCount: z.int(),
  thoughtsTokenCount: z.int().optional(),
  cachedContentTokenCount: z.int().optional(),
});
export type UsageMetadata = z.infer<typeof usageMetadataSchema>;

/** The answer of `generateContent`, and each event of `streamGenerateContent`. */
export const generateAnswerSchema = z.object({
  candidates: z.array(candidateSchema),
  usageMetadata: usageMetadataSchema.optional(),
  modelVersion: z.string(),
  responseId: z.string(),
});
export type GenerateAnswer = z.infer<typeof generateAnswerSchema>;

/** Every HTTP error on this wire. */
export const geminiErrorSchema = z.object({
  error: z.object({
    code: z.int(),
    message: z.string(),
    status: z.string(),
    details: z.array(z.looseObject({ "@type": z.string() })).optional(),
  }),
});
export type GeminiError = z.infer<typeof geminiErrorSchema>;

/** A model of `GET /v1beta/models`. */
export const geminiModelSchema = z.object({
  name: z.string(),
  version: z.string(),
  displayName: z.string(),
  inputTokenLimit: z.int().optional(),
  outputTokenLimit: z.int().optional(),
  supportedGenerationMethods: z.array(z.string()),
});

/** Fields whose content is the client's own: the names in it stay as they are. */
const opaque = new Set([
  "args",
  "labels",
  "metadata",
  "parameters",
  "parametersJsonSchema",
  "response",
  "responseJsonSchema",
  "responseSchema",
]);

/** A request with its names as in JavaScript: `generation_config` is `generationConfig` on this wire, too. A null is not there. */
export function toCamelCase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toCamelCase);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) => {
      if (inner === null) return [];
      const own = name.replaceAll(/(?<=[a-z0-9])_([a-z])/g, (_, letter: string) => letter.toUpperCase());
      return [[own, opaque.has(own) ? inner : toCamelCase(inner)]];
    }),
  );
}
