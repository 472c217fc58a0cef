import type { Person } from '../../record.ts'
import { checklistText } from '../shared/checklist-text.ts'
import { type Json, objectsOf, sortedBy, stringOf } from '../shared/json.ts'
import { dateOf } from '../shared/times.ts'

/** The checklists as sections of descriptions, by the ids of their cards. */
export function checklistsByCard(
  board: Json,
  cards: readonly Json[],
  people: Map<string, Person>,
): Map<string, string[]> {
  const result = new Map<string, string[]>()
  const seen = new Set<string>()
  const nested = cards.flatMap((card) =>
    objectsOf(card.checklists).map((list) => ({ idCard: card.id, ...list })),
  )
  for (const list of sortedBy([...objectsOf(board.checklists), ...nested], 'pos')) {
    const id = stringOf(list.id)
    if (id && seen.has(id)) continue
    seen.add(id)
    const card = stringOf(list.idCard)
    const sections = result.get(card) ?? []
    sections.push(sectionOf(list, people))
    result.set(card, sections)
  }
  return result
}

const sectionOf = (list: Json, people: Map<string, Person>): string =>
  checklistText(
    stringOf(list.name),
    sortedBy(objectsOf(list.checkItems), 'pos').map((item) => {
      const person = people.get(stringOf(item.idMember))
      const due = dateOf(item.due)
      return {
        text: stringOf(item.name),
        isChecked: item.state === 'complete',
        notes: [...(person ? [person.name] : []), ...(due ? [`due ${due}`] : [])],
      }
    }),
  )
