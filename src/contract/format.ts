/** The language of numbers is that of the app's texts, so that a sentence does not mix two. */
const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const fine = new Intl.NumberFormat("en", { maximumSignificantDigits: 3 });
const hundredths = new Intl.NumberFormat("en", { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const rough = new Intl.NumberFormat("en", { maximumSignificantDigits: 2 });

/** `12,408`. */
export function formatNumber(value: number): string {
  return whole.format(value);
}

/** `1 line`, `1,319 lines`, `1 batch`, `2 batches`. */
export function formatCount(count: number, one: string, many = `${one}s`): string {
  return `${formatNumber(count)} ${count === 1 ? one : many}`;
}

/** Bytes in decimal units, as file managers show them: `812 B`, `5.1 MB`. */
export function formatBytes(bytes: number): string {
  const units = ["B", "kB", "MB", "GB", "TB"];
  let value = bytes;
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1_000;
    unit += 1;
  }
  return `${unit === 0 ? formatNumber(value) : fine.format(value)} ${units[unit]}`;
}

/** US dollars: `$3.10`, `$1,204`; what is less than a cent with its first digits, `$0.0042`, and nothing as `$0`. */
export function formatCost(dollars: number): string {
  if (dollars >= 1_000) return `$${whole.format(dollars)}`;
  return `$${dollars < 0.01 ? rough.format(dollars) : hundredths.format(dollars)}`;
}
