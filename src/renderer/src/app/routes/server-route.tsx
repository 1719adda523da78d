import { ServerPage } from "../../features/server/index.ts";
import { Page } from "../shell/page.tsx";

/** `/server`. */
export function ServerRoute() {
  return (
    <Page title="Server">
      <ServerPage />
    </Page>
  );
}
