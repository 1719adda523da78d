import type { AnswerFormat, ExampleName, RequestTemplate } from "#contract";

/** What a shipped table is asked, and how. */
export interface ExampleContent extends Pick<RequestTemplate, "messages" | "temperature" | "customId"> {
  readonly name: string;
  readonly answerFormat?: AnswerFormat;
}

const reviewSchema = {
  type: "object",
  properties: {
    sentiment: { type: "string", enum: ["positive", "negative"] },
    topic: { type: "string", enum: ["sound", "battery", "fit", "quality", "price", "service", "other"] },
    reason: { type: "string", description: "One short sentence." },
  },
  required: ["sentiment", "topic", "reason"],
  additionalProperties: false,
};

/** The prompts of the shipped tables; examples/*.LICENSE name the sources of the tables. */
export const examples: Readonly<Record<ExampleName, ExampleContent>> = {
  // Columns: id, question, answer.
  "gsm8k-200": {
    name: "200 math questions",
    messages: [
      {
        role: "system",
        content: "Solve the problem step by step. End with a line that holds nothing but #### and the final number.",
      },
      { role: "user", content: "{{ question }}" },
    ],
    temperature: 0.2,
    customId: "{{ id }}",
  },
  // Columns: id, review, sentiment.
  "reviews-200": {
    name: "200 reviews as JSON",
    messages: [
      { role: "system", content: "You classify reviews of products. Answer with JSON only." },
      { role: "user", content: "{{ review }}" },
    ],
    temperature: 0,
    customId: "{{ id }}",
    answerFormat: {
      type: "json_schema",
      name: "review",
      schema: JSON.stringify(reviewSchema, null, 2),
      strict: true,
    },
  },
  // Columns: knowledge, question, right_answer, hallucinated_answer.
  "halueval-qa-200": {
    name: "200 answers from documents",
    messages: [
      {
        role: "system",
        content: "Answer from the passage alone, in one sentence. Where it does not say, answer that it does not.",
      },
      { role: "user", content: "Passage: {{ knowledge }}\n\nQuestion: {{ question }}" },
    ],
    temperature: 0,
    customId: "question-{{ row_number }}",
  },
};
