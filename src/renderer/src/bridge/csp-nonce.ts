/**
 * The nonce that the host's content security policy asks of every style element made at run time. Empty
 * where the host sets none (the development server).
 */
export function readCspNonce(document: Document): string {
  const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? "";
  return nonce.startsWith("%") ? "" : nonce;
}
