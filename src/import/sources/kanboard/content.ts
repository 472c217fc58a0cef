import type { Attachment, Comment, Person } from '../../record.ts'
import type { Report, SourceFile } from '../../source.ts'
import { type Json, objectsOf, stringOf } from '../shared/json.ts'
import { shorten } from '../shared/names.ts'
import { fitText } from '../shared/task-limits.ts'
import { momentOf } from '../shared/times.ts'
import type { TaskLinks } from './links.ts'

/** The folder of the files that a download from the API adds. */
export const ATTACHMENTS = 'attachments/'

/** Comments that not everybody on the board may read. */
export const isRestricted = ({ visibility }: Json): boolean =>
  visibility === 'app-manager' || visibility === 'app-admin'

export function commentsOf(
  task: Json,
  people: Map<string, Person>,
  links: TaskLinks,
  report: Report,
): Comment[] {
  return objectsOf(task.comments).flatMap((comment) => {
    const id = stringOf(comment.id)
    if (!id || isRestricted(comment)) return []
    const author = people.get(stringOf(comment.user_id))?.id
    const created_at = momentOf(comment.date_creation)
    const edited_at = momentOf(comment.date_modification)
    return {
      id,
      task: stringOf(task.id),
      text: fitText(links.replace(stringOf(comment.comment)), 'A comment', report),
      content_type: 'markdown' as const,
      ...(author && { author }),
      ...(created_at && { created_at }),
      ...(edited_at && edited_at !== created_at && { edited_at }),
    }
  })
}

export function attachmentsOf(
  task: Json,
  bytes: ReadonlyMap<string, SourceFile>,
  people: Map<string, Person>,
  report: Report,
): Attachment[] {
  return objectsOf(task.files).flatMap((file) => {
    const id = stringOf(file.id)
    const content = bytes.get(id)
    if (!content) {
      report.lose(`Attachment "${stringOf(file.name)}"`, 'its file was not downloaded')
      return []
    }
    const author = people.get(stringOf(file.user_id))?.id
    const created_at = momentOf(file.date)
    const type = stringOf(file.mime_type)
    return {
      id,
      task: stringOf(task.id),
      filename: shorten(stringOf(file.name) || 'file', 255),
      bytes: () => content.bytes(),
      ...(type && type.length <= 255 && { content_type: type }),
      ...(author && { created_by: author }),
      ...(created_at && { created_at }),
    }
  })
}
