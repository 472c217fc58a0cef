import type { Board, Card } from '../../entities/board/data.ts'
import { DUES, STATES } from '../../entities/task/filter-values.ts'
import { PRIORITIES } from '../../entities/task/priority.tsx'
import { keyOf } from '../../entities/user/avatar.tsx'
import { addDays } from '../../kit/days.ts'
import { dayOf } from '../../kit/zone.ts'
import { t } from '../../messages/t.ts'

/** A filter: a card must match one value of every kind that has values. */
export interface Filter {
  text: string
  /** `me`, `none`, a user id or the UUID of an agent. */
  assignee: readonly string[]
  /** `none` or a label id. */
  label: readonly string[]
  priority: readonly string[]
  size: readonly string[]
  due: readonly string[]
  is: readonly string[]
}
export type Kind = Exclude<keyof Filter, 'text'>

export const KINDS = ['assignee', 'label', 'priority', 'size', 'due', 'is'] as const
export const NO_FILTER: Filter = {
  text: '',
  ...{ assignee: [], label: [], priority: [], size: [], due: [], is: [] },
}

export const isEmptyFilter = (filter: Filter) =>
  !filter.text && KINDS.every((kind) => !filter[kind].length)

export const isSameFilter = (a: Filter, b: Filter) =>
  a.text === b.text &&
  KINDS.every((kind) => a[kind].toSorted().join() === b[kind].toSorted().join())

/** Adds a value to a filter, or removes it. */
export function toggleValue(filter: Filter, kind: Kind, value: string): Filter {
  const values = filter[kind]
  const next = values.includes(value)
    ? values.filter((current) => current !== value)
    : [...values, value]
  return { ...filter, [kind]: next }
}

const TEXT_PARAM = 'q'
/** In the address: no filter, even if the view has one. */
const NO_FILTER_PARAM = 'filter'

const PARAMETERS: ReadonlySet<string> = new Set([TEXT_PARAM, NO_FILTER_PARAM, ...KINDS])
const SIZE_NAMES = ['none', '', 'XS', 'S', 'M', 'L', 'XL']

const withIndexes = (valueNames: readonly string[]) =>
  valueNames.map((name, value) => [String(value), name] as const)

/** The values of each kind with their names; an address may contain either. */
function valueNamesOf(board: Pick<Board, 'labels' | 'actors'> | undefined) {
  return {
    assignee: [
      ...[['me', t('board.me')] as const, ['none', t('common.nobody')] as const],
      ...(board?.actors ?? []).map((actor) => [String(keyOf(actor)), actor.name] as const),
    ],
    label: [
      ['none', t('board.no_label')] as const,
      ...(board?.labels ?? []).map((label) => [String(label.label_id), label.name ?? ''] as const),
    ],
    priority: withIndexes(PRIORITIES),
    size: [['0', t('board.no_size')] as const, ...withIndexes(SIZE_NAMES)],
    due: Object.entries(DUES),
    is: Object.entries(STATES),
  } satisfies Record<Kind, readonly (readonly [string, string])[]>
}

/** The filter in the address, if there is one. Names of parameters and values ignore case. */
export function readFilter(
  address: URLSearchParams,
  board?: Pick<Board, 'labels' | 'actors'>,
): Filter | undefined {
  const query = new Map([...address].map(([name, value]) => [name.toLowerCase(), value]))
  if (![...PARAMETERS].some((name) => query.has(name))) return undefined
  const names = valueNamesOf(board)
  const resolve = (kind: Kind, text: string) => {
    const isSame = (name: string) => foldCase(name) === foldCase(text)
    const options: readonly (readonly [string, string])[] = names[kind]
    const match =
      options.find(([value]) => isSame(value)) ?? options.find(([, name]) => isSame(name))
    return match?.[0] ?? text
  }
  const list = (kind: Kind) => [
    ...new Set(
      (query.get(kind)?.split(',') ?? [])
        .map((text) => text.trim())
        .filter(Boolean)
        .map((text) => resolve(kind, text)),
    ),
  ]
  return {
    text: query.get(TEXT_PARAM) ?? '',
    ...{ assignee: list('assignee'), label: list('label'), priority: list('priority') },
    ...{ size: list('size'), due: list('due'), is: list('is') },
  }
}

export function writeFilter(query: URLSearchParams, filter: Filter | undefined) {
  for (const name of [...query.keys()]) if (PARAMETERS.has(name.toLowerCase())) query.delete(name)
  if (!filter) return
  if (filter.text) query.set(TEXT_PARAM, filter.text)
  for (const kind of KINDS) if (filter[kind].length) query.set(kind, filter[kind].join())
  if (isEmptyFilter(filter)) query.set(NO_FILTER_PARAM, 'none')
}

export type CardTest = (card: Card) => boolean

const foldCase = (text: string) => text.toLocaleLowerCase()
export const dueDay = ({ due_date }: Card) =>
  due_date && (due_date.length > 10 ? dayOf(new Date(due_date)) : due_date)

const IS: Record<string, CardTest> = {
  blocked: ({ blocked }) => blocked === true,
  free: ({ blocked }) => blocked !== true,
  work: ({ lease }) => lease !== undefined,
  red: ({ pr_badge }) => pr_badge === 'red',
}

/** A function that tells whether a card matches the filter. */
export function cardTest(
  filter: Filter,
  currentUserId: number | undefined,
  isFlat: boolean,
): CardTest {
  const text = foldCase(filter.text.trim())
  const today = dayOf(new Date())
  const week = addDays(today, 7)
  const tests: Record<Kind, (card: Card, value: string) => boolean> = {
    assignee({ assignees = [] }, value) {
      if (value === 'none') return !assignees.length
      return assignees.some(
        (key) => String(key) === (value === 'me' ? String(currentUserId) : value),
      )
    },
    label: ({ labels = [] }, value) =>
      value === 'none' ? !labels.length : labels.includes(Number(value)),
    priority: ({ priority = 0 }, value) => priority === Number(value),
    size: ({ estimate = 0 }, value) => estimate === Number(value),
    due(card, value) {
      const day = dueDay(card)
      if (value === 'none') return !day
      if (!day) return false
      if (value === 'overdue') return card.overdue === true
      return value === 'today' ? day === today : day >= today && day <= week
    },
    is: (card, value) => IS[value]?.(card) ?? false,
  }
  const activeKinds = KINDS.filter((kind) => filter[kind].length)
  return (card) =>
    (isFlat || !card.parent_task_id) &&
    (!text || foldCase(`${card.ticket_number} ${card.title}`).includes(text)) &&
    activeKinds.every((kind) => filter[kind].some((value) => tests[kind](card, value)))
}
