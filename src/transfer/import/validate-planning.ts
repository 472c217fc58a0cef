import { lengthOf, parseDay } from '../../features/time/index.ts'
import type { RecordOf } from '../schema.ts'
import { addUnique, InvalidRecord } from './record.ts'

/** The parts of a board that other lines may refer to. */
export interface Board {
  sections: number
  labels: Set<string>
  fields: Set<string>
  next: number
}

/** Checks of references to other records of the file. */
interface Context {
  boards: ReadonlyMap<string, Board>
  checkActor(who: string): void
  checkTicket(name: string): void
}

type Rule = NonNullable<RecordOf<'my_view'>['filters']>['groups'][number]['rules'][number]

/** Checks that templates, skills, time entries and My Tasks views refer to existing records. */
export class PlanningValidator {
  private readonly views = new Set<string>()
  private readonly slugs = new Set<string>()

  constructor(private readonly context: Context) {}

  template({ board: key, labels, subtasks, created_by }: RecordOf<'template'>): void {
    const board = this.board('a template', key)
    for (const name of [labels, ...(subtasks ?? []).map((subtask) => subtask.labels)].flat())
      if (!board.labels.has(name.toLowerCase()))
        throw new InvalidRecord(`a template has the label ${name}, which ${key} does not have`)
    this.context.checkActor(created_by)
  }

  skill({ board, slug, created_by }: RecordOf<'skill'>): void {
    this.board('a skill', board)
    addUnique(this.slugs, 'skills', `${board}/${slug}`)
    this.context.checkActor(created_by)
  }

  time({ task, kind, day, stretches, seconds }: RecordOf<'time_entry'>): void {
    const isLogged = kind === 'logged'
    if (isLogged !== (day !== null) || (day !== null && parseDay(day) === undefined))
      throw new InvalidRecord(
        `time of ${task} must have a valid day if it was logged, and no day if a timer recorded it`,
      )
    // Stretches may overlap if the clock was set back.
    const isCounted = stretches.every(([from, to]) => from < to) && lengthOf(stretches) === seconds
    if (isLogged ? stretches.length : !isCounted)
      throw new InvalidRecord(`time of ${task} has stretches that do not match`)
  }

  view(view: RecordOf<'my_view'>): void {
    addUnique(this.views, 'views', view.view_id)
    this.context.checkActor(view.owner)
    for (const key of [...view.boards, view.default_board ?? []].flat()) this.board('a view', key)
    for (const column of view.hidden_sections) this.column(column)
    for (const { rules } of view.filters?.groups ?? []) for (const rule of rules) this.rule(rule)
  }

  private rule({ value }: Rule): void {
    for (const item of [value].flat()) {
      if (typeof item !== 'object' || item === null) continue
      if ('who' in item) this.context.checkActor(item.who)
      else if ('task' in item) this.context.checkTicket(item.task)
      else if ('section' in item) this.column(item)
      else if (!this.board('a view', item.board).labels.has(item.label.toLowerCase()))
        throw new InvalidRecord(
          `a view has the label ${item.label}, which ${item.board} does not have`,
        )
    }
  }

  private column({ board, section }: { board: string; section: number }): void {
    if (section >= this.board('a view', board).sections)
      throw new InvalidRecord(`a view has column ${section}, which ${board} does not have`)
  }

  private board(what: string, key: string): Board {
    const board = this.context.boards.get(key)
    if (board) return board
    throw new InvalidRecord(`${what} belongs to ${key}, which does not exist`)
  }
}
