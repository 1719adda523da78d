import type { findingKinds } from "#contract";

/** Something that is not as it was written, or was left over. */
export interface Finding {
  readonly kind: (typeof findingKinds)[number];
  /** In the data folder. */
  readonly path: string;
  /** From 1, of a file of lines; null where the whole file is meant. */
  readonly line: number | null;
  /** Records that it touches. */
  readonly ids: readonly string[];
  /** What is wrong, and what it means, in a sentence or two. */
  readonly message: string;
  /** False for what is made anew or removed without a loss, and is no damage. */
  readonly isDamage: boolean;
  /** What a repair does about it, such as `removed`; null where the bytes are only kept, which nothing takes for sound. */
  readonly repair: string | null;
}
