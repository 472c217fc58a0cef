import { useAsk } from '../data/cache.ts'
import { Avatar, keyOf } from '../parts/avatar.tsx'
import { dueWords } from '../parts/dates.ts'
import { Icon, PRIORITIES, Priority } from '../parts/icon.tsx'
import { type Choice, PickMany, PickOne } from '../parts/pick.tsx'
import { PickWhen } from '../parts/when.tsx'
import { assign, changeCards, due, label, prioritize, SIZES, size } from './change.ts'
import type { Board, Card } from './data.ts'
import type { What } from './keys.ts'
import { moveCards } from './moves.ts'

export interface Picking {
  what: What
  /** The cards that it is about. */
  ids: readonly number[]
  anchor: Element | null
}

interface Props {
  what: What
  board: Board
  cards: readonly Card[]
  anchor: Element | null
  onClose(): void
}

/** What a letter opens beside a card, for it or for all that are chosen. */
export default function Picker(props: Props) {
  const { what } = props
  if (what === 'assign') return <PickPeople {...props} />
  if (what === 'label') return <PickLabels {...props} />
  if (what === 'due') return <PickDue {...props} />
  return <PickField {...props} />
}

const opened = ({ anchor, onClose }: Props) => ({
  ...{ open: true, anchor },
  onOpen: (open: boolean) => {
    if (!open) onClose()
  },
})

/** What all of them have; nothing where they differ. */
function common<V>(cards: readonly Card[], of: (card: Card) => V): V | null {
  const [first, ...others] = cards.map(of)
  return first !== undefined && others.every((one) => one === first) ? first : null
}

const CHOICES: readonly Choice<number>[] = [1, 2, 3, 4, 0].map((value) => ({
  value,
  name: PRIORITIES[value]!,
  mark: <Priority value={value} />,
}))
const SIZE_CHOICES: readonly Choice<number>[] = [2, 3, 4, 5, 6, 0].map((value) => ({
  value,
  name: SIZES[value] || 'No size',
}))

function PickField(props: Props) {
  const { what, board, cards, onClose } = props
  const { project_id } = board
  const columns = board.sections.map(({ section_id, title, done }) => ({
    value: section_id,
    name: title,
    ...(done && { mark: <Icon name="done" label="Counts as done" /> }),
  }))
  const put = (value: number) => {
    onClose()
    const ids = cards.map(({ task_id }) => task_id)
    if (what === 'column')
      return void moveCards(project_id, ids, { section_id: value, above: null })
    const change = what === 'priority' ? prioritize(cards, value) : size(cards, value)
    void changeCards(project_id, cards, change)
  }
  const [name, choices, value] = {
    column: ['Column', columns, common(cards, ({ section_id }) => section_id)] as const,
    priority: ['Priority', CHOICES, common(cards, ({ priority = 0 }) => priority)] as const,
    size: ['Size', SIZE_CHOICES, common(cards, ({ estimate = 0 }) => estimate)] as const,
  }[what as 'column' | 'priority' | 'size']
  return <PickOne label={name} value={value} choices={choices} onPick={put} {...opened(props)} />
}

function PickLabels(props: Props) {
  const { board, cards } = props
  const choices = board.labels.map(({ label_id, name, color }) => ({
    value: label_id,
    name: name ?? '',
    mark: <span className="dot" style={{ background: color }} />,
  }))
  const on = board.labels
    .map(({ label_id }) => label_id)
    .filter((id) => cards.every(({ labels }) => labels?.includes(id)))
  return (
    <PickMany
      label="Labels"
      values={on}
      choices={choices}
      empty="This board has no such label"
      onPick={(next) => {
        const id = turnedOf(on, next)
        const one = board.labels.find(({ label_id }) => label_id === id)
        if (!one) return
        void changeCards(board.project_id, cards, label(cards, one, next.includes(one.label_id)))
      }}
      {...opened(props)}
    />
  )
}

/** The one that is in one list and not in the other. */
const turnedOf = <V,>(before: readonly V[], after: readonly V[]): V | undefined =>
  [...before, ...after].find((one) => before.includes(one) !== after.includes(one))

function PickPeople(props: Props) {
  const { board, cards } = props
  const list = useAsk('projects.members', { project_id: board.project_id, limit: 50 })
  const { data: me } = useAsk('user_context.get', {})
  const own = me?.profile.user_id
  const people = [...(list.data?.items ?? [])].sort(
    (a, b) => Number(b.user_id === own) - Number(a.user_id === own),
  )
  const on = people
    .map(keyOf)
    .filter((key) => cards.every(({ assignees }) => assignees?.includes(key)))
  return (
    <PickMany
      label="Assignees"
      values={on}
      choices={people.map((one) => ({
        value: keyOf(one),
        name: one.user_id === own ? `${one.name} (you)` : one.name,
        mark: <Avatar actor={one} />,
      }))}
      source={{ of: list, what: 'members' }}
      empty="Nobody on this board has this name"
      onPick={(next) => {
        const key = turnedOf(on, next)
        const one = people.find((person) => keyOf(person) === key)
        if (one && key !== undefined)
          void assign(board.project_id, cards, { key, name: one.name }, next.includes(key))
      }}
      {...opened(props)}
    />
  )
}

function PickDue(props: Props) {
  const { board, cards } = props
  return (
    <PickWhen
      label="Due date"
      timed
      value={common(cards, ({ due_date }) => due_date ?? null)}
      onPick={(day) =>
        void changeCards(
          board.project_id,
          cards,
          due(cards, day, day ? dueWords(day).short.toLowerCase() : ''),
        )
      }
      {...opened(props)}
    />
  )
}
