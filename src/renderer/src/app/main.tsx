// First: what it sets must be there before any schema is made.
import "./configure-zod.ts";

import "./theme/index.ts";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { createBridge, createQueryClient, readCspNonce } from "../bridge/index.ts";
import { App } from "./app.tsx";
import { applyThemeEarly } from "./theme/apply-theme-early.ts";

applyThemeEarly(document, localStorage);

const bridge = createBridge(window);
const queryClient = createQueryClient(bridge.connection);
const root = document.getElementById("root");

if (root) {
  createRoot(root).render(
    <StrictMode>
      <App bridge={bridge} queryClient={queryClient} nonce={readCspNonce(document)} />
    </StrictMode>,
  );
}
