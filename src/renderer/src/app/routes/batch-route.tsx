import { Place } from "../frame/place.tsx";

/** `/batches/<batch>`. */
export function BatchRoute() {
  return <Place title="Batch" />;
}
