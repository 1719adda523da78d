import type { TextSpan } from "#contract";

/** Whether what a question asks is so, and why. */
export interface Truth {
  readonly isYes: boolean;
  readonly reason: string;
  readonly evidence: readonly TextSpan[];
}
