import type { FileMetaData, SchemaElement } from "hyparquet";

/** What a leaf holds that its reader would round or cut: it is read as it is stored, and converted here. */
export type LeafKind =
  | "decimal"
  | "interval"
  | "time"
  | "float"
  | "half"
  | "moment"
  | "utc-moment"
  | "json"
  | "bytes"
  | "other";

/**
 * The metadata as rows are read by it: no name twice in a group (`text`, `text_2`), lists and maps by their logical types, and
 * no conversion that loses digits. `kindOf` is what its leaves hold.
 */
export function prepareSchema(metadata: FileMetaData): {
  readonly metadata: FileMetaData;
  readonly kindOf: (leaf: SchemaElement) => LeafKind;
} {
  const kinds = new Map<SchemaElement, LeafKind>();
  const schema = metadata.schema.map((element): SchemaElement => {
    const prepared = toPrepared(element);
    kinds.set(prepared, findKind(element));
    return prepared;
  });
  const paths = renameRepeated(schema);
  const row_groups = metadata.row_groups.map((group) => ({
    ...group,
    columns: group.columns.map((column, at) =>
      column.meta_data === undefined
        ? column
        : {
            ...column,
            meta_data: { ...column.meta_data, path_in_schema: paths[at] ?? column.meta_data.path_in_schema },
          },
    ),
  }));
  return { metadata: { ...metadata, schema, row_groups }, kindOf: (leaf) => kinds.get(leaf) ?? "other" };
}

/** Types that the library can't convert, or converts to a double. */
const ownTypes: ReadonlySet<unknown> = new Set(["DECIMAL", "INTERVAL", "BSON"]);

function toPrepared(element: SchemaElement): SchemaElement {
  const { converted_type, ...others } = element;
  const type = converted_type ?? element.logical_type?.type;
  if (ownTypes.has(type)) return others;
  if (type === "ENUM") return { ...others, converted_type: "UTF8" };
  if (type === "MAP_KEY_VALUE") return { ...others, converted_type: "MAP" };
  if (type === "LIST" || type === "MAP" || type === "DATE" || type === "JSON")
    return { ...others, converted_type: type };
  return { ...element };
}

function findKind({ type, converted_type, logical_type }: SchemaElement): LeafKind {
  const logical = logical_type?.type;
  if (converted_type === "DECIMAL" || logical === "DECIMAL") return "decimal";
  if (converted_type === "INTERVAL") return "interval";
  if (logical === "TIME" || converted_type === "TIME_MILLIS" || converted_type === "TIME_MICROS") return "time";
  if (converted_type === "JSON" || logical === "JSON") return "json";
  if (logical_type?.type === "TIMESTAMP") return logical_type.isAdjustedToUTC ? "utc-moment" : "moment";
  // By the format's rules these are moments of UTC; those of 96 bits have no zone.
  if (converted_type === "TIMESTAMP_MILLIS" || converted_type === "TIMESTAMP_MICROS") return "utc-moment";
  if (type === "INT96") return "moment";
  if (logical === "FLOAT16") return "half";
  if (type === "FLOAT") return "float";
  const isBytes = type === "BYTE_ARRAY" || type === "FIXED_LEN_BYTE_ARRAY";
  return isBytes && (converted_type === undefined || converted_type === "BSON") && logical === undefined
    ? "bytes"
    : "other";
}

/** Gives repeated names of a group a number, and returns the paths of the leaves in their order. */
function renameRepeated(schema: readonly SchemaElement[]): string[][] {
  const paths: string[][] = [];
  let at = 0;
  const walk = (path: readonly string[]): void => {
    const count = schema[at]?.num_children ?? 0;
    at += 1;
    if (count === 0) {
      paths.push([...path]);
      return;
    }
    const taken = new Set<string>();
    for (let child = 0; child < count; child++) {
      const element = schema[at];
      if (element === undefined) return;
      const { name } = element;
      for (let copy = 2; taken.has(element.name); copy++) element.name = `${name}_${copy}`;
      taken.add(element.name);
      walk([...path, element.name]);
    }
  };
  walk([]);
  return paths;
}
