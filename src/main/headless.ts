#!/usr/bin/env node
/** Node entry: the `sheaf` command. Never imports electron. */
import { runCli } from "./cli/index.ts";

await runCli(process.argv.slice(2));
