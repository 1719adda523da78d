/** What the context of a rendering in LiquidJS has to stop it: it is called at each step with the time. */
interface Rendering {
  readonly renderLimit: { check(time: number): void };
}

/** The error of a template that takes more steps than it may. */
export class TooManySteps extends Error {
  override readonly name = "TooManySteps";

  constructor(most: number) {
    super(`the template takes more than ${most.toLocaleString("en")} steps for one text`);
  }
}

/**
 * Limits a rendering to so many steps: a part of the template that is filled is one, and so is each turn of a loop. LiquidJS
 * has a limit by the clock alone, and a busy computer makes any template slow by the clock.
 */
export function limitSteps<Context extends Rendering>(context: Context, most: number): Context {
  let steps = 0;
  context.renderLimit.check = () => {
    steps += 1;
    if (steps > most) throw new TooManySteps(most);
  };
  return context;
}
