import { ImportProblem } from '../../problem.ts'
import type { Source, SourceFile } from '../../source.ts'
import { jsonOf } from '../../text.ts'
import { listOf, objectOf } from '../shared/json.ts'
import { onlyBoard } from '../shared/only-board.ts'
import { api } from './api.ts'
import { ATTACHMENTS } from './attachments.ts'
import { fields } from './fields.ts'
import { readBoard } from './read-board.ts'

export const planka: Source = {
  name: 'planka',
  title: 'Planka',
  accepts:
    'The address of a board with PLANKA_TOKEN (an API key or access token), ' +
    'or the JSON that GET /api/boards/ID answers with',
  inFolder: /(^|\/)[^/]+\.json$/i,
  fields,
  api,

  async detects(files) {
    for (const file of boardFiles(files)) if (await isBoard(file)) return true
    return false
  },

  async *read(files, report) {
    const remedy = 'Import one board at a time'
    const file = await onlyBoard(boardFiles(files), isBoard, remedy)
    const document = objectOf(await jsonOf(file))
    if (!listOf(objectOf(document.included).lists).length)
      throw new ImportProblem(
        'This is not a board of Planka: it has no lists',
        'Import the address of the board, or the JSON of GET /api/boards/ID',
        { file: file.path, field: 'included.lists' },
      )
    yield* readBoard(document, files, report)
  },
}

const boardFiles = (files: readonly SourceFile[]): SourceFile[] =>
  files.filter(({ path }) => /\.json$/i.test(path) && !path.startsWith(ATTACHMENTS))

/** The whole text is searched: the order of the lists is not fixed. */
async function isBoard(file: SourceFile): Promise<boolean> {
  const text = new TextDecoder().decode(await file.bytes())
  return text.includes('"included"') && text.includes('"cardMemberships"')
}
