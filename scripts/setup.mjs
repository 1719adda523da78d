/**
 * What runs behind `npm start`, `npm run web`, `npm test`, `npm run sheaf` and the longer runs.
 *
 * It needs nothing but the system's Node 20.19 or 22.12 or newer: it installs the packages when they are missing or out of
 * date, finds the Node 24 that came with them, builds when sources have changed, and hands over. It prints nothing when
 * nothing is to be done, and never writes to stdout: that belongs to the command.
 */
import { describeOldNode } from "./setup/old-node.mjs";

const problem = describeOldNode(process.versions.node);
if (problem === undefined) {
  // Loaded only now: an old Node may not be able to read it.
  const { start } = await import("./setup/commands.mjs");
  await start(process.argv[2], process.argv.slice(3));
} else {
  process.stderr.write(`${problem}\n`);
  process.exitCode = 1;
}
