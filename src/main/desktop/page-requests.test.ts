import { expect, it } from "vitest";
import type { PageRequest } from "#contract";
import { createPageRequests } from "./page-requests.ts";

const batch = (id: string): PageRequest => ({ kind: "show_batch", id });

it("keeps requests for the page that comes, and hands over each once, in order", async () => {
  const requests = createPageRequests();
  requests.add(batch("b1"));
  requests.add(batch("b2"));
  const taken = requests.take();
  expect((await taken.next()).value).toEqual(batch("b1"));
  expect((await taken.next()).value).toEqual(batch("b2"));
  const third = taken.next();
  requests.add(batch("b3"));
  expect((await third).value).toEqual(batch("b3"));
});

it("ends with the page, and gives what that one did not take to the next", async () => {
  const requests = createPageRequests();
  const first = requests.take();
  const waiting = first.next();
  const second = requests.take();
  const next = second.next();
  expect((await waiting).done).toBe(true);
  requests.add(batch("b1"));
  expect((await next).value).toEqual(batch("b1"));
  const end = new AbortController();
  const third = requests.take(end.signal);
  // The second page was gone before it asked for more: it may not have got the request.
  expect((await third.next()).value).toEqual(batch("b1"));
  const last = third.next();
  end.abort();
  expect((await last).done).toBe(true);
});

it("keeps the latest of more than anybody asks for", async () => {
  const requests = createPageRequests();
  for (let number = 1; number <= 150; number++) requests.add(batch(`b${number}`));
  expect((await requests.take().next()).value).toEqual(batch("b51"));
});
