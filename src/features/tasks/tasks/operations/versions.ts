import { type Static, Type as t } from '@sinclair/typebox'
import { and, eq, getTableColumns, inArray, sql } from 'drizzle-orm'
import { snippetOf } from '../../../../content/index.ts'
import type { Context, Tx } from '../../../../kernel/caller.ts'
import { fault } from '../../../../kernel/fault.ts'
import { listInput, listOf, requestedFields } from '../../../../kernel/list.ts'
import { leaseInput, operation } from '../../../../kernel/operation.ts'
import { pageOf, warnIfShortened } from '../../../../store/page.ts'
import { matchesSearch } from '../../../../store/text.ts'
import { Actor, actorsOf, asActor, Id, Timestamp } from '../../../identity/people/model/index.ts'
import {
  AsFormat,
  cleanStoredText,
  convertTexts,
  descriptionVersions,
} from '../../descriptions/model/index.ts'
import { updateTask } from '../../edits/model/index.ts'
import { TaskReceipt } from '../../records/model/index.ts'
import { locateTask, type Task, taskIdOf } from '../model/address.ts'
import { address, ContentType } from '../model/schema.ts'

const VersionId = Id('Id of a version, from svc_tasks versions')

const VersionRow = t.Object(
  {
    version_id: VersionId,
    version: t.Integer({ description: 'Counts from 1 for each task' }),
    current: t.Boolean({ description: 'Whether this is the current version' }),
    author: Actor,
    created_at: Timestamp,
    content_type: ContentType,
    length: t.Integer({ description: 'Characters' }),
    excerpt: t.String({ description: 'Beginning of the text, without markup' }),
    description: t.Optional(t.String({ description: 'Only if requested with fields or format' })),
  },
  {
    columns: ['version_id', 'version', 'author', 'created_at', 'excerpt', 'description'],
  },
)
type VersionRow = Static<typeof VersionRow>

const { content: text, ...withoutText } = getTableColumns(descriptionVersions)
/** Long enough for an excerpt, even if the text begins with many tags. */
const BEGINNING_LENGTH = 2000

export const versions = operation({
  name: 'tasks.versions',
  summary: 'Versions of a task description, newest first',
  needs: 'tasks:read',
  dependsOn: [{ about: 'task', changes: ['task'] }],
  on: {
    rest: ['GET /api/v1/tasks/:task/versions', 'GET /api/mcp/tasks/description-versions'],
    mcp: 'svc_tasks.versions',
    cli: { usage: 'tasks versions <task>', example: 'HOM-1' },
    chat: true,
  },
  input: listInput({ ...address, format: AsFormat }, ['createdAt']),
  output: listOf(VersionRow),
  async run(input, ctx) {
    const { task_id, ticket_number, unique_index, project_id, format, ...paging } = input
    const { task } = await locateTask(ctx, { task_id, ticket_number, unique_index, project_id })
    const withText = !!format || !!requestedFields(input, VersionRow)?.includes('description')
    const { rows, page } = await pageOf(ctx.tx, paging, {
      name: `versions ${task.task_id}`,
      from: descriptionVersions,
      columns: withoutText,
      ...(withText && { largeText: text }),
      where: and(ofTask(task), matchesSearch(input, [text])),
      sorts: { createdAt: { key: descriptionVersions.version } },
      id: 'version_id',
    })
    const items = await toVersionRows(ctx, task, rows, withText)
    return warnIfShortened(ctx, { items: convertTexts(ctx, items, format), page })
  },
})

const ofTask = ({ team_id, task_id }: Task) =>
  and(eq(descriptionVersions.team_id, team_id), eq(descriptionVersions.task_id, task_id))

type Version = typeof descriptionVersions.$inferSelect
type VersionSummary = Omit<Version, 'content'>

async function toVersionRows(
  { tx }: Context,
  task: Task,
  rows: readonly VersionSummary[],
  withText: boolean,
): Promise<VersionRow[]> {
  const authors = await actorsOf(
    tx,
    rows.map(({ author_id }) => author_id),
  )
  const textByVersion = await loadBeginnings(tx, task, rows, withText)
  return rows.map((row) => ({
    version_id: row.version_id,
    version: row.version,
    current: row.version === task.description_version,
    author: asActor(authors.get(row.author_id)!),
    created_at: row.created_at.toISOString(),
    content_type: row.content_type,
    length: textByVersion.get(row.version_id)!.length,
    excerpt: snippetOf(textByVersion.get(row.version_id)!.beginning, row.content_type),
    ...(withText && { description: textByVersion.get(row.version_id)!.content }),
  }))
}

/** Loads only the beginning of each text, unless the whole text is requested. */
async function loadBeginnings(
  tx: Tx,
  task: Task,
  rows: readonly VersionSummary[],
  withText: boolean,
) {
  const ids = rows.map(({ version_id }) => version_id)
  const found = await tx
    .select({
      version_id: descriptionVersions.version_id,
      beginning: sql<string>`substr(${text}, 1, ${BEGINNING_LENGTH})`,
      length: sql<number>`length(${text})`,
      content: withText ? text : sql<string>`''`,
    })
    .from(descriptionVersions)
    .where(and(ofTask(task), inArray(descriptionVersions.version_id, ids)))
  return new Map(found.map((version) => [version.version_id, version]))
}

export const restore = operation({
  name: 'tasks.restore',
  summary: 'Restore an earlier description as a new version',
  needs: 'tasks:write',
  on: {
    rest: ['POST /api/v1/tasks/:task/restore', 'POST /api/mcp/tasks/description-restore'],
    mcp: 'svc_tasks.restore',
    cli: { usage: 'tasks restore <task> <version_id>', example: 'HOM-1 1' },
    chat: true,
  },
  input: t.Object({ ...address, version_id: VersionId, ...leaseInput }),
  output: TaskReceipt,
  guard: { by: 'lease', tasks: taskIdOf },
  async run({ version_id, ...address }, ctx) {
    const located = await locateTask(ctx, address)
    const { content: text, content_type: type } = await findVersion(ctx, located.task, version_id)
    // The stored text may be older than the current cleaning rules, so it is cleaned again.
    return updateTask(ctx, located, { described: cleanStoredText(ctx, text, type) })
  },
})

async function findVersion({ tx }: Context, task: Task, version_id: number): Promise<Version> {
  const [version] = await tx
    .select()
    .from(descriptionVersions)
    .where(and(ofTask(task), eq(descriptionVersions.version_id, version_id)))
  if (version) return version
  throw fault.notFound(
    'version_id',
    `The description of ${task.ticket_number} has no version ${version_id}`,
    version_id,
    'List its versions: svc_tasks versions, or GET /api/v1/tasks/{task}/versions',
  )
}
