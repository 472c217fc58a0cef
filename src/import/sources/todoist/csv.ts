import { type Csv, type CsvRow, csvOf } from '../../csv.ts'
import type { Report, SourceFile } from '../../source.ts'
import type { BoardDraft } from '../shared/board-draft.ts'
import { stemOf, valuesIn } from '../shared/csv-values.ts'
import { parseDate, parseMoment } from '../shared/dates.ts'
import { isObject, type Json, stringOf } from '../shared/json.ts'
import type { RecordCollector } from '../shared/record-collector.ts'
import { joinTexts, type TypedValue } from '../shared/task-limits.ts'
import { parseDateText } from './date-text.ts'
import { durationField, planDates } from './plan-dates.ts'
import { parseTaskText } from './task-text.ts'

/** Backups name their files `Harbour [2203306141].csv`, after the project and its id. */
export function projectOf(file: SourceFile): { id: string; title: string } {
  const stem = stemOf(file.path)
  const [, title, id] = /^(.*?) \[([\w-]+)\]$/.exec(stem) ?? []
  return { id: id ?? stem, title: title || stem }
}

export const isTodoistHeader = (header: readonly string[]): boolean =>
  ['TYPE', 'CONTENT', 'PRIORITY', 'INDENT'].every((name) => header.includes(name))

export async function readCsv(
  file: SourceFile,
  collector: RecordCollector,
  report: Report,
  today: string,
): Promise<void> {
  const csv = await csvOf(file)
  const { id, title } = projectOf(file)
  const notes = csv.rows.slice(
    0,
    csv.rows.findIndex((row) => typeOf(row) === 'task'),
  )
  const texts = notes.filter((row) => typeOf(row) === 'note').map((row) => row.get('CONTENT'))
  const sections = csv.rows.filter((row) => typeOf(row) === 'section' && row.get('DESCRIPTION'))
  const about = sections.map((row) => `## ${row.get('CONTENT')}\n\n${row.get('DESCRIPTION')}`)
  const description = joinTexts(...texts, ...about).slice(0, 1_048_576) || undefined
  const board = collector.board(id, title, { description })
  new CsvProject(csv, board, collector, report, today).read()
}

const typeOf = (row: CsvRow) => row.get('TYPE').toLowerCase()

class CsvProject {
  private column: string | undefined
  private readonly parents: string[] = []
  private comments = 0

  constructor(
    private readonly csv: Csv,
    private readonly board: BoardDraft,
    private readonly collector: RecordCollector,
    private readonly report: Report,
    private readonly today: string,
  ) {}

  read(): void {
    for (const row of this.csv.rows) {
      this.report.fields.add(valuesIn(this.csv, row))
      const type = typeOf(row)
      if (type === 'section') {
        this.column = this.board.column(row.get('CONTENT'))
        this.parents.length = 0
      } else if (type === 'task') this.addTask(row)
      else if (type === 'note') this.addNote(row)
      else if (type !== 'meta')
        this.report.lose(`Line ${row.line}`, `"${type}" is not a kind of line of Todoist`)
    }
  }

  /** Ana (1846598) */
  private person(text: string): string | undefined {
    const [, name = text, id = ''] = /^(.*?)\s*\((\w+)\)$/.exec(text.trim()) ?? []
    return this.collector.person(id, name)
  }

  private addTask(row: CsvRow): void {
    const { title, labels, links, isHeading } = parseTaskText(row.get('CONTENT'), true)
    const level = Math.min(Math.max(Number(row.get('INDENT')) || 1, 1), this.parents.length + 1)
    const priority = Number(row.get('PRIORITY'))
    const { fields, ...dates } = this.datesOf(row)
    if (isHeading) fields.push({ name: 'Heading', type: 'checkbox', value: true })
    const responsible = this.person(row.get('RESPONSIBLE'))
    this.parents.length = level - 1
    this.parents.push(
      this.collector.task({
        id: `${this.board.id}/${title.slice(0, 400)}`,
        board: this.board.id,
        column: this.column ?? this.board.column('To do'),
        title,
        description: joinTexts(links.join('\n'), row.get('DESCRIPTION')),
        content_type: 'markdown',
        priority: priority >= 1 && priority <= 3 ? priority : 0,
        ...dates,
        labels,
        assignees: responsible ? [responsible] : [],
        parent: this.parents.at(-1),
        created_by: this.person(row.get('AUTHOR')),
        fields,
      }),
    )
  }

  private datesOf(row: CsvRow) {
    const zone = row.get('TIMEZONE') || 'UTC'
    const text = row.get('DATE') || row.get('DUE_DATE')
    const isEnglish = ['', 'en'].includes(row.get('DATE_LANG') || row.get('DUE_DATE_LANG'))
    const parsed = text
      ? isEnglish
        ? parseDateText(text, { today: this.today, zone })
        : onlyDay(parseDate(text, { zone }))
      : {}
    const deadline = parseDateText(row.get('DEADLINE'), { today: this.today, zone })?.due
    const { fields, ...dates } = planDates({ ...parsed, deadline })
    if (!parsed) {
      this.report.lose(`Date "${text}" of line ${row.line}`, 'It is in the custom field Date')
      fields.push({ name: 'Date', type: 'text', value: text })
    }
    const duration = durationField(Number(row.get('DURATION')), row.get('DURATION_UNIT'))
    return { ...dates, fields: [...fields, ...duration] satisfies TypedValue[] }
  }

  /** A note belongs to the task above it. Those of the project are in the board's description. */
  private addNote(row: CsvRow): void {
    const task = this.parents.at(-1)
    if (!task) return
    const author = this.person(row.get('AUTHOR'))
    const created_at = parseMoment(row.get('DATE'))
    const id = `${task}/note ${++this.comments}`
    const { text, file } = splitNote(row.get('CONTENT'))
    const comment = this.collector.comment({
      id,
      task,
      text,
      author,
      created_at,
      content_type: 'markdown',
    })
    if (file) addFile(this.collector, file, { id, task, comment, created_by: author, created_at })
  }
}

const onlyDay = (due: string | undefined) => (due === undefined ? undefined : { due })

const FILE = /\[\[file (\{.*\})\]\]/s

function splitNote(content: string): { text: string; file?: Json } {
  const found = FILE.exec(content)
  if (!found) return { text: content }
  try {
    const file: unknown = JSON.parse(found[1]!)
    return isObject(file) ? { text: content.replace(found[0], '').trim(), file } : { text: content }
  } catch {
    return { text: content }
  }
}

interface FileContext {
  id: string
  task: string
  comment: string | undefined
  created_by: string | undefined
  created_at: string | undefined
}

export function addFile(collector: RecordCollector, file: Json, context: FileContext): void {
  const url = stringOf(file.file_url) || stringOf(file.url)
  if (!/^https?:/.test(url)) return
  collector.attachment({
    ...context,
    url,
    filename: stringOf(file.file_name) || stringOf(file.title) || 'file',
    content_type: stringOf(file.file_type).slice(0, 255) || undefined,
  })
}
