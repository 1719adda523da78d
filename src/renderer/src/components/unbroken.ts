/** From so many characters without a space, Chromium's layout of kerned text takes seconds: it shapes the rest again for each line. */
const longRun = /\S{1000}/;

/** Attributes of an element with a text from outside: one with such a run is drawn without kerning. */
export const unbrokenProps = (text: string): { readonly "data-unbroken": true | undefined } => ({
  "data-unbroken": longRun.test(text) || undefined,
});
