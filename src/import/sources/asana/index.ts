import { ImportProblem } from '../../problem.ts'
import type { ImportRecord } from '../../record.ts'
import type { Report, Source, SourceFile } from '../../source.ts'
import { beginningOf } from '../../text.ts'
import { stemOf } from '../shared/csv-values.ts'
import { RecordCollector } from '../shared/record-collector.ts'
import { asanaApi } from './api.ts'
import { asanaCsvOf, CsvProject, isAsanaCsv } from './csv.ts'
import { asanaFields } from './fields.ts'
import { ProjectReader, projectIn } from './json.ts'

const isCsv = ({ path }: SourceFile) => /\.csv$/i.test(path)
const isJson = ({ path }: SourceFile) => /\.json$/i.test(path)

const isAsanaJson = (text: string) =>
  /"resource_type"\s*:\s*"task"|"assignee_status"\s*:/.test(text) && /"(?:gid|id)"\s*:/.test(text)

async function detects(files: readonly SourceFile[]): Promise<boolean> {
  for (const file of files.slice(0, 3)) {
    if (!isCsv(file) && !isJson(file)) continue
    const text = await beginningOf(file)
    if (isCsv(file) ? isAsanaCsv(text) : isAsanaJson(text)) return true
  }
  return false
}

const TASK_URL = /^https:\/\/app\.asana\.com\/(?:0\/\d+\/|1\/.*\/task\/)(\d+)/

async function* read(files: readonly SourceFile[], report: Report): AsyncIterable<ImportRecord> {
  const file = files.find((one) => isJson(one) || isCsv(one))
  if (!file)
    throw new ImportProblem('There is no export of Asana', 'Export a project as JSON or CSV', {
      file: files[0]?.path,
    })
  for (const other of files)
    if (other !== file && !other.path.includes('attachments/'))
      report.lose(other.path, 'One project is imported at a time')
  yield* isJson(file) ? readJson(file, files, report) : readCsv(file, report)
}

async function* readJson(file: SourceFile, files: readonly SourceFile[], report: Report) {
  const project = await projectIn(file, report, stemOf(file.path))
  const { id, title, description } = project
  if (!project.tasks.length)
    throw new ImportProblem('There are no tasks in the file', 'Export the project as JSON again', {
      file: file.path,
      field: 'data',
    })
  const collector = new RecordCollector({ id: `asana:${id}`, title }, report)
  collector.taskOfLink = (url) => TASK_URL.exec(url)?.[1]
  const board = collector.board(id, title, {
    description: description.slice(0, 1_048_576) || undefined,
  })
  const attachments = new Map(
    files.flatMap((one) => {
      const gid = /attachments\/(\d+)\//.exec(one.path)?.[1]
      return gid ? [[gid, one] as const] : []
    }),
  )
  new ProjectReader(project, board, collector, report, attachments).read()
  yield* collector.records()
}

async function* readCsv(file: SourceFile, report: Report) {
  const csv = await asanaCsvOf(file)
  if (!csv.header.includes('Task ID') || !csv.header.includes('Name'))
    throw new ImportProblem(
      'The columns Task ID and Name are missing',
      'Export the project as CSV again; or import it with --from csv',
      { file: file.path, line: 1 },
    )
  const title = stemOf(file.path)
  const collector = new RecordCollector({ id: `asana:${title}`, title }, report)
  collector.taskOfLink = (url) => TASK_URL.exec(url)?.[1]
  new CsvProject(csv, collector.board(title, title), collector, report).read()
  yield* collector.records()
}

export const asana: Source = {
  name: 'asana',
  title: 'Asana',
  accepts:
    'A project exported as JSON or CSV, or its address on https://app.asana.com with ASANA_TOKEN',
  fields: asanaFields,
  detects,
  read,
  api: asanaApi,
}
