import { posix } from "node:path";
import type { Readable } from "node:stream";
import { SaxesParser } from "saxes";
import { type Entry, openPromise, type ZipFile } from "yauzl";
import { BuildError } from "../../errors.ts";
import { createInflationGuard } from "../inflation.ts";
import { isProtected, refuseWorkbook, unreadable } from "./workbook.ts";

/** The callbacks of a parser, with the names of elements without their prefix. */
export interface Listener {
  open?(name: string, attributes: Readonly<Record<string, string>>): void;
  text?(text: string): void;
  close?(name: string): void;
}

/** How a part of a package refers to another. */
export interface Relation {
  readonly id: string;
  /** The last word of its type, which is the same in all dialects: `worksheet`. */
  readonly type: string;
  /** The name of the part. */
  readonly target: string;
}

/** A zip file of XML parts, whose names are paths from its root. Names are found in any case, as spreadsheets find them. */
export interface ZipPackage {
  has(part: string): boolean;
  /** The bytes of all parts together, by the zip's own sizes. */
  readonly unpackedBytes: number;
  /** Parses a part. Throws a BuildError that names the part where it is missing or broken. */
  read(part: string, listener: Listener): Promise<void>;
  /** The same, stopping after each piece of it. */
  readPieces(part: string, listener: Listener): AsyncGenerator<void>;
  /** The relations of a part; `""` for those of the package. None where it has no list of them. */
  relations(part: string): Promise<Relation[]>;
  /** The text of a small part; empty where it is missing. */
  text(part: string): Promise<string>;
  close(): void;
}

/** The most parts of a workbook, which has some for each sheet, picture and chart. */
const mostParts = 20_000;
/** The longest part that is read as one text. */
const longestText = 1_000_000;

export async function openPackage(path: string): Promise<ZipPackage> {
  const zip = await openZip(path);
  try {
    if (zip.entryCount > mostParts) throw new BuildError("refused", unreadable);
    const parts = new Map<string, Entry>();
    let unpackedBytes = 0;
    for await (const entry of zip.eachEntry()) {
      parts.set(keyOf(entry.fileNameRaw.toString("utf8")), entry);
      unpackedBytes += entry.uncompressedSize;
    }
    return createPackage(zip, parts, unpackedBytes);
  } catch (error) {
    zip.close();
    throw error instanceof BuildError ? error : new BuildError("refused", unreadable);
  }
}

async function openZip(path: string): Promise<ZipFile> {
  try {
    // Without `decodeStrings`, names are taken as they are: some writers begin them with a slash, or use backslashes.
    return await openPromise(path, { lazyEntries: true, autoClose: false, decodeStrings: false });
  } catch {
    throw new BuildError("refused", unreadable);
  }
}

function keyOf(part: string): string {
  return part.replaceAll("\\", "/").replace(/^\/+/, "").toLowerCase();
}

function createPackage(zip: ZipFile, parts: ReadonlyMap<string, Entry>, unpackedBytes: number): ZipPackage {
  const find = (part: string): Entry => {
    const entry = parts.get(keyOf(part));
    if (entry === undefined) throw refuseWorkbook(`This workbook is damaged: its part ${part} is missing`);
    return entry;
  };

  async function* readPieces(part: string, listener: Listener): AsyncGenerator<void> {
    const parser = createParser(part, listener);
    let decoder = new TextDecoder();
    let isStart = true;
    for await (const chunk of unpack(zip, find(part), part)) {
      if (isStart) decoder = new TextDecoder(encodingOf(chunk));
      isStart = false;
      parser.write(decoder.decode(chunk, { stream: true }));
      yield;
    }
    parser.write(decoder.decode()).close();
    yield;
  }

  async function read(part: string, listener: Listener): Promise<void> {
    for await (const _ of readPieces(part, listener));
  }

  return {
    has: (part) => parts.has(keyOf(part)),
    unpackedBytes,
    read,
    readPieces,
    async relations(part) {
      const list = posix.join(posix.dirname(part), "_rels", `${posix.basename(part)}.rels`);
      if (!parts.has(keyOf(list))) return [];
      const relations: Relation[] = [];
      await read(list, {
        open(name, { Id = "", Type = "", Target = "", TargetMode = "" }) {
          if (name !== "Relationship" || TargetMode === "External") return;
          const target = [resolveTarget(part, Target), resolveTarget("", Target)].find((one) => parts.has(keyOf(one)));
          relations.push({
            id: Id,
            type: Type.slice(Type.lastIndexOf("/") + 1),
            target: target ?? resolveTarget(part, Target),
          });
        },
      });
      return relations;
    },
    async text(part) {
      if (!parts.has(keyOf(part))) return "";
      const pieces: Uint8Array[] = [];
      let bytes = 0;
      for await (const piece of unpack(zip, find(part), part)) {
        pieces.push(piece);
        bytes += piece.length;
        if (bytes > longestText) break;
      }
      return Buffer.concat(pieces).toString("utf8");
    },
    close: () => zip.close(),
  };
}

/** XML is in UTF-8, or begins with the byte-order mark of UTF-16. */
function encodingOf([first, second]: Uint8Array): string {
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return first === 0xfe && second === 0xff ? "utf-16be" : "utf-8";
}

/** The part that a relation of `part` leads to: its target is a path from there, or from the root. */
function resolveTarget(part: string, target: string): string {
  const path = decodePath(target).replaceAll("\\", "/");
  return posix.join("/", path.startsWith("/") ? "" : posix.dirname(part), path).slice(1);
}

function decodePath(target: string): string {
  try {
    return decodeURIComponent(target);
  } catch {
    return target;
  }
}

async function* unpack(zip: ZipFile, entry: Entry, part: string): AsyncGenerator<Uint8Array> {
  if (entry.isEncrypted()) throw new BuildError("refused", isProtected);
  // The declared size: yauzl refuses a part that has more.
  createInflationGuard(entry.compressedSize)(entry.uncompressedSize);
  try {
    const stream: Readable = await zip.openReadStreamPromise(entry);
    for await (const chunk of stream) if (chunk instanceof Uint8Array) yield chunk;
  } catch (error) {
    throw error instanceof BuildError
      ? error
      : refuseWorkbook(`This workbook is damaged: its part ${part} can't be unpacked`);
  }
}

function createParser(part: string, listener: Listener): SaxesParser<{ position: false; xmlns: false }> {
  const parser = new SaxesParser<{ position: false; xmlns: false }>({ position: false, xmlns: false });
  parser.on("opentag", ({ name, attributes }) => listener.open?.(localName(name), attributes));
  parser.on("text", (text) => listener.text?.(text));
  parser.on("cdata", (text) => listener.text?.(text));
  parser.on("closetag", ({ name }) => listener.close?.(localName(name)));
  parser.on("error", () => {
    throw refuseWorkbook(`This workbook is damaged: its part ${part} is broken XML`);
  });
  return parser;
}

function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}
