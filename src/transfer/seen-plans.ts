import { dayIn, lengthOf } from '../features/time/index.ts'
import { addOnce, Wrong } from './record.ts'
import type { RecordOf } from './schema.ts'

/** What was read of a board, as far as other lines may refer to it. */
export interface Board {
  sections: number
  labels: Set<string>
  fields: Set<string>
  next: number
}

/** What of the lines before it a plan may name. */
interface Before {
  boards: ReadonlyMap<string, Board>
  known(who: string): void
  ticket(name: string): void
}

type Rule = NonNullable<RecordOf<'my_view'>['filters']>['groups'][number]['rules'][number]

/** Templates, time and views of My Tasks: whether what they name is there. */
export class SeenPlans {
  private readonly views = new Set<string>()
  private readonly slugs = new Set<string>()

  constructor(private readonly before: Before) {}

  template({ board: key, labels, subtasks, created_by }: RecordOf<'template'>): void {
    const board = this.board('a template', key)
    for (const name of [labels, ...(subtasks ?? []).map((one) => one.labels)].flat())
      if (!board.labels.has(name.toLowerCase()))
        throw new Wrong(`a template has the label ${name}, which ${key} has not`)
    this.before.known(created_by)
  }

  skill({ board, slug, created_by }: RecordOf<'skill'>): void {
    this.board('a skill', board)
    addOnce(this.slugs, 'skills', `${board}/${slug}`)
    this.before.known(created_by)
  }

  time({ task, kind, day, stretches, seconds }: RecordOf<'time_entry'>): void {
    const isLogged = kind === 'logged'
    if (isLogged !== (day !== null) || (day !== null && dayIn(day) === undefined))
      throw new Wrong(`time of ${task} was logged on a day that is not there, or ran on one`)
    // Stretches may overlap where a clock was put back.
    const isCounted = stretches.every(([from, to]) => from < to) && lengthOf(stretches) === seconds
    if (isLogged ? stretches.length : !isCounted)
      throw new Wrong(`time of ${task} has stretches that do not add up`)
  }

  view(view: RecordOf<'my_view'>): void {
    addOnce(this.views, 'views', view.view_id)
    this.before.known(view.owner)
    for (const key of [...view.boards, view.default_board ?? []].flat()) this.board('a view', key)
    for (const column of view.hidden_sections) this.column(column)
    for (const { rules } of view.filters?.groups ?? []) for (const rule of rules) this.rule(rule)
  }

  private rule({ value }: Rule): void {
    for (const one of [value].flat()) {
      if (typeof one !== 'object' || one === null) continue
      if ('who' in one) this.before.known(one.who)
      else if ('task' in one) this.before.ticket(one.task)
      else if ('section' in one) this.column(one)
      else if (!this.board('a view', one.board).labels.has(one.label.toLowerCase()))
        throw new Wrong(`a view is of the label ${one.label}, which ${one.board} has not`)
    }
  }

  private column({ board, section }: { board: string; section: number }): void {
    if (section >= this.board('a view', board).sections)
      throw new Wrong(`a view is of column ${section}, which ${board} has not`)
  }

  private board(what: string, key: string): Board {
    const board = this.before.boards.get(key)
    if (board) return board
    throw new Wrong(`${what} is of ${key}, which is not there`)
  }
}
