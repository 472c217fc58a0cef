import { and, asc, desc, eq, gt, gte, isNotNull, lte } from 'drizzle-orm'
import type { Context, Tx } from '../../kernel/caller.ts'
import { fault } from '../../kernel/fault.ts'
import { param, prepared } from '../../store/prepared.ts'
import { applied } from './steps.ts'
import type { Page } from './store.ts'
import { pageVersions } from './tables.ts'
import type { Whole } from './texts.ts'

export type Version = typeof pageVersions.$inferSelect

const ofPage = and(
  eq(pageVersions.team_id, param('team_id')),
  eq(pageVersions.page_id, param('page_id')),
)

const statements = prepared((tx) => ({
  /** The nearest version from there on that was kept whole. */
  whole: tx
    .select({ version: pageVersions.version, whole: pageVersions.whole })
    .from(pageVersions)
    .where(and(ofPage, gte(pageVersions.version, param('version')), isNotNull(pageVersions.whole)))
    .orderBy(asc(pageVersions.version))
    .limit(1)
    .prepare('page_version_whole'),
  way: tx
    .select({ back: pageVersions.back })
    .from(pageVersions)
    .where(
      and(
        ofPage,
        gt(pageVersions.version, param('version')),
        lte(pageVersions.version, param('from')),
      ),
    )
    .orderBy(desc(pageVersions.version))
    .prepare('page_version_way'),
}))

/** The text that a page had, as it was kept; what was once a version stays as it is. */
export async function textAt(tx: Tx, { page, text: now }: Whole, version: number): Promise<string> {
  const { team_id, page_id } = page
  const asked = { team_id, page_id, version }
  if (version === page.version) return now
  const [kept] = await statements(tx).whole.execute(asked)
  const from = kept?.version ?? page.version
  let text = kept?.whole ?? now
  for (const { back } of await statements(tx).way.execute({ ...asked, from }))
    text = applied(back ?? [], text)
  return text
}

type Named = Partial<Pick<Version, 'version' | 'version_id'>>

/** A version of this page, by its number or its id. */
export async function findVersion(
  { tx }: Pick<Context, 'tx'>,
  { team_id, page_id }: Page,
  named: Named,
  field?: string,
): Promise<Version> {
  const { version_id, version: number } = named
  const has = (by: 'version' | 'version_id', value: number) =>
    tx
      .select()
      .from(pageVersions)
      .where(
        and(
          eq(pageVersions.team_id, team_id),
          eq(pageVersions.page_id, page_id),
          eq(pageVersions[by], value),
          number === undefined ? undefined : eq(pageVersions.version, number),
        ),
      )
  const by = version_id === undefined ? ('version' as const) : ('version_id' as const)
  const value = (version_id ?? number)!
  const [version] = await has(by, value)
  if (version) return version
  const [counted] = by === 'version_id' ? await has('version', value) : []
  const meant = counted && `Version ${value} of it has the version_id ${counted.version_id}. `
  throw fault.notFound(
    field ?? by,
    `Page ${page_id} has no ${by} ${value}`,
    value,
    `${meant ?? ''}List its versions: svc_pages versions, or GET /api/v1/pages/{page_id}/versions`,
  )
}

/** The page as a version of it was, with the text that it had. */
export async function asItWas(
  ctx: Pick<Context, 'tx'>,
  whole: Whole,
  named: Named,
): Promise<Whole> {
  const { page } = whole
  const found = await findVersion(ctx, page, named)
  const { version, title, content_type, canvas, length, author_id, created_at } = found
  const was = { version, title, content_type, canvas, length }
  return {
    page: { ...page, ...was, updated_by: author_id, updated_at: created_at },
    text: await textAt(ctx.tx, whole, version),
  }
}
