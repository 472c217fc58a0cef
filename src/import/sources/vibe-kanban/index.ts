import { ImportProblem } from '../../problem.ts'
import type { Board, ImportRecord } from '../../record.ts'
import type { Report, Source, SourceFile } from '../../source.ts'
import { BoardFields } from '../shared/board-fields.ts'
import { shorten } from '../shared/names.ts'
import { nestTasks } from '../shared/task-nesting.ts'
import { attachmentsOf } from './attachments.ts'
import { columnsOf } from './columns.ts'
import { type Export, fileOf, MANIFEST, readExport } from './export-files.ts'
import { fields } from './fields.ts'
import { DEFAULT_PROJECT, DEFAULT_STATUS, IssueIndex, identify, readIssue } from './issues.ts'
import { People } from './people.ts'

export const vibeKanban: Source = {
  name: 'vibekanban',
  title: 'Vibe Kanban',
  accepts: 'The archive that Vibe Kanban exports (vibe-kanban-export-….zip), or its vk-export.json',
  inFolder: /(^|\/)((issues|projects|users|attachments)\.csv|vk-export\.json|attachments\/.+)$/,
  fields,

  async detects(files) {
    if (await databaseOf(files)) return true
    const manifest = fileOf(files, MANIFEST)
    if (manifest && (await startOf(manifest)).includes('vibe-kanban')) return true
    const issues = fileOf(files, 'issues.csv')
    return issues !== undefined && /^\W*Issue ID"?,"?Title/.test(await startOf(issues))
  },

  async *read(files, report) {
    const database = await databaseOf(files)
    if (database)
      throw new ImportProblem(
        'This is the database of Vibe Kanban, which cannot be read directly',
        'Sign in to Vibe Kanban, migrate the projects, and import the archive that it exports',
        { file: database.path },
      )
    yield* readProjects(await readExport(files, report), report)
  },
}

const startOf = async (file: SourceFile): Promise<string> =>
  new TextDecoder().decode((await file.bytes()).subarray(0, 1024))

async function databaseOf(files: readonly SourceFile[]): Promise<SourceFile | undefined> {
  const [file] = files
  if (files.length !== 1 || !file || !/\.(sqlite3?|db)$/i.test(file.path)) return undefined
  const text = new TextDecoder('latin1').decode((await file.bytes()).subarray(0, 1024 * 1024))
  return text.startsWith('SQLite format 3') && text.includes('task_attempts') ? file : undefined
}

async function* readProjects(data: Export, report: Report): AsyncIterable<ImportRecord> {
  const prefix = prefixOf(data)
  const rows = data.issues.filter((row) => row.Title || row['Issue ID'])
  const issues = identify(rows)
  const index = new IssueIndex(issues)
  const people = new People(data.users, rows)
  const name = prefix ? `vibe-kanban:${prefix}` : 'vibe-kanban'
  yield { origin: { id: name, title: prefix ? `Vibe Kanban ${prefix}` : 'Vibe Kanban' } }
  for (const person of people.list) yield { person }

  const byProject = Map.groupBy(issues, ({ project }) => project)
  const projects = new Set([...data.projects.filter(Boolean), ...byProject.keys()])
  const tasks = []
  for (const project of projects) {
    const own = byProject.get(project) ?? []
    const statuses = new Set(own.map(({ row }) => row.Status || DEFAULT_STATUS))
    const context = {
      ...{ columns: columnsOf(statuses, report), fields: new BoardFields() },
      ...{ people, index, report },
    }
    const read = own.map((issue) => readIssue(issue, context))
    tasks.push(...nestTasks(new Map(read.map((task) => [task.id, task])), report))
    const board: Board = {
      id: project || DEFAULT_PROJECT,
      title: shorten(project || DEFAULT_PROJECT, 200),
      ...(projects.size === 1 && /^[A-Z][A-Z0-9]{1,9}$/.test(prefix) && { key: prefix }),
      columns: context.columns.columns,
      labels: [],
      fields: context.fields.list,
    }
    yield { board }
  }
  for (const task of tasks) yield { task }
  for (const attachment of attachmentsOf(data, index, report)) yield { attachment }
}

/** The keys of an organization have one prefix, which is the only trace of it in an export. */
function prefixOf({ issues }: Export): string {
  for (const row of issues) {
    const prefix = /^([A-Za-z0-9]+)-\d+$/.exec(row['Issue ID'] ?? '')?.[1]
    if (prefix) return prefix.toUpperCase()
  }
  return ''
}
