/**
 * What runs behind `npm start`, `npm run web`, `npm test`, `npm run sheaf` and the longer runs.
 *
 * It needs nothing but the system's Node 18 or newer: it installs the packages when they are missing or out of date,
 * finds the Node 24 that came with them, builds when sources have changed, and hands over. It prints nothing when
 * nothing is to be done, and never writes to stdout: that belongs to the command.
 */
import { runCommand } from "./setup/commands.mjs";
import { SetupError } from "./setup/setup-error.mjs";

try {
  await runCommand(process.argv[2], process.argv.slice(3));
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
