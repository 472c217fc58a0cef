import { ImportProblem } from '../../problem.ts'
import type { ImportRecord } from '../../record.ts'
import type { Report, Source, SourceFile } from '../../source.ts'
import { beginningOf, jsonOf } from '../../text.ts'
import type { BoardDraft } from '../shared/board-draft.ts'
import { stemOf } from '../shared/csv-values.ts'
import { stringOf } from '../shared/json.ts'
import { RecordCollector } from '../shared/record-collector.ts'
import { mstodoApi } from './api.ts'
import { mstodoFields } from './fields.ts'
import { groupAnnotations, listsIn } from './lists.ts'
import { addOutlookTasks, isOutlookCsv } from './outlook.ts'
import { addTask } from './tasks.ts'

const isCsv = ({ path }: SourceFile) => /\.csv$/i.test(path)
const isJson = ({ path }: SourceFile) => /\.json$/i.test(path)

async function detects(files: readonly SourceFile[]): Promise<boolean> {
  for (const file of files.slice(0, 5)) {
    if (!isCsv(file) && !isJson(file)) continue
    const text = await beginningOf(file)
    const isGraph = /"(?:wellknownListName|isReminderOn|checklistItems)"\s*:/.test(text)
    if (isCsv(file) ? isOutlookCsv(text) : isGraph && /"(?:title|displayName)"/.test(text))
      return true
  }
  return false
}

async function* read(files: readonly SourceFile[], report: Report): AsyncIterable<ImportRecord> {
  const named = files.filter((file) => isCsv(file) || isJson(file))
  const [first] = named
  if (!first)
    throw new ImportProblem(
      'There is no file of Microsoft To Do',
      'Save the lists as JSON or CSV',
      {
        file: files[0]?.path,
      },
    )
  const collector = new RecordCollector({ id: 'mstodo', title: 'Microsoft To Do' }, report)
  for (const file of named)
    if (isCsv(file)) {
      const board = boardOf(collector, stemOf(file.path), stemOf(file.path))
      await addOutlookTasks(file, board, collector, report)
    } else await addLists(file, collector, report)
  if (!collector.tasks.size)
    throw new ImportProblem('There are no tasks in the file', 'Save the lists with their tasks', {
      file: first.path,
    })
  yield* collector.records()
}

function boardOf(collector: RecordCollector, id: string, title: string): BoardDraft {
  const board = collector.board(id, title)
  for (const column of ['Not started', 'In progress']) board.column(column)
  return board
}

async function addLists(file: SourceFile, collector: RecordCollector, report: Report) {
  for (const { list, tasks } of listsIn(await jsonOf(file))) {
    const { tasks: _, ...plain } = list
    report.fields.add(groupAnnotations(plain), 'lists[]')
    const title = stringOf(list.displayName) || stemOf(file.path)
    const board = boardOf(collector, stringOf(list.id) || title, title)
    for (const task of tasks) addTask(task, board, collector, report)
  }
}

export const mstodo: Source = {
  name: 'mstodo',
  title: 'Microsoft To Do',
  accepts:
    'Lists saved from Microsoft Graph as JSON, tasks of Outlook as CSV, or https://to-do.office.com with MSTODO_TOKEN',
  fields: mstodoFields,
  detects,
  read,
  api: mstodoApi,
}
