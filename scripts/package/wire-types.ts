import { readFileSync } from "node:fs";
import { z } from "zod";
import { faultSettingsSchema, loggedRequestSchema } from "#contract";
import { inProject } from "../setup/paths.mjs";

/** What is used of JSON Schema where zod writes it. */
interface Schema {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly description?: string;
}

/** The declarations of what src/testing/wire-types.ts derives from schemas. */
export function describeWireTypes(): string {
  const rules: Schema = JSON.parse(readFileSync(inProject("docs/scripted-rules.schema.json"), "utf8"));
  return [
    describeType("RulesInput", rules),
    describeType("FaultsInput", z.toJSONSchema(faultSettingsSchema, { io: "input" }) as Schema),
    describeType("FaultSettings", z.toJSONSchema(faultSettingsSchema) as Schema),
    describeType("LoggedRequest", z.toJSONSchema(loggedRequestSchema) as Schema),
  ].join("\n");
}

function describeType(name: string, schema: Schema): string {
  const recursive = new Map<string, string>();
  const write = (each: Schema, within: readonly string[] = []): string => {
    if (each.$ref === undefined) return writeType(each, (part) => write(part, within), comment);
    if (within.includes(each.$ref)) {
      const own = `${name}${each.$ref.replace(/.*\/|\W|_/g, "")}`;
      recursive.set(each.$ref, own);
      return own;
    }
    return write(find(each), [...within, each.$ref]);
  };
  const find = ({ $ref = "" }: Schema): Schema => schema.$defs?.[$ref.replace("#/$defs/", "")] ?? {};
  const comment = (each: Schema): string => {
    const { description } = each;
    if (description !== undefined) return `/** ${description.replaceAll("*/", "*\\/")} */\n`;
    return each.$ref === undefined ? "" : comment(find(each));
  };
  const own = `${comment(schema)}export type ${name} = ${write(schema)};\n`;
  const others = [...recursive].map(([$ref, type]) => `type ${type} = ${write(find({ $ref }), [$ref])};\n`);
  return own + others.join("");
}

type Write = (schema: Schema) => string;

/** The TypeScript of a schema that is no reference. `write` and `comment` take any. */
function writeType(schema: Schema, write: Write, comment: Write): string {
  const join = (all: readonly Schema[], by: string) => {
    const types = [...new Set(all.map(write))];
    return types.length === 1 ? (types[0] ?? "") : `(${types.join(by)})`;
  };
  const { anyOf = schema.oneOf, allOf, type } = schema;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return `(${schema.enum.map((each) => JSON.stringify(each)).join(" | ")})`;
  if (anyOf) return join(anyOf, " | ");
  if (allOf) return join(allOf, " & ");
  if (typeof type === "object")
    return join(
      type.map((each) => ({ ...schema, type: each })),
      " | ",
    );
  switch (type) {
    case "string":
    case "boolean":
    case "null":
    case "number":
      return type;
    case "integer":
      return "number";
    case "array":
      return `readonly ${write(schema.items ?? {})}[]`;
    case "object":
      return writeObject(schema, write, comment);
    default:
      return "unknown";
  }
}

function writeObject({ properties = {}, required = [], additionalProperties }: Schema, write: Write, comment: Write) {
  const fields = Object.entries(properties).map(([name, each]) => {
    const field = `${comment(each)}readonly ${JSON.stringify(name)}`;
    return required.includes(name) ? `${field}: ${write(each)};` : `${field}?: ${write(each)} | undefined;`;
  });
  if (typeof additionalProperties === "object") {
    // Beside fields of its own, an index has to allow the types of all of them.
    const type = fields.length === 0 ? write(additionalProperties) : "unknown";
    fields.push(`readonly [name: string]: ${type};`);
  }
  return `{\n${fields.join("\n")}\n}`;
}
