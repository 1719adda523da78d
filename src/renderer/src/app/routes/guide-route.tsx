import { useNavigate, useSearch } from "@tanstack/react-router";
import { GuidePage } from "../../features/guide/index.ts";
import { Page } from "../shell/page.tsx";

/** `/guide`. */
export function GuideRoute() {
  const search = useSearch({ from: "/guide" });
  const navigate = useNavigate();
  return (
    <Page title="Guide">
      <GuidePage
        search={search}
        onChange={(changed) => {
          const isTyping = changed.page === search.page && changed.section === search.section;
          void navigate({ to: "/guide", search: changed, replace: isTyping });
        }}
      />
    </Page>
  );
}
