const longestQuote = 60;

/** What was found, for a message: `3`, `"GET"`, `an array of 2`. */
export function describeFound(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return value.length === 0 ? "an empty array" : `an array of ${value.length}`;
  switch (typeof value) {
    case "string":
      return quote(value);
    case "number":
    case "boolean":
      return String(value);
    case "undefined":
      return "missing";
    default:
      return "an object";
  }
}

/** Text in quotes, on one line, cut where it is long. */
export function quote(text: string): string {
  const cut = text.length > longestQuote ? `${text.slice(0, longestQuote).toWellFormed()}…` : text;
  return JSON.stringify(cut);
}

/** Why a line is not JSON, from the engine's own words, without the text that they quote. */
export function describeJsonError(error: unknown): string {
  const message = error instanceof Error ? error.message : "";
  const position = /at position (\d+)/.exec(message)?.[1];
  if (message.startsWith("Unexpected end")) return "it ends too early";
  const reason = message.replace(/,? (in JSON at|"|\.\.\.).*$/s, "");
  const where = position === undefined ? "" : ` at character ${Number(position) + 1}`;
  return reason === "" ? "it can't be read" : `${reason.charAt(0).toLowerCase()}${reason.slice(1)}${where}`;
}
