import { useNavigate } from "@tanstack/react-router";
import { useCallback } from "react";
import { VerifyPage } from "../../features/verify/index.ts";
import { Page } from "../shell/page.tsx";

/** `/verify`. */
export function VerifyRoute() {
  const navigate = useNavigate();
  const openServer = useCallback(() => void navigate({ to: "/server" }), [navigate]);
  return (
    <Page title="Verify">
      <VerifyPage onOpenServer={openServer} />
    </Page>
  );
}
