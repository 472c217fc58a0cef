import { type Input, wordsOf } from '../data/client.ts'
import { send } from '../data/waiting.ts'
import { complain, refuseUndo, say } from '../frame/toasts.tsx'
import { PRIORITIES } from '../parts/icon.tsx'
import { isStill, pick } from '../parts/still.ts'
import { boardNow, type Card, idsOf, patchCards, putCards, whileWriting } from './data.ts'
import { readCards } from './read-on.ts'
import { saveEdit } from './save-edit.ts'

type Fields = Omit<Input<'tasks.update_many'>, 'task_ids' | 'ticket_numbers'>

/** One change of several cards: what is written, how it looks, and how it is undone. */
export interface Change {
  words: string
  fields: Fields
  /** Nothing: it leaves the board. */
  shown(card: Card): Card | undefined
  undo(card: Card): Fields
  /** What of a card it changes: where that is another value by now, somebody else set it. */
  keys?: readonly (keyof Card)[]
}

/** As many as one call takes. */
const MOST = 50

export const nameOf = (cards: readonly Card[]) =>
  cards.length === 1 ? cards[0]!.ticket_number : `${cards.length} tasks`

export function cardsNow(project_id: number, ids: readonly number[]): Card[] {
  // What the server has not made yet cannot be changed.
  const wanted = new Set(ids.filter((id) => id > 0))
  return boardNow(project_id)?.cards.filter(({ task_id }) => wanted.has(task_id)) ?? []
}

/** Shown at once, written together, and as before where the server refuses. */
export async function changeCards(project_id: number, cards: readonly Card[], change: Change) {
  if (!cards.length) return
  const { words, fields, shown } = change
  const back = patchCards(project_id, idsOf(cards), shown)
  const undo = () => undone(project_id, cards, change)
  await saveEdit({ made: write(cards, fields), back, words, undo })
}

/**
 * Tells of what is being written at once, so that the last thing done is the first to be undone;
 * where the server refuses it is unsaid, and shown as it was.
 */
export async function told(
  made: Promise<unknown>,
  back: () => void,
  words: string | undefined,
  undo: () => void,
) {
  const unsay = words && say(words, () => void made.then(undo, () => {}))
  try {
    await made
  } catch (error) {
    if (unsay) unsay()
    back()
    complain(wordsOf(error))
  }
}

export const write = (cards: readonly Card[], fields: Fields) =>
  whileWriting(idsOf(cards), async () => {
    for (let at = 0; at < cards.length; at += MOST) {
      const task_ids = cards.slice(at, at + MOST).map(({ task_id }) => task_id)
      await send('tasks.update_many', { task_ids, ...fields })
    }
  })

/** Each gets back what it had, those that had the same together; what others changed stays. */
async function undone(project_id: number, cards: readonly Card[], change: Change) {
  const { shown, undo, keys = [] } = change
  const now = new Map((await readCards(project_id, cards)).map((card) => [card.task_id, card]))
  const isOurs = (card: Card) => {
    const [one, left] = [now.get(card.task_id), shown(card)]
    return !left || (one !== undefined && isStill(pick(one, keys), pick(left, keys)))
  }
  const [ours = [], others = []] = [true, false].map((is) =>
    cards.filter((one) => isOurs(one) === is),
  )
  if (others.length) refuseUndo(`same of ${nameOf(others)}`)
  if (!ours.length) return false
  putCards(
    project_id,
    ours.map((card) => restored(now.get(card.task_id), card, keys)),
  )
  const alike = Map.groupBy(ours, (card) => JSON.stringify(undo(card)))
  try {
    for (const some of alike.values()) await write(some, undo(some[0]!))
  } catch (error) {
    putCards(project_id, [...now.values()])()
    throw error
  }
  return true
}

/** A card as it is now, with what it had before. */
function restored(now: Card | undefined, before: Card, keys: Change['keys'] = []): Card {
  if (!now) return before
  const had = keys.filter((key) => before[key] !== undefined)
  return { ...without(now, ...keys), ...pick(before, had) }
}

const without = <K extends keyof Card>(card: Card, ...names: K[]): Card => {
  const rest = { ...card }
  for (const name of names) delete (rest as Partial<Card>)[name]
  return rest
}

export const prioritize = (cards: readonly Card[], priority: number): Change => ({
  words: priority
    ? `${PRIORITIES[priority]} priority for ${nameOf(cards)}`
    : `No priority for ${nameOf(cards)}`,
  fields: { priority },
  shown: (card) => (priority ? { ...card, priority } : without(card, 'priority')),
  undo: (card) => ({ priority: card.priority ?? 0 }),
  keys: ['priority'],
})

export const SIZES = ['', '', 'XS', 'S', 'M', 'L', 'XL']

export const size = (cards: readonly Card[], estimate: number): Change => ({
  words: estimate ? `Size ${SIZES[estimate]} for ${nameOf(cards)}` : `No size for ${nameOf(cards)}`,
  fields: { estimate },
  shown: (card) => (estimate ? { ...card, estimate } : without(card, 'estimate')),
  undo: (card) => ({ estimate: card.estimate ?? 0 }),
  keys: ['estimate'],
})

export const due = (cards: readonly Card[], due_date: string | null, when: string): Change => ({
  words: due_date ? `${nameOf(cards)} due ${when}` : `No due date for ${nameOf(cards)}`,
  fields: { due_date },
  // Whether it is late now the server says: it knows where its day ends.
  shown: (card) => ({ ...without(card, 'due_date', 'overdue'), ...(due_date && { due_date }) }),
  undo: (card) => ({ due_date: card.due_date ?? null }),
  keys: ['due_date'],
})

export const label = (
  cards: readonly Card[],
  { label_id, name }: { label_id: number; name: string },
  on: boolean,
): Change => ({
  words: on ? `Labelled ${nameOf(cards)} ${name}` : `Took ${name} off ${nameOf(cards)}`,
  fields: on ? { add_labels: [label_id] } : { remove_labels: [label_id] },
  shown: (card) => {
    const others = (card.labels ?? []).filter((one) => one !== label_id)
    return { ...card, labels: on ? [...others, label_id] : others }
  },
  undo: (card) =>
    card.labels?.includes(label_id) ? { add_labels: [label_id] } : { remove_labels: [label_id] },
})

const SAID = { Archive: 'Archived', Deleted: 'Deleted' } as const

export const putAway = (cards: readonly Card[], status: keyof typeof SAID): Change => ({
  words: `${SAID[status]} ${nameOf(cards)}`,
  fields: { status },
  shown: () => undefined,
  undo: () => ({ status: 'Normal' }),
})

export interface Person {
  key: string | number
  name: string
}

/** Assigns people and agents to tasks, or unassigns them, one task at a time. */
export async function assign(
  project_id: number,
  cards: readonly Card[],
  { key, name }: Person,
  on: boolean,
): Promise<void> {
  const meant = cards.filter(({ assignees = [] }) => assignees.includes(key) !== on)
  if (!meant.length) return
  const { made, back } = putAssignee(project_id, meant, key, on)
  const words = on ? `Assigned ${nameOf(meant)} to ${name}` : `Took ${nameOf(meant)} from ${name}`
  const undo = async () => {
    const now = await readCards(project_id, meant)
    const others = now.filter(({ assignees = [] }) => assignees.includes(key) === on)
    const again = putAssignee(project_id, others, key, !on)
    try {
      await again.made
    } catch (error) {
      again.back()
      throw error
    }
    return true
  }
  await saveEdit({ made, back, words, undo })
}

/** A new task comes with its agent: that is no edit of its own. */
export function give(project_id: number, task_id: number, agent_id: string) {
  const { made, back } = putAssignee(project_id, cardsNow(project_id, [task_id]), agent_id, true)
  made.catch((error) => {
    back()
    complain(wordsOf(error))
  })
}

function putAssignee(
  project_id: number,
  cards: readonly Card[],
  key: string | number,
  on: boolean,
) {
  const back = patchCards(project_id, idsOf(cards), (card) => {
    const others = (card.assignees ?? []).filter((one) => one !== key)
    return { ...card, assignees: on ? [...others, key] : others }
  })
  const whom = typeof key === 'string' ? { agent_id: key } : { user_id: key }
  const made = whileWriting(idsOf(cards), async () => {
    for (const { task_id } of cards)
      await send('tasks.assign', { task_id, ...whom, intent: on ? 'assign' : 'unassign' })
  })
  return { made, back }
}
