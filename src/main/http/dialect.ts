/**
 * The two dialects of the wire: `service` answers exactly as service-interface.md shows, `openai` as strict clients of the
 * compatible API expect. This module owns every difference between them (decisions.md, Two dialects).
 */
import { z } from "zod";
import type { DialectName } from "#contract";
import type { RawNumber } from "#main/answers";

/** Unix seconds, as an integer or as a decimal string. */
export type WireTime = number | string;

/** What a batch list has in the service dialect only. */
export interface ListExtras {
  readonly count: number;
  readonly page: number;
  readonly page_count: -1;
  readonly items_per_page: RawNumber;
}

export interface Dialect {
  readonly name: DialectName;
  /** A timestamp of the batch that `POST /v1/batches` has just created. */
  createdBatchTime(milliseconds: number): WireTime;
  /** A timestamp of a batch in any other response. */
  batchTime(milliseconds: number): WireTime;
  fileTime(milliseconds: number): WireTime;
  /** `faulty`: its content did not pass the check of a batch. */
  fileExtras(faulty: boolean): { readonly status?: "processed" | "error" };
  listExtras(count: number): ListExtras | Record<never, never>;
  /** The shapes of the API description, by name, which have what either dialect may send: as this one has them. */
  describe(shapes: Readonly<Record<string, unknown>>): Record<string, unknown>;
}

const toSeconds = (milliseconds: number): number => Math.floor(milliseconds / 1_000);
const toSecondsText = (milliseconds: number): string => String(toSeconds(milliseconds));

/** The largest signed 64-bit integer. */
const noPageLimit = JSON.rawJSON("9223372036854775807");

export const dialects: Readonly<Record<DialectName, Dialect>> = {
  service: {
    name: "service",
    createdBatchTime: toSeconds,
    batchTime: toSecondsText,
    fileTime: toSecondsText,
    fileExtras: () => ({}),
    listExtras: (count) => ({ count, page: 1, page_count: -1, items_per_page: noPageLimit }),
    describe: ({ File, ...shapes }) => ({ ...shapes, File: omitProperties(File, ["status"]) }),
  },
  openai: {
    name: "openai",
    createdBatchTime: toSeconds,
    batchTime: toSeconds,
    fileTime: toSeconds,
    fileExtras: (faulty) => ({ status: faulty ? "error" : "processed" }),
    listExtras: () => ({}),
    describe: ({ Timestamp, BatchList, ...shapes }) => ({
      ...shapes,
      Timestamp: { type: "integer", minimum: 0, description: "Unix seconds." },
      BatchList: omitProperties(BatchList, ["count", "page", "page_count", "items_per_page"]),
    }),
  },
};

const shapeSchema = z.looseObject({ properties: z.record(z.string(), z.unknown()) });

/** The JSON schema of an object without some of its properties. */
function omitProperties(shape: unknown, names: readonly string[]): unknown {
  const { properties, ...rest } = shapeSchema.parse(shape);
  return {
    ...rest,
    properties: Object.fromEntries(Object.entries(properties).filter(([name]) => !names.includes(name))),
  };
}

/** The dialect that is in force as each answer is written. */
export function followDialect(readName: () => DialectName): Dialect {
  const current = () => dialects[readName()];
  return {
    get name() {
      return readName();
    },
    createdBatchTime: (milliseconds) => current().createdBatchTime(milliseconds),
    batchTime: (milliseconds) => current().batchTime(milliseconds),
    fileTime: (milliseconds) => current().fileTime(milliseconds),
    fileExtras: (faulty) => current().fileExtras(faulty),
    listExtras: (count) => current().listExtras(count),
    describe: (shapes) => current().describe(shapes),
  };
}
