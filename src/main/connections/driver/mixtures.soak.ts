import { describeMixtures } from "./testing/describe-behaviours.ts";

const seeds = Array.from({ length: 29 }, (_, at) => at + 1);

for (const kind of ["openai", "together", "anthropic", "gemini"] as const) describeMixtures(kind, seeds);
