export { VerifyPage, type VerifyPageProps } from "./verify-page.tsx";
