import { type Input, wordsOf } from '../data/client.ts'
import { send } from '../data/waiting.ts'
import { complain, say } from '../frame/toasts.tsx'
import { PRIORITIES } from '../parts/icon.tsx'
import { boardNow, type Card, idsOf, patchCards, putCards, whileWriting } from './data.ts'

type Fields = Omit<Input<'tasks.update_many'>, 'task_ids' | 'ticket_numbers'>

/** One change of several cards: what is written, how it looks, and how it is undone. */
export interface Change {
  words: string
  fields: Fields
  /** Nothing: it leaves the board. */
  shown(card: Card): Card | undefined
  undo(card: Card): Fields
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
  const { words, fields, shown, undo } = change
  const back = patchCards(project_id, idsOf(cards), shown)
  await told(write(cards, fields), back, words, () => void undone(project_id, cards, undo))
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
  about?: string,
) {
  const unsay = words && say(words, () => void made.then(undo, () => {}), about)
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

/** Each gets back what it had: those that had the same together. */
async function undone(project_id: number, cards: readonly Card[], undo: Change['undo']) {
  const now = cardsNow(
    project_id,
    cards.map(({ task_id }) => task_id),
  )
  putCards(project_id, cards)
  const alike = Map.groupBy(cards, (card) => JSON.stringify(undo(card)))
  try {
    for (const some of alike.values()) await write(some, undo(some[0]!))
  } catch (error) {
    putCards(project_id, now)()
    complain(wordsOf(error))
  }
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
})

export const SIZES = ['', '', 'XS', 'S', 'M', 'L', 'XL']

export const size = (cards: readonly Card[], estimate: number): Change => ({
  words: estimate ? `Size ${SIZES[estimate]} for ${nameOf(cards)}` : `No size for ${nameOf(cards)}`,
  fields: { estimate },
  shown: (card) => (estimate ? { ...card, estimate } : without(card, 'estimate')),
  undo: (card) => ({ estimate: card.estimate ?? 0 }),
})

export const due = (cards: readonly Card[], due_date: string | null, when: string): Change => ({
  words: due_date ? `${nameOf(cards)} due ${when}` : `No due date for ${nameOf(cards)}`,
  fields: { due_date },
  // Whether it is late now the server says: it knows where its day ends.
  shown: (card) => ({ ...without(card, 'due_date', 'overdue'), ...(due_date && { due_date }) }),
  undo: (card) => ({ due_date: card.due_date ?? null }),
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

/** People and agents are given a task, or it is taken from them, one task at a time. */
export async function assign(
  project_id: number,
  cards: readonly Card[],
  { key, name }: Person,
  on: boolean,
  isUndo = false,
): Promise<void> {
  const meant = cards.filter(({ assignees = [] }) => assignees.includes(key) !== on)
  if (!meant.length) return
  const back = patchCards(project_id, idsOf(meant), (card) => {
    const others = (card.assignees ?? []).filter((one) => one !== key)
    return { ...card, assignees: on ? [...others, key] : others }
  })
  const whom = typeof key === 'string' ? { agent_id: key } : { user_id: key }
  const made = whileWriting(idsOf(meant), async () => {
    for (const { task_id } of meant)
      await send('tasks.assign', { task_id, ...whom, intent: on ? 'assign' : 'unassign' })
  })
  const words = on ? `Assigned ${nameOf(meant)} to ${name}` : `Took ${nameOf(meant)} from ${name}`
  const ids = meant.map(({ task_id }) => task_id)
  const undo = () => void assign(project_id, cardsNow(project_id, ids), { key, name }, !on, true)
  await told(made, back, isUndo ? undefined : words, undo)
}
