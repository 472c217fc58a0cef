import { and, eq, inArray } from 'drizzle-orm'
import type { Context } from '../../../../kernel/caller.ts'
import { labels, taskLabels } from '../../../boards/labels/model/index.ts'
import { actorsOf } from '../../../identity/people/model/index.ts'
import { tasks } from '../../../tasks/tasks/model/index.ts'
import { clip, lengthOf, minutesOf, type Stretch, secondsByDay, stretchesUntil } from './rules.ts'
import type { Group } from './schema.ts'
import type { Entry } from './store.ts'

export interface ReportQuery {
  range: Stretch
  zone: string
  group_by: Group
  now: Date
}

interface Sum {
  seconds: number
  entries: number
}

const CHUNK_SIZE = 500
/** Key of the row for tasks without a label. */
const NO_LABEL = 0

/**
 * Sums up time by the requested group. The key is the day, or the id of the person, task or label.
 */
export class Sums {
  total = 0
  readonly #sums = new Map<string | number, Sum>()

  constructor(readonly query: ReportQuery) {}

  async add(ctx: Context, entries: readonly Entry[]): Promise<void> {
    const { group_by } = this.query
    const labelsByTask = group_by === 'label' ? await labelsOf(ctx, entries) : undefined
    for (const entry of entries) {
      const days = this.#daysOf(entry)
      const seconds = days.reduce((sum, [, daySeconds]) => sum + daySeconds, 0)
      if (!seconds) continue
      this.total += seconds
      if (group_by === 'day') for (const [day, daySeconds] of days) this.#count(day, daySeconds)
      else if (group_by === 'person') this.#count(entry.actor_id, seconds)
      else if (group_by === 'task') this.#count(entry.task_id, seconds)
      else
        for (const label_id of labelsByTask?.get(entry.task_id) ?? [NO_LABEL])
          this.#count(label_id, seconds)
    }
  }

  #daysOf({ kind, day, seconds, stretches, running_since }: Entry): [string, number][] {
    if (kind === 'logged') return [[day!, seconds]]
    const { range, zone, group_by, now } = this.query
    const inRange = clip(stretchesUntil(stretches, running_since, now), range)
    return group_by === 'day' ? [...secondsByDay(inRange, zone)] : [['', lengthOf(inRange)]]
  }

  #count(key: string | number, seconds: number): void {
    const sum = this.#sums.get(key) ?? { seconds: 0, entries: 0 }
    this.#sums.set(key, { seconds: sum.seconds + seconds, entries: sum.entries + 1 })
  }

  /** Rows with the most time first. Days are in their order. */
  async rows(ctx: Context) {
    const names = await this.#names(ctx)
    const rows = [...this.#sums].map(([key, { seconds, entries }]) => ({
      ...(names.get(key) ?? { key: String(key), name: String(key) }),
      seconds,
      minutes: minutesOf(seconds),
      entries,
    }))
    return this.query.group_by === 'day'
      ? rows.sort((a, b) => (a.key < b.key ? -1 : 1))
      : rows.sort((a, b) => b.seconds - a.seconds || (a.key < b.key ? -1 : 1))
  }

  async #names(ctx: Context): Promise<Map<string | number, { key: string; name: string }>> {
    const { group_by } = this.query
    const names = new Map<string | number, { key: string; name: string }>()
    if (group_by === 'label') names.set(NO_LABEL, { key: '', name: 'No label' })
    const ids = [...this.#sums.keys()].filter((key) => typeof key === 'number')
    for (const chunk of chunks(ids))
      for (const [id, key, name] of await NAMES[group_by](ctx, chunk)) names.set(id, { key, name })
    return names
  }
}

type NameRows = [id: number, key: string, name: string][]

const NAMES: Record<Group, (ctx: Context, ids: number[]) => Promise<NameRows>> = {
  day: async () => [],
  async person({ tx }, ids) {
    const found = await actorsOf(tx, ids)
    return [...found.values()].map(({ actor_id, name }) => [actor_id, String(actor_id), name])
  },
  async task({ tx }, ids) {
    const { task_id, ticket_number, title } = tasks
    const found = await tx
      .select({ task_id, ticket_number, title })
      .from(tasks)
      .where(inArray(task_id, ids))
    return found.map((row) => [row.task_id, row.ticket_number, row.title])
  },
  async label({ tx }, ids) {
    const found = await tx.select().from(labels).where(inArray(labels.label_id, ids))
    return found.map(({ label_id, name }) => [label_id, String(label_id), name])
  },
}

async function labelsOf({ tx, caller }: Context, entries: readonly Entry[]) {
  const labelsByTask = new Map<number, number[]>()
  const teams = [...caller.teams.keys()]
  for (const chunk of chunks([...new Set(entries.map(({ task_id }) => task_id))])) {
    const { task_id, label_id, team_id } = taskLabels
    const rows = await tx
      .select({ task_id, label_id })
      .from(taskLabels)
      .innerJoin(labels, eq(labels.label_id, label_id))
      .where(and(inArray(team_id, teams), inArray(task_id, chunk)))
    for (const row of rows)
      labelsByTask.set(row.task_id, [...(labelsByTask.get(row.task_id) ?? []), row.label_id])
  }
  return labelsByTask
}

const chunks = (ids: readonly number[]): number[][] =>
  Array.from({ length: Math.ceil(ids.length / CHUNK_SIZE) }, (_, index) =>
    ids.slice(index * CHUNK_SIZE, (index + 1) * CHUNK_SIZE),
  )
