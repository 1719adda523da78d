/** A model that requests may name. */
export interface Model {
  readonly id: string;
  readonly ownedBy: string;
  /** Other names under which requests may ask for it. */
  readonly aliases: readonly string[];
  /** True for the R1 model, whose limits differ (service-interface.md, Limits). */
  readonly reasoning: boolean;
}

export interface TokenLimits {
  /** Most tokens of prompt and answer together. */
  readonly context: number;
  /** Most tokens of an answer. */
  readonly output: number;
}

/** The models and the limits in force. */
export interface ModelCatalog {
  list(): readonly Model[];
  /** By id or alias. */
  find(name: string): Model | undefined;
  limits(model: Model): TokenLimits;
}
