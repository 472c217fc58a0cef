import { ImportProblem } from '../../problem.ts'
import type { ImportRecord } from '../../record.ts'
import type { Report, Source, SourceFile } from '../../source.ts'
import { beginningOf } from '../../text.ts'
import { describe, noExtras } from '../shared/extras.ts'
import { isObject, stringOf } from '../shared/json.ts'
import { RecordCollector } from '../shared/record-collector.ts'
import { cut } from '../shared/task-limits.ts'
import { fields } from './fields.ts'
import { addIssue, columnsOf, extrasOf } from './issues.ts'
import { type Issues, prefixOf, readIssues } from './lines.ts'
import { linksOf } from './links.ts'

export const beads: Source = {
  name: 'beads',
  title: 'beads',
  accepts: 'A repository with beads, or its file .beads/issues.jsonl (written by "bd export")',
  inFolder: /(^|\/)\.beads\/(issues|beads)\.jsonl$|^(issues|beads)\.jsonl$/,
  fields,
  detects,
  read,
}

const LINES_LOOKED_AT = 1000

async function detects(files: readonly SourceFile[]): Promise<boolean> {
  for (const file of files.filter(({ path }) => path.endsWith('.jsonl'))) {
    const isOurs = /(^|\/)\.beads\//.test(file.path)
    const names = isOurs ? ['id', 'title'] : ['id', 'title', 'status', 'priority', 'created_at']
    const lines = (await beginningOf(file)).split('\n', LINES_LOOKED_AT)
    if (lines.some((line) => hasNames(line, names))) return true
    if (isOurs && lines.some((line) => line.startsWith('<<<<<<< '))) return true
  }
  return false
}

function hasNames(line: string, names: readonly string[]): boolean {
  try {
    const issue: unknown = JSON.parse(line)
    return isObject(issue) && names.every((name) => name in issue)
  } catch {
    return false
  }
}

async function* read(files: readonly SourceFile[], report: Report): AsyncGenerator<ImportRecord> {
  const content = await readIssues(currentFiles(files, report), report)
  const { issues } = content
  if (!issues.size) throw noIssues(files)
  const prefix = prefixOf(issues.keys())
  const origin = { id: `beads:${prefix}`, title: prefix || 'beads' }
  const records = new RecordCollector(origin, report)
  const board = addBoard(prefix, content, records)
  const links = linksOf(issues, report)
  for (const [id, issue] of issues) {
    const extras = extrasOf(issue, links.lines.get(id) ?? [])
    addIssue(id, issue, { extras, board, parent: links.parents.get(id) }, records)
  }
  for (const { kind, first, second } of links.relations) records.relation(kind, first, second)
  yield* records.records()
}

const noIssues = (files: readonly SourceFile[]) =>
  new ImportProblem(
    'There are no issues of beads',
    'Write them with "bd export -o .beads/issues.jsonl", then import that file',
    { file: files[0]?.path },
  )

/** Older versions called the file beads.jsonl; it stays there when a newer one writes the other. */
function currentFiles(files: readonly SourceFile[], report: Report): readonly SourceFile[] {
  const paths = new Set(files.map(({ path }) => path))
  return files.filter(({ path }) => {
    const isOld = path.endsWith('beads.jsonl')
    const isCurrent = !isOld || !paths.has(path.replace(/beads\.jsonl$/, 'issues.jsonl'))
    if (!isCurrent) report.lose(path, 'It is older than issues.jsonl')
    return isCurrent
  })
}

/** Returns the id of the board. */
function addBoard(prefix: string, { issues, memories }: Issues, records: RecordCollector): string {
  const key = prefix.toUpperCase().replace(/[^A-Z0-9]/g, '')
  const about = noExtras()
  const lines = memories.map(
    ({ key: name, value }) => `- **${stringOf(name)}**: ${stringOf(value)}`,
  )
  if (lines.length) about.sections.push({ title: 'Memories', text: lines.join('\n') })
  const board = records.board(prefix || 'beads', prefix || 'beads', {
    key: /^[A-Z][A-Z0-9]{1,9}$/.test(key) ? key : undefined,
    description: cut(describe('', about), 1_000_000),
  })
  for (const { title, ...column } of columnsOf(issues.values())) board.column(title, column)
  return board.id
}
