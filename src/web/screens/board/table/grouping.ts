import { type ActorKey, keyOf } from '../../../entities/user/actor.ts'
import { addDays, nextWeek } from '../../../kit/days.ts'
import { type Day, dayOf } from '../../../kit/zone.ts'
import { t } from '../../../messages/t.ts'
import { optionsOf } from './cell-text.ts'
import { type Field, isEmpty, type Row, type TableContext, type Value } from './types.ts'

/** The rows with one value of a field. */
export interface Group {
  /** The value as text; unique among the groups of its parent. */
  key: string
  /** The keys of the parent and of this group, as stored displays name them. */
  path: string
  name: string
  field: Field
  depth: number
  rows: readonly Row[]
  /** The groups into which this one is divided. */
  groups: readonly Group[]
  parent?: Group | undefined
}

export const NONE = 'none'

const KINDS = [
  'section',
  'people',
  'agents',
  'choice',
  'labels',
  'parent',
  'date',
  'select',
  'checkbox',
]
export const canGroupBy = ({ kind }: Field) => KINDS.includes(kind)

/** The keys of the groups that contain a row: several if it has several labels or assignees. */
export function groupKeys(field: Field, row: Row, today: Day): string[] {
  const value = field.read(row)
  if (isEmpty(value) || value === false) return [NONE]
  if (field.kind === 'date') return [bucketOf(String(value), today)]
  return Array.isArray(value) ? value.map(String) : [String(value)]
}

const BUCKETS = ['past', 'today', 'tomorrow', 'week', 'next', 'later'] as const
const BUCKET_NAMES: Record<string, string> = {
  past: t('table.before_today'),
  today: t('table.today'),
  tomorrow: t('table.tomorrow'),
  week: t('table.this_week'),
  next: t('table.next_week'),
  later: t('table.later'),
}

function bucketOf(date: string, today: Day): string {
  const day = date.length === 10 ? date : dayOf(new Date(date))
  const monday = nextMonday(today)
  if (day < today) return 'past'
  if (day === today) return 'today'
  if (day === addDays(today, 1)) return 'tomorrow'
  if (day < monday) return 'week'
  return day < addDays(monday, 7) ? 'next' : 'later'
}

/** `nextWeek` skips a Monday that is tomorrow, which has a bucket of its own. */
const nextMonday = (today: Day) => {
  const day = nextWeek(today)
  return addDays(day, -7) > today ? addDays(day, -7) : day
}

/** The date that a task gets in a bucket; undefined where no single date is meant. */
function dateIn(bucket: string, today: Day): Day | undefined {
  const monday = nextMonday(today)
  const dates: Record<string, Day> = {
    today,
    tomorrow: addDays(today, 1),
    week: addDays(monday, -1),
    next: monday,
    later: addDays(monday, 7),
  }
  return dates[bucket]
}

const EMPTY_NAMES: Partial<Record<Field['kind'], string>> = {
  people: t('common.nobody'),
  agents: t('table.no_agent'),
  labels: t('board.no_label'),
  parent: t('board.no_parent'),
  date: t('table.no_date'),
  checkbox: t('table.not_checked'),
}

/** The groups of a field that exist without rows, in order: a task can be dropped into them. */
function knownKeys(field: Field, context: TableContext): string[] {
  switch (field.kind) {
    case 'section':
      return context.shown.map(({ section_id }) => String(section_id))
    case 'people':
      return context.members.map((member) => String(keyOf(member)))
    case 'agents':
      return context.members.flatMap(({ agent_id }) => agent_id ?? [])
    case 'labels':
      return [...context.labels.keys()].map(String)
    case 'choice':
    case 'select':
      return optionsOf(field).flatMap(({ value }) => (value === 0 ? [] : String(value)))
    case 'date':
      return [...BUCKETS]
    default:
      return []
  }
}

function nameOf(field: Field, key: string, context: TableContext): string {
  if (key === NONE) return EMPTY_NAMES[field.kind] ?? t('table.no_label', { label: field.label })
  switch (field.kind) {
    case 'section':
      return context.sections.find(({ section_id }) => String(section_id) === key)?.title ?? ''
    case 'people':
    case 'agents': {
      const actor = context.actors.get(asActorKey(key))
      return (
        actor?.name ??
        context.members.find((one) => String(keyOf(one)) === key)?.name ??
        t('common.former_member')
      )
    }
    case 'labels':
      return context.labels.get(Number(key))?.name ?? ''
    case 'parent': {
      const card = context.cardsById.get(Number(key))
      return card ? `${card.ticket_number} ${card.title}` : t('board.task_not_shown_here')
    }
    case 'date':
      return BUCKET_NAMES[key] ?? key
    case 'checkbox':
      return t('table.checked')
    default:
      return optionsOf(field).find(({ value }) => String(value) === key)?.name ?? key
  }
}

export const asActorKey = (key: string): ActorKey => (/^\d+$/.test(key) ? Number(key) : key)

interface Options {
  context: TableContext
  today: Day
  /** Also returns groups without rows, of fields with few values. */
  withEmpty: boolean
}

const HAS_EMPTY = ['section', 'choice', 'select']

/** Divides rows by the first field, and each group by the next ones. */
export function groupRows(
  rows: readonly Row[],
  [field, ...others]: readonly Field[],
  options: Options,
  parent?: Group,
): readonly Group[] {
  if (!field) return []
  const { context, today, withEmpty } = options
  const byKey = new Map<string, Row[]>(knownKeys(field, context).map((key) => [key, []]))
  const none: Row[] = []
  for (const row of rows)
    for (const key of groupKeys(field, row, today)) {
      if (key === NONE) none.push(row)
      else if (byKey.has(key)) byKey.get(key)!.push(row)
      else byKey.set(key, [row])
    }
  const hasEmpty = withEmpty && !parent && HAS_EMPTY.includes(field.kind)
  return [...byKey, [NONE, none] as const]
    .filter(([key, own]) => own.length || (hasEmpty && key !== NONE))
    .map(([key, own]) => {
      const group: Group = {
        ...{ key, field, parent, rows: own, groups: [] },
        path: [parent?.path, `${field.name}:${key}`].filter(Boolean).join('/'),
        name: nameOf(field, key, context),
        depth: parent ? parent.depth + 1 : 0,
      }
      return { ...group, groups: groupRows(own, others, options, group) }
    })
}

const swap = (
  values: readonly ActorKey[],
  from: ActorKey | undefined,
  to: ActorKey | undefined,
) => [
  ...values.filter((value) => value !== from && value !== to),
  ...(to === undefined ? [] : [to]),
]

/**
 * The value that a row gets when it is dropped from one group into another; undefined if the group
 * stands for no single value.
 */
export function valueInGroup(
  field: Field,
  row: Row,
  { from, to, today }: { from: string | undefined; to: string; today: Day },
): Value | undefined {
  const value = field.read(row)
  if (field.kind === 'people' || field.kind === 'labels') {
    const before = from === undefined || from === NONE ? undefined : asActorKey(from)
    return to === NONE && from === undefined
      ? []
      : swap((value as readonly ActorKey[]) ?? [], before, to === NONE ? undefined : asActorKey(to))
  }
  if (to === NONE) return field.kind === 'choice' ? 0 : null
  if (field.kind === 'date') return dateIn(to, today)
  if (field.kind === 'checkbox') return true
  return field.kind === 'select' ? to : Number(to)
}

/** The groups without groups inside, in their order. */
export const leafGroups = (groups: readonly Group[] | undefined): Group[] =>
  (groups ?? []).flatMap((group) => (group.groups.length ? leafGroups(group.groups) : group))

/** The groups that contain a group, the outermost first, and the group itself. */
export const chainOf = (group: Group | undefined): Group[] =>
  group ? [...chainOf(group.parent), group] : []
