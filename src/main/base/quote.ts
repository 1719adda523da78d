const longest = 80;

/** A value of the caller's, short enough to be repeated in an answer. */
export function shorten(value: string): string {
  const text = value.toWellFormed();
  return text.length <= longest ? text : `${text.slice(0, longest).toWellFormed()}…`;
}

/** The same in quotation marks, as it is in a sentence. */
export function quote(value: string): string {
  return `'${shorten(value)}'`;
}
