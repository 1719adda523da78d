import type { ServerResponse } from "node:http";
import type { Machine } from "#main/base";
import { type Reply, send } from "../stand-in.ts";
import type { Batch, WrittenRow } from "./batches.ts";
import type { Download } from "./behaviour.ts";
import { sendHalf } from "./calls.ts";
import { fail } from "./kinds.ts";
import type { Protocol, ResultFile } from "./protocol.ts";

interface DownloadDeps {
  readonly protocol: Protocol;
  readonly machine: Pick<Machine, "sleep">;
  readRows(batch: Batch, file: ResultFile, read: number): WrittenRow[];
}

const type = "application/jsonl";

/** Answers downloads of results: whole, cut, empty, short, slow or not at all. */
export function createDownloads({ protocol, machine, readRows }: DownloadDeps) {
  return (batch: Batch, file: ResultFile): Reply => {
    const count = batch.downloads[file];
    const { downloads = ["whole"] } = batch.behaviour;
    const way: Download = downloads[Math.min(count.tried++, downloads.length - 1)] ?? "whole";
    if (typeof way === "number") return fail(protocol.family, way, "No such file.");
    if (way === "hang") return () => {};
    if (way === "empty") return { headers: { "content-type": type }, body: "" };
    const rows = readRows(batch, file, count.whole);
    const half = rows.slice(0, Math.floor(rows.length / 2));
    if (way === "cut in a line" || way === "cut at a line") {
      const length = write(half).length + (way === "cut in a line" ? 20 : 0);
      return (response) => sendHalf(response, type, write(rows), length);
    }
    const shown = way === "short" ? half : rows;
    return (response) => {
      response.on("finish", () => {
        if (way !== "short") count.whole++;
        for (const { answer } of shown) if (answer !== null) batch.handedOut.add(answer);
      });
      if (way === "slow") void sendSlowly(response, shown);
      else send(response, { headers: { "content-type": type }, body: write(shown) });
    };
  };

  /** Sends a line every ten seconds of the machine. */
  async function sendSlowly(response: ServerResponse, rows: readonly WrittenRow[]): Promise<void> {
    response.writeHead(200, { "content-type": type });
    response.flushHeaders();
    for (const row of rows) {
      await machine.sleep(10_000);
      if (response.destroyed) return;
      response.write(write([row]));
    }
    response.end();
  }
}

const write = (rows: readonly WrittenRow[]): string => rows.map(({ text }) => `${text}\n`).join("");
