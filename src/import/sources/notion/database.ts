import type { CsvRow } from '../../csv.ts'
import type { Report, SourceFile } from '../../source.ts'
import { isFalse, isTrue, typedValue } from '../csv/column-types.ts'
import { peopleIn } from '../csv/people.ts'
import { ROLES, type Role } from '../csv/roles.ts'
import type { Table } from '../csv/table.ts'
import type { BoardDraft } from '../shared/board-draft.ts'
import type { RecordCollector } from '../shared/record-collector.ts'
import { isDoneWord } from '../shared/status-words.ts'
import { joinTexts, type TypedValue } from '../shared/task-limits.ts'
import { notionDate, notionMoment, notionRange } from './dates.ts'
import type { Page } from './page.ts'
import { pageIdIn, resolvePath } from './paths.ts'

const ESTIMATES: Readonly<Record<string, number>> = { xs: 2, s: 3, m: 4, l: 5, xl: 6 }
/** `Hull (Boats/Hull%201a2b….md)`, as relations are exported. */
const RELATION = /([^()]*?)\s*\(([^()\s]+\.md)\)(?:,\s*|$)/g

export interface DatabaseFiles {
  /** The file of a path, for attachments. */
  find(path: string): SourceFile | undefined
  /** The pages inside a page, as sections of its text. */
  inside(page: Page): Promise<string>
}

/** The rows of a database with their pages. */
export class Database {
  private readonly references = new Map<string, string>()
  private readonly ids: string[] = []

  constructor(
    readonly id: string,
    private readonly path: string,
    private readonly table: Table,
    private readonly board: BoardDraft,
    private readonly pages: Map<string, Page[]>,
    private readonly files: DatabaseFiles,
    private readonly collector: RecordCollector,
    private readonly report: Report,
  ) {}

  private get(row: CsvRow, role: Role): string {
    const column = this.table.roles.get(role)
    return column === undefined ? '' : row.get(column).trim()
  }

  async addTasks(): Promise<void> {
    for (const row of this.table.rows) {
      const status = this.get(row, 'status')
      if (!isDoneWord(status)) this.board.column(status)
    }
    for (const row of this.table.rows) {
      const title = this.get(row, 'title')
      const page = this.pages.get(title || 'Untitled')?.shift()
      this.count(row, page)
      const id = await this.addTask(row, title, page)
      this.ids.push(id)
      if (title && !this.references.has(title)) this.references.set(title, id)
    }
  }

  private count(row: CsvRow, page: Page | undefined): void {
    const { roles, others } = this.table
    const known = ROLES.filter((role) => roles.has(role)).map((role) => [role, this.get(row, role)])
    const own = others.map(({ column, name }) => [
      isSubtasks(name) ? 'subtasks' : name in known ? `${name} ` : name,
      row.get(column),
    ])
    this.report.fields.add({
      ...Object.fromEntries(own),
      ...Object.fromEntries(known),
      page: page?.body,
    })
  }

  private async addTask(row: CsvRow, title: string, page: Page | undefined): Promise<string> {
    const { dates } = this.table
    const range = notionRange(this.get(row, 'due'), dates)
    const completed = this.get(row, 'completed')
    const [author] = peopleIn(this.get(row, 'author'), this.collector)
    const text = page ? this.textOf(page) : { body: '', files: [] }
    const inner = page ? await this.files.inside(page) : ''
    const key = this.get(row, 'key')
    const id = this.collector.task({
      id: page?.id || `${this.id}/${title.slice(0, 400)}`,
      board: this.board.id,
      column: this.columnOf(row),
      title: title || 'Untitled',
      key: key || undefined,
      description: joinTexts(this.get(row, 'description'), text.body, inner),
      content_type: 'markdown',
      priority: this.get(row, 'priority').slice(0, 100) || undefined,
      estimate: ESTIMATES[this.get(row, 'estimate').toLowerCase()],
      start_date: notionDate(this.get(row, 'start'), dates) ?? range.start,
      due_date: range.due,
      labels: this.get(row, 'labels')
        .split(',')
        .map((label) => plainRelation(label)),
      assignees: peopleIn(this.get(row, 'assignees'), this.collector),
      archived: isTrue(this.get(row, 'archived')) || undefined,
      created_by: author,
      created_at: notionMoment(this.get(row, 'created'), dates),
      updated_at: notionMoment(this.get(row, 'updated'), dates),
      completed_at: notionMoment(completed, dates),
      fields: this.fieldsOf(row, page),
    })
    this.addFiles(id, row, text.files)
    return id
  }

  private columnOf(row: CsvRow): string {
    const status = this.get(row, 'status')
    if (isDoneWord(status)) return this.board.column(status, { done: true })
    const completed = this.get(row, 'completed')
    const isDone = isTrue(completed) || notionMoment(completed, this.table.dates) !== undefined
    return isDone ? this.board.doneColumn() : this.board.column(status)
  }

  private fieldsOf(row: CsvRow, page: Page | undefined): TypedValue[] {
    const { dates, others, roles } = this.table
    const fields = others
      .filter(({ name }) => !isSubtasks(name))
      .map(({ column, name, type }) =>
        typedValue(name, type, plainRelation(row.all(column).join(', ')), dates),
      )
    const url = this.get(row, 'url')
    if (url) fields.push({ name: 'URL', type: 'url', value: url })
    const text = (name: string, value: string) => fields.push({ name, type: 'text', value })
    const due = this.get(row, 'due')
    if (due && !notionRange(due, dates).due) text(roles.get('due')!, due)
    const completed = this.get(row, 'completed')
    const isFlag = isTrue(completed) || isFalse(completed)
    if (completed && !isFlag && !notionMoment(completed, dates))
      text(roles.get('completed')!, completed)
    const known = new Set([...roles.values(), ...others.map(({ column }) => column)])
    for (const [name, value] of page?.properties ?? [])
      if (value && !known.has(name) && !isSubtasks(name)) text(name, plainRelation(value))
    return fields.filter((field) => field !== undefined)
  }

  /** The text of a page, in which files of the export are named instead of linked. */
  private textOf(page: Page): { body: string; files: SourceFile[] } {
    const files: SourceFile[] = []
    const body = page.body.replace(
      /!?\[([^\]]*)\]\(([^()\s]+(?:\([^()\s]*\)[^()\s]*)*)\)/g,
      (whole, name: string, link: string) => {
        if (/^[a-z]+:/i.test(link) || /\.(?:md|csv)(?:[?#]|$)/i.test(link)) return whole
        const file = this.files.find(resolvePath(page.path, link))
        if (!file) return whole
        files.push(file)
        return `${name || file.path.split('/').at(-1)} (attached)`
      },
    )
    return { body, files }
  }

  /** Values of a property of files are paths, relative to the database. */
  private addFiles(task: string, row: CsvRow, inText: readonly SourceFile[]): void {
    const paths = this.table.others.flatMap(({ column }) => row.get(column).split(/,\s*/))
    const inProperties = paths.flatMap((path) => {
      const isPath =
        /%20|\//.test(path) && /\.\w{1,8}$/.test(path) && !/^https?:|\.(?:md|csv)$/.test(path)
      const file = isPath ? this.files.find(resolvePath(this.path, path)) : undefined
      return file ? [file] : []
    })
    for (const file of new Set([...inText, ...inProperties])) {
      this.report.fields.add({ files: file.path })
      this.collector.attachment({
        id: file.path.slice(-400),
        task,
        filename: file.path.split('/').at(-1)!,
        bytes: () => file.bytes(),
      })
    }
  }

  /** Sets the parents and relations, when the tasks of all databases are known. */
  connect(): void {
    this.table.rows.forEach((row, at) => {
      const id = this.ids[at]!
      const [parent] = this.tasksIn(this.get(row, 'parent'))
      if (parent && parent !== id) this.collector.tasks.get(id)!.parent = parent
      for (const other of this.tasksIn(this.get(row, 'blocked_by')))
        this.collector.relation('blocks', other, id)
      for (const other of this.tasksIn(this.get(row, 'blocks')))
        this.collector.relation('blocks', id, other)
      for (const { column, name } of this.table.others)
        if (!isSubtasks(name) && /\.md\)/.test(row.get(column)))
          for (const other of this.tasksIn(row.get(column)))
            this.collector.relation('related', id, other)
      const comment = { id: `${id}/comment`, task: id, text: this.get(row, 'comment') }
      this.collector.comment({ ...comment, content_type: 'markdown' })
    })
  }

  private tasksIn(text: string): string[] {
    if (!text) return []
    const links = [...text.matchAll(RELATION)].map(([, , link]) => link!)
    const urls = links.length ? links : text.split(/,\s*/).filter((part) => /^https?:/.test(part))
    const byId = urls.flatMap((link) => pageIdIn(link) ?? [])
    if (byId.length) return byId.filter((id) => this.collector.tasks.has(id))
    const names = this.references.has(text) ? [text] : text.split(/,\s*/)
    return names.flatMap((name) => this.references.get(name.trim()) ?? [])
  }
}

const isSubtasks = (name: string) => /^sub[- ]?(?:items?|tasks?)$/i.test(name)

/** A relation without the paths of its pages. */
const plainRelation = (text: string): string =>
  text.includes('.md)') ? text.replace(/\s*\([^()\s]+\.md\)/g, '') : text
