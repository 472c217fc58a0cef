import type { Format, Stored } from '../../../../content/index.ts'
import { convertStored, type Reader as FormatReader } from '../../../../content/shown.ts'
import type { Context, Server } from '../../../../kernel/caller.ts'
import { actorsOf, asActor } from '../../../identity/people/model/index.ts'
import { type Task, tasksById } from '../../../tasks/tasks/model/index.ts'
import type { PageReceipt, PageRecord, PageRow } from './schema.ts'
import type { Page } from './store.ts'

type Reader = Pick<Context, 'tx' | 'server'>

const pageUrl = ({ url }: Server, { public_id }: Page) => `${url}/p/${public_id}`

/** Turns rows into API records, in the same order. Callers have checked that they are visible. */
export async function toPageRows({ tx, server }: Reader, rows: readonly Page[]) {
  const tasks = await tasksById(
    tx,
    rows.map(({ task_id }) => task_id),
  )
  const actors = await actorsOf(
    tx,
    rows.flatMap(({ created_by, updated_by }) => [created_by, updated_by]),
  )
  return rows.map((row): PageRow => {
    const { task_id, ticket_number, project_id } = tasks.get(row.task_id)!
    return {
      page_id: row.page_id,
      public_id: row.public_id,
      task_id,
      ticket_number,
      project_id,
      parent_page_id: row.parent_page_id,
      kind: row.kind,
      title: row.title,
      content_type: row.content_type,
      canvas: row.canvas,
      version: row.version,
      length: row.length,
      created_by: asActor(actors.get(row.created_by)!),
      updated_by: asActor(actors.get(row.updated_by)!),
      created_at: row.created_at.toISOString(),
      updated_at: row.updated_at.toISOString(),
      url: pageUrl(server, row),
    }
  })
}

/** Turns a page and one of its texts into an API record. `current` marks the newest version. */
export async function toPageRecord(
  ctx: Reader,
  page: Page,
  { text: content, format }: Stored,
  current: boolean,
): Promise<PageRecord> {
  const [row] = await toPageRows(ctx, [page])
  const canvas_url =
    page.canvas && current ? `${ctx.server.url}/api/v1/pages/${page.page_id}/canvas` : null
  const archived_at = page.archived_at?.toISOString() ?? null
  return { ...row!, content, format, current, archived_at, canvas_url }
}

/**
 * The text of a page in the format that was asked for. HTML is cleaned again: it may be older than
 * the rules, and a canvas never was. A text that cannot be converted is given as it is stored, but
 * not a canvas, which may hold scripts.
 */
export function inFormat(
  ctx: FormatReader,
  { content_type, canvas }: Pick<Page, 'content_type' | 'canvas'>,
  text: string,
  format: Format,
): Stored {
  const stored = { text, format: content_type }
  if (!text || (content_type === 'markdown' && format === content_type)) return stored
  return convertStored(ctx, format, [stored], { field: 'content', isSafe: !canvas })[0]!
}

export const receiptOf = (
  { server }: Pick<Context, 'server'>,
  { task_id, ticket_number }: Task,
  page: Page,
  changed: string[],
): PageReceipt => ({
  page_id: page.page_id,
  public_id: page.public_id,
  task_id,
  ticket_number,
  title: page.title,
  kind: page.kind,
  version: page.version,
  length: page.length,
  updated_at: page.updated_at.toISOString(),
  url: pageUrl(server, page),
  changed,
})
