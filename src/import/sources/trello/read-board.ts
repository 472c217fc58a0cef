import type { ImportRecord } from '../../record.ts'
import type { Report, SourceFile } from '../../source.ts'
import { BoardColumns } from '../shared/board-columns.ts'
import { BoardFields } from '../shared/board-fields.ts'
import { counted } from '../shared/counted.ts'
import { type Json, listOf, objectOf, objectsOf, sortedBy, stringOf } from '../shared/json.ts'
import { shorten } from '../shared/names.ts'
import { fitText } from '../shared/task-limits.ts'
import { AttachmentReader } from './attachments.ts'
import { CardLinks } from './card-links.ts'
import { type CardContext, cardsOf, isSeparator, type ReadCard, readCard } from './cards.ts'
import { checklistsByCard } from './checklists.ts'
import { commentsByCard, creatorsOf, readComment, reportMissing } from './comments.ts'
import { declaredFields } from './custom-fields.ts'
import { labelsOf } from './labels.ts'
import { peopleOf } from './people.ts'

export async function* readBoard(
  board: Json,
  files: readonly SourceFile[],
  report: Report,
): AsyncIterable<ImportRecord> {
  report.fields.add(board)
  const id = stringOf(board.id) || stringOf(board.shortLink) || stringOf(board.name) || 'trello'
  const title = stringOf(board.name).trim() || 'Trello board'
  yield { origin: { id, title: shorten(title, 500) } }

  const people = peopleOf(board)
  for (const person of people.values()) yield { person }

  const cards = cardsOf(board)
  reportDamaged(board, cards, report)
  const labels = labelsOf(board, cards)
  const context = contextOf(id, board, cards, labels.names, people, report)
  const ordered = sortedBy(cards, 'pos')
  const read = ordered.map((card) => readCard(card, context))
  if (cards.some(({ isTemplate }) => isTemplate === true)) addTemplateLabel(labels.labels)
  const description = fitText(stringOf(board.desc), 'Description of the board', report)
  yield {
    board: {
      id,
      title: shorten(title, 200),
      ...(description && { description }),
      columns: context.columns.columns,
      labels: labels.labels,
      fields: context.fields.list,
    },
  }
  yield* tasksOf(board, read, context, new AttachmentReader(files, people))
  yield* relationsOf(cards, read)
}

function contextOf(
  id: string,
  board: Json,
  cards: readonly Json[],
  labels: Map<string, string>,
  people: CardContext['people'],
  report: Report,
): CardContext {
  const fields = new BoardFields()
  const lists = listsOf(board, cards)
  const columns = new BoardColumns(
    lists.map((list) => ({
      id: stringOf(list.id),
      name: stringOf(list.name),
      isHidden: list.closed === true,
      limit: typeof list.softLimit === 'number' ? list.softLimit : undefined,
    })),
    report,
  )
  columns.fallback()
  return {
    board: id,
    columns,
    lists: new Map(lists.map((list) => [stringOf(list.id), list])),
    labels,
    people,
    fields,
    declared: declaredFields(board, fields),
    checklists: checklistsByCard(board, cards, people),
    creators: creatorsOf(objectsOf(board.actions)),
    links: new CardLinks(cards),
    report,
  }
}

function reportDamaged(board: Json, cards: readonly Json[], report: Report): void {
  const expected = listOf(board.cards).filter((card) => !isSeparator(objectOf(card))).length
  const damaged = expected - cards.length
  if (damaged) report.lose(counted(damaged, 'card'), 'it has no id, or the id of another card')
}

/** The lists in order; archived ones are last, and only if they have cards. */
function listsOf(board: Json, cards: readonly Json[]): Json[] {
  const used = new Set(cards.map(({ idList }) => idList))
  const lists = sortedBy(objectsOf(board.lists), 'pos').filter(({ id }) => stringOf(id))
  const isArchived = ({ closed }: Json) => closed === true
  return [
    ...lists.filter((list) => !isArchived(list)),
    ...lists.filter((list) => isArchived(list) && used.has(list.id)),
  ]
}

function addTemplateLabel(labels: { name: string }[]): void {
  if (!labels.some(({ name }) => name.toLowerCase() === 'template'))
    labels.push({ name: 'Template' })
}

async function* tasksOf(
  board: Json,
  read: readonly ReadCard[],
  { people, links, report }: CardContext,
  attachments: AttachmentReader,
): AsyncIterable<ImportRecord> {
  const comments = commentsByCard(objectsOf(board.actions))
  for (const { task, attachments: held } of read) {
    yield { task }
    for (const action of comments.get(task.id) ?? [])
      yield { comment: readComment(action, people, links, report) }
    for (const file of held.files) {
      const attachment = attachments.read(task.id, file)
      if (attachment) yield { attachment }
      else report.lose(`Attachment of "${task.title}"`, 'it has no address')
    }
  }
  attachments.reportRemote(report)
  reportMissing(board, cardsOf(board), comments, report)
}

/** Cards that are attached to a card, or that it mirrors, are related to it. */
function* relationsOf(cards: readonly Json[], read: readonly ReadCard[]): Iterable<ImportRecord> {
  const seen = new Set<string>()
  const ids = new Set(read.map(({ task }) => task.id))
  const mirrors = new Map(cards.map((card) => [stringOf(card.id), stringOf(card.mirrorSourceId)]))
  for (const { task, attachments } of read)
    for (const other of [...attachments.related, mirrors.get(task.id) ?? '']) {
      const key = [task.id, other].toSorted().join(' ')
      if (other === task.id || !ids.has(other) || seen.has(key)) continue
      seen.add(key)
      yield { relation: { kind: 'related', first: task.id, second: other } }
    }
}
