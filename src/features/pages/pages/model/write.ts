import { getTableColumns } from 'drizzle-orm'
import type { Context } from '../../../../kernel/caller.ts'
import type { ChangeVerb } from '../../../../kernel/changes.ts'
import { param, prepared } from '../../../../store/prepared.ts'
import { placeOf } from '../../../boards/projects/model/index.ts'
import type { Located, Task } from '../../../tasks/tasks/model/index.ts'
import type { PageContent } from './contents.ts'
import { parentFor } from './nesting.ts'
import {
  type Chain,
  isChainTooLong,
  kindOf,
  type PageKind,
  titleFromText,
  titleOf,
} from './rules.ts'
import { type Step, sizeOf } from './steps.ts'
import { type Page, type Ref, updatePageCount } from './store.ts'
import { pages, pageVersions } from './tables.ts'
import { textOf, writeText } from './texts.ts'

interface Draft {
  title?: string
  kind?: PageKind
  parent_page_id?: Ref | null
}

const statements = prepared((tx) => {
  const { page_id: _, ...pageColumns } = getTableColumns(pages)
  const { version_id: __, ...versionColumns } = getTableColumns(pageVersions)
  const values = (columns: object) =>
    Object.fromEntries(Object.keys(columns).map((name) => [name, param(name)])) as never
  return {
    page: tx.insert(pages).values(values(pageColumns)).returning().prepare('page_insert'),
    version: tx.insert(pageVersions).values(values(versionColumns)).prepare('page_version_insert'),
  }
})

/** Creates a page on a task. The text must be cleaned already. */
export async function createPage(
  ctx: Context,
  { task }: Located,
  { title = '', kind: requestedKind, parent_page_id: parent = null }: Draft,
  { text, content_type, canvas }: PageContent,
): Promise<Page> {
  const parent_page_id = await parentFor(ctx, task, parent)
  const kind = kindOf({ kind: requestedKind, title })
  const { team_id, task_id } = task
  const authors = { created_by: ctx.caller.actor_id, updated_by: ctx.caller.actor_id }
  const [page] = await statements(ctx.tx).page.execute({
    public_id: newPublicId(),
    team_id,
    task_id,
    parent_page_id,
    kind,
    title: titleOf(kind, title.trim() || defaultTitle(kind, task, { text, content_type })),
    content_type,
    canvas,
    version: 1,
    length: text.length,
    chain_steps: 0,
    chain_size: 0,
    ...authors,
    created_at: ctx.now,
    updated_at: ctx.now,
    archived_at: null,
  })
  await writeText(ctx.tx, page!, text)
  await insertVersion(ctx, page!, { back: null, note: null, whole: null })
  await updatePageCount(ctx.tx, task)
  emitPageChange(ctx, 'created', task, page!, { kind, parent_page_id })
  return page!
}

/** Returns the title of a page that was given none. */
export function defaultTitle(
  kind: PageKind,
  task: Task,
  { text, content_type }: Pick<PageContent, 'text' | 'content_type'>,
): string {
  return kind === 'description' ? task.title : titleFromText(text, content_type)
}

interface VersionInfo {
  /** The steps from this text to the previous one. */
  back: Step[] | null
  note: string | null
  whole: string | null
}

/** Writes a row of the history: who changed the page, and the steps to its previous text. */
export async function insertVersion(
  { tx, caller, now }: Context,
  page: Page,
  { back, note, whole }: VersionInfo,
): Promise<void> {
  const { team_id, page_id, version, title, content_type, canvas, length } = page
  const { shared, removed } = sizeOf(back ?? [])
  await statements(tx).version.execute({
    team_id,
    page_id,
    version,
    title,
    content_type,
    canvas,
    length,
    note,
    added: length - shared,
    removed,
    back,
    whole,
    author_id: caller.actor_id,
    created_at: now,
  })
}

/** Assumed size of a step besides its characters. */
const STEP_OVERHEAD = 16

/** Returns the length of the chain after a version with these steps is added. */
export const extendChain = ({ chain_steps, chain_size }: Chain, back: readonly Step[]): Chain => ({
  chain_steps: chain_steps + 1,
  chain_size: chain_size + sizeOf(back).removed + back.length * STEP_OVERHEAD,
})

/** Adds a version. If the chain was reset, because it became too long, the text is stored whole. */
export async function addVersion(
  ctx: Context,
  page: Page,
  info: Pick<VersionInfo, 'note'> & { back: Step[] },
): Promise<void> {
  const whole = page.chain_steps === 0 ? await textOf(ctx.tx, page) : null
  await insertVersion(ctx, page, { ...info, whole })
}

/** Returns the chain for the row of the page. It starts again once it becomes too long. */
export function nextChain(page: Chain, back: readonly Step[], length: number): Chain {
  const chain = extendChain(page, back)
  return isChainTooLong(chain, length) ? { chain_steps: 0, chain_size: 0 } : chain
}

export function emitPageChange(
  ctx: Context,
  verb: ChangeVerb<'page'>,
  { team_id, project_id, task_id, ticket_number }: Task,
  { page_id, title, version }: Page,
  data: Record<string, unknown> = {},
): void {
  const place = { ...placeOf({ team_id, project_id }), task_id }
  ctx.emit(`page.${verb}`, place, { page_id, ticket_number, title, version, ...data })
}

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'

/** 100 random bits, so that the id cannot be guessed. */
const newPublicId = () =>
  `pg_${[...crypto.getRandomValues(new Uint8Array(20))].map((byte) => ALPHABET[byte & 31]).join('')}`
