/** Whether node:fs says that there is no such file or folder, or that a folder on the way to it is none. */
export function isMissingFile(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}
