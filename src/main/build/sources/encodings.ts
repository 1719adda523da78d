import iconv from "iconv-lite";
import { type Encoding, encodingSchema } from "#contract";

/** An encoding by any name that is in use for it, such as `latin1`, `cp1252`, `tis-620` or `IBM850`. */
export function findEncoding(name: string): Encoding | undefined {
  const plain = name.trim().toLowerCase();
  const bare = plain.replaceAll(/[-_ ]/g, "");
  const labels = [
    plain,
    plain.replaceAll("_", "-"),
    bare,
    bare.replace(/^(?:ibm|dos)/, "cp"),
    bare.replace(/^(?:cp|win|windows)(\d+)$/, "windows-$1"),
    bare.replace(/^(?:mac|apple)roman$/, "macintosh"),
    bare.replace(/^cp932$/, "shift_jis").replace(/^(?:gbk|cp936)$/, "gb18030"),
  ];
  return labels
    .flatMap((label) => [label, standardName(label)])
    .map((label) => encodingSchema.safeParse(label).data)
    .find((label) => label !== undefined);
}

/** The name that the Encoding Standard has for a label of its own; undefined where it has none. */
function standardName(label: string): string | undefined {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return undefined;
  }
}

/** Turns bytes into text, piece by piece. Bytes that are no text become U+FFFD. */
export interface PieceDecoder {
  write(bytes: Buffer): string;
  end(): string;
}

/** By the runtime where it has the encoding: `iconv-lite` has those of DOS, and others that the standard leaves out. */
export function createPieceDecoder(encoding: Encoding): PieceDecoder {
  if (standardName(encoding) === undefined) {
    const decoder = iconv.getDecoder(encoding);
    return { write: (bytes) => decoder.write(bytes), end: () => decoder.end() ?? "" };
  }
  const decoder = new TextDecoder(encoding);
  return { write: (bytes) => decoder.decode(bytes, { stream: true }), end: () => decoder.decode() };
}

export function decodeText(bytes: Buffer, encoding: Encoding): string {
  return createPieceDecoder(encoding).write(bytes);
}
