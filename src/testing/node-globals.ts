/**
 * Node's own globals, as they are when the package is loaded. Test suites replace the global ones: fake timers stand still,
 * and the `AbortController` and `fetch` of happy-dom and jsdom don't fit Node's. The package's build puts these in place of the
 * global ones in each of its files, those of other packages included (`scripts/package/bundle.ts`). A page's environment is
 * set up before the package is loaded, so what it replaces comes from Node's modules.
 */
import { Blob, File } from "node:buffer";
import { performance as measuring } from "node:perf_hooks";
import { ReadableStream, TransformStream, WritableStream } from "node:stream/web";
import { clearImmediate, clearInterval, clearTimeout, setImmediate, setInterval, setTimeout } from "node:timers";
import { URL, URLSearchParams } from "node:url";
import { TextDecoder, TextEncoder, transferableAbortController } from "node:util";
import { MessageChannel } from "node:worker_threads";

const controller = transferableAbortController();
const AbortController = controller.constructor as typeof globalThis.AbortController;
const AbortSignal = controller.signal.constructor as typeof globalThis.AbortSignal;
const DOMException = AbortSignal.abort().reason.constructor as typeof globalThis.DOMException;
const { Date: SystemDate, queueMicrotask } = globalThis;
/** Sinon replaces the methods of the object itself. */
const performance = { now: measuring.now.bind(measuring), timeOrigin: measuring.timeOrigin };

export {
  AbortController,
  AbortSignal,
  Blob,
  clearImmediate,
  clearInterval,
  clearTimeout,
  DOMException,
  File,
  MessageChannel,
  performance,
  queueMicrotask,
  ReadableStream,
  SystemDate as Date,
  setImmediate,
  setInterval,
  setTimeout,
  TextDecoder,
  TextEncoder,
  TransformStream,
  URL,
  URLSearchParams,
  WritableStream,
};
