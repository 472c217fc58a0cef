import { and, asc, desc, eq, gt, gte, isNotNull, lte } from 'drizzle-orm'
import type { Context, Tx } from '../../../../kernel/caller.ts'
import { fault } from '../../../../kernel/fault.ts'
import { param, prepared } from '../../../../store/prepared.ts'
import { applySteps } from './steps.ts'
import type { Page } from './store.ts'
import { pageVersions } from './tables.ts'
import type { PageWithText } from './texts.ts'

export type Version = typeof pageVersions.$inferSelect

const ofPage = and(
  eq(pageVersions.team_id, param('team_id')),
  eq(pageVersions.page_id, param('page_id')),
)

const statements = prepared((tx) => ({
  /** The nearest version, from the given one on, that is stored whole. */
  whole: tx
    .select({ version: pageVersions.version, whole: pageVersions.whole })
    .from(pageVersions)
    .where(and(ofPage, gte(pageVersions.version, param('version')), isNotNull(pageVersions.whole)))
    .orderBy(asc(pageVersions.version))
    .limit(1)
    .prepare('page_version_whole'),
  steps: tx
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

/** Rebuilds the text of a version. Versions never change. */
export async function textAt(
  tx: Tx,
  { page, text: newest }: PageWithText,
  version: number,
): Promise<string> {
  const { team_id, page_id } = page
  const params = { team_id, page_id, version }
  if (version === page.version) return newest
  const [nearest] = await statements(tx).whole.execute(params)
  const from = nearest?.version ?? page.version
  let text = nearest?.whole ?? newest
  for (const { back } of await statements(tx).steps.execute({ ...params, from }))
    text = applySteps(back ?? [], text)
  return text
}

type VersionRef = Partial<Pick<Version, 'version' | 'version_id'>>

/** Loads a version of this page by its number or its id. */
export async function findVersion(
  { tx }: Pick<Context, 'tx'>,
  { team_id, page_id }: Page,
  ref: VersionRef,
  field?: string,
): Promise<Version> {
  const { version_id, version: number } = ref
  const findBy = (by: 'version' | 'version_id', value: number) =>
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
  const [version] = await findBy(by, value)
  if (version) return version
  const [byNumber] = by === 'version_id' ? await findBy('version', value) : []
  const hint = byNumber && `Version ${value} has the version_id ${byNumber.version_id}. `
  throw fault.notFound(
    field ?? by,
    `Page ${page_id} has no ${by} ${value}`,
    value,
    `${hint ?? ''}List its versions: svc_pages versions, or GET /api/v1/pages/{page_id}/versions`,
  )
}

/** Returns the page with the fields and the text of one of its versions. */
export async function pageAtVersion(
  ctx: Pick<Context, 'tx'>,
  current: PageWithText,
  ref: VersionRef,
): Promise<PageWithText> {
  const { page } = current
  const found = await findVersion(ctx, page, ref)
  const { version, title, content_type, canvas, length, author_id, created_at } = found
  const versioned = { version, title, content_type, canvas, length }
  return {
    page: { ...page, ...versioned, updated_by: author_id, updated_at: created_at },
    text: await textAt(ctx.tx, current, version),
  }
}
