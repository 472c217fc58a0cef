import { useOperation } from '../../data/cache.ts'
import { useColumnCreation, useLabelCreation } from '../../entities/board/create.ts'
import type { Board, Card } from '../../entities/board/data.ts'
import { markedChoicesOf, TASK_FIELDS } from '../../entities/task/task-fields.tsx'
import { keyOf } from '../../entities/user/actor.ts'
import { Avatar } from '../../entities/user/avatar.tsx'
import { dueText } from '../../kit/dates.ts'
import { Icon } from '../../kit/icon.tsx'
import { PickMany, PickOne } from '../../kit/pick.tsx'
import { PickWhen } from '../../kit/when.tsx'
import { t } from '../../messages/t.ts'
import { assign, changeCards, due, label, setField } from './change.ts'
import type { EditableField } from './keys.ts'
import { moveCards } from './moves.ts'

export interface Picking {
  what: EditableField
  /** The cards to change. */
  ids: readonly number[]
  anchor: Element | null
  /** The field was opened by its chip, which gets the focus back. */
  isFromChip?: boolean
}

interface Props {
  what: EditableField
  board: Board
  cards: readonly Card[]
  anchor: Element | null
  onClose(): void
}

/** The popup that a shortcut opens for the active or the selected cards. */
export default function Picker(props: Props) {
  const { what } = props
  if (what === 'assign') return <PickPeople {...props} />
  if (what === 'label') return <PickLabels {...props} />
  if (what === 'due') return <PickDue {...props} />
  return <PickField {...props} />
}

const popupProps = ({ anchor, onClose }: Props) => ({
  ...{ open: true, anchor },
  onOpen: (open: boolean) => {
    if (!open) onClose()
  },
})

/** The value that all cards share, or null. */
function commonValue<V>(cards: readonly Card[], fieldOf: (card: Card) => V): V | null {
  const [first, ...others] = cards.map(fieldOf)
  return first !== undefined && others.every((value) => value === first) ? first : null
}

function PickField(props: Props) {
  const { what, board, cards, onClose } = props
  const field = TASK_FIELDS.find(({ noun }) => noun === what)
  if (!field) return <PickColumn {...props} />
  return (
    <PickOne
      label={field.label}
      value={commonValue(cards, (card) => card[field.name] ?? 0)}
      choices={markedChoicesOf(field)}
      onPick={(value) => {
        onClose()
        void changeCards(board.project_id, cards, setField(cards, field, value))
      }}
      {...popupProps(props)}
    />
  )
}

function PickColumn(props: Props) {
  const { board, cards, onClose } = props
  const { project_id, sections } = board
  const move = (section_id: number) => {
    onClose()
    const ids = cards.map(({ task_id }) => task_id)
    void moveCards(project_id, ids, { section_id, above_task_id: null })
  }
  const create = useColumnCreation(project_id, move)
  return (
    <PickOne
      label={t('common.column')}
      value={commonValue(cards, ({ section_id }) => section_id)}
      choices={sections.map(({ section_id, title, done }) => ({
        value: section_id,
        name: title,
        ...(done && { mark: <Icon name="done" label={t('common.counts_as_done')} /> }),
      }))}
      onPick={move}
      create={create}
      {...popupProps(props)}
    />
  )
}

function PickLabels(props: Props) {
  const { board, cards } = props
  const { project_id } = board
  const choices = board.labels.map(({ label_id, name, color }) => ({
    value: label_id,
    name: name ?? '',
    mark: <span className="dot" style={{ background: color }} />,
  }))
  const on = board.labels
    .map(({ label_id }) => label_id)
    .filter((id) => cards.every(({ labels }) => labels?.includes(id)))
  const set = (toggled: { label_id: number; name: string }, isOn: boolean) =>
    changeCards(project_id, cards, label(cards, toggled, isOn))
  const create = useLabelCreation(project_id, board.labels, (created) => void set(created, true))
  return (
    <PickMany
      label={t('common.labels')}
      values={on}
      choices={choices}
      empty={t('board.no_matching_labels')}
      onPick={(next) => {
        const id = toggledValue(on, next)
        const toggled = board.labels.find(({ label_id }) => label_id === id)
        if (toggled) void set(toggled, next.includes(toggled.label_id))
      }}
      create={create}
      {...popupProps(props)}
    />
  )
}

/** The value that is in only one of the lists. */
const toggledValue = <V,>(before: readonly V[], after: readonly V[]): V | undefined =>
  [...before, ...after].find((value) => before.includes(value) !== after.includes(value))

function PickPeople(props: Props) {
  const { board, cards } = props
  const list = useOperation('projects.members', { project_id: board.project_id, limit: 50 })
  const { data: me } = useOperation('user_context.get', {})
  const currentUserId = me?.profile.user_id
  const people = [...(list.data?.items ?? [])].sort(
    (a, b) => Number(b.user_id === currentUserId) - Number(a.user_id === currentUserId),
  )
  const on = people
    .map(keyOf)
    .filter((key) => cards.every(({ assignees }) => assignees?.includes(key)))
  return (
    <PickMany
      label={t('board.assignees')}
      values={on}
      choices={people.map((member) => ({
        value: keyOf(member),
        name:
          member.user_id === currentUserId
            ? t('board.name_you', { name: member.name })
            : member.name,
        mark: <Avatar actor={member} />,
      }))}
      source={{ of: list, what: t('task.field_inline', { field: 'members' }) }}
      empty={t('board.no_matching_members')}
      onPick={(next) => {
        const key = toggledValue(on, next)
        const person = people.find((person) => keyOf(person) === key)
        if (person && key !== undefined)
          void assign(board.project_id, cards, { key, name: person.name }, next.includes(key))
      }}
      {...popupProps(props)}
    />
  )
}

function PickDue(props: Props) {
  const { board, cards } = props
  return (
    <PickWhen
      label={t('common.due_date')}
      allowsTime
      value={commonValue(cards, ({ due_date }) => due_date ?? null)}
      onPick={(day) =>
        void changeCards(
          board.project_id,
          cards,
          due(cards, day, day ? dueText(day).short.toLowerCase() : ''),
        )
      }
      {...popupProps(props)}
    />
  )
}
