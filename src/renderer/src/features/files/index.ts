export { FileInspector } from "./file-inspector.tsx";
export { type FilesHandle, FilesPage } from "./files-page.tsx";
export { type FilesSearch, filesSearchSchema } from "./search-params.ts";
