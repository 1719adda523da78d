/** Whose limits hold, in words. A tier that is not known here is shown by its name. */
export function describeTier(tier: string): string {
  const words: Readonly<Record<string, string>> = {
    free: "Those of the free tier",
    standard: "Those of the standard tier",
  };
  return words[tier] ?? `Those of the tier “${tier}”`;
}

/** How answers are written, in words. A dialect that is not known here is shown by its name. */
export function describeDialect(dialect: string): string {
  const words: Readonly<Record<string, string>> = {
    service: "As the hosted service writes it, times as text among them",
    openai: "As strict OpenAI clients expect it",
  };
  return words[dialect] ?? dialect;
}
