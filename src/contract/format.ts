/** The language of numbers is that of the app's texts, so that a sentence does not mix two. */
const whole = createFormat({ maximumFractionDigits: 0 });
const fine = createFormat({ maximumSignificantDigits: 3 });
const hundredths = createFormat({ minimumFractionDigits: 2, maximumFractionDigits: 2 });
const rough = createFormat({ maximumSignificantDigits: 2 });

/** Made with its first use: the first format of a process takes 10 ms, and not every start needs one. */
function createFormat(options: Intl.NumberFormatOptions): (value: number) => string {
  let format: Intl.NumberFormat | undefined;
  return (value) => {
    format ??= new Intl.NumberFormat("en", options);
    return format.format(value);
  };
}

/** `12,408`. */
export function formatNumber(value: number): string {
  return whole(value);
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
  return `${unit === 0 ? formatNumber(value) : fine(value)} ${units[unit]}`;
}

/** US dollars: `$3.10`, `$1,204`; what is less than ten cents with its first digits, `$0.0122`, `$0.0042`, and nothing as `$0`. */
export function formatCost(dollars: number): string {
  if (dollars >= 1_000) return `$${whole(dollars)}`;
  if (dollars >= 0.1) return `$${hundredths(dollars)}`;
  return `$${dollars < 0.01 ? rough(dollars) : fine(dollars)}`;
}
