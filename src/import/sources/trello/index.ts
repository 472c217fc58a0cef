import { ImportProblem } from '../../problem.ts'
import type { Source, SourceFile } from '../../source.ts'
import { jsonOf } from '../../text.ts'
import { objectOf } from '../shared/json.ts'
import { onlyBoard } from '../shared/only-board.ts'
import { api } from './api.ts'
import { ATTACHMENTS } from './attachments.ts'
import { fields } from './fields.ts'
import { readBoard } from './read-board.ts'

export const trello: Source = {
  name: 'trello',
  title: 'Trello',
  accepts:
    'The JSON export of a board (board menu › Print, export, and share › Export as JSON), ' +
    'or the address of a board with TRELLO_TOKEN=KEY:TOKEN',
  inFolder: /(^|\/)[^/]+\.json$/i,
  fields,
  api,

  async detects(files) {
    for (const file of boardFiles(files)) if (await isBoard(file)) return true
    return false
  },

  async *read(files, report) {
    const remedy = 'Import the JSON export of one board at a time'
    const file = await onlyBoard(boardFiles(files), isBoard, remedy)
    const board = objectOf(await jsonOf(file))
    if (!Array.isArray(board.cards) || !Array.isArray(board.lists))
      throw new ImportProblem(
        'This is not the export of a Trello board: it has no cards and lists',
        'Export the board again, with "Export as JSON"',
        { file: file.path, field: Array.isArray(board.cards) ? 'lists' : 'cards' },
      )
    yield* readBoard(board, files, report)
  },
}

const boardFiles = (files: readonly SourceFile[]): SourceFile[] =>
  files.filter(({ path }) => /\.json$/i.test(path) && !path.startsWith(ATTACHMENTS))

const EDGE = 128 * 1024

/** The fields of the board, of which two name its address and workspace, are first or last. */
async function isBoard(file: SourceFile): Promise<boolean> {
  const bytes = await file.bytes()
  const decoder = new TextDecoder()
  const start = decoder.decode(bytes.subarray(0, EDGE))
  const edges = start + decoder.decode(bytes.subarray(-EDGE))
  return /^\s*\{/.test(start) && edges.includes('"idOrganization"') && edges.includes('trello.com/')
}
