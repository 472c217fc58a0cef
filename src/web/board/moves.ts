import { generateNKeysBetween } from 'fractional-indexing'
import { send } from '../data/waiting.ts'
import { refuseUndo } from '../frame/toasts.tsx'
import { pick } from '../parts/still.ts'
import { cardsNow, nameOf } from './change.ts'
import {
  type Board,
  boardNow,
  type Card,
  idsOf,
  patchCards,
  putCards,
  whileWriting,
} from './data.ts'
import { type Pair, rewrite } from './differ.ts'
import { readCards } from './read-on.ts'
import { saveEdit } from './save-edit.ts'
import { type Spot, spotOf } from './spot.ts'
import { announce } from './tell.tsx'

/** What becomes of a card that is put down in a lane. */
export interface Turn {
  /** The name of the lane. */
  to: string
  of(card: Card): Card
}

type Way = readonly (Spot & { card: Card; above: number | null })[]

/** A card that is carried by keys step by step: all of it is one thing to take back. */
let carried: { task_id: number; back: Way; at: number; step: string } | undefined
const CARRY_MS = 6000

/** Where they are put back to: for a further step of a card, where its first one began. */
function wayBack(board: Board, cards: readonly Card[], isStep: boolean) {
  const { task_id } = cards[0]!
  const at = Date.now()
  const isOn = isStep && carried?.task_id === task_id && at - carried.at < CARRY_MS
  const back: Way = isOn ? carried!.back : cards.map((card) => ({ card, ...spotOf(board, card) }))
  const step = isOn ? carried!.step : `carry ${task_id} ${at}`
  carried = isStep ? { task_id, back, at, step } : undefined
  return { back, step: isStep ? step : undefined }
}

/**
 * Shown at once, sent one after the other, taken back where the server refuses.
 * @param isStep One of several by which a card is carried.
 */
export async function moveCards(
  project_id: number,
  ids: readonly number[],
  spot: Spot,
  isStep = false,
  turn?: Turn,
) {
  const board = boardNow(project_id)
  const cards = cardsNow(project_id, ids)
  if (!board || !cards.length || (!turn && isThere(board, cards, spot))) return
  const { ranks, above, place, all } = roomAt(board, cards, spot)
  const places = new Map(cards.map((card, index) => [card.task_id, ranks[index]!]))
  const { back, step } = wayBack(board, cards, isStep)
  const undone = patchCards(project_id, new Set(places.keys()), (card) => ({
    ...(turn ? turn.of(card) : card),
    section_id: spot.section_id,
    rank: spot.above === undefined ? card.rank : places.get(card.task_id)!,
  }))
  const isNews = cards.some(({ section_id }) => section_id !== spot.section_id)
  const to = turn ? `${isNews ? `${titleOf(board, spot)}, ` : ''}${turn.to}` : titleOf(board, spot)
  announce(`${nameOf(cards)} moved to ${to}${turn ? '' : `, ${place} of ${all}`}`)
  const what = `Moved ${nameOf(cards)} to ${to}`
  const words = isNews || turn ? what : undefined
  const made = write(project_id, cards, { ...spot, above }, turn)
  const left = cardsNow(project_id, ids)
  const undo = async () => putBack(project_id, back, left, await made)
  await saveEdit({ made, back: undone, words, what, undo, step })
}

/** The ranks between what will stand before the cards and what will stand below them. */
function roomAt(board: Board, cards: readonly Card[], { section_id, above }: Spot) {
  const column = board.cards.filter((card) => card.section_id === section_id)
  const from = column.findIndex((card) => card.task_id === above)
  const still = (card: Card) => !cards.some(({ task_id }) => task_id === card.task_id)
  const others = column.filter(still)
  const below = from < 0 ? undefined : column.slice(from).find(still)
  const at = below ? others.indexOf(below) : others.length
  return {
    ranks: generateNKeysBetween(others[at - 1]?.rank ?? null, below?.rank ?? null, cards.length),
    above: above === undefined ? undefined : (below?.task_id ?? null),
    ...{ place: at + 1, all: others.length + cards.length },
  }
}

/** A card that is dropped where it was has not moved. */
function isThere(board: Board, cards: readonly Card[], spot: Spot): boolean {
  if (cards.length !== 1) return false
  const now = spotOf(board, cards[0]!)
  return (
    now.section_id === spot.section_id &&
    (now.above === spot.above || spot.above === cards[0]!.task_id)
  )
}

const isSame = (one: Card, other: Card) => one.task_id === other.task_id

const titleOf = (board: Board, { section_id }: Spot) =>
  board.sections.find((one) => one.section_id === section_id)?.title ?? ''

/**
 * What comes in below all others needs no place of its own. Answers whether the column assigned
 * somebody.
 */
async function write(
  project_id: number,
  cards: readonly Card[],
  { section_id, above }: Spot,
  turn?: Turn,
): Promise<boolean> {
  const pairs = cards.map((card) => [card, turn ? turn.of(card) : card] as const)
  const isEntry = above === null && cards.every((card) => card.section_id !== section_id)
  if (above === undefined || (isEntry && (turn || cards.length > 1))) {
    await rewrite(pairs, above === undefined ? {} : { section_id })
    return false
  }
  return whileWriting(idsOf(cards), async () => {
    const line = `places of ${project_id}`
    let isAssigned = false
    for (const { task_id } of cards) {
      const spot = { section_id, above_task_id: above }
      const { changed } = await send('tasks.place', { task_id, ...spot }, { line })
      isAssigned ||= changed.includes('assignees')
    }
    await rewrite(pairs)
    return isAssigned
  })
}

/** Puts cards back that are still where they were put; the last is written first. */
async function putBack(project_id: number, back: Way, left: readonly Card[], isAssigned: boolean) {
  carried = undefined
  const cards = back.map(({ card }) => card)
  const now = await readCards(project_id, cards)
  const of = (some: readonly Card[], card: Card) => some.find((one) => isSame(one, card))
  const isOurs = (card: Card) => isWhereLeft(of(now, card), of(left, card) ?? card, card)
  const ours = back.filter(({ card }) => isOurs(card))
  const others = cards.filter((card) => !isOurs(card))
  if (others.length) refuseUndo(`place of ${nameOf(others)}`)
  if (!ours.length) return false
  const pairs = ours.map(({ card }): Pair => {
    const was = of(left, card) ?? card
    // Whom the column assigned is no longer assigned either.
    return [isAssigned ? { ...was, assignees: of(now, card)!.assignees ?? [] } : was, card]
  })
  putCards(
    project_id,
    pairs.map(([was, card]) => ({ ...of(now, card)!, ...changedBack(was, card) })),
  )
  try {
    for (const { card, ...spot } of ours.toReversed()) await write(project_id, [card], spot)
    await rewrite(pairs)
  } catch (error) {
    putCards(project_id, now)()
    throw error
  }
  return true
}

const LANES = ['assignees', 'labels', 'parent_task_id'] as const

/** Labels are added and removed one by one, so others may differ. */
function isWhereLeft(now: Card | undefined, left: Card, before: Card): boolean {
  const isChanged = (name: (typeof LANES)[number]) => String(left[name]) !== String(before[name])
  const isAsLeft = (name: (typeof LANES)[number]) =>
    name === 'labels' || !isChanged(name) || String(now?.[name]) === String(left[name])
  return now?.section_id === left.section_id && LANES.every(isAsLeft)
}

/** Where a card was, and what it had of what the move changed. */
function changedBack(left: Card, before: Card): Partial<Card> {
  const names = LANES.filter((name) => String(left[name]) !== String(before[name]))
  return { section_id: before.section_id, rank: before.rank, ...pick(before, names) }
}
