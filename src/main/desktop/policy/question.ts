/** A question of the shell to its user, in the system's own box. */
export interface Question<Answer extends string> {
  readonly type: "info" | "question" | "warning" | "error";
  readonly message: string;
  readonly detail: string;
  /** The label of each button, with the answer that it gives. The first is the default. */
  readonly buttons: readonly (readonly [label: string, answer: Answer])[];
  /** The answer of a user who closes the box without a button. */
  readonly closed: Answer;
}
