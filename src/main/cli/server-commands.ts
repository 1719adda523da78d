import { defineCommand } from "./define-command.ts";
import { serveFlags, webFlags } from "./server-flags.ts";

export const serveCommand = defineCommand({
  name: "serve",
  summary: "run the mock server",
  description: "Run the service headless: a mock server with the API of the hosted one.",
  flags: serveFlags,
  details: `
Any client of the OpenAI API can use the server: its base URL is the printed address with /v1 at the end; for tests that
share the server, /scope/NAME/v1 keeps each apart. The clients of Anthropic and Gemini take the address as it is. Every request needs the key. SHEAF_API_KEY keeps the key out of the list of processes, where --api-key can be read. A key that
the server made itself is printed once, and kept in the system's keychain, or in a file under SHEAF_PASSPHRASE.

Examples:
  sheaf serve --port 0 --ephemeral --json      for a test: reads the address and the key from the first line
  sheaf serve --no-auth --cors '*'             for pages and clients without a key, on this machine alone
  sheaf serve --host 0.0.0.0 --api-key KEY     for containers and other computers: 16 characters or more
  sheaf serve --pace realistic --seed 7        the latencies of a hosted model, the same answers every time
  sheaf serve --dialect openai                 integers for all times, as strict clients expect
  sheaf serve --models models.yaml             other models than the built-in four
  sheaf serve --any-model                      whatever models the clients of a test name
  sheaf serve --tier free                      1 direct call a minute, 2 at a time, 32k of context
  sheaf serve --no-rate-limit                  as many direct calls as a test likes
  sheaf serve --clock-speed 3600               an hour in a second: windows end, files expire
  sheaf serve --rules rules.yaml               answers by rules
  sheaf serve --rules recordings/ --replay strict    what was recorded, and nothing that was made up
  sheaf serve --failure-rate 0.05 --failure-statuses 500,503 --latency 200
  sheaf serve --upstream-url http://127.0.0.1:11434/v1 --upstream-model '*=llama3.2'

Exit codes: 0 stopped by a signal, 1 could not start (port in use, data in use), 2 wrong flags, rules or models with
mistakes (all of them on stderr as file:line: message).`,
  run: async (flags, io) => {
    const { serve } = await import("./commands/serve.ts");
    return await serve(flags, io);
  },
});

export const webCommand = defineCommand({
  name: "web",
  summary: "open the app in the browser",
  description: "Run the app in the browser instead of a desktop window.",
  flags: webFlags,
  details: `
The address holds a code that works once, for the browser it is opened in.

Examples:
  sheaf web
  sheaf web --no-open --port 8080 --ephemeral

Exit codes: 0 stopped by a signal, 1 could not start (port in use, data in use), 2 wrong flags.`,
  run: async (flags, io) => {
    const { web } = await import("./commands/web.ts");
    return await web(flags, io);
  },
});
