import { createORPCClient } from "@orpc/client";
import { RPCLink } from "@orpc/client/message-port";
import { EventPublisher, implement } from "@orpc/server";
import { RPCHandler } from "@orpc/server/message-port";
import { createTanstackQueryUtils } from "@orpc/tanstack-query";
import { InfiniteQueryObserver, QueryClient } from "@tanstack/react-query";
import { afterEach, expect, test, vi } from "vitest";
import { type BatchView, rpcContract } from "#contract";
import type { Rpc } from "../../bridge/index.ts";
import { batchListOptions } from "./batch-queries.ts";
import { makeBatch } from "./testing/make-batch.ts";
import { watchBatches } from "./watch-batches.ts";

const os = implement(rpcContract.batches);
const cleanUps: (() => void)[] = [];
afterEach(() => {
  for (const cleanUp of cleanUps.splice(0)) cleanUp();
});

/** A service with some batches, behind a real MessagePort, and a page that watches it. */
async function startWatching(batches: BatchView[]) {
  const changes = new EventPublisher<{ batch: BatchView }>();
  const watch = { streams: 0, breakNext: false };
  const router = {
    list: os.list.handler(() => ({ batches: [...batches], hasMore: false })),
    watch: os.watch.handler(async function* ({ signal }) {
      watch.streams += 1;
      for await (const batch of changes.subscribe("batch", signal ? { signal } : {})) {
        if (watch.breakNext) return;
        yield batch;
      }
    }),
  };
  const { port1, port2 } = new MessageChannel();
  new RPCHandler({ batches: router }).upgrade(port1);
  const rpc: Pick<Rpc, "batches"> = createORPCClient(new RPCLink({ port: port2 }));
  port1.start();
  port2.start();

  const api = createTanstackQueryUtils(rpc);
  const queryClient = new QueryClient();
  const list = batchListOptions(api);
  const onScreen = new InfiniteQueryObserver(queryClient, list).subscribe(() => {});
  const end = new AbortController();
  const watching = watchBatches({ rpc, api }, queryClient, end.signal);
  cleanUps.push(() => {
    end.abort();
    onScreen();
    port1.close();
    queryClient.clear();
  });
  const names = () =>
    queryClient.getQueryData(list.queryKey)?.pages.flatMap((page) => page.batches.map(({ name }) => name));
  await vi.waitFor(() => expect(watch.streams).toBe(1));
  return { changes, watch, names, watching, end };
}

test("a change of a batch shows in the list as it happens", async () => {
  const { changes, names } = await startWatching([makeBatch({ id: "a", name: "first" })]);
  await vi.waitFor(() => {
    changes.publish("batch", makeBatch({ id: "b", name: "second" }));
    expect(names()).toEqual(["second", "first"]);
  });
});

test("when the stream breaks it is asked for again, and the list is fetched anew", async () => {
  const batches = [makeBatch({ id: "a", name: "first" })];
  const { changes, watch, names } = await startWatching(batches);
  batches.unshift(makeBatch({ id: "b", name: "made meanwhile" }));
  watch.breakNext = true;
  changes.publish("batch", makeBatch({ id: "a", name: "lost" }));
  await vi.waitFor(() => expect(watch.streams).toBe(2), { timeout: 5_000 });
  watch.breakNext = false;
  changes.publish("batch", makeBatch({ id: "a", name: "changed" }));
  await vi.waitFor(() => expect(names()).toEqual(["made meanwhile", "changed"]));
});

test("it ends when it is told to", async () => {
  const { watching, end } = await startWatching([]);
  end.abort();
  await expect(watching).resolves.toBeUndefined();
});
