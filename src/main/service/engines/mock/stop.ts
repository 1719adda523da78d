/** The text up to the first place where one of the stop sequences begins. */
export function cutAtStop(text: string, stop: string | readonly string[] | null | undefined): string {
  const sequences = (typeof stop === "string" ? [stop] : (stop ?? [])).filter((sequence) => sequence !== "");
  const places = sequences.map((sequence) => text.indexOf(sequence)).filter((at) => at !== -1);
  return places.length === 0 ? text : text.slice(0, Math.min(...places));
}
