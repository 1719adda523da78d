import { useNavigate } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { type BatchView, finalStatuses } from "#contract";
import { describeLines, lookOfBatch } from "../../features/batches/index.ts";
import { useBatches } from "../../queries/batch-queries.ts";
import { useEndNotices } from "../../state/end-notices.ts";

/**
 * Notifies of each batch that ends while the window is not in front, if that is turned on in Settings. The desktop
 * app's main process does it there.
 */
export function useEndNoticesOfBrowser(): void {
  const { batches } = useBatches();
  const isOn = useEndNotices((state) => state.isOn);
  const navigate = useNavigate();
  const underWay = useRef<ReadonlySet<string>>(new Set());
  useEffect(() => {
    const before = underWay.current;
    underWay.current = new Set(batches.filter(({ status }) => !finalStatuses.has(status)).map(({ id }) => id));
    if (!isOn || document.hasFocus() || !("Notification" in window) || Notification.permission !== "granted") return;
    const tell = (batch: BatchView) => {
      const { id, name } = batch;
      const notice = new Notification(`“${name}”: ${lookOfBatch(batch).word}`, { body: describeLines(batch), tag: id });
      notice.onclick = () => {
        window.focus();
        void navigate({ to: "/batches/$batchId", params: { batchId: id } });
      };
    };
    batches.filter(({ id, status }) => before.has(id) && finalStatuses.has(status)).forEach(tell);
  }, [batches, isOn, navigate]);
}
