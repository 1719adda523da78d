/** Where a text stops being JSON, in characters from its start, and what is wrong there. */
export interface JsonError {
  readonly at: number;
  readonly message: string;
}

/** Finds the first place at which a text can't be JSON any more; null when it is JSON. */
export function findJsonError(text: string): JsonError | null {
  const failure = tryParse(text);
  if (failure === null) return null;
  if (isUnfinished(failure, text)) return { at: text.length, message: "Something is missing at the end." };
  // Every beginning of the text up to the mistake could still become JSON, none after it can.
  let sound = 0;
  let broken = text.length;
  while (broken - sound > 1) {
    const middle = (sound + broken) >> 1;
    const start = text.slice(0, middle);
    const found = tryParse(start);
    if (found === null || isUnfinished(found, start)) sound = middle;
    else broken = middle;
  }
  const at = broken - 1;
  return { at, message: `${JSON.stringify(text.charAt(at))} is not expected here.` };
}

function tryParse(text: string): string | null {
  try {
    JSON.parse(text);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : "";
  }
}

/** Whether more text could make it right. */
function isUnfinished(message: string, text: string): boolean {
  if (/unexpected end|unterminated string/i.test(message)) return true;
  const position = /at position (\d+)/.exec(message)?.[1];
  return position !== undefined && Number(position) >= text.length;
}
