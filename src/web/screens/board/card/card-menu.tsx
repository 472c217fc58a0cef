import { useOperation } from '../../../data/cache.ts'
import { type Board, type Card, idsOf } from '../../../entities/board/data.ts'
import { duplicate, makeTemplate } from '../../../entities/task/copies.ts'
import { copyItems, newTabItem } from '../../../entities/task/link-items.ts'
import { moveToBoard } from '../../../entities/task/move-to-board.ts'
import { markedChoicesOf, TASK_FIELDS } from '../../../entities/task/task-fields.tsx'
import { toggleWatching } from '../../../entities/task/watching.ts'
import { keyOf } from '../../../entities/user/actor.ts'
import { Avatar } from '../../../entities/user/avatar.tsx'
import { useMe } from '../../../entities/user/me.ts'
import { useMembers } from '../../../entities/user/members.ts'
import { duePresets } from '../../../kit/date-presets.ts'
import { dueText } from '../../../kit/dates.ts'
import { Icon } from '../../../kit/icon.tsx'
import MenuPopup, { type MenuItem, type Submenu } from '../../../kit/menu-popup.tsx'
import type { PopupProps } from '../../../kit/opener.tsx'
import { hintOf } from '../../../kit/shortcuts.ts'
import { t } from '../../../messages/t.ts'
import {
  assign,
  changeCards,
  currentCards,
  due,
  label,
  nameOf,
  setField,
  setStatus,
} from '../change.ts'
import type { EditableField } from '../keys.ts'
import { moveCards } from '../moves.ts'
import { ON_BOARD } from '../shortcuts.ts'
import { markDone } from './mark-done.ts'

interface Props {
  project_id: number
  /** The card, or all selected cards. */
  ids: readonly number[]
  isSelected: boolean
  open(card: Card): void
  /** Opens the picker of a field. */
  pick(what: EditableField): void
  toggle(task_id: number): void
  clear(): void
  addSubtask(parent: Card): void
}

/** The menu of a card or of the selected cards. */
export default function CardMenu({ project_id, ids, ...props }: Props & PopupProps) {
  const { isSelected, open, pick, toggle, clear, addSubtask, ...popup } = props
  const { data: board } = useOperation('projects.board', { project_id })
  const idSet = new Set(ids)
  const cards = board?.cards.filter(({ task_id }) => idSet.has(task_id)) ?? []
  const people = usePeopleItem(project_id, cards, pick)
  const boards = useBoardItem(project_id, cards)
  const [card] = cards
  if (!board || !card) return null
  const single = cards.length === 1 ? card : undefined
  const groups = [
    single ? openItems(single, open) : [],
    [
      people,
      priorityItem(project_id, cards),
      dueItem(project_id, cards, pick),
      labelsItem(board, cards, pick),
      sizeItem(project_id, cards),
    ],
    [columnItem(board, cards), doneItem(board, cards), ...boards],
    single ? copyGroup(single, open, addSubtask) : [],
    [selectItem(ids, isSelected, toggle, clear)],
    statusItems(project_id, ids),
  ]
  return (
    <MenuPopup
      label={t('board.actions_for_name', { name: nameOf(cards) })}
      {...{ groups, ...popup }}
    />
  )
}

const openItems = (card: Card, open: Props['open']): MenuItem[] => [
  { name: t('board.open'), icon: 'arrow', hint: hintOf(ON_BOARD.open), run: () => open(card) },
  newTabItem(card),
]

const MAX_ITEMS = 10

/** The people and agents of the board, oneself first. */
function usePeopleItem(project_id: number, cards: readonly Card[], pick: Props['pick']): Submenu {
  const me = useMe()?.profile.user_id
  const members = useMembers(project_id)
  const sorted = members.toSorted((a, b) => Number(b.user_id === me) - Number(a.user_id === me))
  const items = sorted.slice(0, MAX_ITEMS).map((member): MenuItem => {
    const key = keyOf(member)
    const checked = cards.every(({ assignees }) => assignees?.includes(key))
    const { name } = member
    return {
      ...{ name: member.user_id === me ? t('board.name_you', { name }) : name, checked },
      ...{ mark: <Avatar actor={member} />, stays: true },
      run: () => void assign(project_id, freshCards(project_id, cards), { key, name }, !checked),
    }
  })
  return {
    ...{ name: t('board.assign'), icon: 'mine', hint: hintOf(ON_BOARD.assign) },
    groups: [items, [searchItem(() => pick('assign'))]],
  }
}

/** Opens the picker, which has a search field. */
const searchItem = (run: () => void): MenuItem => ({
  ...({ name: t('board.search_items'), icon: 'search' } as const),
  run,
})

/** The menu stays open, so the cards may have changed since it was drawn. */
const freshCards = (project_id: number, cards: readonly Card[]) =>
  currentCards(project_id, [...idsOf(cards)])

const fieldItem =
  (noun: string, icon: 'bars' | 'expand', hint: string) =>
  (project_id: number, cards: readonly Card[]): Submenu => {
    const field = TASK_FIELDS.find((one) => one.noun === noun)!
    const items = markedChoicesOf(field).map(
      (choice): MenuItem => ({
        ...choice,
        hint: undefined,
        checked: cards.every((card) => (card[field.name] ?? 0) === choice.value),
        run: () => void changeCards(project_id, cards, setField(cards, field, choice.value)),
      }),
    )
    return { name: field.label, icon, hint, groups: [items] }
  }
const priorityItem = fieldItem('priority', 'bars', hintOf(ON_BOARD.priority))
const sizeItem = fieldItem('size', 'expand', hintOf(ON_BOARD.size))

function dueItem(project_id: number, cards: readonly Card[], pick: Props['pick']): Submenu {
  const set = (value: string | null) => {
    const text = value ? dueText(value).short.toLowerCase() : ''
    void changeCards(project_id, cards, due(cards, value, text))
  }
  const presets = duePresets().map(
    ({ name, value, hint }): MenuItem => ({
      ...({ name, hint, icon: 'calendar' } as const),
      run: () => set(value),
    }),
  )
  const isSet = cards.some(({ due_date }) => due_date)
  const others: MenuItem[] = [
    { name: t('board.pick_a_date'), icon: 'search', run: () => pick('due') },
    ...(isSet ? [{ name: t('common.clear'), icon: 'close' as const, run: () => set(null) }] : []),
  ]
  return {
    ...{ name: t('common.due_date'), icon: 'calendar', hint: hintOf(ON_BOARD.due) },
    groups: [presets, others],
  }
}

function labelsItem(board: Board, cards: readonly Card[], pick: Props['pick']): Submenu {
  const { project_id, labels } = board
  const items = labels.slice(0, MAX_ITEMS).map((one): MenuItem => {
    const checked = cards.every((card) => card.labels?.includes(one.label_id))
    const { label_id, name, color } = one
    return {
      ...{ name, checked, stays: true },
      mark: <span className="dot" style={{ background: color }} />,
      run() {
        const now = freshCards(project_id, cards)
        void changeCards(project_id, now, label(now, { label_id, name }, !checked))
      },
    }
  })
  return {
    ...{ name: t('common.labels'), icon: 'tag', hint: hintOf(ON_BOARD.label) },
    groups: [items, [{ ...searchItem(() => pick('label')), name: t('board.search_or_create') }]],
  }
}

function columnItem({ project_id, sections }: Board, cards: readonly Card[]): Submenu {
  const ids = [...idsOf(cards)]
  const items = sections.map(
    ({ section_id, title, done }): MenuItem => ({
      name: title,
      checked: cards.every((card) => card.section_id === section_id),
      ...(done && { mark: <Icon name="done" label={t('common.counts_as_done')} /> }),
      run: () => void moveCards(project_id, ids, { section_id, above_task_id: null }),
    }),
  )
  return {
    ...{ name: t('board.move_to_column'), icon: 'board', hint: hintOf(ON_BOARD.column) },
    groups: [items],
  }
}

function doneItem({ project_id, sections }: Board, cards: readonly Card[]): MenuItem {
  const doneIds = new Set(sections.flatMap(({ done, section_id }) => (done ? section_id : [])))
  const isDone = cards.every(({ section_id }) => doneIds.has(section_id))
  return {
    ...({ icon: isDone ? 'back' : 'done' } as const),
    name: isDone ? t('board.reopen') : t('board.mark_as_done'),
    run: () => markDone(project_id, [...idsOf(cards)], !isDone),
  }
}

function useBoardItem(project_id: number, cards: readonly Card[]): Submenu[] {
  const boards = (useMe()?.boards ?? []).filter((board) => board.project_id !== project_id)
  if (!boards.length) return []
  const items = boards.map(
    (board): MenuItem => ({
      name: board.title,
      run: () => void moveToBoard(project_id, cards, board),
    }),
  )
  return [{ name: t('board.move_to_board'), icon: 'arrow', groups: [items] }]
}

const copyGroup = (
  card: Card,
  open: Props['open'],
  addSubtask: Props['addSubtask'],
): MenuItem[] => [
  { name: t('board.add_a_subtask'), icon: 'subtasks', run: () => addSubtask(card) },
  {
    ...({ name: t('board.duplicate'), icon: 'plus' } as const),
    run() {
      const { task_id, ticket_number } = card
      void duplicate({ task_id, ticket_number }, (key) => open({ ...card, ticket_number: key }))
    },
  },
  { name: t('board.save_as_a_template'), icon: 'page', run: () => void makeTemplate(card) },
  ...copyItems(card),
  watchItem(card),
]

const watchItem = (card: Card): MenuItem => ({
  ...({ name: t('task.watch_the_task'), icon: 'bell' } as const),
  run: () => void toggleWatching(card),
})

const selectItem = (
  [task_id, ...others]: readonly number[],
  isSelected: boolean,
  toggle: Props['toggle'],
  clear: Props['clear'],
): MenuItem => ({
  ...({ icon: isSelected ? 'close' : 'check' } as const),
  name: isSelected ? t('board.clear_selection') : t('board.select_card'),
  hint: hintOf(ON_BOARD.choose),
  run: () => (isSelected || others.length ? clear() : toggle(task_id!)),
})

const statusItems = (project_id: number, ids: readonly number[]): MenuItem[] => {
  const set = (status: 'Archive' | 'Deleted') => () => {
    const cards = currentCards(project_id, ids)
    void changeCards(project_id, cards, setStatus(cards, status))
  }
  return [
    { name: t('common.archive'), icon: 'archive', run: set('Archive') },
    { name: t('common.delete_name'), icon: 'trash', danger: true, run: set('Deleted') },
  ]
}
