/** 32000 → `32,000`. */
export function formatCount(count: number): string {
  return count.toLocaleString("en");
}

/** 200000000 → `200 MB`. */
export function formatBytes(bytes: number): string {
  return bytes >= 1_000_000 ? `${formatCount(Math.round(bytes / 100_000) / 10)} MB` : `${formatCount(bytes)} bytes`;
}
