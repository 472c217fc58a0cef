import { ImportProblem } from '../../problem.ts'

/** Refuses a text with an unresolved merge conflict of git. */
export function refuseConflict(text: string, path: string): void {
  const marker = /^<{7} .*$/m.exec(text)
  if (!marker || !/^>{7} /m.test(text)) return
  throw new ImportProblem(
    'The file has an unresolved merge conflict of git',
    'Resolve it with "git mergetool" or an editor, then import the file again',
    { file: path, line: text.slice(0, marker.index).split('\n').length },
  )
}
