import { and, asc, eq, gt, sql } from 'drizzle-orm'
import type { PgColumn as Column } from 'drizzle-orm/pg-core'
import type { Tx } from '../../../../../kernel/caller.ts'
import { isInIdList } from '../../../../../store/id-list.ts'
import { param, prepared } from '../../../../../store/prepared.ts'
import { isPublished } from '../../../../../store/published.ts'
import { comments } from '../../../../conversation/comments/model/index.ts'
import { pagePieces, pages } from '../../../../pages/pages/model/index.ts'
import { descriptionVersions } from '../../../../tasks/descriptions/model/index.ts'
import { attachments } from '../../../../tasks/files/model/index.ts'
import { tasks } from '../../../../tasks/tasks/model/index.ts'

/** Number of texts per query. */
export const BATCH_SIZE = 200

/** The length of a text, which the engines know without reading it. */
const byteLength = (text: Column) => sql<number>`coalesce(octet_length(${text}), 0)`.mapWith(Number)

const maxId = (id: Column) => ({ last: sql<number>`coalesce(max(${id}), 0)`.mapWith(Number) })

interface TaskChild {
  team_id: Column
  task_id: Column
}

/** Joins the task that a text belongs to. */
const joinTask = (child: TaskChild) =>
  and(eq(tasks.task_id, child.task_id), eq(tasks.team_id, child.team_id))!

const whereTask = (child: TaskChild) =>
  and(eq(child.team_id, param('team_id')), eq(child.task_id, param('task_id')))!

const location = { status: tasks.status, project_id: tasks.project_id, task_id: tasks.task_id }

/** Joins the current version of a description. */
const currentVersion = and(
  eq(descriptionVersions.team_id, tasks.team_id),
  eq(descriptionVersions.task_id, tasks.task_id),
  eq(descriptionVersions.version, tasks.description_version),
)

/** Ids and lengths; `descriptionTexts` reads the texts and what is shown of them. */
const descriptionRefs = (tx: Tx) => {
  const id = tasks.task_id
  const refs = () => tx.select({ id, bytes: byteLength(tasks.description) }).from(tasks)
  return {
    after: refs()
      .where(and(gt(id, param('after')), isPublished(tx, tasks.team_id)))
      .orderBy(asc(id))
      .limit(BATCH_SIZE)
      .prepare('feed_tasks_after'),
    named: refs()
      .where(isInIdList(id, param('ids')))
      .prepare('feed_tasks_named'),
    whole: tx
      .select({
        id,
        team_id: tasks.team_id,
        task_id: id,
        bytes: byteLength(tasks.description),
        comments: tasks.comment_count,
        pages: tasks.page_count,
        files: tasks.attachment_count,
      })
      .from(tasks)
      .where(isInIdList(id, param('ids')))
      .prepare('feed_tasks_whole'),
    last: tx.select(maxId(id)).from(tasks).prepare('feed_tasks_last'),
  }
}

const descriptionTexts = (tx: Tx) => {
  const id = tasks.task_id
  return {
    read: tx
      .select({
        ...location,
        id,
        title: tasks.title,
        text: tasks.description,
        format: tasks.content_type,
        author_id: tasks.created_by,
        created_at: tasks.created_at,
        written_at: descriptionVersions.created_at,
      })
      .from(tasks)
      .leftJoin(descriptionVersions, currentVersion)
      .where(isInIdList(id, param('ids')))
      .prepare('feed_tasks_read'),
    about: tx
      .select({
        id,
        task_id: id,
        title: tasks.title,
        author_id: tasks.created_by,
        created_at: tasks.created_at,
        written_at: descriptionVersions.created_at,
      })
      .from(tasks)
      .leftJoin(descriptionVersions, currentVersion)
      .where(isInIdList(id, param('ids')))
      .prepare('feed_tasks_about'),
  }
}

export const descriptionStatements = prepared((tx) => ({
  ...descriptionRefs(tx),
  ...descriptionTexts(tx),
}))

const commentRefs = (tx: Tx) => {
  const id = comments.comment_id
  const refs = () => tx.select({ id, bytes: byteLength(comments.text) }).from(comments)
  const next = gt(id, param('after'))
  return {
    after: refs()
      .where(and(next, isPublished(tx, comments.team_id)))
      .orderBy(asc(id))
      .limit(BATCH_SIZE)
      .prepare('feed_comments_after'),
    of: refs()
      .where(and(whereTask(comments), next))
      .orderBy(asc(id))
      .limit(BATCH_SIZE)
      .prepare('feed_comments_of'),
    named: refs()
      .where(isInIdList(id, param('ids')))
      .prepare('feed_comments_named'),
    last: tx.select(maxId(id)).from(comments).prepare('feed_comments_last'),
  }
}

const commentTexts = (tx: Tx) => {
  const id = comments.comment_id
  return {
    read: tx
      .select({
        ...location,
        id,
        title: tasks.title,
        text: comments.text,
        format: comments.content_type,
        author_id: comments.author_id,
        created_at: comments.created_at,
        written_at: comments.edited_at,
      })
      .from(comments)
      .innerJoin(tasks, joinTask(comments))
      .where(isInIdList(id, param('ids')))
      .prepare('feed_comments_read'),
    about: tx
      .select({
        id,
        task_id: comments.task_id,
        title: tasks.title,
        author_id: comments.author_id,
        created_at: comments.created_at,
        written_at: comments.edited_at,
      })
      .from(comments)
      .innerJoin(tasks, joinTask(comments))
      .where(isInIdList(id, param('ids')))
      .prepare('feed_comments_about'),
  }
}

export const commentStatements = prepared((tx) => ({ ...commentRefs(tx), ...commentTexts(tx) }))

const pageRefs = (tx: Tx) => {
  const id = pages.page_id
  const refs = () => tx.select({ id, bytes: pages.length }).from(pages)
  const next = gt(id, param('after'))
  return {
    after: refs()
      .where(and(next, isPublished(tx, pages.team_id)))
      .orderBy(asc(id))
      .limit(BATCH_SIZE)
      .prepare('feed_pages_after'),
    of: refs()
      .where(and(whereTask(pages), next))
      .orderBy(asc(id))
      .limit(BATCH_SIZE)
      .prepare('feed_pages_of'),
    named: refs()
      .where(isInIdList(id, param('ids')))
      .prepare('feed_pages_named'),
    last: tx.select(maxId(id)).from(pages).prepare('feed_pages_last'),
  }
}

const pageTexts = (tx: Tx) => {
  const id = pages.page_id
  return {
    read: tx
      .select({
        ...location,
        id,
        title: pages.title,
        public_id: pages.public_id,
        format: pages.content_type,
        author_id: pages.created_by,
        created_at: pages.created_at,
        written_at: pages.updated_at,
        archived_at: pages.archived_at,
      })
      .from(pages)
      .innerJoin(tasks, joinTask(pages))
      .where(isInIdList(id, param('ids')))
      .prepare('feed_pages_read'),
    pieces: tx
      .select({ id, content: pagePieces.content })
      .from(pages)
      .innerJoin(
        pagePieces,
        and(eq(pagePieces.team_id, pages.team_id), eq(pagePieces.page_id, pages.page_id)),
      )
      .where(isInIdList(id, param('ids')))
      .orderBy(asc(id), asc(pagePieces.place))
      .prepare('feed_pages_pieces'),
  }
}

export const pageStatements = prepared((tx) => ({ ...pageRefs(tx), ...pageTexts(tx) }))

const fileRefs = (tx: Tx) => {
  const id = attachments.attachment_id
  // The text is read later, so a file costs no more than its name.
  const refs = () => tx.select({ id, bytes: byteLength(attachments.filename) }).from(attachments)
  const next = gt(id, param('after'))
  return {
    after: refs()
      .where(and(next, isPublished(tx, attachments.team_id)))
      .orderBy(asc(id))
      .limit(BATCH_SIZE)
      .prepare('feed_files_after'),
    of: refs()
      .where(and(whereTask(attachments), next))
      .orderBy(asc(id))
      .limit(BATCH_SIZE)
      .prepare('feed_files_of'),
    named: refs()
      .where(isInIdList(id, param('ids')))
      .prepare('feed_files_named'),
    last: tx.select(maxId(id)).from(attachments).prepare('feed_files_last'),
  }
}

const fileTexts = (tx: Tx) => ({
  read: tx
    .select({
      ...location,
      id: attachments.attachment_id,
      title: attachments.filename,
      content_type: attachments.content_type,
      size: attachments.size,
      sha256: attachments.sha256,
      author_id: attachments.created_by,
      created_at: attachments.created_at,
    })
    .from(attachments)
    .innerJoin(tasks, joinTask(attachments))
    .where(isInIdList(attachments.attachment_id, param('ids')))
    .prepare('feed_files_read'),
})

export const fileStatements = prepared((tx) => ({ ...fileRefs(tx), ...fileTexts(tx) }))
