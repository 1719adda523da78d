import { dirname } from "node:path";
import type { Logger, Machine } from "#main/base";
import { openSyncAppender } from "../io/appender.ts";
import { describeDiskError } from "../io/disk.ts";
import type { Durability } from "../io/durability.ts";
import { makeFolder } from "../io/folders.ts";
import { createMarker } from "../io/marker.ts";
import type { AnswerBill, LedgerAnswer } from "./answer.ts";
import type { LedgerReading } from "./read-ledger.ts";
import {
  encodeAnswer,
  encodeBill,
  encodeHeader,
  encodeMark,
  encodeName,
  type LedgerPlace,
  longestName,
  mostNames,
  otherName,
} from "./records.ts";

/** The ledger of a batch, while answers are entered. */
export interface LedgerWriter {
  /** False for one of format 1, which has no place for the bill of an answer. */
  readonly hasBills: boolean;
  /**
   * Enters answers whose bytes were written. Returns when the operating system has the entries; when the disk refuses this throws, and
   * none of them is entered.
   */
  append(answers: readonly LedgerAnswer[]): void;
  /** Marks what is on the disk, and closes the file. */
  close(): Promise<void>;
}

interface LedgerDeps {
  readonly durability: Durability;
  readonly machine: Machine;
  readonly logger: Logger;
}

/** Opens a ledger behind what was read of it; what follows is cut off. Without that it begins anew. */
export function openLedger(
  place: LedgerPlace,
  { size, names, format }: Pick<LedgerReading, "size" | "names" | "format">,
  { durability, machine, logger }: LedgerDeps,
): LedgerWriter {
  const { path } = place;
  const hasBills = (size === 0 ? place.format : format) === 2;
  durability.assertHeld();
  makeFolder(dirname(path));
  const file = openSyncAppender(path, size, { isSynced: durability.mode !== "never", mayClose: true });
  const numbers = new Map<string, number>();
  names.forEach((name, at) => {
    if (name !== undefined) numbers.set(name, at + 1);
  });
  let lastNumber = names.length;
  /** Where the last entry ends, the last that the sync that runs brings to the disk, and the last that is there. */
  let [entered, covered, synced] = [size, size, size];
  let isClosed = false;
  const marker = createMarker(machine, (upTo) => {
    try {
      durability.assertHeld();
      file.append(encodeMark(upTo));
    } catch (error) {
      if (describeDiskError(error) === null) {
        logger.warn("A ledger does not take a mark", { path, error: String(error) });
      }
    }
  });
  const target = {
    stage: "ledgers",
    // The answers of what is entered by now are synced before the ledger is.
    begin() {
      covered = entered;
    },
    async sync() {
      const upTo = covered;
      await file.sync();
      synced = upTo;
      if (!isClosed) marker.synced(upTo);
    },
  } as const;

  function write(pieces: readonly Buffer[]): void {
    marker.flush();
    durability.assertHeld();
    file.append(Buffer.concat(pieces));
    entered = file.size;
    durability.changed(target);
  }

  async function closeAll(): Promise<void> {
    if (synced < entered) await durability.synced().catch(() => {});
    marker.flush();
    isClosed = true;
    await file.close();
  }
  let closing: Promise<void> | null = null;

  if (size === 0) {
    write([encodeHeader(place)]);
    durability.renamed(path);
  }

  return {
    hasBills,
    append(answers) {
      const added = new Map<string, number>();
      const pieces: Buffer[] = [];
      const numberOf = (name: string | null): number => {
        if (name === null) return 0;
        const known = numbers.get(name) ?? added.get(name);
        if (known !== undefined) return known;
        const number = lastNumber + added.size + 1;
        if (number >= mostNames && name !== otherName) return numberOf(otherName);
        added.set(name, number);
        pieces.push(encodeName(number, name));
        return number;
      };
      for (const answer of answers) {
        const nameOf = (name: string | null) => numberOf(name === null ? null : cut(name));
        const bill = hasBills ? toBill(answer.facts.bill) : null;
        // Names stand before what uses them.
        const ofBill = bill === null ? [] : [encodeBill(answer.line, bill, nameOf)];
        const entry = encodeAnswer(answer, nameOf, bill !== null);
        pieces.push(...ofBill, entry);
      }
      write(pieces);
      for (const [name, number] of added) numbers.set(name, number);
      lastNumber += added.size;
    },
    close() {
      closing ??= closeAll();
      return closing;
    },
  };
}

/** Null where there is nothing in it. */
function toBill(bill: AnswerBill | undefined): AnswerBill | null {
  if (bill === undefined) return null;
  const { cacheWriteTokens, cost, tier } = bill;
  return cacheWriteTokens > 0 || cost !== null || tier !== null ? bill : null;
}

function cut(name: string): string {
  return name.length > longestName ? name.slice(0, longestName).toWellFormed() : name;
}
