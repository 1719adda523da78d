import { crc32 } from "node:zlib";
import { z } from "zod";
import { type AnswerEnd, answerEnds } from "#contract";
import { findEnd } from "#main/answers";
import { ServiceError } from "#main/base";
import { parseJson } from "../io/json.ts";
import { isSealed, sealLine } from "../io/sealed-line.ts";
import type { AnswerBill, LedgerAnswer } from "./answer.ts";

/** Of each record. How they are made: docs/storage.md, The ledger of a batch. */
export const recordBytes = 52;
const contentBytes = recordBytes - 4;
const nameBytes = 40;
/** Of a name, in UTF-16 units: a service may call a model what it likes. */
export const longestName = 200;
/** Names that are distinguished; all others are one. */
export const mostNames = 0xffff;
export const otherName = "other";

const kinds = { answer: 1, name: 2, mark: 3, bill: 4 } as const;
const flags = { inErrorFile: 1, skipped: 2, reused: 4, damaged: 8, hasBill: 128 } as const;
/** In the same byte from here on, up to the last flag: the place of its end in `answerEnds`, from 1; 0 where it has none. */
const firstEnd = 16;
const unknownTokens = 0xffff_ffff;

/** Where a ledger is, and whose it is. */
export interface LedgerPlace {
  readonly path: string;
  /** The id of the data folder; empty for one without a journal. */
  readonly folder: string;
  readonly batch: string;
  /** The format in which it begins where there is none yet; 1 by default. */
  readonly format?: LedgerFormat;
}

/** In format 2, which batches on connections have, an answer may have a bill. A ledger goes on in the format in which it began. */
export type LedgerFormat = 1 | 2;
const newestFormat = 2;

export function encodeHeader({ folder, batch, format = 1 }: LedgerPlace): Buffer {
  return sealLine({ kind: "ledger", format, folder, batch });
}

const headerSchema = z.object({ kind: z.literal("ledger"), format: z.int(), batch: z.string() });

interface LedgerHeader {
  readonly bytes: number;
  readonly isSound: boolean;
  readonly format: LedgerFormat;
}

/** The header that a file begins with: its bytes, and whether it is as it was written. Null for that of another batch's ledger. */
export function readHeader(place: LedgerPlace, start: Buffer): LedgerHeader | null {
  const line = start.subarray(0, Math.max(0, start.indexOf("\n")));
  // One that is damaged has the length that it was written with.
  if (!isSealed(line)) return { bytes: encodeHeader(place).length, isSound: false, format: place.format ?? 1 };
  const header = headerSchema.safeParse(parseJson(line.toString())).data;
  if (header !== undefined && header.format > newestFormat) {
    const message = `${place.path} was written by a newer version of Sheaf. Start that version.`;
    throw new ServiceError("newer_version", message);
  }
  if (header?.batch !== place.batch) return null;
  return { bytes: line.length + 1, isSound: true, format: header.format === 2 ? 2 : 1 };
}

/** The number of a name, from 1; 0 where there is none. */
type NumberOf = (name: string | null) => number;

/** `hasBill`: the record of its bill stands before it. */
export function encodeAnswer(answer: LedgerAnswer, numberOf: NumberOf, hasBill: boolean): Buffer {
  const { facts } = answer;
  const record = startRecord(kinds.answer);
  record[1] =
    (answer.file === "error" ? flags.inErrorFile : 0) |
    (answer.skipped ? flags.skipped : 0) |
    (answer.reused ? flags.reused : 0) |
    (answer.damaged ? flags.damaged : 0) |
    (hasBill ? flags.hasBill : 0) |
    (facts.end === null ? 0 : firstEnd * (answerEnds.indexOf(facts.end) + 1));
  record.writeUInt16LE((answer.status ?? 0) & 0xffff, 2);
  record.writeUInt32LE(answer.line, 4);
  record.writeUIntLE(answer.start, 8, 6);
  record.writeUInt16LE(numberOf(facts.model), 14);
  record.writeUInt32LE(answer.length, 16);
  record.writeUInt32LE(answer.checksum, 20);
  record.writeFloatLE(answer.milliseconds ?? Number.NaN, 24);
  record.writeUInt32LE(toTokens(facts.promptTokens ?? unknownTokens), 28);
  record.writeUInt32LE(toTokens(facts.completionTokens ?? unknownTokens), 32);
  record.writeUInt32LE(toTokens(facts.cachedTokens), 36);
  record.writeUInt32LE(toTokens(facts.reasoningTokens), 40);
  record.writeUInt16LE(numberOf(facts.finishReason), 44);
  record.writeUInt16LE(numberOf(facts.errorCode), 46);
  return seal(record);
}

export function encodeBill(line: number, bill: AnswerBill, numberOf: NumberOf): Buffer {
  const record = startRecord(kinds.bill);
  record.writeUInt16LE(numberOf(bill.tier), 2);
  record.writeUInt32LE(line, 4);
  record.writeUInt32LE(toTokens(bill.cacheWriteTokens), 8);
  record.writeUInt32LE(toTokens(bill.cacheWrite1hTokens), 12);
  record.writeDoubleLE(bill.cost ?? Number.NaN, 16);
  return seal(record);
}

/** A name takes as many records as its bytes need. */
export function encodeName(number: number, name: string): Buffer {
  const bytes = Buffer.from(name);
  const parts: Buffer[] = [];
  for (let part = 0; part === 0 || part * nameBytes < bytes.length; part++) {
    const record = startRecord(kinds.name);
    record.writeUInt16LE(number, 2);
    record.writeUInt16LE(bytes.length, 4);
    record.writeUInt16LE(part, 6);
    bytes.copy(record, 8, part * nameBytes, (part + 1) * nameBytes);
    parts.push(seal(record));
  }
  return Buffer.concat(parts);
}

/** All bytes of the ledger before `synced`, and the answers that they are of, are on the disk. */
export function encodeMark(synced: number): Buffer {
  const record = startRecord(kinds.mark);
  record.writeUIntLE(synced, 8, 6);
  return seal(record);
}

function startRecord(kind: number): Buffer {
  const record = Buffer.alloc(recordBytes);
  record[0] = kind;
  return record;
}

function seal(record: Buffer): Buffer {
  record.writeUInt32LE(crc32(record.subarray(0, contentBytes)), contentBytes);
  return record;
}

function toTokens(count: number): number {
  return Math.min(Math.max(0, count), unknownTokens);
}

/** What became of a line, as bits, and how its answer ended as in its entry; 0 for one that has no entry, or that never ran. */
export const lineStates = { completed: 1, failed: 2, reused: 4 } as const;

/** Notes what became of each line, from 1 on, by the whole records of some bytes. Their checksums are not compared. */
export function tallyRecords(bytes: Buffer, states: Uint8Array): void {
  for (let at = 0; at + recordBytes <= bytes.length; at += recordBytes) {
    const line = bytes.readUInt32LE(at + 4);
    if (bytes[at] !== kinds.answer || line === 0 || line >= states.length) continue;
    const found = bytes[at + 1] ?? 0;
    const failed = found & flags.skipped ? 0 : lineStates.failed;
    const reused = found & flags.reused ? lineStates.reused : 0;
    const end = (found % flags.hasBill) - (found % firstEnd);
    states[line] = (found & flags.inErrorFile ? failed : lineStates.completed) | reused | end;
  }
}

/** How an answer ended, by the byte of its entry or its state; null where that is not in it. */
export function endOf(found: number): AnswerEnd | null {
  return answerEnds[Math.floor((found % flags.hasBill) / firstEnd) - 1] ?? null;
}

/** Of an entry of an earlier version: what its finish reason says, and that nothing was written. */
function guessEnd(finishReason: string | null, completionTokens: number): AnswerEnd | null {
  if (finishReason === null) return null;
  return findEnd({ finishReason, isEmpty: completionTokens === 0, isRefusal: false, hasCalls: false });
}

export type LedgerRecord =
  | { readonly kind: "answer"; readonly answer: LedgerAnswer; readonly isNamed: boolean }
  | { readonly kind: "name" }
  | { readonly kind: "bill" }
  | { readonly kind: "mark"; readonly synced: number };

/** Reads the records of one ledger, in their order. */
export function createRecordReader() {
  const names: (string | undefined)[] = [];
  const parts = new Map<number, (Buffer | undefined)[]>();

  /** The bill that the next answer may have. */
  let bill: { readonly line: number; readonly bill: AnswerBill; readonly isNamed: boolean } | null = null;

  /** Null for no name; undefined for one whose records are damaged. */
  const nameOf = (number: number) => (number === 0 ? null : names[number - 1]);

  function readName(bytes: Buffer, at: number): void {
    const number = bytes.readUInt16LE(at + 2);
    const length = bytes.readUInt16LE(at + 4);
    const known = parts.get(number) ?? [];
    known[bytes.readUInt16LE(at + 6)] = Buffer.from(bytes.subarray(at + 8, at + 8 + nameBytes));
    parts.set(number, known);
    const whole = known.filter((part) => part !== undefined);
    if (whole.length < Math.max(1, Math.ceil(length / nameBytes))) return;
    names[number - 1] = Buffer.concat(whole).toString("utf8", 0, length);
    parts.delete(number);
  }

  function readBill(bytes: Buffer, at: number): void {
    const tier = nameOf(bytes.readUInt16LE(at + 2));
    const cost = bytes.readDoubleLE(at + 16);
    bill = {
      line: bytes.readUInt32LE(at + 4),
      isNamed: tier !== undefined,
      bill: {
        cacheWriteTokens: bytes.readUInt32LE(at + 8),
        cacheWrite1hTokens: bytes.readUInt32LE(at + 12),
        cost: Number.isNaN(cost) ? null : cost,
        tier: tier ?? null,
      },
    };
  }

  /** Undefined for an answer without one; null for one whose record is damaged. */
  function takeBill(line: number, hasBill: boolean): AnswerBill | null | undefined {
    const before = bill;
    bill = null;
    if (!hasBill) return undefined;
    return before?.line === line && before.isNamed ? before.bill : null;
  }

  function readAnswer(bytes: Buffer, at: number): LedgerRecord {
    const found = bytes[at + 1] ?? 0;
    const ownBill = takeBill(bytes.readUInt32LE(at + 4), (found & flags.hasBill) !== 0);
    const status = bytes.readUInt16LE(at + 2);
    const milliseconds = bytes.readFloatLE(at + 24);
    const [promptTokens, completionTokens] = [bytes.readUInt32LE(at + 28), bytes.readUInt32LE(at + 32)];
    const model = nameOf(bytes.readUInt16LE(at + 14));
    const finishReason = nameOf(bytes.readUInt16LE(at + 44));
    const errorCode = nameOf(bytes.readUInt16LE(at + 46));
    const hasEnd = (found & (flags.inErrorFile | flags.skipped | flags.damaged)) === 0;
    const answer: LedgerAnswer = {
      line: bytes.readUInt32LE(at + 4),
      file: (found & flags.inErrorFile) === 0 ? "output" : "error",
      start: bytes.readUIntLE(at + 8, 6),
      length: bytes.readUInt32LE(at + 16),
      checksum: bytes.readUInt32LE(at + 20),
      skipped: (found & flags.skipped) !== 0,
      reused: (found & flags.reused) !== 0,
      damaged: (found & flags.damaged) !== 0,
      milliseconds: milliseconds >= 0 ? milliseconds : null,
      status: status === 0 ? null : status,
      facts: {
        model: model ?? null,
        finishReason: finishReason ?? null,
        end: endOf(found) ?? (hasEnd ? guessEnd(finishReason ?? null, completionTokens) : null),
        errorCode: errorCode ?? null,
        promptTokens: promptTokens === unknownTokens ? null : promptTokens,
        cachedTokens: bytes.readUInt32LE(at + 36),
        completionTokens: completionTokens === unknownTokens ? null : completionTokens,
        reasoningTokens: bytes.readUInt32LE(at + 40),
        ...(ownBill && { bill: ownBill }),
      },
    };
    const isNamed = model !== undefined && finishReason !== undefined && errorCode !== undefined && ownBill !== null;
    return { kind: "answer", answer, isNamed };
  }

  return {
    /** By their numbers less one; undefined for one whose records are damaged. */
    names: names as readonly (string | undefined)[],
    /** Null for a record that is not as it was written. */
    read(bytes: Buffer, at: number): LedgerRecord | null {
      if (crc32(bytes.subarray(at, at + contentBytes)) !== bytes.readUInt32LE(at + contentBytes)) return null;
      switch (bytes[at]) {
        case kinds.answer:
          return readAnswer(bytes, at);
        case kinds.name:
          readName(bytes, at);
          return { kind: "name" };
        case kinds.bill:
          readBill(bytes, at);
          return { kind: "bill" };
        case kinds.mark:
          return { kind: "mark", synced: bytes.readUIntLE(at + 8, 6) };
        default:
          return null;
      }
    },
  };
}
