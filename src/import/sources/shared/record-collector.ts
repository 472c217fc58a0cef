import type {
  Attachment,
  Board,
  Comment,
  ImportRecord,
  Person,
  Relation,
  TimeEntry,
} from '../../record.ts'
import type { Report } from '../../source.ts'
import { BoardDraft } from './board-draft.ts'
import { compact } from './json.ts'
import { isEmail } from './person.ts'
import { linkHtml, linkMarkdown, type References } from './references.ts'
import { cut, fitTask, fitText, type TaskDraft } from './task-limits.ts'
import { nestTasks } from './task-nesting.ts'

const MAX_ID = 500
const MAX_MINUTES = 1_000_000
const MAX_NOTE = 10_000

type TimeDraft = Pick<TimeEntry, 'id' | 'task'> & {
  who: string | undefined
  day: string | undefined
  seconds: number
  note?: string | undefined
}

/** Collects what a reader finds in any order, and gives valid records in the order of an import. */
export class RecordCollector {
  /** The id of the task that an address or path belongs to. */
  taskOfLink: (url: string) => string | undefined = () => undefined
  readonly tasks = new Map<string, TaskDraft>()
  private readonly people = new Map<string, Person>()
  private readonly boards = new Map<string, BoardDraft>()
  private readonly comments = new Map<string, Comment>()
  private readonly attachments = new Map<string, Attachment>()
  private readonly times = new Map<string, TimeEntry>()
  private readonly relations = new Map<string, Relation>()

  constructor(
    private readonly origin: { id: string; title: string },
    readonly report: Report,
    /** Whether the second record with an id gets a suffix, or is left out. */
    private readonly repeated: 'rename' | 'drop' = 'rename',
  ) {}

  private idFor(what: string, id: string, taken: ReadonlyMap<string, unknown>) {
    if (this.repeated === 'rename') return freeId(id, taken)
    const isValid = id !== '' && id.length <= MAX_ID
    if (isValid && !taken.has(id)) return id
    this.report.lose(what, isValid ? 'It is in the files twice' : 'It has no id')
    return undefined
  }

  /** Adds a person, or completes one that is known; returns the id. */
  person(id: string, name = '', email = ''): string | undefined {
    const key = cut(id.trim() || email.trim() || name.trim(), MAX_ID)
    if (!key) return undefined
    const known = this.people.get(key)
    const address = [email.trim(), key].find(isEmail)
    this.people.set(key, {
      id: key,
      name: known && known.name !== key ? known.name : cut(name.trim() || known?.name || key, 200),
      email: known?.email ?? address,
    })
    return key
  }

  /** The board with an id; it is added if it is new. */
  board(id: string, title: string, more: Pick<Board, 'key' | 'description'> = {}): BoardDraft {
    const key = cut(id, MAX_ID)
    const known = this.boards.get(key)
    if (known) return known
    const board = new BoardDraft(key, cut(title.trim() || 'Untitled', 200), this.report, more)
    this.boards.set(key, board)
    return board
  }

  /** Adds a task; returns its id, which has a suffix if another task has it already. */
  task(draft: TaskDraft): string {
    const id = this.idFor('A task', draft.id, this.tasks)
    if (id !== undefined) this.tasks.set(id, fitTask({ ...draft, id }, this.report))
    return id ?? draft.id
  }

  comment(draft: Comment): string | undefined {
    if (!draft.text.trim()) return undefined
    const id = this.idFor('A comment', draft.id, this.comments)
    if (id === undefined) return undefined
    const text = fitText(draft.text.trim(), `End of comment ${id}`, this.report)
    this.comments.set(id, { ...draft, id, text })
    return id
  }

  attachment(draft: Attachment): void {
    const filename = cut(draft.filename.replaceAll(/[\\/]/g, '-').trim() || 'file', 255)
    if (draft.url !== undefined && draft.url.length > 2000) {
      this.report.lose(`Attachment ${filename}`, 'Its address is longer than 2000 characters')
      return
    }
    const id = this.idFor('A file', draft.id, this.attachments)
    const content_type = (draft.content_type?.length ?? 0) > 255 ? undefined : draft.content_type
    if (id !== undefined) this.attachments.set(id, { ...draft, id, filename, content_type })
  }

  /** Adds time that somebody spent on a task. */
  time({ who, seconds, ...draft }: TimeDraft): void {
    const minutes = Math.min(Math.round(seconds / 60), MAX_MINUTES)
    const id = this.idFor('A time entry', draft.id, this.times)
    if (id === undefined) return
    if (!who || !draft.day || minutes < 1)
      this.report.lose('A time entry', 'It has no person, no day, or a negative time')
    else {
      const note = draft.note && cut(draft.note, MAX_NOTE)
      this.times.set(id, { ...draft, id, who, minutes, day: draft.day, note })
    }
  }

  /** `first` blocks `second`, or they are related. */
  relation(kind: Relation['kind'], first: string, second: string): void {
    if (first === second) return
    const isReversed = kind === 'related' && first > second
    const pair = isReversed ? { first: second, second: first } : { first, second }
    this.relations.set(JSON.stringify([kind, pair.first, pair.second]), { kind, ...pair })
  }

  *records(): Generator<ImportRecord> {
    const { id, title } = this.origin
    yield { origin: { id: cut(id, MAX_ID), title: cut(title.trim() || 'Untitled', 500) } }
    for (const person of this.people.values()) yield { person: compact(person) }
    const tasks = nestTasks(this.tasks, this.report)
    for (const task of this.tasks.values()) this.boards.get(task.board)?.addNamesOf(task)
    for (const board of this.boards.values()) yield { board: board.finish() }
    for (const task of tasks) yield { task: compact(this.finish(task)) }
    yield* this.belongings()
    for (const relation of this.relations.values())
      if (this.tasks.has(relation.first) && this.tasks.has(relation.second)) yield { relation }
      else this.report.lose('A relation to another task', 'That task is not imported')
  }

  private *belongings(): Generator<ImportRecord> {
    for (const comment of this.comments.values())
      if (this.tasks.has(comment.task)) {
        const text = this.link(comment.text, comment.content_type)
        const isReply = comment.reply_to !== undefined && this.comments.has(comment.reply_to)
        const reply_to = isReply ? comment.reply_to : undefined
        yield { comment: compact({ ...comment, text, reply_to }) }
      }
    for (const attachment of this.attachments.values())
      if (this.tasks.has(attachment.task)) yield { attachment: compact(attachment) }
    for (const time_entry of this.times.values())
      if (this.tasks.has(time_entry.task)) yield { time_entry: compact(time_entry) }
  }

  private finish(task: TaskDraft) {
    const fields = this.boards.get(task.board)!.valuesOf(task)
    const description =
      task.description === undefined ? undefined : this.link(task.description, task.content_type)
    return { ...task, description, fields: fields.length ? fields : undefined }
  }

  private link(text: string, contentType: TaskDraft['content_type'] = 'markdown'): string {
    const references: References = {
      byUrl: (url) => {
        const id = this.taskOfLink(url)
        return id !== undefined && this.tasks.has(id) ? id : undefined
      },
      titleOf: (id) => this.tasks.get(id)!.title.replace(/[[\]\\]/g, '\\$&'),
    }
    return (contentType === 'html' ? linkHtml : linkMarkdown)(text, references)
  }
}

/** The id, with the first free suffix if it is taken. */
export function freeId(id: string, taken: ReadonlyMap<string, unknown>): string {
  const short = cut(id, MAX_ID)
  if (!taken.has(short)) return short
  let count = (suffixes.get(taken)?.get(short) ?? 1) + 1
  while (taken.has(withSuffix(short, count))) count++
  if (!suffixes.has(taken)) suffixes.set(taken, new Map())
  suffixes.get(taken)!.set(short, count)
  return withSuffix(short, count)
}

/** The last suffix of each id, because a file may repeat one id for each of its tasks. */
const suffixes = new WeakMap<ReadonlyMap<string, unknown>, Map<string, number>>()
const withSuffix = (id: string, count: number) => `${cut(id, MAX_ID - 8)}#${count}`
