import { and, asc, desc, eq, inArray, lt } from 'drizzle-orm'
import { pagePieces, pages, pageVersions } from '../../features/pages/index.ts'
import type { Tx } from '../../kernel/caller.ts'
import type { Line } from '../lines.ts'
import type { Participants } from '../participants.ts'
import type { RecordOf } from '../schema.ts'

/** Versions per query. They are short: each holds only the difference to its neighbour. */
const ROWS = 50

interface Task {
  task_id: number
  ticket_number: string
}
type Page = typeof pages.$inferSelect

/** Loads the pages of tasks. Returns a generator of one task's lines, pages before versions. */
export async function loadPages(
  tx: Tx,
  team_id: number,
  rows: readonly Task[],
  participants: Participants,
) {
  const ids = rows.map(({ task_id }) => task_id)
  const pageRows = await tx
    .select()
    .from(pages)
    .where(and(eq(pages.team_id, team_id), inArray(pages.task_id, ids)))
    .orderBy(asc(pages.task_id), asc(pages.created_at), asc(pages.public_id))
  const byTask = Map.groupBy(pageRows, ({ task_id }) => task_id)
  return async function* ({ task_id, ticket_number: task }: Task): AsyncGenerator<Line> {
    const taskPages = byTask.get(task_id) ?? []
    for (const page of taskPages)
      yield { page: await pageRecord(tx, page, taskPages, task, participants) }
    for (const page of taskPages) yield* versionLines(tx, page, task, participants)
  }
}

async function pageRecord(
  tx: Tx,
  page: Page,
  siblings: readonly Page[],
  task: string,
  participants: Participants,
): Promise<RecordOf<'page'>> {
  const { public_id, parent_page_id, kind, title, content_type, canvas, version } = page
  const parent = siblings.find(({ page_id }) => page_id === parent_page_id)
  return {
    ...{ task, public_id, parent: parent?.public_id ?? null },
    ...{ kind, title, content_type, canvas, content: await textOf(tx, page), version },
    created_by: participants.nameOf(page.created_by),
    updated_by: participants.nameOf(page.updated_by),
    created_at: page.created_at.toISOString(),
    updated_at: page.updated_at.toISOString(),
    archived_at: page.archived_at?.toISOString() ?? null,
  }
}

async function textOf(tx: Tx, { team_id, page_id }: Page): Promise<string> {
  const pieces = await tx
    .select()
    .from(pagePieces)
    .where(and(eq(pagePieces.team_id, team_id), eq(pagePieces.page_id, page_id)))
    .orderBy(asc(pagePieces.place))
  return pieces.map(({ content }) => content).join('')
}

/** The versions of a page, newest first. */
async function* versionLines(
  tx: Tx,
  page: Page,
  task: string,
  participants: Participants,
): AsyncGenerator<Line> {
  const { team_id, page_id, public_id } = page
  for (let before = page.version + 1; before > 1; before -= ROWS) {
    const rows = await tx
      .select()
      .from(pageVersions)
      .where(
        and(
          eq(pageVersions.team_id, team_id),
          eq(pageVersions.page_id, page_id),
          lt(pageVersions.version, before),
        ),
      )
      .orderBy(desc(pageVersions.version))
      .limit(ROWS)
    for (const { version, title, content_type, canvas, note, back, ...own } of rows)
      yield {
        page_version: {
          ...{ task, page: public_id, version, title, content_type, canvas, note, back },
          author: participants.nameOf(own.author_id),
          created_at: own.created_at.toISOString(),
        },
      }
  }
}
