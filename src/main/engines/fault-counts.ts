import type { CountedTarget, FaultCount, FaultName } from "#contract";

/** What goes wrong with one request. */
export type InjectedFault =
  | { readonly type: "failure"; readonly status: number }
  | { readonly type: Exclude<FaultName, "failure"> };

/** A fault of a request, and for its answer why. */
export interface CountedFault {
  readonly fault: InjectedFault;
  readonly reason: string;
}

/** Faults that act on the first requests of a kind. */
export interface FaultCounts {
  /** With what is left of each. */
  list(): FaultCount[];
  replace(counts: readonly FaultCount[]): void;
  /** Puts more behind those that have some left. */
  add(counts: readonly FaultCount[]): void;
  /** The fault of the next request that is about these targets; null where none is left. */
  next(targets: readonly CountedTarget[]): CountedFault | null;
}

const usualStatus = 503;

export function createFaultCounts(initial: readonly FaultCount[] = []): FaultCounts {
  let entries = initial.map(open);
  return {
    list: () => entries.map((entry) => ({ ...entry })),
    replace(counts) {
      entries = counts.map(open);
    },
    add(counts) {
      entries = [...entries.filter(({ left }) => left > 0), ...counts.map(open)];
    },
    next(targets) {
      const entry = entries.find(({ target, left }) => left > 0 && targets.includes(target));
      if (entry === undefined) return null;
      entry.left -= 1;
      const { fault, status = usualStatus, first, target } = entry;
      return {
        fault: fault === "failure" ? { type: fault, status } : { type: fault },
        reason: `the fault for the first ${first} of '${target}'`,
      };
    },
  };
}

function open(count: FaultCount): FaultCount & { left: number } {
  const { fault, first, status = usualStatus, left = first } = count;
  return { ...count, ...(fault === "failure" && { status }), left };
}
