import { and, eq, inArray, or } from 'drizzle-orm'
import type { Context } from '../../../../kernel/caller.ts'
import { fault } from '../../../../kernel/fault.ts'
import { forUpdate } from '../../../../store/columns.ts'
import { pages } from '../../../pages/pages/model/index.ts'
import { onVisibleTask } from '../../../tasks/tasks/model/index.ts'
import { checkEntries, pageIdIn } from './rules.ts'
import type { Sidebar, SidebarEntry } from './schema.ts'
import { sidebars } from './tables.ts'

const isOwn = (ctx: Context) => eq(sidebars.actor_id, ctx.caller.actor_id)

export async function readSidebar(ctx: Context): Promise<Sidebar> {
  const [row] = await ctx.tx.select().from(sidebars).where(isOwn(ctx))
  if (!row) return { version: 0, entries: [] }
  return { version: row.version, entries: await withPageTitles(ctx, row.entries) }
}

/** Pages are shown with the title that they have now. */
async function withPageTitles(ctx: Context, entries: readonly SidebarEntry[]) {
  const ids = entries.flatMap((entry) => pageIdIn(entry) ?? [])
  if (!ids.length) return [...entries]
  const numbers = ids.filter((id) => /^\d{1,9}$/.test(id)).map(Number)
  const { page_id, public_id, title, team_id, task_id } = pages
  const found = await ctx.tx
    .select({ page_id, public_id, title })
    .from(pages)
    .where(
      and(
        inArray(team_id, [0, ...ctx.caller.teams.keys()]),
        or(inArray(page_id, [0, ...numbers]), inArray(public_id, ids)),
        onVisibleTask(ctx, task_id),
      ),
    )
  const titles = new Map(
    found.flatMap((page) => [
      [String(page.page_id), page.title],
      [page.public_id, page.title],
    ]),
  )
  return entries.map((entry) => ({
    ...entry,
    title: (titles.get(pageIdIn(entry) ?? '') ?? entry.title).slice(0, 200),
  }))
}

export async function writeSidebar(
  ctx: Context,
  { entries, if_version }: { entries: SidebarEntry[]; if_version: number },
): Promise<Sidebar> {
  checkEntries(entries)
  const [current] = await forUpdate(ctx.tx.select().from(sidebars).where(isOwn(ctx)))
  const version = current?.version ?? 0
  if (version !== if_version) throw outdated(version, if_version)
  const row = { version: version + 1, entries, updated_at: ctx.now }
  const written = current
    ? await ctx.tx.update(sidebars).set(row).where(isOwn(ctx)).returning()
    : await ctx.tx
        .insert(sidebars)
        .values({ actor_id: ctx.caller.actor_id, ...row })
        .onConflictDoNothing()
        .returning()
  if (!written.length) throw outdated(version + 1, if_version)
  ctx.emit('sidebar.updated', {}, { version: row.version })
  return { version: row.version, entries: await withPageTitles(ctx, entries) }
}

const outdated = (version: number, if_version: number) =>
  fault.conflict(
    `Your sidebar is at version ${version}, not ${if_version}`,
    { field: 'if_version', value: if_version },
    'Read it, make the change again, and send its version as if_version',
  )
