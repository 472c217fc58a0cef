import { generateNKeysBetween } from 'fractional-indexing'
import { wordsOf } from '../data/client.ts'
import { send } from '../data/waiting.ts'
import { complain, say } from '../frame/toasts.tsx'
import { nameOf } from './change.ts'
import { type Board, boardNow, type Card, patchCards } from './data.ts'
import { announce } from './tell.tsx'

export interface Spot {
  section_id: number
  /** The card that the others go above; null: below all. */
  above: number | null
}

/** Where a card stands now, so that it can be put back. */
function spotOf(board: Board, card: Card): Spot {
  const column = board.cards.filter(({ section_id }) => section_id === card.section_id)
  const at = column.findIndex(({ task_id }) => task_id === card.task_id)
  return { section_id: card.section_id, above: column[at + 1]?.task_id ?? null }
}

/** Shown at once, sent one after the other, taken back where the server refuses. */
export async function moveCards(project_id: number, ids: readonly number[], spot: Spot) {
  const board = boardNow(project_id)
  if (!board) return
  const moving = new Set(ids)
  const cards = board.cards.filter(({ task_id }) => moving.has(task_id))
  const column = board.cards.filter(
    (card) => card.section_id === spot.section_id && !moving.has(card.task_id),
  )
  const at = spot.above === null ? -1 : column.findIndex((card) => card.task_id === spot.above)
  const below = at < 0 ? undefined : column[at]
  const before = at < 0 ? column.at(-1) : column[at - 1]
  if (isThere(board, cards, spot)) return
  const ranks = generateNKeysBetween(before?.rank ?? null, below?.rank ?? null, cards.length)
  const places = new Map(cards.map((card, index) => [card.task_id, ranks[index]!]))
  const back = cards.map((card) => ({ task_id: card.task_id, ...spotOf(board, card) }))
  const undone = patchCards(project_id, moving, (card) => ({
    ...card,
    section_id: spot.section_id,
    rank: places.get(card.task_id)!,
  }))
  const place = at < 0 ? column.length + 1 : at + 1
  announce(`${movedWords(board, cards, spot)}, ${place} of ${column.length + cards.length}`)
  try {
    await write(cards, spot, below?.task_id ?? null)
    if (cards.some(({ section_id }) => section_id !== spot.section_id))
      say(`Moved ${nameOf(cards)} to ${titleOf(board, spot)}`, () => void putBack(project_id, back))
  } catch (error) {
    undone()
    complain(wordsOf(error))
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

const titleOf = (board: Board, { section_id }: Spot) =>
  board.sections.find((one) => one.section_id === section_id)?.title ?? ''
const movedWords = (board: Board, cards: readonly Card[], spot: Spot) =>
  `${nameOf(cards)} moved to ${titleOf(board, spot)}`

/** As many as one call takes. */
const MOST = 50

/** What comes in below all others needs no place of its own. */
async function write(cards: readonly Card[], { section_id }: Spot, above_task_id: number | null) {
  const isEntry = above_task_id === null && cards.every((card) => card.section_id !== section_id)
  if (!isEntry || cards.length === 1)
    for (const { task_id } of cards)
      await send('tasks.place', { task_id, section_id, above_task_id })
  else
    for (let at = 0; at < cards.length; at += MOST) {
      const task_ids = cards.slice(at, at + MOST).map(({ task_id }) => task_id)
      await send('tasks.update_many', { task_ids, section_id })
    }
}

async function putBack(project_id: number, back: readonly (Spot & { task_id: number })[]) {
  // The last first: each stands above one that is in its place again.
  for (const { task_id, section_id, above } of back.toReversed())
    await moveCards(project_id, [task_id], { section_id, above })
}
