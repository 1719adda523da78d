export type JsonObject = Readonly<Record<string, unknown>>;

/** A JSON schema that no value can be made for: it contradicts itself, can't be read, or asks for too much. */
export class SchemaError extends Error {
  override readonly name = "SchemaError";

  /** @param path where in the schema the reason lies, as a JSON pointer such as `#/properties/name` */
  constructor(path: string, reason: string) {
    super(`at ${path.length > longestPath ? `${path.slice(0, longestPath).toWellFormed()}…` : path}, ${reason}`);
  }
}

const longestPath = 200;
/** Most items, properties or characters that one part of a schema may demand. */
const mostDemanded = 10_000;
const demands = ["minItems", "minLength", "minProperties", "minContains"];
/** Most parts that a value is checked against, and most of these that speak of one and the same value. */
const mostParts = 2_000;
const mostMerged = 10_000;

/** Where a part of a schema is. */
interface Location {
  readonly path: string;
  /** What `#` means in it: the nearest schema around it that has an id, or the whole. */
  readonly resource: JsonObject;
}

/** How a part speaks of the same value as another: always, as one of several, or only to be tested. */
interface Link {
  readonly keyword: string;
  readonly kind: "always" | "choice" | "test";
  readonly to: JsonObject;
}

/**
 * Finds out without composing anything whether a schema can be answered at all: recursion that never ends, and demands
 * that are too large, are refused with their path.
 * @returns what values can be checked against without going round in circles: the schema, but where a part refers to itself
 * as one of several choices, that choice fits nothing
 */
export function checkSchema(root: JsonObject): JsonObject {
  const { locations, resolve } = findParts(root);
  const pathOf = (schema: JsonObject) => locations.get(schema)?.path ?? "#";
  const reached = listReached(root, resolve);
  if (reached.length > mostParts) refuse("#", `it has more than ${format(mostParts)} parts`);

  const linksOf = (schema: JsonObject) => listLinks(schema, resolve);
  checkLoops(reached, (schema) => linksOf(schema).filter(({ kind }) => kind === "always"), pathOf);
  checkEnd(root, reached, resolve, pathOf);
  const circular = findCircularChoices(reached, linksOf);
  return circular.size === 0 ? root : copyWithout(root, circular);
}

/** Every object of a schema, with where it is, and what references lead to. Refuses demands that are too large. */
function findParts(root: JsonObject) {
  const locations = new Map<JsonObject, Location>();
  const named = new Map<string, JsonObject>();

  function visit(schema: JsonObject, path: string, around: JsonObject): void {
    const resource = typeof schema.$id === "string" ? schema : around;
    locations.set(schema, { path, resource });
    if (typeof schema.$id === "string") named.set(schema.$id.replace(/#$/, ""), schema);
    for (const anchor of [schema.$anchor, schema.$dynamicAnchor]) {
      if (typeof anchor === "string") named.set(`#${anchor}`, schema);
    }
    for (const [key, value] of Object.entries(schema)) {
      const at = `${path}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
      if (typeof value === "number" && value > mostDemanded && demands.includes(key)) refuseDemand(at, value);
      if (key === "pattern" && typeof value === "string") checkPattern(value, at);
      visitValue(value, at, resource);
    }
  }
  function visitValue(value: unknown, path: string, around: JsonObject): void {
    if (Array.isArray(value)) for (const [at, item] of value.entries()) visitValue(item, `${path}/${at}`, around);
    else if (isObject(value)) visit(value, path, around);
  }
  visit(root, "#", root);

  /** Undefined where a reference leads nowhere, or out of the schema: the validator reports that. */
  function resolve(reference: unknown, from: JsonObject): JsonObject | undefined {
    if (typeof reference !== "string") return undefined;
    const resource = locations.get(from)?.resource ?? root;
    if (reference === "#") return resource;
    return reference.startsWith("#/") ? follow(reference, resource) : named.get(reference);
  }
  return { locations, resolve };
}

type Resolve = ReturnType<typeof findParts>["resolve"];

function follow(pointer: string, root: JsonObject): JsonObject | undefined {
  const found = pointer
    .slice(2)
    .split("/")
    .reduce<unknown>((value, key) => {
      const name = decode(key).replaceAll("~1", "/").replaceAll("~0", "~");
      return typeof value === "object" && value !== null && Object.hasOwn(value, name)
        ? Reflect.get(value, name)
        : undefined;
    }, root);
  return isObject(found) ? found : undefined;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Counted repetitions multiply one another, as in `(a{100}){100}`. */
function checkPattern(pattern: string, path: string): void {
  let size = 1;
  for (const [, count] of pattern.matchAll(/\{(\d+)/g)) size *= Math.max(1, Number(count));
  if (size > mostDemanded) refuseDemand(path, pattern);
}

const schemaKeys = [
  ...["not", "if", "then", "else", "items", "additionalItems", "contains", "additionalProperties", "propertyNames"],
  ...["unevaluatedItems", "unevaluatedProperties"],
];
const listKeys = ["allOf", "anyOf", "oneOf", "prefixItems"];
const mapKeys = ["properties", "patternProperties", "dependentSchemas", "dependencies"];

/** The parts that a value may be checked against, the whole first. */
function listReached(root: JsonObject, resolve: Resolve): JsonObject[] {
  const reached = new Set([root]);
  for (const schema of reached) {
    if (reached.size > mostParts) break;
    const found = [
      ...schemaKeys.map((key) => schema[key]),
      ...listKeys.flatMap((key) => asList(schema[key])),
      ...mapKeys.flatMap((key) => Object.values(asObject(schema[key]))),
      resolve(schema.$ref, schema),
      resolve(schema.$dynamicRef, schema),
    ];
    for (const part of found) if (isObject(part)) reached.add(part);
  }
  return [...reached];
}

function listLinks(schema: JsonObject, resolve: Resolve): Link[] {
  const of = (kind: Link["kind"], keyword: string, to: unknown): Link[] =>
    isObject(to) ? [{ kind, keyword, to }] : [];
  const each = (kind: Link["kind"], key: string) =>
    asList(schema[key]).flatMap((to, at) => of(kind, `${key}/${at}`, to));
  return [
    ...of("always", "$ref", resolve(schema.$ref, schema)),
    ...of("always", "$dynamicRef", resolve(schema.$dynamicRef, schema)),
    ...each("always", "allOf"),
    ...each("choice", "anyOf"),
    ...each("choice", "oneOf"),
    ...["then", "else"].flatMap((key) => of("choice", key, schema[key])),
    ...Object.entries(asObject(schema.dependentSchemas)).flatMap(([key, to]) => of("choice", key, to)),
    ...["not", "if"].flatMap((key) => of("test", key, schema[key])),
  ];
}

/** Refuses parts that are what they are made of, and parts that are made of too many when all are written out. */
function checkLoops(
  reached: readonly JsonObject[],
  linksOf: (schema: JsonObject) => readonly Link[],
  pathOf: (schema: JsonObject) => string,
): void {
  const sizes = new Map<JsonObject, number>();
  const entered = new Set<JsonObject>();
  function measure(schema: JsonObject, from: JsonObject): number {
    const known = sizes.get(schema);
    if (known !== undefined) return known;
    if (entered.has(schema)) refuse(pathOf(from), "it refers to itself without end");
    entered.add(schema);
    const size = linksOf(schema).reduce((sum, { to }) => sum + measure(to, schema), 1);
    if (size > mostMerged) refuse(pathOf(schema), `it refers to more than ${format(mostMerged)} parts`);
    sizes.set(schema, size);
    return size;
  }
  for (const schema of reached) measure(schema, schema);
}

/** Refuses a schema of which every value has another value of it inside. */
function checkEnd(
  root: JsonObject,
  reached: readonly JsonObject[],
  resolve: Resolve,
  pathOf: (schema: JsonObject) => string,
): void {
  /** Parts that a value of finite size fits. */
  const ending = new Set<unknown>();
  const ends = (part: unknown) => !isObject(part) || ending.has(part);
  const missing = (schema: JsonObject) => listNeeds(schema, resolve).find((choices) => !choices.some(ends));
  for (let before = -1; before !== ending.size; ) {
    before = ending.size;
    for (const schema of reached.toReversed()) if (missing(schema) === undefined) ending.add(schema);
  }
  const passed = new Set<JsonObject>();
  for (let schema = root; !ending.has(schema); ) {
    const next = missing(schema)?.find(isObject);
    passed.add(schema);
    if (next === undefined || passed.has(next)) refuse(pathOf(schema), "it refers to itself without end");
    schema = next;
  }
}

/** What a value of a part can't be without: lists of parts, of each of which one must be had. */
function listNeeds(schema: JsonObject, resolve: Resolve): (readonly unknown[])[] {
  const needs: (readonly unknown[])[] = asList(schema.allOf).map((part) => [part]);
  for (const reference of [schema.$ref, schema.$dynamicRef]) {
    const target = resolve(reference, schema);
    if (target !== undefined) needs.push([target]);
  }
  for (const choices of [asList(schema.anyOf), asList(schema.oneOf)]) if (choices.length > 0) needs.push(choices);
  if (schema.const !== undefined || schema.enum !== undefined) return needs;
  const types = asList(schema.type).length > 0 ? asList(schema.type) : [schema.type];
  if (types.every((type) => type === "object")) {
    const properties = asObject(schema.properties);
    for (const name of asList(schema.required)) {
      if (typeof name === "string" && Object.hasOwn(properties, name)) needs.push([properties[name]]);
    }
  }
  if (types.every((type) => type === "array")) {
    const least = typeof schema.minItems === "number" ? schema.minItems : 0;
    const first = asList(schema.prefixItems);
    for (const item of first.slice(0, least)) needs.push([item]);
    if (least > first.length) needs.push([schema.items]);
    if (schema.contains !== undefined && schema.minContains !== 0) needs.push([schema.contains]);
  }
  return needs;
}

/** The parts whose reference leads back to a part that speaks of the same value, and so could be followed for ever. */
function findCircularChoices(
  reached: readonly JsonObject[],
  linksOf: (schema: JsonObject) => readonly Link[],
): ReadonlySet<JsonObject> {
  const circular = new Set<JsonObject>();
  const left = new Set<JsonObject>();
  const way: { readonly schema: JsonObject; via: Link["kind"] }[] = [];
  function follow(schema: JsonObject): void {
    const step = { schema, via: "always" as Link["kind"] };
    way.push(step);
    for (const { kind, to } of linksOf(schema)) {
      step.via = kind;
      const start = way.findIndex((earlier) => earlier.schema === to);
      // What fits when it does not fit is no schema at all: the part with that contradiction fits nothing.
      if (start !== -1) circular.add(way.slice(start).find(({ via }) => via === "test")?.schema ?? schema);
      else if (!left.has(to)) follow(to);
    }
    way.pop();
    left.add(schema);
  }
  for (const schema of reached) if (!left.has(schema)) follow(schema);
  return circular;
}

function copyWithout(value: JsonObject, circular: ReadonlySet<JsonObject>): JsonObject {
  const copy = (inner: unknown): unknown => {
    if (Array.isArray(inner)) return inner.map(copy);
    return isObject(inner) ? copyWithout(inner, circular) : inner;
  };
  const entries = Object.entries(value).map(([key, inner]) => [key, copy(inner)] as const);
  if (!circular.has(value)) return Object.fromEntries(entries);
  const others = entries.filter(([key]) => !["$ref", "$dynamicRef", "not", "if"].includes(key));
  return Object.fromEntries([...others, ["allOf", [...asList(copy(value.allOf)), false]]]);
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function asObject(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function refuseDemand(path: string, value: unknown): never {
  const shown = String(value).slice(0, 80);
  const name = path.slice(path.lastIndexOf("/") + 1);
  refuse(path.slice(0, -name.length - 1), `'${name}' is ${shown}; a mock answer has at most ${format(mostDemanded)}`);
}

function refuse(path: string, reason: string): never {
  throw new SchemaError(path, reason);
}

function format(count: number): string {
  return count.toLocaleString("en");
}
