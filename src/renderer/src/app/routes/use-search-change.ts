import { type RegisteredRouter, useNavigate } from "@tanstack/react-router";
import { useCallback } from "react";

/** Changes some search parameters of the address, and replaces the entry in the history. */
export function useSearchChange<Search extends object>(from: keyof RegisteredRouter["routesByPath"]) {
  const navigate = useNavigate({ from });
  return useCallback(
    (changed: Partial<Search>) =>
      void navigate({ to: ".", search: (before: object) => ({ ...before, ...changed }), replace: true }),
    [navigate],
  );
}
