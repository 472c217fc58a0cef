import type { Context, Writer } from '../../kernel/caller.ts'
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
