import { csvOf } from '../../csv.ts'
import { ImportProblem } from '../../problem.ts'
import type { Report, SourceFile } from '../../source.ts'
import { jsonOf } from '../../text.ts'
import { listOf, objectOf, objectsOf, stringOf } from '../shared/json.ts'

/** A row of a CSV file by the names of its columns. */
export type Row = Readonly<Record<string, string>>

export interface Export {
  projects: string[]
  issues: Row[]
  users: Row[]
  attachments: Row[]
  /** The files of the archive by their paths in it. */
  files: Map<string, SourceFile>
}

export const MANIFEST = 'vk-export.json'

/** Finds a file of the export, also if the archive was unpacked into a folder. */
export const fileOf = (files: readonly SourceFile[], name: string): SourceFile | undefined =>
  files.find(({ path }) => path === name) ?? files.find(({ path }) => path.endsWith(`/${name}`))

/** Reads the CSV files, which hold more than the manifest, or the manifest alone. */
export async function readExport(files: readonly SourceFile[], report: Report): Promise<Export> {
  const issues = fileOf(files, 'issues.csv')
  const manifest = fileOf(files, MANIFEST)
  if (!issues && manifest) return readManifest(manifest, report)
  if (!issues)
    throw new ImportProblem(
      'There is no issues.csv',
      'Import the archive that Vibe Kanban exports (vibe-kanban-export-….zip)',
      { file: files[0]?.path },
    )
  const root = issues.path.slice(0, -'issues.csv'.length)
  const rowsOf = (name: string) => readRows(files, root, name, report)
  return {
    issues: await rowsOf('issues'),
    projects: (await rowsOf('projects')).map(({ Name = '' }) => Name),
    users: await rowsOf('users'),
    attachments: await rowsOf('attachments'),
    files: new Map(
      files
        .filter(({ path }) => path.startsWith(root))
        .map((file) => [file.path.slice(root.length), file]),
    ),
  }
}

async function readRows(
  files: readonly SourceFile[],
  root: string,
  name: string,
  report: Report,
): Promise<Row[]> {
  const file = files.find(({ path }) => path === `${root}${name}.csv`)
  if (!file) return []
  const { header, rows } = await csvOf(file)
  if (name === 'issues' && !header.includes('Title'))
    throw new ImportProblem('There is no column Title', 'Export the issues again', {
      file: file.path,
      line: 1,
      field: 'Title',
    })
  return rows.map((row) => {
    const record = Object.fromEntries(header.map((column) => [column, row.get(column)]))
    report.fields.add(record, `${name}[]`)
    return record
  })
}

async function readManifest(file: SourceFile, report: Report): Promise<Export> {
  const manifest = objectOf(await jsonOf(file))
  if (!Array.isArray(manifest.projects))
    throw new ImportProblem('It has no projects', 'Export the projects again', {
      file: file.path,
      field: 'projects',
    })
  report.fields.add(manifest, 'vk-export')
  const projects = objectsOf(listOf(manifest.projects))
  return {
    projects: projects.map(({ name }) => stringOf(name)),
    issues: projects.flatMap(({ name, issues }) =>
      objectsOf(issues).map((issue) => ({
        Project: stringOf(name),
        'Issue ID': stringOf(issue.simple_id),
        Title: stringOf(issue.title),
        Description: stringOf(issue.description),
        Status: stringOf(issue.status),
        Priority: stringOf(issue.priority),
        'Parent Issue': stringOf(issue.parent_simple_id),
      })),
    ),
    users: [],
    attachments: [],
    files: new Map(),
  }
}
