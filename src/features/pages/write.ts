import { getTableColumns } from 'drizzle-orm'
import type { Context } from '../../kernel/caller.ts'
import { param, prepared } from '../../store/prepared.ts'
import { placeOf } from '../projects/index.ts'
import type { Located, Task } from '../tasks/index.ts'
import type { Piece } from './contents.ts'
import { parentFor } from './nesting.ts'
import { type Chain, isLong, kindOf, type PageKind, titleIn, titleOf } from './rules.ts'
import { type Step, sizeOf } from './steps.ts'
import { countPages, type Page, type Ref } from './store.ts'
import { pages, pageVersions } from './tables.ts'
import { textOf, writeText } from './texts.ts'

interface Draft {
  title?: string
  kind?: PageKind
  parent_page_id?: Ref | null
}

const statements = prepared((tx) => {
  const { page_id: _, ...own } = getTableColumns(pages)
  const { version_id: __, ...version } = getTableColumns(pageVersions)
  const values = (columns: object) =>
    Object.fromEntries(Object.keys(columns).map((name) => [name, param(name)])) as never
  return {
    page: tx.insert(pages).values(values(own)).returning().prepare('page_insert'),
    version: tx.insert(pageVersions).values(values(version)).prepare('page_version_insert'),
  }
})

/** A page of the caller's on a task, whose text is cleaned. */
export async function createPage(
  ctx: Context,
  { task }: Located,
  { title = '', kind: asked, parent_page_id: parent = null }: Draft,
  { text, content_type, canvas }: Piece,
): Promise<Page> {
  const parent_page_id = await parentFor(ctx, task, parent)
  const kind = kindOf({ kind: asked, title })
  const { team_id, task_id } = task
  const by = { created_by: ctx.caller.actor_id, updated_by: ctx.caller.actor_id }
  const [page] = await statements(ctx.tx).page.execute({
    ...{ public_id: newPublicId(), team_id, task_id, parent_page_id, kind },
    title: titleOf(kind, title.trim() || untitled(kind, task, { text, content_type })),
    ...{ content_type, canvas, version: 1, length: text.length, chain_steps: 0, chain_size: 0 },
    ...{ ...by, created_at: ctx.now, updated_at: ctx.now, archived_at: null },
  })
  await writeText(ctx.tx, page!, text)
  await keepVersion(ctx, page!, { back: null, note: null, whole: null })
  await countPages(ctx.tx, task)
  tell(ctx, 'created', task, page!, { kind, parent_page_id })
  return page!
}

/** What a page is called that nobody gave a title. */
export function untitled(
  kind: PageKind,
  task: Task,
  { text, content_type }: Pick<Piece, 'text' | 'content_type'>,
): string {
  return kind === 'description' ? task.title : titleIn(text, content_type)
}

interface Kept {
  /** Makes the text before of this one. */
  back: Step[] | null
  note: string | null
  whole: string | null
}

/** Keeps who made the page what it is now, and how it was before. */
export async function keepVersion(
  { tx, caller, now }: Context,
  page: Page,
  { back, note, whole }: Kept,
): Promise<void> {
  const { team_id, page_id, version, title, content_type, canvas, length } = page
  const { kept, gone } = sizeOf(back ?? [])
  await statements(tx).version.execute({
    ...{ team_id, page_id, version, title, content_type, canvas, length },
    ...{ note, added: length - kept, removed: gone, back, whole },
    ...{ author_id: caller.actor_id, created_at: now },
  })
}

/** What a step costs besides its letters. */
const STEP = 16

/** How far the newest text that was kept whole is from a version that is made of `back`. */
export const lengthened = ({ chain_steps, chain_size }: Chain, back: readonly Step[]): Chain => ({
  chain_steps: chain_steps + 1,
  chain_size: chain_size + sizeOf(back).gone + back.length * STEP,
})

/** Keeps a version, and where the way to the ones before would be long, its text with it. */
export async function linkVersion(
  ctx: Context,
  page: Page,
  kept: Pick<Kept, 'note'> & { back: Step[] },
): Promise<void> {
  const whole = page.chain_steps === 0 ? await textOf(ctx.tx, page) : null
  await keepVersion(ctx, page, { ...kept, whole })
}

/** What the page's row says of that way from then on. */
export function chained(page: Chain, back: readonly Step[], length: number): Chain {
  const chain = lengthened(page, back)
  return isLong(chain, length) ? { chain_steps: 0, chain_size: 0 } : chain
}

export function tell(
  ctx: Context,
  verb: string,
  { team_id, project_id, task_id, ticket_number }: Task,
  { page_id, title, version }: Page,
  data: Record<string, unknown> = {},
): void {
  const place = { ...placeOf({ team_id, project_id }), task_id }
  ctx.emit(`page.${verb}`, place, { page_id, ticket_number, title, version, ...data })
}

const LETTERS = '0123456789abcdefghjkmnpqrstvwxyz'

/** A hundred bits that nobody guesses. */
const newPublicId = () =>
  `pg_${[...crypto.getRandomValues(new Uint8Array(20))].map((byte) => LETTERS[byte & 31]).join('')}`
