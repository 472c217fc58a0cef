import type { Person, Task } from '../../record.ts'
import type { Report } from '../../source.ts'
import type { BoardColumns } from '../shared/board-columns.ts'
import { addValue, type BoardFields, type FieldValues } from '../shared/board-fields.ts'
import { joinSections } from '../shared/checklist-text.ts'
import { type Json, listOf, objectOf, objectsOf, stringOf } from '../shared/json.ts'
import { fitText, fitTitle, joinTexts } from '../shared/task-limits.ts'
import { momentOf } from '../shared/times.ts'
import { attachmentsOf, type CardAttachments } from './attachments.ts'
import type { CardLinks } from './card-links.ts'
import { addCustomValues, type declaredFields } from './custom-fields.ts'
import { labelIds } from './labels.ts'
import { repeatOf } from './repeat.ts'

/** What is known about the board when its cards are read. */
export interface CardContext {
  board: string
  columns: BoardColumns
  lists: Map<string, Json>
  labels: Map<string, string>
  people: Map<string, Person>
  fields: BoardFields
  declared: ReturnType<typeof declaredFields>
  checklists: Map<string, string[]>
  creators: Map<string, string>
  links: CardLinks
  report: Report
}

export interface ReadCard {
  task: Task
  attachments: CardAttachments
}

export function readCard(card: Json, context: CardContext): ReadCard {
  const { report, people, links } = context
  const id = stringOf(card.id)
  const attachments = attachmentsOf(card, links)
  const sections = [stringOf(card.desc), ...(context.checklists.get(id) ?? []), attachments.links]
  const name = links.nameOf(stringOf(card.name))
  const { title, top } = fitTitle(name, 'markdown', report)
  const description = joinTexts(top, joinSections(...sections))
  const values: FieldValues = []
  const placement = placementOf(card, context, values)
  addExtras(card, context, values)
  const text = fitText(links.replace(description), `Description of "${title}"`, report)
  const key = stringOf(card.shortLink)
  const creator = stringOf(card.idMemberCreator) || context.creators.get(id) || ''
  const labels = labelsOf(card, context)
  const repeat = repeatOf(card, context.fields, values, report)
  return {
    attachments,
    task: {
      id,
      board: context.board,
      title,
      ...placement,
      ...(key && key.length <= 50 && { key }),
      ...(text && { description: text, content_type: 'markdown' as const }),
      ...datesOf(card),
      ...(repeat && { recurrence: repeat }),
      ...(labels.length && { labels }),
      ...assigneesOf(card, context),
      ...(people.has(creator) && { created_by: creator }),
      ...(values.length && { fields: values }),
    },
  }
}

/** Where the task is. A completed card in another list goes to a column for what is done. */
function placementOf(card: Json, context: CardContext, values: FieldValues) {
  const { columns, lists, fields } = context
  const list = lists.get(stringOf(card.idList))
  const own = columns.titles.get(stringOf(card.idList)) ?? columns.fallback()
  const isArchived = card.closed === true || list?.closed === true
  const isElsewhere = card.dueComplete === true && !columns.isDone(own)
  if (isElsewhere) addValue(values, fields.field('list', 'List', 'text'), own)
  return {
    column: isElsewhere ? columns.doneColumn() : own,
    ...(isArchived && { archived: true }),
  }
}

function datesOf(card: Json) {
  const dates = {
    start_date: momentOf(card.start),
    due_date: momentOf(card.due),
    created_at: createdAt(stringOf(card.id)),
    updated_at: momentOf(card.dateLastActivity),
    completed_at: card.dueComplete === true ? momentOf(card.dateCompleted) : undefined,
  }
  return Object.fromEntries(Object.entries(dates).filter(([, date]) => date))
}

/** An id of Trello begins with the time of its creation, in seconds and hexadecimal. */
const createdAt = (id: string): string | undefined =>
  /^[0-9a-f]{24}$/.test(id) ? momentOf(Number.parseInt(id.slice(0, 8), 16)) : undefined

function labelsOf(card: Json, { labels }: CardContext): string[] {
  const names = labelIds(card).flatMap((id) => labels.get(id) ?? [])
  if (card.isTemplate === true) names.push('Template')
  return [...new Set(names)]
}

function assigneesOf(card: Json, { people, report }: CardContext) {
  const ids = [...new Set(listOf(card.idMembers).map(stringOf))]
  const assignees = ids.filter((id) => people.has(id))
  if (assignees.length < ids.length)
    report.lose(`Assignee of "${stringOf(card.name)}"`, 'the export does not name this person')
  return assignees.length ? { assignees } : {}
}

function addExtras(card: Json, { fields, declared, report }: CardContext, values: FieldValues) {
  addCustomValues(card, declared, values, report)
  const votes = listOf(card.idMembersVoted).length || Number(objectOf(card.badges).votes) || 0
  if (votes) addValue(values, fields.field('votes', 'Votes', 'number'), votes)
  const location = locationOf(card)
  if (location) addValue(values, fields.field('location', 'Location', 'text'), location)
}

function locationOf({ locationName, address, coordinates }: Json): string {
  const { latitude, longitude } = objectOf(coordinates)
  const point = latitude === undefined ? stringOf(coordinates) : `${latitude}, ${longitude}`
  return [...new Set([stringOf(locationName), stringOf(address), point])].filter(Boolean).join(', ')
}

/** Whether a card is only a line between others. */
export const isSeparator = (card: Json): boolean => card.cardRole === 'separator'

/** Cards of very old exports have no position; they are in order. */
export const cardsOf = (board: Json): Json[] => {
  const seen = new Set<string>()
  return objectsOf(board.cards).filter((card) => {
    const id = stringOf(card.id)
    if (!id || seen.has(id) || isSeparator(card)) return false
    seen.add(id)
    return true
  })
}
