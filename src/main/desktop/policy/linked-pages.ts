import { presets } from "#main/connections";

/** The pages of others that the guide names. A test holds them against its text. */
const guideLinks = [
  "https://ai.google.dev/gemini-api/docs/batch-api",
  "https://docs.ray.io/en/latest/serve/llm/index.html",
  "https://docs.vllm.ai/en/latest/serving/data_parallel_deployment/",
  "https://docs.vllm.ai/en/latest/serving/openai_compatible_server.html",
  "https://github.com/ggml-org/llama.cpp/tree/master/tools/server",
  "https://github.com/google/re2/wiki/Syntax",
  "https://github.com/groq/groq-typescript/blob/main/src/resources/batches.ts",
  "https://github.com/ollama/ollama/blob/main/docs/openai.md",
  "https://github.com/togethercomputer/together-typescript",
  "https://learn.microsoft.com/azure/foundry/openai/how-to/batch",
  "https://liquidjs.com/",
  "https://lmstudio.ai/docs/developer/openai-compat",
  "https://modelcontextprotocol.io/",
  "https://platform.claude.com/docs/en/build-with-claude/batch-processing",
  "https://platform.openai.com/docs/guides/batch",
];

/** What the app itself links to, whole addresses: pages where keys are made, and those of the guide. */
export const linkedPages: ReadonlySet<string> = new Set([
  ...guideLinks,
  ...presets.flatMap(({ keyPage }) => keyPage ?? []),
]);
