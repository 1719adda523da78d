import { z } from "zod";

const documentSchema = z.looseObject({
  paths: z.record(z.string(), z.looseObject({})),
  components: z.looseObject({ schemas: z.record(z.string(), z.unknown()) }),
});

/**
 * Says what answers mean where no schema does, and leaves each shape in the description once: the generator writes all of
 * them down as they come in and as they go out, used or not.
 */
export function tidyDescription(description: object): string {
  const { components, paths, ...rest } = documentSchema.parse(JSON.parse(JSON.stringify(description, nameAnswer)));
  // HEAD is wherever GET is. The generator has it where a route names it, under GET's operation id.
  const document = { ...rest, paths: mapValues(paths, ({ head: _, ...methods }) => methods) };
  const schemas = keepUsed(components.schemas, JSON.stringify(document));
  let text = JSON.stringify({ ...document, components: { ...components, schemas } });
  for (const name of Object.keys(schemas)) {
    const plain = name.replace(/Input$/, "");
    if (plain in schemas) continue;
    text = text.replaceAll(`"#/components/schemas/${name}"`, `"#/components/schemas/${plain}"`);
    text = text.replace(`"${name}":`, `"${plain}":`);
  }
  return text;
}

/** The name that the generator gives to an answer whose schema has no description. */
const unnamed = "Default Response";
const meanings: Readonly<Record<string, string>> = {
  "200": "Done.",
  "4XX": "What is wrong with the request.",
  "5XX": "A fault of the server. Its log has the details.",
};

function nameAnswer(key: string, value: unknown): unknown {
  const isUnnamed =
    typeof value === "object" && value !== null && "description" in value && value.description === unnamed;
  return isUnnamed ? { ...value, description: meanings[key] ?? "" } : value;
}

/** The schemas that a text refers to, and those that these refer to, by name. */
function keepUsed(schemas: Readonly<Record<string, unknown>>, text: string): Record<string, unknown> {
  const used = new Set<string>();
  function visit(from: string): void {
    for (const [, name = ""] of from.matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      if (used.has(name)) continue;
      used.add(name);
      visit(JSON.stringify(schemas[name] ?? {}));
    }
  }
  visit(text);
  return Object.fromEntries([...used].sort().map((name) => [name, schemas[name]]));
}

function mapValues<T, U>(record: Readonly<Record<string, T>>, change: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));
}
