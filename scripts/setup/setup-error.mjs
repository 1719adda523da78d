/** A failure that ends the command with one clear message and no stack. */
export class SetupError extends Error {}
