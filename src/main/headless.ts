#!/usr/bin/env node
/** Node entry: the `sheaf` command. Never imports electron. */
import { enableCompileCache } from "node:module";
import { join } from "node:path";

// Halves the time of a start. It holds for what is loaded from here on, so the command itself is.
enableCompileCache(join(import.meta.dirname, "../../node_modules/.cache/sheaf"));
const { runCli } = await import("./cli/run-cli.ts");
const { createSystemMachine } = await import("#service/machine");
const io = Object.assign(process, { machine: createSystemMachine() });
process.exitCode = await runCli(process.argv.slice(2), io);
