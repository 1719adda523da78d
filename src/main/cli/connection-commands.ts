import { type CommandFamily, defineCommand } from "./define-command.ts";
import { connectionFlags, connectionKeyFlags, connectionTestFlags, newConnectionFlags } from "./job-flags.ts";

const itsName = { "<NAME>": "its name" };

export const connectionCommands: CommandFamily = {
  name: "connections",
  summary: "manage the models and services that answer",
  description: "Add, list, test, change and remove connections to models: chat servers and batch services.",
  details: `
Connections are shared with the app. A key goes to the system's keychain, or stays in the variable that --key-env names;
nothing prints it again.

Examples:
  sheaf connections add Ollama --preset ollama
  sheaf connections add OpenAI --preset openai --key-env OPENAI_API_KEY
  sheaf connections add Mine --adapter chat --url http://127.0.0.1:8000/v1 --model '*=llama-3.3-70b' --concurrency 64
  sheaf connections add Priced --preset together --price-input 0.88 --price-output 0.88 --price-factor 0.5
  sheaf connections test Ollama
  sheaf connections test Mine --ask llama-3.3-70b    sends one request of at most 1 token

Exit codes: 0 done, and all that the connection needs works; 1 something that it needs does not; 2 wrong flags or name.`,
  commands: [
    defineCommand({
      name: "add",
      summary: "add a connection",
      arguments: { "<NAME>": "your name for it" },
      flags: newConnectionFlags,
      run: async (flags, io, name: string) => {
        const { addConnection } = await import("./commands/connections.ts");
        return await addConnection(name, flags, io);
      },
    }),
    defineCommand({
      name: "list",
      summary: "list the connections, without keys",
      flags: connectionFlags,
      run: async (flags, io) => {
        const { listConnections } = await import("./commands/connections.ts");
        return await listConnections(flags, io);
      },
    }),
    defineCommand({
      name: "test",
      summary: "check step by step what works; nothing is created",
      arguments: itsName,
      flags: connectionTestFlags,
      run: async (flags, io, name: string) => {
        const { tryConnection } = await import("./commands/connections.ts");
        return await tryConnection(name, flags, io);
      },
    }),
    defineCommand({
      name: "change",
      summary: "change the given settings, and keep the rest",
      details: `
A new address drops the key: enter the key again. Given prices and model names replace those of the same model.
Batches keep the prices that they were created with.

Examples:
  sheaf connections change Mine --price-input 0.15 --price-output 0.6
  sheaf connections change Mine --price-input gpt-4o=2.5 --price-output gpt-4o=10 --concurrency 32`,
      arguments: itsName,
      flags: newConnectionFlags,
      run: async (flags, io, name: string) => {
        const { changeConnection } = await import("./commands/connections.ts");
        return await changeConnection(name, flags, io);
      },
    }),
    defineCommand({
      name: "key",
      summary: "replace its key; jobs that wait for one continue",
      arguments: itsName,
      flags: connectionKeyFlags,
      run: async (flags, io, name: string) => {
        const { changeKey } = await import("./commands/connections.ts");
        return await changeKey(name, flags, io);
      },
    }),
    defineCommand({
      name: "remove",
      summary: "remove a connection and its key",
      arguments: itsName,
      flags: connectionFlags,
      run: async (flags, io, name: string) => {
        const { removeConnection } = await import("./commands/connections.ts");
        return await removeConnection(name, flags, io);
      },
    }),
  ],
};
