/** A text of which only the lines in view are elements, each with its number as `data-index`. */
export interface WindowedText {
  readonly lines: readonly { readonly text: string }[];
  /** Brings a line into view. */
  readonly show: (index: number) => void;
}

/** The texts on screen of which only a part is in the document, by their elements: a search reads their lines. */
export const windowedTexts = new WeakMap<Element, WindowedText>();
