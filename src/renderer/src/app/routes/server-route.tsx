import { ServerPlace } from "../../features/server/index.ts";
import { Place } from "../frame/place.tsx";

/** `/server`. */
export function ServerRoute() {
  return (
    <Place title="Server">
      <ServerPlace />
    </Place>
  );
}
