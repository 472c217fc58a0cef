import { setImmediate } from 'node:timers/promises'
import { and, asc, inArray, lte, type SQL } from 'drizzle-orm'
import type { Context } from '../../../../kernel/caller.ts'
import { fault } from '../../../../kernel/fault.ts'
import { timeZoneColumn } from '../../../tasks/assignees/model/index.ts'
import { isRepeating } from '../../../tasks/states/model/index.ts'
import { tasks } from '../../../tasks/tasks/model/index.ts'
import { occurrencesBetween, ZoneDays } from '../../repeats/model/index.ts'
import { byTime, dayOf, type Item, type Position, type Range } from './days.ts'
import { MAX_SERIES } from './schema.ts'

/** Tasks per batch; other requests run in between. */
const BATCH_SIZE = 200

interface OccurrenceRequest {
  where: SQL | undefined
  range: Range
  /** The last item of the previous page. */
  last: Position | undefined
  most: number
}

/**
 * Counts the future occurrences in the requested days, and returns the soonest after the previous
 * page.
 */
export async function soonestOccurrences(
  ctx: Context,
  { where, range, last, most }: OccurrenceRequest,
) {
  const ids = await repeatingIds(ctx, and(where, lte(tasks.due_at, new Date(range.most))))
  const soonest = new Soonest(most)
  const zones = new Map<string, ZoneDays>()
  let count = 0
  for (let at = 0; at < ids.length; at += BATCH_SIZE) {
    await setImmediate()
    for (const { task_id, recurrence, zone: assigneeZone, ...dates } of await loadSeries(
      ctx,
      ids,
      at,
    )) {
      const zone = assigneeZone ?? ctx.caller.time_zone
      const days = zones.get(zone) ?? new ZoneDays(zone, ctx.now)
      zones.set(zone, days)
      const series = { ...dates, zone, rule: recurrence!, start: null, now: ctx.now }
      const occurrences = occurrencesBetween(series, days, range)
      count += occurrences.count
      for (const occurrence of occurrences.since(last && dayOf(last.at))) {
        const item = { task_id, ...occurrence, occurrence: true }
        if (last && byTime(item, last) <= 0) continue
        if (!soonest.add(item)) break
      }
    }
  }
  return { items: soonest.found(), count }
}

async function repeatingIds({ tx }: Context, where: SQL | undefined): Promise<number[]> {
  const { task_id, due_at } = tasks
  const rows = await tx
    .select({ task_id })
    .from(tasks)
    .where(and(where, isRepeating(tasks)))
    .orderBy(asc(due_at), asc(task_id))
    .limit(MAX_SERIES + 1)
  if (rows.length > MAX_SERIES) throw tooMany()
  return rows.map((row) => row.task_id)
}

const tooMany = () =>
  fault.invalid(
    'project_ids',
    'out_of_range',
    `More than ${MAX_SERIES} repeating tasks may have occurrences in this range`,
    undefined,
    'Limit the request to fewer boards with project_ids, or to one person with assigned_to',
  )

function loadSeries({ tx }: Context, ids: readonly number[], at: number) {
  const { task_id, recurrence, due_date: due, repeats_from: from } = tasks
  return tx
    .select({ task_id, recurrence, due, from, zone: timeZoneColumn(tx) })
    .from(tasks)
    .where(and(inArray(task_id, ids.slice(at, at + BATCH_SIZE)), isRepeating(tasks)))
}

/** Collects the first `most` items of a sequence in any order. */
class Soonest {
  private items: Item[] = []
  private end: Item | undefined

  constructor(private readonly most: number) {}

  /** False if the item is too late, and with it all later ones of its series. */
  add(item: Item): boolean {
    if (this.end && byTime(item, this.end) >= 0) return false
    this.items.push(item)
    if (this.items.length >= this.most * 4) this.trim()
    return true
  }

  found(): Item[] {
    this.trim()
    return this.items
  }

  private trim() {
    this.items.sort(byTime)
    this.items.length = Math.min(this.items.length, this.most)
    if (this.items.length === this.most) this.end = this.items.at(-1)
  }
}
