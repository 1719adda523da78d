export { VerifyPlace, type VerifyPlaceProps } from "./verify-place.tsx";
