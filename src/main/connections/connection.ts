import type { AdapterName, Connection, Preset } from "#contract";
import type { MissingKey } from "./adapters/connection-error.ts";
import type { PartLimits } from "./driver/plan.ts";
import { presets } from "./presets.ts";

/** What is known of the service that a connection is made to; of one made by hand what holds for its adapter. */
export function presetOf({ preset, adapter }: Pick<Connection, "preset" | "adapter">): Preset {
  const found = presets.find(({ id }) => id === preset) ?? presets.find(({ id }) => id === generic[adapter]);
  if (found === undefined) throw new Error(`There is no preset for the adapter ${adapter}.`);
  return found;
}

const generic: Readonly<Record<AdapterName, string>> = {
  chat: "chat",
  "openai-batch": "sheaf",
  "anthropic-batch": "anthropic",
  "gemini-batch": "gemini",
};

/** Whether the model names of a request stand for others at the service. */
export function modelAt({ models }: Pick<Connection, "models">): (name: string) => string {
  return (name) => models[name] ?? models["*"] ?? name;
}

/** That it is asked without a key; null where there is one. */
export function missingKeyOf({ keyVariable }: Connection, key: string | null): MissingKey | null {
  return key === null ? { variable: keyVariable } : null;
}

/** Where its MCP endpoint is, if it has one. */
export function findMcpUrl({ url, mcpUrl }: Pick<Connection, "url" | "mcpUrl">): string {
  return mcpUrl ?? `${url.replace(/\/+$/, "")}/mcp`;
}

/** Whether it has an MCP endpoint: as the user says, as it is known, or as was learned. */
export function hasMcp({ mcpUrl, preset, learned }: Pick<Connection, "mcpUrl" | "preset" | "learned">): boolean {
  return mcpUrl !== null || (learned.hasMcp ?? presets.find(({ id }) => id === preset)?.hasMcp ?? false);
}

/** The most that its service takes in one batch: as the user says, else as it is known. */
export function limitsOf(connection: Connection): PartLimits {
  const { limits } = presetOf(connection);
  return {
    lines: connection.limits.lines ?? limits?.lines ?? null,
    bytes: connection.limits.bytes ?? limits?.bytes ?? null,
    tokens: connection.limits.tokens,
  };
}
