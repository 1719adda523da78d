export { BuildPlace, type BuildPlaceProps } from "./build-place.tsx";
