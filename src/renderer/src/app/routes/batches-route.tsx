import { Place } from "../frame/place.tsx";

/** `/batches`. */
export function BatchesRoute() {
  return <Place title="Batches" />;
}
