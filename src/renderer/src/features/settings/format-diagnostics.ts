import type { Diagnostics } from "#contract";

/** One line a field, as `batches: completed 3, failed 1`. */
export function formatDiagnostics(diagnostics: Diagnostics): string {
  return Object.entries(diagnostics)
    .map(([field, value]) => `${field}: ${formatValue(value)}`)
    .join("\n");
}

function formatValue(value: Diagnostics[keyof Diagnostics]): string {
  if (value === null) return "none";
  if (typeof value === "boolean") return value ? "on" : "off";
  if (typeof value !== "object") return String(value);
  const parts = Array.isArray(value)
    ? value.map((one) => (typeof one === "string" ? one : `${one.code} ${one.count}`))
    : Object.entries(value).map(([name, count]) => `${name} ${count}`);
  return parts.length === 0 ? "none" : parts.join(", ");
}
