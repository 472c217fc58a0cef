import { parseCsv } from '../../csv.ts'
import { ImportProblem } from '../../problem.ts'
import type { ImportRecord } from '../../record.ts'
import type { Report, Source, SourceFile } from '../../source.ts'
import { beginningOf, textOf } from '../../text.ts'
import { RecordCollector } from '../shared/record-collector.ts'
import { todoistApi } from './api.ts'
import { isTodoistHeader, projectOf, readCsv } from './csv.ts'
import { todoistFields } from './fields.ts'
import { readSync } from './sync.ts'

const isCsv = ({ path }: SourceFile) => /\.csv$/i.test(path)
const isJson = ({ path }: SourceFile) => /\.json$/i.test(path)

async function headerOf(file: SourceFile): Promise<string[]> {
  const [line = ''] = (await textOf(file)).trimStart().split(/\r?\n/, 1)
  return line ? parseCsv(line, file.path).header : []
}

async function isTodoistFile(file: SourceFile): Promise<boolean> {
  if (isCsv(file)) return isTodoistHeader(await headerOf(file))
  if (!isJson(file)) return false
  const text = await beginningOf(file)
  const isSync =
    /"(?:projects|items|tasks)"\s*:/.test(text) && /"section_id"|"child_order"/.test(text)
  return /"content"\s*:/.test(text) && (isSync || /todoist\.com/.test(text))
}

async function detects(files: readonly SourceFile[]): Promise<boolean> {
  for (const file of files.filter((one) => isCsv(one) || isJson(one)).slice(0, 5))
    if (await isTodoistFile(file)) return true
  return false
}

/** Relative dates such as "in 5 days" count from `today`. */
export async function* readTodoist(
  files: readonly SourceFile[],
  report: Report,
  today: string,
): AsyncIterable<ImportRecord> {
  const named = files.filter((file) => isCsv(file) || isJson(file))
  if (!named.length)
    throw new ImportProblem('There is no CSV file of Todoist', 'Export a project as CSV', {
      file: files[0]?.path,
    })
  const [first] = named
  const origin =
    named.length === 1 && isCsv(first!)
      ? { id: `todoist:${projectOf(first!).id}`, title: projectOf(first!).title }
      : { id: 'todoist', title: 'Todoist' }
  const collector = new RecordCollector(origin, report)
  for (const file of named)
    if (isJson(file)) await readSync(file, collector, report)
    else if (isTodoistHeader(await headerOf(file))) await readCsv(file, collector, report, today)
    else if (named.length > 1) report.lose(file.path, 'It is not a file of Todoist')
    else throw notTodoist(file)
  yield* collector.records()
}

const notTodoist = (file: SourceFile) =>
  new ImportProblem(
    'The columns TYPE, CONTENT, PRIORITY and INDENT are missing',
    'Export the project again, as a CSV template; or import it with --from csv',
    { file: file.path, line: 1 },
  )

export const todoist: Source = {
  name: 'todoist',
  title: 'Todoist',
  accepts:
    'A project exported as a CSV template, a backup (zip), or https://app.todoist.com with TODOIST_TOKEN',
  inFolder: /\.csv$/i,
  fields: todoistFields,
  detects,
  read: (files, report) => readTodoist(files, report, new Date().toISOString().slice(0, 10)),
  api: todoistApi,
}
