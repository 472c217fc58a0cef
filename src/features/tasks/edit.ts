import type { Context, Writer } from '../../kernel/caller.ts'
import type { Section } from '../sections/index.ts'
import type { Task } from './address.ts'
import type { Handover } from './assignees.ts'

type Small = string | number | boolean | null | readonly string[]

/** What one call does to a task: gathered first, then written and told once. */
export class Edit<C extends Writer = Context> {
  readonly set: Partial<Task> = {}
  readonly before: Record<string, Small> = {}
  readonly after: Record<string, Small> = {}
  /** Long texts are named here, but never told. */
  readonly rewritten: string[] = []
  handover: Handover = { added: [], removed: [] }
  /** The column that the task enters with this edit. */
  entered: Section | undefined
  /** Titles of the two columns, which outlive the columns in the change log. */
  private titles: { from: string; to: string } | undefined

  constructor(
    readonly ctx: C,
    readonly task: Task,
  ) {}

  /** Writes a column, and tells of it if its value is another one. */
  put<K extends keyof Task>(field: K, value: Task[K]): void {
    const was = small(this.task[field])
    const is = small(value)
    if (was === is) this.leave(field)
    else {
      this.set[field] = value
      this.tell(field, was, is)
    }
  }

  /** A column that gets back in this call what it had before stays as it was. */
  private leave(field: keyof Task): void {
    delete this.set[field]
    delete this.before[field]
    delete this.after[field]
  }

  /**
   * Every way into a column: a move, another board, a deleted column, a return from the archive.
   * It decides completion, the time of entry and the rank; the rest of `updateTask` hands the task
   * over and opens the next occurrence.
   */
  enter(from: Section, to: Section, rank: string): void {
    const { ctx, task } = this
    this.entered = to
    this.put('section_id', to.section_id)
    this.set.completed_at = to.done ? (task.completed_at ?? ctx.now) : null
    this.set.section_changed_at = ctx.now
    this.set.rank = rank
    // The reader of one board may not see the columns of the other.
    const isMove = from.section_id !== to.section_id && from.project_id === to.project_id
    this.titles = isMove ? { from: from.title, to: to.title } : undefined
  }

  /** What the change log says of the edit. */
  get change() {
    const { titles, fields: changed, before, after } = this
    if (!titles) return { changed, before, after }
    return {
      changed,
      before: { ...before, section: titles.from },
      after: { ...after, section: titles.to },
    }
  }

  tell(field: string, was: Small, is: Small): void {
    this.before[field] = was
    this.after[field] = is
  }

  /** Everything that changed but who works on the task, which has events of its own. */
  get fields(): string[] {
    return [...Object.keys(this.after), ...this.rewritten]
  }

  get changed(): string[] {
    const { added, removed } = this.handover
    return added.length || removed.length ? [...this.fields, 'assignees'] : this.fields
  }
}

const small = (value: Task[keyof Task]): Small =>
  value instanceof Date ? value.toISOString() : value
