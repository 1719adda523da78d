import { useThrottledValue } from "@mantine/hooks";
import { type Query, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { z } from "zod";
import type { VerificationRun } from "#contract";
import { useApi } from "../../../bridge/index.ts";
import { hasWaiting } from "./result-pages.ts";

/** Between two looks at lines that wait, in milliseconds. */
const pace = 400;

export interface LiveResults {
  readonly batchId: string;
  /** Lines that have come to something. */
  readonly ended: number;
  readonly underWay: boolean;
  readonly verification: VerificationRun | null;
}

const stateSchema = z.object({ state: z.enum(["waiting", "answered", "failed", "skipped"]) });
const pageSchema = z.object({ rows: z.array(stateSchema) });

/**
 * Fetches what is in view again when the batch has gone on, as far as it still has lines that wait, and when verdicts have
 * come. Rows that come back the same stay the same objects, so that nothing flickers.
 */
export function useLiveResults({ batchId, ended, underWay, verification }: LiveResults): void {
  const api = useApi();
  const queryClient = useQueryClient();
  const news = useThrottledValue(`${ended} ${underWay}`, pace);
  const seen = useRef(news);
  useEffect(() => {
    if (seen.current === news) return;
    seen.current = news;
    void queryClient.invalidateQueries({
      queryKey: api.results.page.key({ input: { batchId } }),
      predicate: pageWaits,
    });
    void queryClient.invalidateQueries({
      queryKey: api.results.line.key({ input: { batchId } }),
      predicate: lineWaits,
    });
  }, [api, batchId, news, queryClient]);

  // A verdict may come for any line, and go when the verification is started over.
  const verdicts = useThrottledValue(verification === null ? "" : `${verification.done} ${verification.state}`, pace);
  const seenVerdicts = useRef(verdicts);
  useEffect(() => {
    if (seenVerdicts.current === verdicts) return;
    seenVerdicts.current = verdicts;
    void queryClient.invalidateQueries({ queryKey: api.results.page.key({ input: { batchId } }) });
    void queryClient.invalidateQueries({ queryKey: api.results.line.key({ input: { batchId } }) });
    void queryClient.invalidateQueries({ queryKey: api.verifications.line.key({ input: { batchId } }) });
  }, [api, batchId, verdicts, queryClient]);
}

function pageWaits({ state }: Query): boolean {
  const page = pageSchema.safeParse(state.data);
  return !page.success || hasWaiting(page.data.rows);
}

function lineWaits({ state }: Query): boolean {
  const line = stateSchema.safeParse(state.data);
  return !line.success || hasWaiting([line.data]);
}
