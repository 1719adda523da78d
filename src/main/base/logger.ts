import { createSystemMachine } from "./clock/machine.ts";
import type { LogFields, Logger, Machine } from "./ports.ts";

/** From the most to the least talkative. */
const logLevels = ["debug", "info", "warn", "error"] as const;
export type LogLevel = (typeof logLevels)[number];

interface LoggerOptions {
  /** The least important level that is written. */
  readonly level?: LogLevel;
  /** Whose wall clock dates the lines; the computer's by default. */
  readonly machine?: Pick<Machine, "wall">;
  readonly write?: (line: string) => void;
}

/** Writes one line for each message to stderr: time, level, message, `key=value` … */
export function createLogger(options: LoggerOptions = {}): Logger {
  const { level = "info", machine = createSystemMachine() } = options;
  const { write = (line: string) => void process.stderr.write(line) } = options;
  const lowest = logLevels.indexOf(level);

  const at = (own: LogLevel) => {
    if (logLevels.indexOf(own) < lowest) return () => {};
    return (message: string, fields: LogFields = {}) => {
      const words = [new Date(machine.wall()).toISOString(), own.toUpperCase().padEnd(5), onOneLine(message)];
      for (const [key, value] of Object.entries(fields)) words.push(`${key}=${formatValue(value)}`);
      write(`${words.join(" ")}\n`);
    };
  };
  return { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}

/** Keeps quiet. For tests. */
export function createSilentLogger(): Logger {
  const ignore = () => {};
  return { debug: ignore, info: ignore, warn: ignore, error: ignore };
}

function onOneLine(text: string): string {
  return text.replaceAll(/\s*[\r\n]+\s*/g, " ");
}

function formatValue(value: LogFields[string]): string {
  if (typeof value === "string" && !/^[\w.:/@+-]+$/.test(value)) return JSON.stringify(value);
  return String(value);
}
