import type { Comment, Person } from '../../record.ts'
import type { Report } from '../../source.ts'
import { counted } from '../shared/counted.ts'
import { type Json, objectOf, objectsOf, stringOf } from '../shared/json.ts'
import { fitText } from '../shared/task-limits.ts'
import { momentOf } from '../shared/times.ts'
import type { CardLinks } from './card-links.ts'

const COMMENTS = new Set(['commentCard', 'copyCommentCard'])
const CREATIONS = new Set(['createCard', 'copyCard', 'convertToCardFromCheckItem', 'emailCard'])

export const isComment = ({ type }: Json): boolean => COMMENTS.has(stringOf(type))

const cardOf = (action: Json): string => stringOf(objectOf(objectOf(action.data).card).id)

/** Who created the cards, by the ids of the cards. */
export const creatorsOf = (actions: readonly Json[]): Map<string, string> =>
  new Map(
    actions
      .filter(({ type }) => CREATIONS.has(stringOf(type)))
      .map((action) => [cardOf(action), stringOf(action.idMemberCreator)]),
  )

/** The comments by the ids of their cards, oldest first. */
export function commentsByCard(actions: readonly Json[]): Map<string, Json[]> {
  const seen = new Set<string>()
  const comments = actions.filter((action) => {
    const id = stringOf(action.id)
    if (!id || seen.has(id) || !isComment(action)) return false
    seen.add(id)
    return true
  })
  return Map.groupBy(
    comments.toSorted((a, b) => (stringOf(a.date) < stringOf(b.date) ? -1 : 1)),
    cardOf,
  )
}

export function readComment(
  action: Json,
  people: Map<string, Person>,
  links: CardLinks,
  report: Report,
): Comment {
  const data = objectOf(action.data)
  const author = stringOf(action.idMemberCreator)
  const text = fitText(links.replace(stringOf(data.text)), 'A comment', report)
  const created_at = momentOf(action.date)
  const edited_at = momentOf(data.dateLastEdited)
  return {
    id: stringOf(action.id),
    task: cardOf(action),
    text,
    content_type: 'markdown',
    ...(people.has(author) && { author }),
    ...(created_at && { created_at }),
    ...(edited_at && { edited_at }),
  }
}

/** An export holds the newest 1,000 entries of the history, so older comments are missing. */
export function reportMissing(
  board: Json,
  cards: readonly Json[],
  comments: Map<string, Json[]>,
  report: Report,
): void {
  let missing = 0
  const ids = new Set(cards.map(({ id }) => stringOf(id)))
  for (const card of cards) {
    const count = Number(objectOf(card.badges).comments) || 0
    missing += Math.max(0, count - (comments.get(stringOf(card.id))?.length ?? 0))
  }
  if (missing)
    report.lose(
      counted(missing, 'older comment'),
      'the export holds only the newest 1,000 changes; import from the address of the board',
    )
  const orphans = [...comments].filter(([card]) => !ids.has(card)).flatMap(([, list]) => list)
  if (orphans.length) report.lose(counted(orphans.length, 'comment'), 'the card was deleted')
  const changes = objectsOf(board.actions).filter((action) => !isComment(action)).length
  if (changes)
    report.lose(counted(changes, 'change'), 'the history is not imported, only its comments')
}
