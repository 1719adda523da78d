/** A shorter secret is a word like others, `EMPTY` or `l-1`: it is hidden only where a key is written. */
const shortestSecret = 8;

/**
 * An error text or a log line without a secret, which services repeat in what they refuse. Never for answers and ids: they stay as they
 * came. A secret of fewer than 8 characters is hidden only after `Bearer` or `key`, and as a parameter of an address.
 */
export function hideSecret(text: string, secret: string | null, mark = "[key]"): string {
  if (secret === null || secret === "") return text;
  if (secret.length >= shortestSecret) return text.replaceAll(secret, () => mark);
  return text.replace(new RegExp(`(?<=${placesOfKeys})${RegExp.escape(secret)}(?![\\w-])`, "g"), () => mark);
}

/** `Bearer x`, `api_key=x`, `"x-api-key": "x"`, `Incorrect API key provided: 'x'`, `?token=x`. */
const placesOfKeys = [
  String.raw`\b[Bb](?:earer|EARER)\s+["'\x60<(]?`,
  String.raw`[Kk](?:ey|EY)["'\x60]?(?:\s+(?:provided|given|sent|is|was))*\s*[\s:=]\s*["'\x60<(]?`,
  String.raw`[?&][\w.-]+=`,
].join("|");
