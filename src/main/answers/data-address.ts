/** As senders write it: with spaces around it and in it, and with parameters before `base64`. */
const head = /^\s*data:([\w.+-]{1,99}\/[\w.+-]{1,99})?\s*(?:;[^,]{0,200})?,/i;

/** A `data:` address, read as far as its data. */
export interface DataAddress {
  /** Its media type, such as `image/png`; null where it names none. */
  readonly type: string | null;
  readonly isBase64: boolean;
  /** Where its data begins. */
  readonly start: number;
}

/** Reads the head of a `data:` address; null for any other text. */
export function readDataAddress(address: string): DataAddress | null {
  const [whole, type = null] = head.exec(address) ?? [];
  return whole === undefined ? null : { type, isBase64: /;\s*base64\s*,$/i.test(whole), start: whole.length };
}

/** The type and the data of a `data:` address in Base64, as other APIs want them: without spaces. Null for any other text. */
export function readBase64(address: string): { readonly mimeType: string; readonly data: string } | null {
  const { type = null, isBase64 = false, start } = readDataAddress(address) ?? {};
  if (type === null || !isBase64) return null;
  const data = address.slice(start).replaceAll(/\s+/g, "");
  return data === "" ? null : { mimeType: type.toLowerCase(), data };
}
