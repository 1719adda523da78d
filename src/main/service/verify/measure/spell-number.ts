const small =
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(
    " ",
  );
const tens = "zero ten twenty thirty forty fifty sixty seventy eighty ninety".split(" ");

/** A whole number from 0 to 999,999 in English words. */
export function spellNumber(value: number): string {
  if (value < 20) return small[value] ?? "";
  if (value < 100)
    return value % 10 === 0 ? (tens[value / 10] ?? "") : `${tens[Math.floor(value / 10)]}-${small[value % 10]}`;
  const [unit, name] = value < 1_000 ? [100, "hundred"] : [1_000, "thousand"];
  const rest = value % unit;
  const head = `${spellNumber(Math.floor(value / unit))} ${name}`;
  if (rest === 0) return head;
  return rest < 100 ? `${head} and ${spellNumber(rest)}` : `${head} ${spellNumber(rest)}`;
}
