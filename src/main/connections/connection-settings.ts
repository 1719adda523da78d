import { adapterTable, type Connection, type Preset } from "#contract";
import type { RequestRules } from "#main/requests";
import type { MissingKey } from "./adapters/connection-error.ts";
import type { PartLimits } from "./driver/plan.ts";
import { presets } from "./presets.ts";

/** The preset of a connection's service; of one made by hand, the adapter's. */
export function presetOf({ preset, adapter }: Pick<Connection, "preset" | "adapter">): Preset {
  const found =
    presets.find(({ id }) => id === preset) ?? presets.find(({ id }) => id === adapterTable[adapter].preset);
  if (found === undefined) throw new Error(`There is no preset for the adapter ${adapter}.`);
  return found;
}

/** Whether the connection maps a request's model names to other names at the service. */
export function modelAt({ models }: Pick<Connection, "models">): (name: string) => string {
  return (name) => models[name] ?? models["*"] ?? name;
}

/** Why it is asked without a key; null where there is one. */
export function missingKeyOf({ keyVariable }: Connection, key: string | null): MissingKey | null {
  return key === null ? { variable: keyVariable } : null;
}

/** Whether an address is another one, or below it: what was entered for the other is for it, too. */
export function staysAt(url: string, before: string): boolean {
  const [next, known] = [new URL(url), new URL(before)];
  const path = known.pathname.replace(/\/+$/, "");
  return next.origin === known.origin && (next.pathname === known.pathname || next.pathname.startsWith(`${path}/`));
}

/** The address of its MCP endpoint, if it has one. */
export function findMcpUrl({ url, mcpUrl }: Pick<Connection, "url" | "mcpUrl">): string {
  return mcpUrl ?? `${url.replace(/\/+$/, "")}/mcp`;
}

/** Whether it has an MCP endpoint: by the user's setting, else as observed, else by the preset. */
export function hasMcp({ mcpUrl, preset, learned }: Pick<Connection, "mcpUrl" | "preset" | "learned">): boolean {
  return mcpUrl !== null || (learned.hasMcp ?? presets.find(({ id }) => id === preset)?.hasMcp ?? false);
}

/** The same address with the `/v1` that it lacks; null where it has one, or needs none. */
export function findVersionedUrl({ adapter, url }: Pick<Connection, "adapter" | "url">): string | null {
  const base = url.replace(/\/+$/, "");
  return adapterTable[adapter].hasVersionInAddress && !base.endsWith("/v1") ? `${base}/v1` : null;
}

/** The limits of one batch at its service: the user's settings, else the preset's. */
export function limitsOf(connection: Connection): PartLimits {
  const { limits } = presetOf(connection);
  return {
    lines: connection.limits.lines ?? limits?.lines ?? null,
    bytes: connection.limits.bytes ?? limits?.bytes ?? null,
    tokens: connection.limits.tokens,
  };
}

/** What decides which requests it supports. */
export function requestRulesOf(connection: Connection): RequestRules {
  const { name, adapter } = connection;
  return { name, adapter, bytes: limitsOf(connection).bytes };
}
