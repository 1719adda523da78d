/** Below this many milliseconds of the processor, what is measured is the machine. */
const noise = 2;

/**
 * How many times longer a piece of work takes on input four times as large: about 4 where the time is proportional to the
 * input, 16 where it is quadratic. The processor's time of this thread is measured, at its best of a few runs, so that a
 * busy machine does not count.
 */
export function measureGrowth(work: (size: number) => void, size: number): number {
  const small = Math.max(
    measureBest(() => work(size)),
    noise,
  );
  return measureBest(() => work(size * 4)) / small;
}

function measureBest(work: () => void): number {
  const times = Array.from({ length: 5 }, () => {
    const before = process.threadCpuUsage();
    work();
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1_000;
  });
  return Math.min(...times);
}
