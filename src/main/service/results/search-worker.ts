import { os, type RouterClient } from "@orpc/server";
import { z } from "zod";
import { serveWorker } from "../io/index.ts";
import { scanMatches } from "./scan-matches.ts";

const router = {
  /** Where the lines of a file start that hold a text, as it is read. */
  search: os
    .input(z.object({ path: z.string(), text: z.string() }))
    .handler(({ input: { path, text }, signal }) => scanMatches(path, text, signal)),
};

/** What the thread that searches results can be asked. */
export type SearchClient = RouterClient<typeof router>;

serveWorker(router);
