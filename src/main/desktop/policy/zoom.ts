/** The steps that browsers have. */
const steps = [0.5, 0.67, 0.75, 0.8, 0.9, 1, 1.1, 1.25, 1.5, 1.75, 2, 2.5, 3];

/** The factor after one step of zoom; at an end it stays. */
export function nextZoom(current: number, step: "in" | "out" | "reset"): number {
  if (step === "reset") return 1;
  const found = step === "in" ? steps.find((one) => one > current) : steps.findLast((one) => one < current);
  return found ?? current;
}
