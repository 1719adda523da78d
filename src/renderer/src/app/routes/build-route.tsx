import { useNavigate, useParams } from "@tanstack/react-router";
import { BuildPlace } from "../../features/build/index.ts";
import { Place } from "../frame/place.tsx";

/** `/build` and `/build/<draft>`. */
export function BuildRoute() {
  const { draftId } = useParams({ from: "/build/{-$draftId}" });
  const navigate = useNavigate();
  return (
    <Place title="Build">
      <BuildPlace
        draftId={draftId ?? null}
        onOpenDraft={(id, { replace = false } = {}) =>
          void navigate({ to: "/build/{-$draftId}", params: { draftId: id }, replace })
        }
        onOpenBatch={(batchId) => void navigate({ to: "/batches/$batchId", params: { batchId } })}
      />
    </Place>
  );
}
