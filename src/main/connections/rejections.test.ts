import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import type { Connections, LineTarget, RemoteDriver, RemoteJob } from "#main/base";
import type { ServiceOptions } from "#main/service";
import { createTestFolder, submitQuestions, type TestFolder, until } from "./testing/open-service.ts";
import { type AnyService, services } from "./testing/services.ts";

/*
 * Each port of the service fails once while a batch runs. That costs the batch an attempt, or a line its answer, and nothing
 * else: other batches continue, and the process with them.
 */

const key = "sk-0123456789abcdef";
const questions = ["one?", "two?", "three?", "four?"];
let folder: TestFolder;
beforeAll(async () => {
  folder = await createTestFolder();
});
afterAll(() => folder.remove());

/** Makes a method of a port fail at its next call, of those with `argument` first where that is given. */
type Break = <Port extends object>(port: Port, method: keyof Port, argument?: unknown) => Port;
type Ports = Parameters<NonNullable<Parameters<TestFolder["open"]>[0]>>[0];

const changeTarget = (
  { connections }: Ports,
  change: (target: LineTarget) => LineTarget,
): { connections: Connections } => {
  const open: Connections["open"] = async (...asked) => {
    const target = await connections.open(...asked);
    return target && change(target);
  };
  return { connections: { ...connections, open } };
};
const changeDriver = (ports: Ports, change: (driver: RemoteDriver) => Partial<RemoteDriver>) =>
  changeTarget(ports, (target) =>
    target.kind === "remote" ? { ...target, driver: { ...target.driver, ...change(target.driver) } } : target,
  );
const changeJob = (ports: Ports, change: (job: RemoteJob) => RemoteJob) =>
  changeDriver(ports, ({ run }) => ({ run: (job) => run(change(job)) }));

/** What fails, at which kind of service, and what fails for it: so many lines, or the batch. */
const failures: Record<
  string,
  {
    at: keyof typeof services;
    breaks: (ports: Ports, fail: Break) => Partial<ServiceOptions>;
    lines?: number;
    isRejected?: true;
    asks?: readonly string[];
  }
> = {
  "the opening of the connection": {
    at: "chat",
    breaks: ({ connections }, fail) => ({ connections: fail(connections, "open") }),
  },
  "what distinguishes its requests": {
    at: "chat",
    breaks: ({ connections }, fail) => ({ connections: fail(connections, "identify") }),
  },
  "the list of other folders": {
    at: "chat",
    breaks: (_, fail) => fail({ archives: async () => [] }, "archives"),
  },
  "the thread that checks input": {
    at: "chat",
    // A file at which the thread dies would have it die again.
    isRejected: true,
    // A small file is checked without it.
    asks: questions.map((question) => question.padStart(70_000)),
    breaks: ({ validation }, fail) => ({ validation: fail(validation, "client") }),
  },
  "a new id": { at: "chat", breaks: ({ ids }, fail) => ({ ids: fail(ids, "create", "request") }) },
  "the engine of the connection": {
    at: "chat",
    lines: 1,
    breaks: (ports, fail) => {
      let engine: (LineTarget & { kind: "engine" })["engine"] | null = null;
      return changeTarget(ports, (target) => {
        if (target.kind === "remote") return target;
        engine ??= fail(target.engine, "complete");
        return { ...target, engine };
      });
    },
  },
  "a request's check for the service": {
    at: "openai",
    breaks: (ports, fail) => {
      let check: RemoteDriver["check"] | null = null;
      return changeDriver(ports, (driver) => {
        check ??= fail(driver, "check").check;
        return { check };
      });
    },
  },
};
for (const method of ["readLines", "keepParts", "showParts", "stored", "answer", "drained", "wait"] as const) {
  failures[`${method} of the job at a batch service`] = {
    at: "openai",
    breaks: (ports, fail) => {
      let isBroken = false;
      return changeJob(ports, (job) => {
        if (isBroken) return job;
        isBroken = true;
        return fail(job, method);
      });
    },
  };
}

it.each(Object.entries(failures))("%s may reject once", async (name, failure) => {
  const { at, breaks, lines = 0, isRejected, asks = questions } = failure;
  const unhandled: unknown[] = [];
  const note = (error: unknown) => void unhandled.push(error);
  process.on("unhandledRejection", note).on("uncaughtException", note);
  let isRunning = false;
  let hasFailed = false;
  const fail: Break = (port, method, argument) =>
    new Proxy(port, {
      get(target, property, receiver) {
        const value = Reflect.get(target, property, receiver);
        if (property !== method || typeof value !== "function") return value;
        return (...given: unknown[]) => {
          const isMeant = argument === undefined || given[0] === argument;
          if (!isRunning || hasFailed || !isMeant) return Reflect.apply(value, target, given);
          hasFailed = true;
          throw new Error(`${name} fails.`);
        };
      },
    });
  const service = await folder.open((ports) => ({ ...ports, ...breaks(ports, fail) }));
  const standIn: AnyService = await services[at](key);
  onTestFinished(async () => {
    await service.stop();
    await standIn.close();
    process.off("unhandledRejection", note).off("uncaughtException", note);
  });
  const { url, adapter, preset } = standIn;
  const connection = await folder.store.save({ name, adapter, preset, url, concurrency: 2 }, key);
  const submitting = submitQuestions(service, connection.id, asks, { reuse: true });
  isRunning = true;
  const { id } = await submitting;
  if (at !== "chat") {
    await until(() => standIn.batches.length > 0, `${name}: created`);
    standIn.end();
  }
  const { status, counts, waiting } = await service.batches.settled(id);
  expect(hasFailed).toBe(true);
  const total = isRejected ? 0 : questions.length;
  expect({ status, counts, waiting }).toEqual({
    status: isRejected ? "failed" : "completed",
    counts: { total, completed: total - lines, failed: lines },
    waiting: null,
  });
  expect(standIn.batches.length).toBeLessThanOrEqual(1);
  expect(unhandled).toEqual([]);
});

it("shows why a batch can't continue, for as long as that is so", async () => {
  let isBroken = true;
  const service = await folder.open((ports) => {
    const { connections } = ports;
    const open: Connections["open"] = async (...asked) => {
      if (isBroken) throw new Error("The connections can't be read.");
      return await connections.open(...asked);
    };
    return { ...ports, connections: { ...connections, open } };
  });
  const standIn = await services.chat(key);
  onTestFinished(async () => {
    await service.stop();
    await standIn.close();
  });
  const { url, adapter, preset } = standIn;
  const connection = await folder.store.save({ name: "Broken", adapter, preset, url }, key);
  const { id } = await submitQuestions(service, connection.id, questions);
  const readWaiting = () => service.batches.get(id)?.waiting ?? null;
  await until(() => readWaiting() !== null, "A reason");
  expect(readWaiting()).toBe("The batch can't continue: The connections can't be read. Sheaf tries again by itself.");
  isBroken = false;
  expect(await service.batches.settled(id)).toMatchObject({ status: "completed", waiting: null });
});
