/** The data of a picture that came along; null for an address elsewhere. */
export function readDataUrl(url: string): { readonly mimeType: string; readonly data: string } | null {
  const [, mimeType = "", data = ""] = /^data:([^;,]+);base64,(.*)$/s.exec(url) ?? [];
  return data === "" ? null : { mimeType, data };
}
