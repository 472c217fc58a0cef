import { type Csv, csvOf } from '../../csv.ts'
import { ImportProblem } from '../../problem.ts'
import type { ImportRecord } from '../../record.ts'
import type { Report, Source, SourceFile } from '../../source.ts'
import { unzip } from '../../unzip.ts'
import { tableOf } from '../csv/table.ts'
import { RecordCollector } from '../shared/record-collector.ts'
import { Database } from './database.ts'
import { notionFields } from './fields.ts'
import { type Page, pageOf } from './page.ts'
import { foldersOf, type NamedPath, namedPath, pageIdIn } from './paths.ts'

const HASH = /[ /][0-9a-f]{32}(?:_all)?\.csv$/i
const SHORT = / [0-9a-f]{5}\.(csv|md)$/
const isCsv = (path: string) => /\.csv$/i.test(path)
const isPage = (path: string) => /\.md$/i.test(path)
const isPart = (path: string) => /(?:^|\/)(?:Export|ExportBlock)-[^/]*\.zip$/i.test(path)

const detects = async (files: readonly SourceFile[]): Promise<boolean> =>
  files.some(({ path }) => isPart(path) || HASH.test(path)) ||
  ['csv', 'md'].every((type) => files.some(({ path }) => SHORT.exec(path)?.[1] === type))

/** Large exports are a zip of zips. */
async function unpacked(files: readonly SourceFile[]): Promise<SourceFile[]> {
  const all: SourceFile[] = []
  for (const file of files) all.push(...(isPart(file.path) ? await unzip(file) : [file]))
  return all.filter(({ path }) => !path.includes('__MACOSX/'))
}

/** Of each database the file with all of its rows, not only those of a view. */
function databasesIn(files: readonly SourceFile[]): [SourceFile, NamedPath][] {
  const chosen = new Map<string, [SourceFile, NamedPath]>()
  for (const file of files.filter(({ path }) => isCsv(path))) {
    const named = namedPath(file.path)!
    const key = `${named.folder}/${named.name}/${named.id}`
    if (!chosen.has(key) || file.path.endsWith('_all.csv')) chosen.set(key, [file, named])
  }
  return [...chosen.values()]
}

async function* read(given: readonly SourceFile[], report: Report): AsyncIterable<ImportRecord> {
  const files = await unpacked(given)
  const databases = databasesIn(files)
  const [first] = databases
  if (!first)
    throw new ImportProblem(
      'There is no database in the export',
      'Export the database from Notion as "Markdown & CSV"',
      { file: given[0]?.path },
    )
  const { id, name } = first[1]
  const collector = new RecordCollector({ id: `notion:${id || name}`, title: name }, report)
  collector.taskOfLink = pageIdIn
  const workspace = new Workspace(files)
  const read: Database[] = []
  for (const [file, named] of databases)
    read.push(await addDatabase(file, named, workspace, collector, report))
  for (const database of read) database.connect()
  for (const path of workspace.unused())
    report.lose(`Page ${path.split('/').at(-1)}`, 'It is in no database')
  yield* collector.records()
}

async function addDatabase(
  file: SourceFile,
  named: NamedPath,
  workspace: Workspace,
  collector: RecordCollector,
  report: Report,
): Promise<Database> {
  const csv = await csvOf(file)
  const pages = await workspace.pagesOf(named, new Set(csv.header))
  const table = await tableOf(file, mappingOf(csv.header, titleColumn(csv, pages)), report)
  const parent = named.folder
    .split('/')
    .at(-1)!
    .replace(/ [0-9a-f]{32}$/, '')
  const board = collector.board(named.id || file.path, named.name, {
    description: parent && !isPart(`${parent}.zip`) ? `A database in ${parent}.` : undefined,
  })
  const database = new Database(
    named.id || named.name,
    file.path,
    table,
    board,
    pages,
    workspace,
    collector,
    report,
  )
  await database.addTasks()
  return database
}

/** The column with the most titles of pages; in new exports it is the first one. */
function titleColumn({ header, rows }: Csv, pages: ReadonlyMap<string, unknown>): string {
  const count = (column: string) => rows.filter((row) => pages.has(row.get(column))).length
  const counts = new Map(header.filter(Boolean).map((column) => [column, count(column)]))
  return [...counts].reduce((best, next) => (next[1] > best[1] ? next : best))[0]
}

/** A property Date is the due date, if there is no other. */
function mappingOf(header: readonly string[], title: string): Record<string, string> {
  const hasDue = header.some((name) => /^(?:due|deadline|end)\b/i.test(name))
  const date = hasDue ? undefined : header.find((name) => /^(?:date|dates|timeline)$/i.test(name))
  const people = header.find((name) => /^(?:assign|person|people)$/i.test(name))
  const others = header.filter((name) => /^(?:project|projects|board|id)$/i.test(name))
  return {
    ...Object.fromEntries(others.map((name) => [name, 'field'])),
    ...(date && { [date]: 'due' }),
    ...(people && { [people]: 'assignees' }),
    [title]: 'title',
  }
}

/** The pages and files of an export by their folders. */
class Workspace {
  private readonly byPath: Map<string, SourceFile>
  private readonly byFolder: Map<string, SourceFile[]>
  private readonly used = new Set<string>()

  constructor(files: readonly SourceFile[]) {
    this.byPath = new Map(files.map((file) => [file.path, file]))
    this.byFolder = Map.groupBy(
      files.filter(({ path }) => isPage(path)),
      ({ path }) => path.split('/').slice(0, -1).join('/'),
    )
  }

  find = (path: string): SourceFile | undefined => this.byPath.get(path)

  unused = (): string[] =>
    [...this.byFolder.values()].flat().flatMap(({ path }) => (this.used.has(path) ? [] : [path]))

  private async pagesIn(named: NamedPath, columns: ReadonlySet<string>): Promise<Page[]> {
    const files = foldersOf(named).flatMap((folder) => this.byFolder.get(folder) ?? [])
    const pages: Page[] = []
    for (const file of files) {
      if (this.used.has(file.path)) continue
      this.used.add(file.path)
      pages.push(await pageOf(file, namedPath(file.path)?.id ?? '', columns))
    }
    return pages
  }

  /** The pages of a database by their titles. */
  async pagesOf(named: NamedPath, columns: ReadonlySet<string>): Promise<Map<string, Page[]>> {
    const pages = await this.pagesIn(named, columns)
    return Map.groupBy(pages, ({ title }) => title || 'Untitled')
  }

  async inside(page: Page): Promise<string> {
    const named = namedPath(page.path)!
    const sections: string[] = []
    for (const inner of await this.pagesIn(named, new Set())) {
      sections.push(`## ${inner.title}`, inner.body, await this.inside(inner))
    }
    return sections.filter(Boolean).join('\n\n')
  }
}

export const notion: Source = {
  name: 'notion',
  title: 'Notion',
  accepts: 'A database exported from Notion as "Markdown & CSV" (zip or folder), with its subpages',
  inFolder: /./,
  fields: notionFields,
  detects,
  read,
}
