import { useNavigate } from "@tanstack/react-router";
import { useCallback } from "react";
import { VerifyPage } from "../../features/verify/index.ts";
import { Place } from "../frame/place.tsx";

/** `/verify`. */
export function VerifyRoute() {
  const navigate = useNavigate();
  const openServer = useCallback(() => void navigate({ to: "/server" }), [navigate]);
  return (
    <Place title="Verify">
      <VerifyPage onOpenServer={openServer} />
    </Place>
  );
}
