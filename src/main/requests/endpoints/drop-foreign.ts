import { inputItemTypes } from "#contract";
import { isObject, type JsonObject, listObjects } from "#main/base";
import { findShape } from "./request-shapes.ts";

/** Tools that a model calls and its client runs. All others are run by the service of a vendor. */
const ownTools: ReadonlySet<unknown> = new Set([undefined, null, "function", "custom"]);

/**
 * A request without what only a hosted service has: unknown fields, its tools (`web_search` …), and items of a conversation
 * that these tools made or that set up the service. The same object where nothing is left out.
 */
export function dropForeign(endpoint: string, body: JsonObject): JsonObject {
  const { known, includables } = findShape(endpoint);
  if (known === null) return dropServerTools(body);
  const isForeign = (name: string) => !known.has(name);
  const kept = Object.keys(body).some(isForeign)
    ? Object.fromEntries(Object.entries(body).filter(([name]) => !isForeign(name)))
    : body;
  const { include } = kept;
  const included =
    includables !== null && Array.isArray(include) ? include.filter((one) => includables.has(one)) : null;
  return dropServerItems(dropServerTools(included === null ? kept : { ...kept, include: included }), endpoint);
}

const isServerItem = (item: unknown) =>
  isObject(item) && typeof item.type === "string" && !inputItemTypes.has(item.type);

function dropServerItems(body: JsonObject, endpoint: string): JsonObject {
  const { input } = body;
  if (endpoint !== "/v1/responses" || !Array.isArray(input) || !input.some(isServerItem)) return body;
  return { ...body, input: input.filter((item) => !isServerItem(item)) };
}

/** What `dropForeign` leaves out of a request, by name. */
export function listForeign(endpoint: string, body: JsonObject): string[] {
  const kept = dropForeign(endpoint, body);
  if (kept === body) return [];
  const fields = Object.keys(body).filter((name) => !(name in kept) && name !== "tools" && name !== "tool_choice");
  const values = Array.isArray(body.include) ? body.include.filter((one) => !listOf(kept.include).includes(one)) : [];
  const items = listObjects(kept.input === body.input ? [] : body.input).filter(isServerItem);
  return [
    ...fields,
    ...values.map((one) => `include (${one})`),
    ...listServerTools(body),
    ...items.map(({ type }) => `input (${type})`),
  ];
}

/** The tools that `dropServerTools` leaves out of a request, by their types. */
export function listServerTools({ tools }: JsonObject): string[] {
  return listObjects(tools).flatMap(({ type }) => (ownTools.has(type) ? [] : [`tools (${type})`]));
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** A request, of whichever vendor, without tools that its service runs. */
export function dropServerTools(body: JsonObject): JsonObject {
  const { tools, tool_choice: choice, ...rest } = body;
  if (!Array.isArray(tools)) return body;
  const own = tools.filter((tool) => !isObject(tool) || ownTools.has(tool.type));
  if (own.length === tools.length) return body;
  if (own.length === 0) return rest;
  const isOfOwn =
    !isObject(choice) || typeof choice.name !== "string" || own.some((tool) => tool?.name === choice.name);
  return { ...rest, tools: own, ...(choice !== undefined && isOfOwn && { tool_choice: choice }) };
}
