import { eq } from 'drizzle-orm'
import { convertedIn } from '../../content/index.ts'
import type { Context } from '../../kernel/caller.ts'
import { fault } from '../../kernel/fault.ts'
import { param, prepared } from '../../store/prepared.ts'
import { actorsOf, asActor } from '../people/index.ts'
import { cleanedIn } from '../tasks/index.ts'
import { checkLength, checkParts, fitted, type Piece, type Written } from './contents.ts'
import { stepsIn } from './lines.ts'
import { parentFor } from './nesting.ts'
import { joint, type Mode, titleOf } from './rules.ts'
import type { Revision } from './schema.ts'
import type { Step } from './steps.ts'
import type { Page, Paged } from './store.ts'
import { pages } from './tables.ts'
import { addText, endOf, textOf, writeText } from './texts.ts'
import { chained, linkVersion, tell, untitled } from './write.ts'

/** Another text of a page: what it becomes, and what leads back. */
interface Rewriting {
  /** False where only the way of writing is another. */
  isNew: boolean
  set: Pick<Page, 'content_type' | 'canvas' | 'length'>
  back: Step[]
  write(): Promise<void>
}

export interface Change extends Pick<Revision, 'title' | 'parent_page_id' | 'if_version' | 'note'> {
  mode?: Mode
  /** How the page is to be written from now on, where no text was sent. */
  content_type?: Page['content_type']
}

/** Changes what was given and differs; answers the page and the names of what did. */
export async function changePage(
  ctx: Context,
  { page, task }: Paged,
  given: Change,
  sent: Written,
): Promise<{ page: Page; changed: string[] }> {
  const { if_version, parent_page_id } = given
  if (if_version !== undefined) await checkVersion(ctx, page, if_version)
  const text = await rewriting(ctx, page, given, sent)
  const title = await titled(ctx, { page, task }, given.title, sent.piece)
  const wanted = { ...page, ...text?.set, title }
  if (parent_page_id !== undefined)
    wanted.parent_page_id = await parentFor(ctx, task, parent_page_id, page)
  const changed = [
    ...(text?.isNew ? ['content'] : []),
    ...SHOWN.filter((name) => wanted[name] !== page[name]),
  ]
  if (!changed.length) return { page, changed }
  if (text?.isNew) await text.write()
  const back = text?.back ?? same(page)
  const saved = await save(ctx, page, wanted, { back, changed, note: given.note ?? null })
  tell(ctx, 'updated', task, saved, {
    ...(text?.isNew && { mode: given.mode ?? 'replace' }),
    changed,
  })
  return { page: saved, changed }
}

const same = ({ length }: Page): Step[] => [[0, length]]

const SHOWN = ['title', 'content_type', 'canvas', 'parent_page_id'] as const

interface Kept {
  back: Step[]
  changed: readonly string[]
  note: string | null
}

/** Writes the row. What only moves among pages makes no version. */
export async function save(ctx: Context, page: Page, wanted: Page, { back, changed, note }: Kept) {
  const isMoved = changed.every((name) => name === 'parent_page_id')
  const after = isMoved
    ? wanted
    : {
        ...wanted,
        ...chained(page, back, wanted.length),
        ...{ version: page.version + 1, updated_by: ctx.caller.actor_id, updated_at: ctx.now },
      }
  const saved = await saveRow(ctx, after)
  if (!isMoved) await linkVersion(ctx, saved, { back, note })
  return saved
}

const ROW = [
  ...['parent_page_id', 'title', 'content_type', 'canvas', 'version', 'length'],
  ...['chain_steps', 'chain_size', 'updated_by', 'updated_at', 'archived_at'],
] as (keyof Page)[]

const statements = prepared((tx) =>
  tx
    .update(pages)
    .set(Object.fromEntries(ROW.map((name) => [name, param(name)])))
    .where(eq(pages.page_id, param('of')))
    .returning()
    .prepare('page_update'),
)

export async function saveRow({ tx }: Pick<Context, 'tx'>, page: Page): Promise<Page> {
  const values = Object.fromEntries(ROW.map((name) => [name, page[name]]))
  const [saved] = await statements(tx).execute({ ...values, of: page.page_id })
  return saved!
}

async function checkVersion(ctx: Context, page: Page, if_version: number): Promise<void> {
  const { version, content_type, canvas, updated_by, updated_at } = page
  if (if_version === version) return
  const { tx, caller } = ctx
  const who = (await actorsOf(tx, [updated_by])).get(updated_by)!
  const current = caller.scopes.has('pages:read') && { current: await textOf(tx, page) }
  throw fault.conflict(
    `The page is at version ${version}, not ${if_version}: ${who.name} changed it last`,
    {
      ...{ field: 'if_version', value: if_version, version, ...current },
      ...{ title: page.title, content_type, canvas },
      ...{ updated_by: asActor(who), updated_at: updated_at.toISOString() },
    },
    'Merge your change into the current text and send its version; append and prepend need none',
  )
}

async function titled(
  { tx }: Context,
  { page, task }: Pick<Paged, 'page' | 'task'>,
  title: string | undefined,
  piece: Piece | undefined,
): Promise<string> {
  if (title === undefined) return page.title
  const { kind, content_type } = page
  if (title.trim()) return titleOf(kind, title)
  const text = piece ?? { text: await textOf(tx, page), content_type }
  return titleOf(kind, untitled(kind, task, text))
}

function rewriting(ctx: Context, page: Page, given: Change, sent: Written) {
  const { piece } = sent
  const mode = given.mode ?? 'replace'
  if (piece && mode !== 'replace') return adding(ctx, page, mode, fitted(ctx, piece, page))
  return piece ? replacing(ctx, page, piece) : recasting(ctx, page, given)
}

/** Another text in the place of the one there is. */
export async function replacing(
  ctx: Context,
  page: Page,
  { text, content_type, canvas }: Piece,
): Promise<Rewriting> {
  const { tx } = ctx
  const before = await textOf(tx, page)
  const set = { content_type, canvas, length: text.length }
  checkLength(text.length, page.page_id)
  const isNew = text !== before
  return {
    ...{ isNew, set, back: isNew ? stepsIn(ctx, before, text) : same(page) },
    write: () => writeText(tx, page, text),
  }
}

/** The text there is, written in another way. */
async function recasting(ctx: Context, page: Page, { content_type }: Change) {
  if (content_type === undefined || (content_type === page.content_type && !page.canvas)) return
  const before = await textOf(ctx.tx, page)
  const other = convertedIn(ctx, content_type, before, page.content_type, 'content')
  const { text } = cleanedIn(ctx, other, content_type, 'content')
  return replacing(ctx, page, { text, content_type, canvas: false })
}

/** A text more at one end, whatever stands there by now. */
async function adding({ tx }: Context, page: Page, mode: 'append' | 'prepend', text: string) {
  const { content_type, canvas, length: before } = page
  const { content } = await endOf(tx, page, mode)
  const isLast = mode === 'append'
  const joined = isLast
    ? joint(content, text, content_type) + text
    : text + joint(text, content, content_type)
  const length = before + joined.length
  checkLength(length, page.page_id)
  if (content_type === 'html') checkParts((await textOf(tx, page)) + joined, page.page_id)
  const back: Step[] = [isLast ? [0, before] : [joined.length, length]]
  return {
    ...{ isNew: true, set: { content_type, canvas, length }, back },
    write: () => addText(tx, page, mode, joined),
  }
}
