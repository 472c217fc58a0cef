import { keyOf } from '../parts/avatar.tsx'
import { plus } from '../parts/days.ts'
import { PRIORITIES } from '../parts/icon.tsx'
import { dayOf } from '../parts/zone.ts'
import type { Board, Card } from './data.ts'

/** What a board is narrowed down to: of each kind any, and of all kinds together. */
export interface Filter {
  text: string
  /** `me`, `none`, the number of a person or the UUID of an agent. */
  assignee: readonly string[]
  /** `none` or the number of a label. */
  label: readonly string[]
  priority: readonly string[]
  size: readonly string[]
  due: readonly string[]
  is: readonly string[]
}
export type Kind = Exclude<keyof Filter, 'text'>

export const KINDS = ['assignee', 'label', 'priority', 'size', 'due', 'is'] as const
export const DUES = {
  overdue: 'Overdue',
  today: 'Today',
  week: 'Within a week',
  none: 'No due date',
} as const
export const STATES = {
  blocked: 'Blocked',
  free: 'Not blocked',
  work: 'Somebody at work',
  red: 'Pull request fails',
} as const
export const EVERYTHING: Filter = {
  text: '',
  ...{ assignee: [], label: [], priority: [], size: [], due: [], is: [] },
}

export const isEverything = (filter: Filter) =>
  !filter.text && KINDS.every((kind) => !filter[kind].length)

export const same = (a: Filter, b: Filter) =>
  a.text === b.text &&
  KINDS.every((kind) => a[kind].toSorted().join() === b[kind].toSorted().join())

/** With one value more, or without it. */
export function turned(filter: Filter, kind: Kind, value: string): Filter {
  const now = filter[kind]
  const next = now.includes(value) ? now.filter((one) => one !== value) : [...now, value]
  return { ...filter, [kind]: next }
}

const TEXT = 'q'
/** Says that nothing is filtered, where a view would. */
const NONE = 'filter'

const PARAMETERS: ReadonlySet<string> = new Set([TEXT, NONE, ...KINDS])
const SIZE_NAMES = ['none', '', 'XS', 'S', 'M', 'L', 'XL']

const numbered = (names: readonly string[]) =>
  names.map((name, value) => [String(value), name] as const)

/** The values of each kind with their names, by which an address may say them too. */
function namesOf(board: Pick<Board, 'labels' | 'actors'> | undefined) {
  return {
    assignee: [
      ...[['me', 'Me'] as const, ['none', 'Nobody'] as const],
      ...(board?.actors ?? []).map((one) => [String(keyOf(one)), one.name] as const),
    ],
    label: [
      ['none', 'No label'] as const,
      ...(board?.labels ?? []).map((one) => [String(one.label_id), one.name ?? ''] as const),
    ],
    priority: numbered(PRIORITIES),
    size: [['0', 'No size'] as const, ...numbered(SIZE_NAMES)],
    due: Object.entries(DUES),
    is: Object.entries(STATES),
  } satisfies Record<Kind, readonly (readonly [string, string])[]>
}

/** What the address says, if it says anything; names of parameters and values in any case. */
export function readFilter(
  address: URLSearchParams,
  board?: Pick<Board, 'labels' | 'actors'>,
): Filter | undefined {
  const query = new Map([...address].map(([name, value]) => [name.toLowerCase(), value]))
  if (![...PARAMETERS].some((name) => query.has(name))) return undefined
  const names = namesOf(board)
  const resolve = (kind: Kind, said: string) => {
    const isSame = (one: string) => folded(one) === folded(said)
    const known: readonly (readonly [string, string])[] = names[kind]
    const found = known.find(([value]) => isSame(value)) ?? known.find(([, name]) => isSame(name))
    return found?.[0] ?? said
  }
  const list = (kind: Kind) => [
    ...new Set(
      (query.get(kind)?.split(',') ?? [])
        .map((said) => said.trim())
        .filter(Boolean)
        .map((said) => resolve(kind, said)),
    ),
  ]
  return {
    text: query.get(TEXT) ?? '',
    ...{ assignee: list('assignee'), label: list('label'), priority: list('priority') },
    ...{ size: list('size'), due: list('due'), is: list('is') },
  }
}

export function writeFilter(query: URLSearchParams, filter: Filter | undefined) {
  for (const name of [...query.keys()]) if (PARAMETERS.has(name.toLowerCase())) query.delete(name)
  if (!filter) return
  if (filter.text) query.set(TEXT, filter.text)
  for (const kind of KINDS) if (filter[kind].length) query.set(kind, filter[kind].join())
  if (isEverything(filter)) query.set(NONE, 'none')
}

export type Test = (card: Card) => boolean

const folded = (text: string) => text.toLocaleLowerCase()
export const dueDay = ({ due_date }: Card) =>
  due_date && (due_date.length > 10 ? dayOf(new Date(due_date)) : due_date)

const IS: Record<string, Test> = {
  blocked: ({ blocked }) => blocked === true,
  free: ({ blocked }) => blocked !== true,
  work: ({ lease }) => lease !== undefined,
  red: ({ pr_badge }) => pr_badge === 'red',
}

/** Whether a card is among what is looked for. */
export function testOf(filter: Filter, me: number | undefined, isFlat: boolean): Test {
  const text = folded(filter.text.trim())
  const today = dayOf(new Date())
  const week = plus(today, 7)
  const tests: Record<Kind, (card: Card, value: string) => boolean> = {
    assignee({ assignees = [] }, value) {
      if (value === 'none') return !assignees.length
      return assignees.some((key) => String(key) === (value === 'me' ? String(me) : value))
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
  const asked = KINDS.filter((kind) => filter[kind].length)
  return (card) =>
    (isFlat || !card.parent_task_id) &&
    (!text || folded(`${card.ticket_number} ${card.title}`).includes(text)) &&
    asked.every((kind) => filter[kind].some((value) => tests[kind](card, value)))
}
