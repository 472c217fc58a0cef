import type { ImportRecord, Person, Task } from '../../record.ts'
import type { Report, SourceFile } from '../../source.ts'
import { BoardFields } from '../shared/board-fields.ts'
import { nameLabels } from '../shared/board-labels.ts'
import { joinSections } from '../shared/checklist-text.ts'
import { counted } from '../shared/counted.ts'
import { type Json, objectOf, objectsOf, sortedBy, stringOf } from '../shared/json.ts'
import { shorten } from '../shared/names.ts'
import { newPerson } from '../shared/person.ts'
import { fitText } from '../shared/task-limits.ts'
import { bytesById, isLink, readAttachment } from './attachments.ts'
import { CardText, taskListsByCard } from './card-text.ts'
import { byCard, type CardContext, readCard } from './cards.ts'
import { colorName, colorOf } from './colors.ts'
import { commentsByCard, readComment } from './comments.ts'
import { valuesByCard } from './custom-fields.ts'
import { Lists } from './lists.ts'

export async function* readBoard(
  document: Json,
  files: readonly SourceFile[],
  report: Report,
): AsyncIterable<ImportRecord> {
  report.fields.add(document)
  const item = objectOf(document.item)
  const included = objectOf(document.included)
  const id = stringOf(item.id) || stringOf(item.name) || 'planka'
  const title = stringOf(item.name).trim() || 'Planka board'
  yield { origin: { id, title: shorten(title, 500) } }
  const people = peopleOf(included)
  for (const person of people.values()) yield { person }

  const lists = new Lists(included, report)
  const cards = cardsOf(included, lists, report)
  const labels = labelsOf(included)
  const context = contextOf(id, included, lists, cards, labels.names, people, report)
  const tasks = cards.map((card) => readCard(card, context))
  const project = objectsOf(included.projects)[0] ?? {}
  const description = joinSections(stringOf(project.name), stringOf(project.description))
  yield {
    board: {
      id,
      title: shorten(title, 200),
      ...(description && { description: fitText(description, 'The project', report) }),
      columns: lists.columns.columns,
      labels: labels.labels,
      fields: context.fields.list,
    },
  }
  yield* tasksOf(included, tasks, files, context)
  yield* relationsOf(included, new Set(tasks.map((task) => task.id)))
}

async function* tasksOf(
  included: Json,
  tasks: readonly Task[],
  files: readonly SourceFile[],
  { people, text, attachments, report }: CardContext,
): AsyncIterable<ImportRecord> {
  const comments = commentsByCard(included)
  const bytes = bytesById(files)
  let remote = 0
  for (const task of tasks) {
    yield { task }
    for (const comment of comments.get(task.id) ?? [])
      yield { comment: readComment(comment, text, people, report) }
    for (const file of attachments.get(task.id) ?? []) {
      if (isLink(file)) continue
      const attachment = readAttachment(task.id, file, bytes, people)
      if (attachment && !attachment.bytes) remote++
      if (attachment) yield { attachment }
      else report.lose(`Attachment of "${task.title}"`, 'it has no address')
    }
  }
  if (remote)
    report.lose(
      counted(remote, 'attachment'),
      'Planka gives files only with a token; import from the address of the board',
    )
}

function peopleOf(included: Json): Map<string, Person> {
  const people = new Map<string, Person>()
  for (const user of objectsOf(included.users)) {
    const id = stringOf(user.id)
    const email = stringOf(user.email)
    const name = stringOf(user.name).trim() || stringOf(user.username) || email || id
    if (id) people.set(id, newPerson(id, name, email))
  }
  return people
}

const labelsOf = (included: Json) =>
  nameLabels(
    sortedBy(objectsOf(included.labels), 'position').map(({ id, name, color }) => ({
      id: stringOf(id),
      name: stringOf(name),
      colorName: colorName(stringOf(color)),
      color: colorOf(stringOf(color)),
    })),
  )

/** The cards in order, without those in the trash. */
function cardsOf(included: Json, lists: Lists, report: Report): Json[] {
  const cards = new Map<string, Json>()
  let damaged = 0
  let trashed = 0
  for (const card of sortedBy(objectsOf(included.cards), 'position')) {
    const id = stringOf(card.id)
    if (!id || cards.has(id)) damaged++
    else if (lists.isTrash(stringOf(card.listId))) trashed++
    else cards.set(id, card)
  }
  if (damaged) report.lose(counted(damaged, 'card'), 'it has no id, or the id of another card')
  if (trashed) report.lose(counted(trashed, 'card'), 'it is in the trash')
  return [...cards.values()]
}

function contextOf(
  board: string,
  included: Json,
  lists: Lists,
  cards: readonly Json[],
  labels: Map<string, string>,
  people: Map<string, Person>,
  report: Report,
): CardContext {
  const fields = new BoardFields()
  const text = new CardText(cards)
  const named = [...byCard(included.cardLabels, 'labelId')].map(
    ([card, ids]) => [card, [...new Set(ids.flatMap((id) => labels.get(id) ?? []))]] as const,
  )
  return {
    board,
    lists,
    fields,
    people,
    text,
    labels: new Map(named),
    members: byCard(included.cardMemberships, 'userId'),
    taskLists: taskListsByCard(included, text, people),
    values: valuesByCard(included, fields),
    attachments: Map.groupBy(objectsOf(included.attachments), ({ cardId }) => stringOf(cardId)),
    report,
  }
}

/** Cards that items of task lists link to are related to the card of the list. */
function* relationsOf(included: Json, ids: ReadonlySet<string>): Iterable<ImportRecord> {
  const cards = new Map(
    objectsOf(included.taskLists).map(({ id, cardId }) => [stringOf(id), stringOf(cardId)]),
  )
  const seen = new Set<string>()
  for (const { taskListId, linkedCardId } of objectsOf(included.tasks)) {
    const first = cards.get(stringOf(taskListId)) ?? ''
    const second = stringOf(linkedCardId)
    const key = [first, second].toSorted().join(' ')
    if (first === second || !ids.has(first) || !ids.has(second) || seen.has(key)) continue
    seen.add(key)
    yield { relation: { kind: 'related', first, second } }
  }
}
