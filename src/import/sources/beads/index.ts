import { ImportProblem } from '../../problem.ts'
import type { Board, ImportRecord } from '../../record.ts'
import type { Report, Source, SourceFile } from '../../source.ts'
import { textOf } from '../../text.ts'
import { customFields, describe, type Extras, noExtras } from '../shared/extras.ts'
import { isObject, stringOf } from '../shared/json.ts'
import { cut } from '../shared/limits.ts'
import { People } from '../shared/named-people.ts'
import { parentsFirst } from '../shared/task-levels.ts'
import { fields } from './fields.ts'
import { columnsOf, commentsOf, extrasOf, labelsOf, taskOf } from './issues.ts'
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
    const lines = (await textOf(file).catch(() => '')).split('\n', LINES_LOOKED_AT)
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
  yield { origin: { id: `beads:${prefix}`.slice(0, 500), title: cut(prefix, 500) || 'beads' } }
  const links = linksOf(issues, report)
  const extras = new Map<string, Extras>()
  for (const [id, issue] of issues) extras.set(id, extrasOf(issue, links.lines.get(id) ?? []))
  const board = boardOf(prefix, content, extras)
  const people = new People()
  const tasks: ImportRecord[] = []
  for (const [id, issue] of parentsFirst(issues, links.parents)) {
    const more = { extras: extras.get(id)!, board, parent: links.parents.get(id) }
    tasks.push({ task: taskOf(id, issue, more, people, report) })
    for (const comment of commentsOf(id, issue, people, report)) tasks.push({ comment })
  }
  for (const person of people.all()) yield { person }
  yield { board }
  yield* tasks
  for (const relation of links.relations) yield { relation }
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

function boardOf(
  prefix: string,
  { issues, memories }: Issues,
  extras: ReadonlyMap<string, Extras>,
): Board {
  const key = prefix.toUpperCase().replace(/[^A-Z0-9]/g, '')
  const labels = new Set([...issues.values()].flatMap(labelsOf))
  const about = noExtras()
  const lines = memories.map(
    ({ key: name, value }) => `- **${stringOf(name)}**: ${stringOf(value)}`,
  )
  if (lines.length) about.sections.push({ title: 'Memories', text: lines.join('\n') })
  return {
    id: prefix.slice(0, 500) || 'beads',
    title: cut(prefix, 200) || 'beads',
    ...(/^[A-Z][A-Z0-9]{1,9}$/.test(key) && { key }),
    description: cut(describe('', about), 1_000_000),
    columns: columnsOf(issues.values()),
    labels: [...labels].map((name) => ({ name })),
    fields: customFields(extras.values(), ['Type']),
  }
}
