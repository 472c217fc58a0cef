import type { Context, WriteContext } from '../../../../kernel/caller.ts'
import type { Section } from '../../../boards/sections/model/index.ts'
import type { AssigneeChanges } from '../../assignees/model/index.ts'
import type { Task } from '../../tasks/model/index.ts'

type ChangeValue = string | number | boolean | null | readonly string[]

/** Collects what one call changes in a task, so that it is written and emitted once. */
export class Edit<C extends WriteContext = Context> {
  readonly set: Partial<Task> = {}
  readonly before: Record<string, ChangeValue> = {}
  readonly after: Record<string, ChangeValue> = {}
  /** Changed long texts: the change log names them without their content. */
  readonly changedTexts: string[] = []
  assigneeChanges: AssigneeChanges = { added: [], removed: [] }
  /** The section that the task enters with this edit. */
  enteredSection: Section | undefined
  /** Titles of both sections, because the change log outlives the sections. */
  private sectionTitles: { from: string; to: string } | undefined

  constructor(
    readonly ctx: C,
    readonly task: Task,
  ) {}

  /** Sets a column and records the change if the value differs from the stored one. */
  put<K extends keyof Task>(field: K, value: Task[K]): void {
    const previous = toChangeValue(this.task[field])
    const next = toChangeValue(value)
    if (previous === next) this.discard(field)
    else {
      this.set[field] = value
      this.record(field, previous, next)
    }
  }

  /** Drops the change of a column that is set back to its stored value in the same call. */
  private discard(field: keyof Task): void {
    delete this.set[field]
    delete this.before[field]
    delete this.after[field]
  }

  /**
   * Called on every way into a section: a move, another board, a deleted section, a return from the
   * archive. It sets completion, time of entry and rank; the rest of `updateTask` changes the
   * assignees and opens the next occurrence.
   */
  enter(from: Section, to: Section, rank: string): void {
    const { ctx, task } = this
    this.enteredSection = to
    this.put('section_id', to.section_id)
    this.set.completed_at = to.done ? (task.completed_at ?? ctx.now) : null
    this.set.section_changed_at = ctx.now
    this.set.rank = rank
    // Readers of one board may not be allowed to see the sections of the other.
    const isMove = from.section_id !== to.section_id && from.project_id === to.project_id
    this.sectionTitles = isMove ? { from: from.title, to: to.title } : undefined
  }

  /** The data of the change log entry. */
  get change() {
    const { sectionTitles: titles, fields: changed, before, after } = this
    if (!titles) return { changed, before, after }
    return {
      changed,
      before: { ...before, section: titles.from },
      after: { ...after, section: titles.to },
    }
  }

  record(field: string, previous: ChangeValue, next: ChangeValue): void {
    this.before[field] = previous
    this.after[field] = next
  }

  /** The names of the changed fields, without assignees, which have events of their own. */
  get fields(): string[] {
    return [...Object.keys(this.after), ...this.changedTexts]
  }

  get changed(): string[] {
    const { added, removed } = this.assigneeChanges
    return added.length || removed.length ? [...this.fields, 'assignees'] : this.fields
  }
}

const toChangeValue = (value: Task[keyof Task]): ChangeValue =>
  value instanceof Date ? value.toISOString() : value
