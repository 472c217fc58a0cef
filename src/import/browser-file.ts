import { ImportProblem } from './problem.ts'
import type { SourceFile } from './source.ts'

/** A file that somebody chose in a browser. It can be deleted or changed before it is read. */
export const browserFile = (path: string, file: File): SourceFile => ({
  ...{ path, size: file.size },
  async bytes() {
    try {
      return new Uint8Array(await file.arrayBuffer())
    } catch {
      throw new ImportProblem('The file cannot be read any more', 'Choose it again', {
        file: path,
      })
    }
  },
})
