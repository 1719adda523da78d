/**
 * Node's own globals, as they are when the package is loaded. Test suites replace the global ones: fake timers stand still,
 * and the `AbortController` and `fetch` of happy-dom and jsdom don't fit Node's. The package's build puts these in place of the
 * global ones in each of its files, those of other packages included (`scripts/package/bundle.ts`). A page's environment is
 * set up before the package is loaded, so what it replaces comes from Node's modules.
 */
import buffers from "node:buffer";
import measuring from "node:perf_hooks";
import streams from "node:stream/web";
import timers from "node:timers";
import urls from "node:url";
import util from "node:util";
import workers from "node:worker_threads";
import { checkNode } from "./needed-node.ts";

// Before anything else of the package. An old Node finds out that a module lacks a name before any code of ours runs, so
// nothing is imported by name here.
checkNode();

const { Blob, File } = buffers;
const { ReadableStream, TransformStream, WritableStream } = streams;
const { clearImmediate, clearInterval, clearTimeout, setImmediate, setInterval, setTimeout } = timers;
const { URL, URLSearchParams } = urls;
const { TextDecoder, TextEncoder, transferableAbortController } = util;
const { MessageChannel } = workers;

const controller = transferableAbortController();
const AbortController = controller.constructor as typeof globalThis.AbortController;
const AbortSignal = controller.signal.constructor as typeof globalThis.AbortSignal;
const DOMException = AbortSignal.abort().reason.constructor as typeof globalThis.DOMException;
const { Date: SystemDate, queueMicrotask } = globalThis;
/** Sinon replaces the methods of the object itself. */
const performance = {
  now: measuring.performance.now.bind(measuring.performance),
  timeOrigin: measuring.performance.timeOrigin,
};

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
