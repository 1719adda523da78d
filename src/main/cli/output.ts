/** The command's product: what another program may read. */
export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** What is meant for the person at the terminal. */
export function printError(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** Ends quietly when the reader of our output goes away, as `sheaf validate FILE | head` does. */
export function endWithReader(): void {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    process.exit();
  });
}
