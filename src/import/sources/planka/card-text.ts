import type { Person } from '../../record.ts'
import { taskLink } from '../../source.ts'
import { checklistText } from '../shared/checklist-text.ts'
import { type Json, objectsOf, sortedBy, stringOf } from '../shared/json.ts'

const CARD_URL = /(\]\(|<)?https?:\/\/[^\s()<>[\]]+\/cards\/(\d{15,20})(>?)/g

/** The texts of cards, with links to other cards of the board. */
export class CardText {
  private readonly names: Map<string, string>

  constructor(cards: readonly Json[]) {
    this.names = new Map(cards.map(({ id, name }) => [stringOf(id), stringOf(name)]))
  }

  has(card: string): boolean {
    return this.names.has(card)
  }

  link(card: string): string {
    const name = (this.names.get(card) ?? '').replace(/\s+/g, ' ')
    return `[${name.replace(/[[\]\\]/g, '\\$&')}](${taskLink(card)})`
  }

  /** Replaces addresses of cards, and mentions, which name the id of a person. */
  replace(text: string): string {
    const named = text.replace(/@\[([^\]\n]+)\]\(\d+\)/g, '@$1')
    return named.replace(
      CARD_URL,
      (match, before: string | undefined, card: string, after: string) => {
        if (!this.names.has(card)) return match
        if (before === '](') return `](${taskLink(card)}${after}`
        return `${this.link(card)}${before === '<' ? '' : after}`
      },
    )
  }
}

/** The task lists of the cards as sections, by the ids of the cards. Planka 1 has one per card. */
export function taskListsByCard(
  included: Json,
  text: CardText,
  people: Map<string, Person>,
): Map<string, string[]> {
  const byList = Map.groupBy(sortedBy(objectsOf(included.tasks), 'position'), (task) =>
    task.taskListId ? `list ${stringOf(task.taskListId)}` : `card ${stringOf(task.cardId)}`,
  )
  const sections = new Map<string, string[]>()
  const add = (card: string, name: string, tasks: readonly Json[]) => {
    const items = tasks.map((task) => itemOf(task, text, people))
    sections.set(card, [...(sections.get(card) ?? []), checklistText(name, items)])
  }
  for (const list of sortedBy(objectsOf(included.taskLists), 'position'))
    add(stringOf(list.cardId), stringOf(list.name), byList.get(`list ${stringOf(list.id)}`) ?? [])
  for (const [key, tasks] of byList)
    if (key.startsWith('card ')) add(key.slice('card '.length), 'Tasks', tasks)
  return sections
}

function itemOf(task: Json, text: CardText, people: Map<string, Person>) {
  const linked = stringOf(task.linkedCardId)
  const person = people.get(stringOf(task.assigneeUserId))
  return {
    text: text.has(linked) ? text.link(linked) : stringOf(task.name),
    isChecked: task.isCompleted === true,
    notes: person ? [person.name] : [],
  }
}
