const words = "no one two three four five six seven eight nine ten eleven twelve".split(" ");

/** Numbers to twelve in words, as a sentence has them. */
export function formatNumberWord(value: number): string {
  return words[value] ?? value.toLocaleString("en");
}
