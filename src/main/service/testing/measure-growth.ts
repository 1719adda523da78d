/** Below this many milliseconds of the processor, what is measured is the machine. */
const noise = 2;
const mostRounds = 30;
/** Far enough from quadratic to stop at. */
const clear = 6;

/**
 * How many times longer a piece of work takes on input four times as large: about 4 where the time is proportional to the
 * input, 16 where it is quadratic. The processor's time of this thread is measured, at its best of several rounds, so that
 * neither a busy machine nor code that is not yet compiled counts.
 */
export function measureGrowth(work: (size: number) => void, size: number): number {
  let [small, large] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let round = 0; round < mostRounds && !(large / Math.max(small, noise) < clear); round += 1) {
    small = Math.min(small, measure(work, size));
    large = Math.min(large, measure(work, size * 4));
  }
  return large / Math.max(small, noise);
}

function measure(work: (size: number) => void, size: number): number {
  const before = process.threadCpuUsage();
  work(size);
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}
