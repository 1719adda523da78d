export { createLogger, createSilentLogger, type LogLevel, logLevels } from "./logger.ts";
