import { type RegisteredRouter, useNavigate } from "@tanstack/react-router";
import { useCallback } from "react";

/** Changes some of what the address of the place says of it, in place of the address before. */
export function useSearchChange<Search extends object>(from: keyof RegisteredRouter["routesByPath"]) {
  const navigate = useNavigate({ from });
  return useCallback(
    (changed: Partial<Search>) =>
      void navigate({ to: ".", search: (before: object) => ({ ...before, ...changed }), replace: true }),
    [navigate],
  );
}
