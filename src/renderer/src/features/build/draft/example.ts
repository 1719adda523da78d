/** What the shipped example (200 questions of GSM8K) asks, and how. Its table has `id`, `question` and `answer`. */
export const exampleContent = {
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
} as const;
