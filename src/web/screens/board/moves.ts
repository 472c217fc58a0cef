import { generateNKeysBetween } from 'fractional-indexing'
import { sendWrite } from '../../data/write-queue.ts'
import {
  type Board,
  type Card,
  currentBoard,
  idsOf,
  patchCards,
  upsertCards,
  whileWriting,
} from '../../entities/board/data.ts'
import { type Placement, placementOf } from '../../entities/board/placement.ts'
import { pickFields } from '../../kit/fields.ts'
import { refuseUndo } from '../../kit/toasts.tsx'
import { t } from '../../messages/t.ts'
import { announce } from './announcer.tsx'
import { type Pair, writeDifferences } from './card/card-differences.ts'
import { currentCards, nameOf } from './change.ts'
import { loadCards } from './load-changes.ts'
import { saveEdit } from './save-edit.ts'

/** How a card changes when it is dropped into another lane. */
export interface LaneChange {
  /** The name of the target lane. */
  to: string
  of(card: Card): Card
}

type Positions = readonly (Placement & { card: Card; above_task_id: number | null })[]

/** Repeated moves of one card by keys count as one undo step. */
let lastMove: { task_id: number; positions: Positions; at: number; step: string } | undefined
const REPEAT_MS = 6000

/** Where an undo puts the cards: after several steps, where the first one began. */
function initialPositions(board: Board, cards: readonly Card[], isStep: boolean) {
  const { task_id } = cards[0]!
  const at = Date.now()
  const isRepeated = isStep && lastMove?.task_id === task_id && at - lastMove.at < REPEAT_MS
  const positions: Positions = isRepeated
    ? lastMove!.positions
    : cards.map((card) => ({ card, ...placementOf(board, card) }))
  const step = isRepeated ? lastMove!.step : `carry ${task_id} ${at}`
  lastMove = isStep ? { task_id, positions, at, step } : undefined
  return { positions, step: isStep ? step : undefined }
}

/**
 * Moves cards: shows the move at once, writes the cards in order, and reverts if the server
 * refuses.
 * @param isStep The move is one of several that keys make with the same card.
 */
export async function moveCards(
  project_id: number,
  ids: readonly number[],
  placement: Placement,
  isStep = false,
  laneChange?: LaneChange,
) {
  const board = currentBoard(project_id)
  const cards = currentCards(project_id, ids)
  if (!board || !cards.length || (!laneChange && isInPlace(board, cards, placement))) return
  const { ranks, above_task_id, place, all } = findRanks(board, cards, placement)
  const ranksByTask = new Map(cards.map((card, index) => [card.task_id, ranks[index]!]))
  const { positions, step } = initialPositions(board, cards, isStep)
  const revert = patchCards(project_id, new Set(ranksByTask.keys()), (card) => ({
    ...(laneChange ? laneChange.of(card) : card),
    section_id: placement.section_id,
    rank: placement.above_task_id === undefined ? card.rank : ranksByTask.get(card.task_id)!,
  }))
  const changesColumn = cards.some(({ section_id }) => section_id !== placement.section_id)
  const to = laneChange
    ? `${changesColumn ? `${titleOf(board, placement)}, ` : ''}${laneChange.to}`
    : titleOf(board, placement)
  announce(
    laneChange
      ? t('board.name_moved_to', { name: nameOf(cards), to })
      : t('board.name_moved_to_place', { name: nameOf(cards), to, place, all }),
  )
  const description = t('board.moved_name_to_to', { name: nameOf(cards), to })
  const message = changesColumn || laneChange ? description : undefined
  const request = write(project_id, cards, { ...placement, above_task_id }, laneChange)
  const moved = currentCards(project_id, ids)
  const undo = async () => restorePositions(project_id, positions, moved, await request)
  await saveEdit({ request, revert, message, description, undo, step })
}

/** The ranks between the card above and the card below. */
function findRanks(board: Board, cards: readonly Card[], { section_id, above_task_id }: Placement) {
  const column = board.cards.filter((card) => card.section_id === section_id)
  const from = column.findIndex((card) => card.task_id === above_task_id)
  const isNotMoving = (card: Card) => !cards.some(({ task_id }) => task_id === card.task_id)
  const otherCards = column.filter(isNotMoving)
  const nextCard = from < 0 ? undefined : column.slice(from).find(isNotMoving)
  const at = nextCard ? otherCards.indexOf(nextCard) : otherCards.length
  return {
    ranks: generateNKeysBetween(
      otherCards[at - 1]?.rank ?? null,
      nextCard?.rank ?? null,
      cards.length,
    ),
    above_task_id: above_task_id === undefined ? undefined : (nextCard?.task_id ?? null),
    ...{ place: at + 1, all: otherCards.length + cards.length },
  }
}

/** Whether the card already is at that spot. */
function isInPlace(board: Board, cards: readonly Card[], placement: Placement): boolean {
  if (cards.length !== 1) return false
  const current = placementOf(board, cards[0]!)
  return (
    current.section_id === placement.section_id &&
    (current.above_task_id === placement.above_task_id ||
      placement.above_task_id === cards[0]!.task_id)
  )
}

const isSame = (card: Card, other: Card) => card.task_id === other.task_id

const titleOf = (board: Board, { section_id }: Placement) =>
  board.sections.find((section) => section.section_id === section_id)?.title ?? ''

/**
 * Writes a move. Cards that go to the end of another column need no position, so one call moves
 * them all. Resolves to whether the target column assigned somebody.
 */
async function write(
  project_id: number,
  cards: readonly Card[],
  { section_id, above_task_id }: Placement,
  laneChange?: LaneChange,
): Promise<boolean> {
  const pairs = cards.map((card) => [card, laneChange ? laneChange.of(card) : card] as const)
  const isEntry = above_task_id === null && cards.every((card) => card.section_id !== section_id)
  if (above_task_id === undefined || (isEntry && (laneChange || cards.length > 1))) {
    await writeDifferences(pairs, above_task_id === undefined ? {} : { section_id })
    return false
  }
  return whileWriting(idsOf(cards), async () => {
    const line = `places of ${project_id}`
    let isAssigned = false
    for (const { task_id } of cards) {
      const placement = { section_id, above_task_id }
      const { changed } = await sendWrite('tasks.place', { task_id, ...placement }, { line })
      isAssigned ||= changed.includes('assignees')
    }
    await writeDifferences(pairs)
    return isAssigned
  })
}

/**
 * Moves cards back that are still where the move put them. The last card is written first, because
 * it is placed above the next one.
 */
async function restorePositions(
  project_id: number,
  positions: Positions,
  moved: readonly Card[],
  isAssigned: boolean,
) {
  lastMove = undefined
  const cards = positions.map(({ card }) => card)
  const current = await loadCards(project_id, cards)
  const find = (cards: readonly Card[], card: Card) => cards.find((other) => isSame(other, card))
  const isUnchanged = (card: Card) =>
    isUnmovedSince(find(current, card), find(moved, card) ?? card, card)
  const unchanged = positions.filter(({ card }) => isUnchanged(card))
  const changed = cards.filter((card) => !isUnchanged(card))
  if (changed.length) refuseUndo(t('board.position_of_name', { name: nameOf(changed) }))
  if (!unchanged.length) return false
  const pairs = unchanged.map(({ card }): Pair => {
    const written = find(moved, card) ?? card
    // The undo also removes assignees that the target column added.
    return [
      isAssigned ? { ...written, assignees: find(current, card)!.assignees ?? [] } : written,
      card,
    ]
  })
  upsertCards(
    project_id,
    pairs.map(([was, card]) => ({ ...find(current, card)!, ...originalFields(was, card) })),
  )
  try {
    for (const { card, ...placement } of unchanged.toReversed())
      await write(project_id, [card], placement)
    await writeDifferences(pairs)
  } catch (error) {
    upsertCards(project_id, current)()
    throw error
  }
  return true
}

const LANES = ['assignees', 'labels', 'parent_task_id'] as const

/** Labels are added and removed one by one, so other labels may differ. */
function isUnmovedSince(current: Card | undefined, moved: Card, before: Card): boolean {
  const isChanged = (name: (typeof LANES)[number]) => String(moved[name]) !== String(before[name])
  const isUnchanged = (name: (typeof LANES)[number]) =>
    name === 'labels' || !isChanged(name) || String(current?.[name]) === String(moved[name])
  return current?.section_id === moved.section_id && LANES.every(isUnchanged)
}

/** The earlier position and the earlier values of the fields that the move changed. */
function originalFields(moved: Card, before: Card): Partial<Card> {
  const names = LANES.filter((name) => String(moved[name]) !== String(before[name]))
  return { section_id: before.section_id, rank: before.rank, ...pickFields(before, names) }
}
