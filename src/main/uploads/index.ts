export { createFileUploads, type FileUploads } from "./file-uploads.ts";
