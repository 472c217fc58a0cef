import { parseCsv } from '../../csv.ts'
import { ImportProblem } from '../../problem.ts'
import type { SourceFile } from '../../source.ts'
import { beginningOf } from '../../text.ts'

const FIRST_LINE = /^\s*(?:"(?:[^"]|"")*"|[^"\r\n])*/

/** The names of the columns, without parsing the rows; empty if the file is not CSV. */
export async function headerOf(file: SourceFile): Promise<string[]> {
  try {
    const text = (await beginningOf(file)).slice(0, 1_000_000)
    return parseCsv(FIRST_LINE.exec(text)![0], file.path).header
  } catch (error) {
    if (!(error instanceof ImportProblem)) throw error
    return []
  }
}
