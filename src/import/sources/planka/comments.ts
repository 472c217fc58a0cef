import type { Comment, Person } from '../../record.ts'
import type { Report } from '../../source.ts'
import { type Json, objectOf, objectsOf, stringOf } from '../shared/json.ts'
import { fitText } from '../shared/task-limits.ts'
import { momentOf } from '../shared/times.ts'
import type { CardText } from './card-text.ts'

/** The comments by the ids of their cards, oldest first. In Planka 1 they are actions. */
export function commentsByCard(included: Json): Map<string, Json[]> {
  const actions = objectsOf(included.actions)
    .filter(({ type }) => type === 'commentCard')
    .map((action): Json => ({ ...action, text: objectOf(action.data).text }))
  const comments = new Map<string, Json>()
  for (const comment of [...objectsOf(included.comments), ...actions])
    if (stringOf(comment.id)) comments.set(stringOf(comment.id), comment)
  return Map.groupBy(
    [...comments.values()].toSorted((a, b) =>
      stringOf(a.createdAt) < stringOf(b.createdAt) ? -1 : 1,
    ),
    ({ cardId }) => stringOf(cardId),
  )
}

export function readComment(
  comment: Json,
  text: CardText,
  people: Map<string, Person>,
  report: Report,
): Comment {
  const author = stringOf(comment.userId)
  const created_at = momentOf(comment.createdAt)
  const edited_at = momentOf(comment.updatedAt)
  return {
    id: stringOf(comment.id),
    task: stringOf(comment.cardId),
    text: fitText(text.replace(stringOf(comment.text)), 'A comment', report),
    content_type: 'markdown',
    ...(people.has(author) && { author }),
    ...(created_at && { created_at }),
    ...(edited_at && { edited_at }),
  }
}
