import { setImmediate } from 'node:timers/promises'
import { and, asc, inArray, lte, type SQL } from 'drizzle-orm'
import type { Context } from '../../kernel/caller.ts'
import { fault } from '../../kernel/fault.ts'
import { comingBetween, isRepeating, tasks, ZoneDays, zoneIn } from '../tasks/index.ts'
import { dayOf, type Item, inOrder, type Place, type Range } from './days.ts'
import { MOST_SERIES } from './schema.ts'

/** Tasks that are read and counted at once: between two turns others are answered. */
const AT_ONCE = 200

interface Asked {
  where: SQL | undefined
  range: Range
  /** The last that was given. */
  last: Place | undefined
  most: number
}

/** How often repeating tasks come again in the days asked for, and the soonest that are left. */
export async function comingAgain(ctx: Context, { where, range, last, most }: Asked) {
  const ids = await repeatingIds(ctx, and(where, lte(tasks.due_at, new Date(range.most))))
  const soonest = new Soonest(most)
  const zones = new Map<string, ZoneDays>()
  let many = 0
  for (let at = 0; at < ids.length; at += AT_ONCE) {
    await setImmediate()
    for (const { task_id, recurrence, zone: theirs, ...dates } of await rowsOf(ctx, ids, at)) {
      const zone = theirs ?? ctx.caller.time_zone
      const days = zones.get(zone) ?? new ZoneDays(zone, ctx.now)
      zones.set(zone, days)
      const series = { ...dates, zone, rule: recurrence!, start: null, now: ctx.now }
      const coming = comingBetween(series, days, range)
      many += coming.many
      for (const one of coming.since(last && dayOf(last.at))) {
        const item = { task_id, ...one, occurrence: true }
        if (last && inOrder(item, last) <= 0) continue
        if (!soonest.takes(item)) break
      }
    }
  }
  return { items: soonest.found(), many }
}

async function repeatingIds({ tx }: Context, where: SQL | undefined): Promise<number[]> {
  const { task_id, due_at } = tasks
  const rows = await tx
    .select({ task_id })
    .from(tasks)
    .where(and(where, isRepeating(tasks)))
    .orderBy(asc(due_at), asc(task_id))
    .limit(MOST_SERIES + 1)
  if (rows.length > MOST_SERIES) throw tooMany()
  return rows.map((row) => row.task_id)
}

const tooMany = () =>
  fault.invalid(
    'project_ids',
    'out_of_range',
    `More than ${MOST_SERIES} repeating tasks may come again in these days`,
    undefined,
    'Ask for fewer boards with project_ids, or for the tasks of one person with assigned_to',
  )

function rowsOf({ tx }: Context, ids: readonly number[], at: number) {
  const { task_id, recurrence, due_date: due, repeats_from: from } = tasks
  return tx
    .select({ task_id, recurrence, due, from, zone: zoneIn(tx) })
    .from(tasks)
    .where(and(inArray(task_id, ids.slice(at, at + AT_ONCE)), isRepeating(tasks)))
}

/** The first so many of what is handed over in any order. */
class Soonest {
  private items: Item[] = []
  private end: Item | undefined

  constructor(private readonly most: number) {}

  /** False where it comes too late, and so does all after it. */
  takes(item: Item): boolean {
    if (this.end && inOrder(item, this.end) >= 0) return false
    this.items.push(item)
    if (this.items.length >= this.most * 4) this.cut()
    return true
  }

  found(): Item[] {
    this.cut()
    return this.items
  }

  private cut() {
    this.items.sort(inOrder)
    this.items.length = Math.min(this.items.length, this.most)
    if (this.items.length === this.most) this.end = this.items.at(-1)
  }
}
