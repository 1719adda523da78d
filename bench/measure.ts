/** What a row measures of one contestant, once for each round. */
export interface Sample {
  /** Time for one piece of work, in milliseconds. */
  readonly time: number;
  /** Processor time of the server for it, in milliseconds; null where that is not known. */
  readonly cpu: number | null;
}

/** Someone who does the work of a row. */
export interface Contestant {
  readonly name: string;
  run(): Promise<Sample>;
  close?(): void;
}

/** The same work, done by several. */
export interface Row {
  readonly title: string;
  /** Whether it is read as a rate. */
  readonly asRate: boolean;
  readonly contestants: readonly Contestant[];
}

export interface Figures {
  readonly name: string;
  readonly samples: readonly Sample[];
}

export interface Bounds {
  readonly warmUps: number;
  readonly rounds: number;
  /** In milliseconds. */
  readonly timeLimit: number;
}

/**
 * The contestants take turns in every round, so that whatever else the machine does hits all of them. None always comes
 * first. Ends early, with as many samples of each, when `timeLimit` milliseconds are over.
 */
export async function measure({ contestants }: Row, { warmUps, rounds, timeLimit }: Bounds): Promise<Figures[]> {
  const figures = contestants.map(({ name }) => ({ name, samples: [] as Sample[] }));
  const start = performance.now();
  for (let round = 0; round < warmUps + rounds; round += 1) {
    if (round > warmUps && performance.now() - start > timeLimit) break;
    for (const [at, contestant] of rotate([...contestants.entries()], round)) {
      const sample = await contestant.run();
      if (round >= warmUps) figures[at]?.samples.push(sample);
    }
  }
  for (const contestant of contestants) contestant.close?.();
  return figures;
}

function rotate<T>(items: readonly T[], by: number): T[] {
  const at = by % items.length;
  return [...items.slice(at), ...items.slice(0, at)];
}
