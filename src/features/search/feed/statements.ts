import { and, asc, eq, gt, sql } from 'drizzle-orm'
import type { PgColumn as Column } from 'drizzle-orm/pg-core'
import { amongListed } from '../../../store/fulltext.ts'
import { published } from '../../../store/imported.ts'
import { param, prepared } from '../../../store/prepared.ts'
import { comments } from '../../comments/index.ts'
import { pagePieces, pages } from '../../pages/index.ts'
import { descriptionVersions, tasks } from '../../tasks/index.ts'

/** So many texts are named at once. */
export const MANY = 200

/** How long a text is, which the engines know without reading it. */
const bytesOf = (text: Column) => sql<number>`coalesce(octet_length(${text}), 0)`.mapWith(Number)

const lastOf = (id: Column) => ({ last: sql<number>`coalesce(max(${id}), 0)`.mapWith(Number) })

interface Hung {
  team_id: Column
  task_id: Column
}

/** The task that a text hangs on. */
const onTask = (of: Hung) => and(eq(tasks.task_id, of.task_id), eq(tasks.team_id, of.team_id))!

const ofTask = (of: Hung) =>
  and(eq(of.team_id, param('team_id')), eq(of.task_id, param('task_id')))!

const place = { status: tasks.status, project_id: tasks.project_id, task_id: tasks.task_id }

/** Of a description, the text it has now. */
const newest = and(
  eq(descriptionVersions.team_id, tasks.team_id),
  eq(descriptionVersions.task_id, tasks.task_id),
  eq(descriptionVersions.version, tasks.description_version),
)

export const ofDescriptions = prepared((tx) => {
  const id = tasks.task_id
  const refs = () => tx.select({ id, bytes: bytesOf(tasks.description) }).from(tasks)
  return {
    after: refs()
      .where(and(gt(id, param('after')), published(tx, tasks.team_id)))
      .orderBy(asc(id))
      .limit(MANY)
      .prepare('feed_tasks_after'),
    named: refs()
      .where(amongListed(id, param('ids')))
      .prepare('feed_tasks_named'),
    whole: tx
      .select({
        ...{ id, team_id: tasks.team_id, task_id: id, bytes: bytesOf(tasks.description) },
        ...{ comments: tasks.comment_count, pages: tasks.page_count },
      })
      .from(tasks)
      .where(amongListed(id, param('ids')))
      .prepare('feed_tasks_whole'),
    read: tx
      .select({
        ...place,
        id,
        title: tasks.title,
        text: tasks.description,
        format: tasks.content_type,
        author_id: tasks.created_by,
        created_at: tasks.created_at,
        written_at: descriptionVersions.created_at,
      })
      .from(tasks)
      .leftJoin(descriptionVersions, newest)
      .where(amongListed(id, param('ids')))
      .prepare('feed_tasks_read'),
    about: tx
      .select({
        ...{ id, task_id: id, title: tasks.title, author_id: tasks.created_by },
        created_at: tasks.created_at,
        written_at: descriptionVersions.created_at,
      })
      .from(tasks)
      .leftJoin(descriptionVersions, newest)
      .where(amongListed(id, param('ids')))
      .prepare('feed_tasks_about'),
    last: tx.select(lastOf(id)).from(tasks).prepare('feed_tasks_last'),
  }
})

export const ofComments = prepared((tx) => {
  const id = comments.comment_id
  const refs = () => tx.select({ id, bytes: bytesOf(comments.text) }).from(comments)
  const next = gt(id, param('after'))
  return {
    after: refs()
      .where(and(next, published(tx, comments.team_id)))
      .orderBy(asc(id))
      .limit(MANY)
      .prepare('feed_comments_after'),
    of: refs()
      .where(and(ofTask(comments), next))
      .orderBy(asc(id))
      .limit(MANY)
      .prepare('feed_comments_of'),
    named: refs()
      .where(amongListed(id, param('ids')))
      .prepare('feed_comments_named'),
    read: tx
      .select({
        ...place,
        id,
        title: tasks.title,
        text: comments.text,
        format: comments.content_type,
        author_id: comments.author_id,
        created_at: comments.created_at,
        written_at: comments.edited_at,
      })
      .from(comments)
      .innerJoin(tasks, onTask(comments))
      .where(amongListed(id, param('ids')))
      .prepare('feed_comments_read'),
    about: tx
      .select({
        ...{ id, task_id: comments.task_id, title: tasks.title, author_id: comments.author_id },
        created_at: comments.created_at,
        written_at: comments.edited_at,
      })
      .from(comments)
      .innerJoin(tasks, onTask(comments))
      .where(amongListed(id, param('ids')))
      .prepare('feed_comments_about'),
    last: tx.select(lastOf(id)).from(comments).prepare('feed_comments_last'),
  }
})

export const ofPages = prepared((tx) => {
  const id = pages.page_id
  const refs = () => tx.select({ id, bytes: pages.length }).from(pages)
  const next = gt(id, param('after'))
  return {
    after: refs()
      .where(and(next, published(tx, pages.team_id)))
      .orderBy(asc(id))
      .limit(MANY)
      .prepare('feed_pages_after'),
    of: refs()
      .where(and(ofTask(pages), next))
      .orderBy(asc(id))
      .limit(MANY)
      .prepare('feed_pages_of'),
    named: refs()
      .where(amongListed(id, param('ids')))
      .prepare('feed_pages_named'),
    read: tx
      .select({
        ...place,
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
      .innerJoin(tasks, onTask(pages))
      .where(amongListed(id, param('ids')))
      .prepare('feed_pages_read'),
    pieces: tx
      .select({ id, content: pagePieces.content })
      .from(pages)
      .innerJoin(
        pagePieces,
        and(eq(pagePieces.team_id, pages.team_id), eq(pagePieces.page_id, pages.page_id)),
      )
      .where(amongListed(id, param('ids')))
      .orderBy(asc(id), asc(pagePieces.place))
      .prepare('feed_pages_pieces'),
    last: tx.select(lastOf(id)).from(pages).prepare('feed_pages_last'),
  }
})
