/**
 * Where the string of a JSON text ends that opens at `start`, past its closing quotation mark; the end of the text where
 * it has none. A pattern for whole strings runs out of stack on one of some megabytes, such as a picture.
 */
export function endOfJsonString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text[end - 1 - slashes] === "\\") slashes += 1;
    if (slashes % 2 === 0) return end + 1;
  }
  return text.length;
}
