import type { Person, Task } from '../../record.ts'
import type { Report } from '../../source.ts'
import { addValue, type BoardFields, type FieldValues } from '../shared/board-fields.ts'
import { joinSections } from '../shared/checklist-text.ts'
import { type Json, numberOf, objectOf, objectsOf, stringOf } from '../shared/json.ts'
import { fitText, fitTitle, joinTexts } from '../shared/task-limits.ts'
import { momentOf } from '../shared/times.ts'
import { linksSection } from './attachments.ts'
import type { CardText } from './card-text.ts'
import type { CustomValue } from './custom-fields.ts'
import type { Lists } from './lists.ts'

/** What is known about the board when its cards are read. */
export interface CardContext {
  board: string
  lists: Lists
  fields: BoardFields
  people: Map<string, Person>
  text: CardText
  labels: Map<string, readonly string[]>
  members: Map<string, string[]>
  taskLists: Map<string, string[]>
  values: Map<string, CustomValue[]>
  attachments: Map<string, Json[]>
  report: Report
}

export function readCard(card: Json, context: CardContext): Task {
  const { people, text, report } = context
  const id = stringOf(card.id)
  const own = joinSections(
    text.replace(stringOf(card.description)),
    ...(context.taskLists.get(id) ?? []),
    linksSection(context.attachments.get(id) ?? []),
  )
  const { title, top } = fitTitle(stringOf(card.name), 'markdown', report)
  const description = joinTexts(top, own)
  const values: FieldValues = []
  const placement = placementOf(card, context, values)
  addExtras(card, context, values)
  const creator = stringOf(card.creatorUserId)
  const labels = [...(context.labels.get(id) ?? [])]
  const assignees = (context.members.get(id) ?? []).filter((member) => people.has(member))
  return {
    id,
    board: context.board,
    title,
    ...placement,
    ...(description && {
      description: fitText(description, `Description of "${title}"`, report),
      content_type: 'markdown' as const,
    }),
    ...datesOf(card),
    ...(labels.length && { labels }),
    ...(assignees.length && { assignees }),
    ...(people.has(creator) && { created_by: creator }),
    ...(values.length && { fields: values }),
  }
}

/** Where the task is. A completed card in another list goes to a column for what is done. */
function placementOf(card: Json, { lists, fields }: CardContext, values: FieldValues) {
  const { columns } = lists
  const own = lists.columnOf(card)
  const isDone = [card.isClosed, card.isDueCompleted, card.isDueDateCompleted].includes(true)
  const isElsewhere = isDone && !columns.isDone(own)
  if (isElsewhere) addValue(values, fields.field('list', 'List', 'text'), own)
  const completed_at = lists.isClosed(stringOf(card.listId)) && momentOf(card.listChangedAt)
  return {
    column: isElsewhere ? columns.doneColumn() : own,
    ...(lists.isArchive(stringOf(card.listId)) && { archived: true }),
    ...(completed_at && { completed_at }),
  }
}

function datesOf(card: Json) {
  const dates = {
    due_date: momentOf(card.dueDate),
    created_at: momentOf(card.createdAt),
    updated_at: momentOf(card.updatedAt),
  }
  return Object.fromEntries(Object.entries(dates).filter(([, date]) => date))
}

function addExtras(card: Json, { values: custom, fields }: CardContext, values: FieldValues) {
  for (const { field, value } of custom.get(stringOf(card.id)) ?? []) addValue(values, field, value)
  const type = stringOf(card.type)
  if (type && type !== 'project') addValue(values, fields.field('type', 'Type', 'text'), type)
  const seconds = numberOf(objectOf(card.stopwatch ?? card.timer).total) ?? 0
  const minutes = Math.round(seconds / 60)
  if (minutes > 0)
    addValue(values, fields.field('stopwatch', 'Stopwatch minutes', 'number'), minutes)
}

/** The values of one field of a list, by the ids of the cards that they belong to. */
export function byCard(list: unknown, field: string): Map<string, string[]> {
  const result = new Map<string, string[]>()
  for (const item of objectsOf(list)) {
    const card = stringOf(item.cardId)
    const values = result.get(card) ?? []
    const value = stringOf(item[field])
    if (value && !values.includes(value)) values.push(value)
    result.set(card, values)
  }
  return result
}
