import { generateNKeysBetween } from 'fractional-indexing'
import { wordsOf } from '../data/client.ts'
import { send } from '../data/waiting.ts'
import { complain } from '../frame/toasts.tsx'
import { cardsNow, nameOf, told } from './change.ts'
import {
  type Board,
  boardNow,
  type Card,
  idsOf,
  patchCards,
  putCards,
  whileWriting,
} from './data.ts'
import { rewrite } from './differ.ts'
import { announce } from './tell.tsx'

export interface Spot {
  section_id: number
  /** The card that the others go above; null: below all; nothing: where they stand already. */
  above: number | null | undefined
}

/** What becomes of a card that is put down in a lane. */
export interface Turn {
  /** The name of the lane. */
  to: string
  of(card: Card): Card
}

/** Where a card stands now, so that it can be put back. */
function spotOf(board: Board, card: Card) {
  const column = board.cards.filter(({ section_id }) => section_id === card.section_id)
  const at = column.findIndex(({ task_id }) => task_id === card.task_id)
  return { section_id: card.section_id, above: column[at + 1]?.task_id ?? null }
}

type Way = readonly (Spot & { card: Card; above: number | null })[]

/** A card that is carried by keys step by step: all of it is one thing to take back. */
let carried: { task_id: number; back: Way; at: number } | undefined
const CARRY_MS = 6000

/** Where they are put back to: for a further step of a card, where its first one began. */
function wayBack(board: Board, cards: readonly Card[], isStep: boolean): Way {
  const { task_id } = cards[0]!
  const isOn = isStep && carried?.task_id === task_id && Date.now() - carried.at < CARRY_MS
  const back = isOn ? carried!.back : cards.map((card) => ({ card, ...spotOf(board, card) }))
  carried = isStep ? { task_id, back, at: Date.now() } : undefined
  return back
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
  const back = wayBack(board, cards, isStep)
  const undone = patchCards(project_id, new Set(places.keys()), (card) => ({
    ...(turn ? turn.of(card) : card),
    section_id: spot.section_id,
    rank: spot.above === undefined ? card.rank : places.get(card.task_id)!,
  }))
  const isNews = cards.some(({ section_id }) => section_id !== spot.section_id)
  const to = turn ? `${isNews ? `${titleOf(board, spot)}, ` : ''}${turn.to}` : titleOf(board, spot)
  announce(`${nameOf(cards)} moved to ${to}${turn ? '' : `, ${place} of ${all}`}`)
  const words = isNews || turn ? `Moved ${nameOf(cards)} to ${to}` : undefined
  const made = write(project_id, cards, { ...spot, above }, turn)
  const about = isStep ? `carry ${cards[0]!.task_id}` : undefined
  await told(made, undone, words, () => void putBack(project_id, back), about)
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

/** What comes in below all others needs no place of its own. */
function write(
  project_id: number,
  cards: readonly Card[],
  { section_id, above }: Spot,
  turn?: Turn,
) {
  const pairs = cards.map((card) => [card, turn ? turn.of(card) : card] as const)
  if (above === undefined) return rewrite(pairs)
  const isEntry = above === null && cards.every((card) => card.section_id !== section_id)
  if (isEntry && (turn || cards.length > 1)) return rewrite(pairs, { section_id })
  return whileWriting(idsOf(cards), async () => {
    const line = `places of ${project_id}`
    for (const { task_id } of cards)
      await send('tasks.place', { task_id, section_id, above_task_id: above }, { line })
    await rewrite(pairs)
  })
}

/** Shown at once as it was; the last is written first, above one that is in its place again. */
async function putBack(project_id: number, back: Way) {
  carried = undefined
  const now = cardsNow(
    project_id,
    back.map(({ card }) => card.task_id),
  )
  putCards(
    project_id,
    back.map(({ card }) => card),
  )
  try {
    for (const { card, ...spot } of back.toReversed()) await write(project_id, [card], spot)
    await rewrite(now.map((one) => [one, back.find(({ card }) => isSame(card, one))!.card]))
  } catch (error) {
    putCards(project_id, now)()
    complain(wordsOf(error))
  }
}
