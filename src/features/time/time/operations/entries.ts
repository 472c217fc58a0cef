import { Type as t } from '@sinclair/typebox'
import { and, eq, getTableColumns, inArray, isNotNull, type SQL } from 'drizzle-orm'
import type { Context } from '../../../../kernel/caller.ts'
import { fault } from '../../../../kernel/fault.ts'
import { listInput, listOf, type Paging } from '../../../../kernel/list.ts'
import { operation } from '../../../../kernel/operation.ts'
import { pageOf } from '../../../../store/page.ts'
import { matchesSearch } from '../../../../store/text.ts'
import { onVisibleTask, refuseDeleted, tasks } from '../../../tasks/tasks/model/index.ts'
import { resolveFilters } from '../model/filters.ts'
import {
  dayAt,
  MAX_MINUTES,
  minutesOf,
  normalizeNote,
  parseDay,
  secondsOf,
} from '../model/rules.ts'
import {
  aboutTask,
  BoardRef,
  Day,
  DeleteResult,
  EntryId,
  Minutes,
  Note,
  Offset,
  TaskIdentifier,
  TimeEntry,
  UserRef,
} from '../model/schema.ts'
import {
  type Entry,
  emitTimeChange,
  findOwn,
  findTask,
  isOpen,
  isOwn,
  toTimeEntries,
  updateEntry,
  zoneOf,
} from '../model/store.ts'
import { timeEntries } from '../model/tables.ts'

export const log = operation({
  name: 'time.log',
  summary: 'Log minutes you spent on a task',
  needs: 'tasks:write',
  creates: true,
  on: {
    rest: 'POST /api/v1/tasks/:task/time',
    mcp: 'svc_time.log',
    cli: { usage: 'time log <task> <minutes>', example: 'HOM-1 45 --date 2026-11-19' },
    chat: true,
  },
  input: t.Object({
    ...aboutTask,
    minutes: Minutes,
    date: t.Optional({ ...Day, description: 'YYYY-MM-DD, default today' }),
    note: t.Optional(Note),
    timezone_offset_minutes: t.Optional(Offset),
  }),
  output: TimeEntry,
  async run({ minutes, date, note, timezone_offset_minutes, ...taskRef }, ctx) {
    const zone = zoneOf(ctx, timezone_offset_minutes)
    const day =
      date === undefined ? dayAt(secondsOf(ctx.now), zone) : parseEntryDay(ctx, date, zone)
    const task = await findTask(ctx, taskRef)
    refuseDeleted(task, 'task_identifier')
    const { team_id, task_id } = task
    const [entry] = await ctx.tx
      .insert(timeEntries)
      .values({
        team_id,
        task_id,
        actor_id: ctx.caller.actor_id,
        kind: 'logged',
        started_at: ctx.now,
        ended_at: ctx.now,
        created_at: ctx.now,
        stretches: [],
        seconds: minutes * 60,
        day,
        note: normalizeNote(note),
      })
      .returning()
    return emitTimeChange(ctx, 'logged', task, entry!)
  },
})

const DAY_S = 24 * 60 * 60

/** Accepts days up to tomorrow, which has begun already in other time zones. */
function parseEntryDay(ctx: Context, value: string, zone: string): string {
  const day = parseDay(value)
  if (day === undefined) {
    const message = 'date is not a valid date'
    throw fault.invalid('date', 'invalid_format', message, value, 'For example 2026-11-20')
  }
  if (day <= dayAt(secondsOf(ctx.now) + DAY_S, zone)) return day
  const message = 'date is more than one day in the future'
  const hint = 'Log time on the day it was spent'
  throw fault.invalid('date', 'out_of_range', message, value, hint)
}

const filters = {
  user_id: t.Optional(UserRef),
  project_id: t.Optional(BoardRef),
  task_identifier: t.Optional(TaskIdentifier),
}

export const list = operation({
  name: 'time.list',
  summary: 'Time entries on your boards, newest first',
  needs: 'tasks:read',
  dependsOn: ['time', 'label'],
  on: { rest: 'GET /api/v1/time', cli: { usage: 'time list', example: '--user me' }, chat: true },
  input: listInput(
    {
      ...filters,
      running: t.Optional(
        t.Boolean({ description: 'true: only open timers; false: only finished entries' }),
      ),
    },
    ['createdAt'],
  ),
  output: listOf(TimeEntry),
  async run({ user_id, project_id, task_identifier, running: isRunning, ...paging }, ctx) {
    const { actor_id, task, board } = await resolveFilters(ctx, {
      user_id,
      project_id,
      task_identifier,
    })
    const where = and(
      inArray(timeEntries.team_id, [...ctx.caller.teams.keys()]),
      actor_id === undefined ? undefined : eq(timeEntries.actor_id, actor_id),
      task && eq(timeEntries.task_id, task.task_id),
      isRunning === undefined ? undefined : isRunning ? isOpen : isNotNull(timeEntries.ended_at),
      onVisibleTask(
        ctx,
        timeEntries.task_id,
        board === undefined ? undefined : eq(tasks.project_id, board),
      ),
    )
    const name = `time ${actor_id} ${task?.task_id} ${board} ${isRunning}`
    return listEntries(ctx, paging, where, name)
  },
})

export const running = operation({
  name: 'time.running',
  summary: 'Your running and paused timers',
  needs: 'tasks:read',
  dependsOn: ['time', 'label'],
  on: {
    rest: 'GET /api/v1/time/running',
    mcp: 'svc_time.running',
    cli: { usage: 'time running', example: '' },
    chat: true,
  },
  input: listInput({}, ['createdAt']),
  output: listOf(TimeEntry),
  run: (paging, ctx) => {
    const where = and(isOwn(ctx), isOpen, onVisibleTask(ctx, timeEntries.task_id))
    return listEntries(ctx, paging, where, 'timers')
  },
})

async function listEntries(ctx: Context, paging: Paging, where: SQL | undefined, name: string) {
  const { rows, page } = await pageOf(ctx.tx, paging, {
    name,
    from: timeEntries,
    columns: getTableColumns(timeEntries),
    where: and(where, matchesSearch(paging, [timeEntries.note])),
    sorts: { createdAt: { key: timeEntries.created_at } },
    id: 'entry_id',
  })
  return { items: await toTimeEntries(ctx, rows as Entry[]), page }
}

export const update = operation({
  name: 'time.update',
  summary: 'Change your time entry; new minutes or a new date turn it into logged time',
  needs: 'tasks:write',
  on: {
    rest: 'PATCH /api/v1/time/:entry_id',
    cli: { usage: 'time update <entry_id>', example: '1 --minutes 30' },
  },
  input: t.Object({
    entry_id: EntryId,
    minutes: t.Optional(Minutes),
    date: t.Optional(Day),
    note: t.Optional(Note),
  }),
  output: TimeEntry,
  async run({ entry_id, minutes, date, note }, ctx) {
    const { entry, task } = await findOwn(ctx, entry_id)
    const changesTime = minutes !== undefined || date !== undefined
    if (changesTime && !entry.ended_at)
      throw fault.conflict(
        `Entry ${entry_id} is an open timer`,
        { field: minutes === undefined ? 'date' : 'minutes', entry_id },
        'Stop it first',
      )
    const set = {
      ...(note !== undefined && { note: normalizeNote(note) }),
      ...(changesTime && loggedFields(ctx, entry, minutes, date)),
    }
    if (!Object.keys(set).length) return (await toTimeEntries(ctx, [entry]))[0]!
    return emitTimeChange(ctx, 'updated', task, await updateEntry(ctx, entry, set))
  },
})

function loggedFields(ctx: Context, entry: Entry, minutes: number | undefined, date?: string) {
  const currentMinutes = Math.min(MAX_MINUTES, Math.max(1, minutesOf(entry.seconds)))
  const currentDay = entry.day ?? dayAt(secondsOf(entry.started_at), ctx.caller.time_zone)
  return {
    kind: 'logged' as const,
    stretches: [],
    seconds: (minutes ?? currentMinutes) * 60,
    day: date === undefined ? currentDay : parseEntryDay(ctx, date, ctx.caller.time_zone),
  }
}

export const remove = operation({
  name: 'time.delete',
  summary: 'Delete your time entry',
  needs: 'tasks:write',
  destroys: true,
  on: {
    rest: 'DELETE /api/v1/time/:entry_id',
    cli: { usage: 'time delete <entry_id>', example: '1' },
  },
  input: t.Object({ entry_id: EntryId }),
  output: DeleteResult,
  async run({ entry_id }, ctx) {
    const { entry, task } = await findOwn(ctx, entry_id)
    await ctx.tx.delete(timeEntries).where(eq(timeEntries.entry_id, entry_id))
    const { ticket_number } = await emitTimeChange(ctx, 'deleted', task, entry)
    return { entry_id, ticket_number }
  },
})
