import { ImportProblem } from '../../problem.ts'
import type { SourceFile } from '../../source.ts'

/** The file with a board. Without a recognized one it is the first, whose reader says why not. */
export async function onlyBoard(
  files: readonly SourceFile[],
  isBoard: (file: SourceFile) => Promise<boolean>,
  remedy: string,
): Promise<SourceFile> {
  const boards: SourceFile[] = []
  for (const file of files) if (await isBoard(file)) boards.push(file)
  const [file] = boards.length ? boards : files
  if (file && boards.length <= 1) return file
  throw new ImportProblem(
    file ? `There are ${boards.length} boards` : 'There is no JSON file',
    remedy,
    { file: boards[1]?.path },
  )
}
