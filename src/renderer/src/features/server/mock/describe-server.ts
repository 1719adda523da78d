/** Whose limits hold, in words. A tier that is not known here is shown by its name. */
export function describeTier(tier: string): string {
  const words: Readonly<Record<string, string>> = {
    free: "Free tier",
    standard: "Standard tier",
  };
  return words[tier] ?? `Tier “${tier}”`;
}

/** The engine's own words, as a sentence begins. */
export function describeEngine(engine: string): string {
  return engine.charAt(0).toUpperCase() + engine.slice(1);
}

/** How answers are written, in words. A dialect that is not known here is shown by its name. */
export function describeDialect(dialect: string): string {
  const words: Readonly<Record<string, string>> = {
    service: "The hosted service’s, where some times are text",
    openai: "OpenAI’s, as strict clients expect it",
  };
  return words[dialect] ?? dialect;
}
