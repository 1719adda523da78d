import type { SheafScope } from "./types.ts";

/** What the clients of each vendor read from the environment; undefined for what would override the rest. */
function describeEnvironment({ url, baseURL, apiKey }: Pick<SheafScope, "url" | "baseURL" | "apiKey">) {
  return {
    OPENAI_BASE_URL: baseURL,
    OPENAI_API_KEY: apiKey,
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: apiKey,
    ANTHROPIC_AUTH_TOKEN: undefined,
    GOOGLE_GEMINI_BASE_URL: url,
    GEMINI_API_KEY: apiKey,
    GOOGLE_API_KEY: undefined,
    // Either would send requests to Google's cloud.
    GOOGLE_GENAI_USE_VERTEXAI: undefined,
    GOOGLE_GENAI_USE_ENTERPRISE: undefined,
  };
}

/** Has clients that are made without an address use this scope. What it returns sets the environment as it was. */
export function setEnvironment(scope: Pick<SheafScope, "url" | "baseURL" | "apiKey">): () => void {
  const wanted = Object.entries(describeEnvironment(scope));
  const before = wanted.map(([name]) => [name, process.env[name]] as const);
  const set = (values: readonly (readonly [string, string | undefined])[]) => {
    for (const [name, value] of values) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  };
  set(wanted);
  return () => set(before);
}
