import { eq } from 'drizzle-orm'
import { convertInTransaction } from '../../../../content/index.ts'
import type { Context } from '../../../../kernel/caller.ts'
import { fault } from '../../../../kernel/fault.ts'
import { param, prepared } from '../../../../store/prepared.ts'
import { actorsOf, asActor } from '../../../identity/people/model/index.ts'
import { cleanStoredText } from '../../../tasks/descriptions/model/index.ts'
import { lastChange, shareWrite, type TextRef } from '../../../tasks/shared_texts/model/index.ts'
import {
  checkLength,
  checkParts,
  convertToPageFormat,
  type PageContent,
  type PreparedContent,
} from './contents.ts'
import { computeSteps } from './lines.ts'
import { parentFor } from './nesting.ts'
import { type Mode, separatorBetween, titleOf } from './rules.ts'
import type { Revision } from './schema.ts'
import type { Step } from './steps.ts'
import type { LocatedPage, Page } from './store.ts'
import { pages } from './tables.ts'
import { addText, endPiece, textOf, writeText } from './texts.ts'
import { addVersion, defaultTitle, emitPageChange, nextChain } from './write.ts'

/** A change of the text of a page, with the steps that restore the previous text. */
interface TextChange {
  /** False if only the format or the canvas flag changes. */
  isTextChanged: boolean
  set: Pick<Page, 'content_type' | 'canvas' | 'length'>
  back: Step[]
  write(): Promise<void>
}

export interface Change extends Pick<Revision, 'title' | 'parent_page_id' | 'if_version' | 'note'> {
  mode?: Mode
  /** Without a new text: the format to convert the page to. */
  content_type?: Page['content_type']
}

/** Writes the fields that differ. Returns the page and the names of the changed fields. */
export async function changePage(
  ctx: Context,
  { page, task }: LocatedPage,
  change: Change,
  prepared: PreparedContent,
): Promise<{ page: Page; changed: string[] }> {
  const { if_version, parent_page_id } = change
  if (if_version !== undefined) await checkVersion(ctx, page, if_version)
  const text = await textChangeFor(ctx, page, change, prepared)
  const title = await resolveTitle(ctx, { page, task }, change.title, prepared.content)
  const next = { ...page, ...text?.set, title }
  if (parent_page_id !== undefined)
    next.parent_page_id = await parentFor(ctx, task, parent_page_id, page)
  const changed = [
    ...(text?.isTextChanged ? ['content'] : []),
    ...COMPARED_FIELDS.filter((name) => next[name] !== page[name]),
  ]
  if (!changed.length) return { page, changed }
  if (text?.isTextChanged) await text.write()
  const back = text?.back ?? unchangedSteps(page)
  const saved = await save(ctx, page, next, { back, changed, note: change.note ?? null })
  emitPageChange(ctx, 'updated', task, saved, {
    ...(text?.isTextChanged && { mode: change.mode ?? 'replace' }),
    changed,
  })
  return { page: saved, changed }
}

const unchangedSteps = ({ length }: Page): Step[] => [[0, length]]

const COMPARED_FIELDS = ['title', 'content_type', 'canvas', 'parent_page_id'] as const

interface VersionInfo {
  back: Step[]
  changed: readonly string[]
  note: string | null
}

/** Writes the row. A change of the parent alone creates no version. */
export async function save(
  ctx: Context,
  page: Page,
  next: Page,
  { back, changed, note }: VersionInfo,
) {
  const isMoveOnly = changed.every((name) => name === 'parent_page_id')
  const after = isMoveOnly
    ? next
    : {
        ...next,
        ...nextChain(page, back, next.length),
        version: page.version + 1,
        updated_by: ctx.caller.actor_id,
        updated_at: ctx.now,
      }
  const saved = await saveRow(ctx, after)
  if (!isMoveOnly) await addVersion(ctx, saved, { back, note })
  return saved
}

const ROW_FIELDS = [
  'parent_page_id',
  'title',
  'content_type',
  'canvas',
  'version',
  'length',
  'chain_steps',
  'chain_size',
  'updated_by',
  'updated_at',
  'archived_at',
] as (keyof Page)[]

const updatePage = prepared((tx) =>
  tx
    .update(pages)
    .set(Object.fromEntries(ROW_FIELDS.map((name) => [name, param(name)])))
    .where(eq(pages.page_id, param('of')))
    .returning()
    .prepare('page_update'),
)

export async function saveRow({ tx }: Pick<Context, 'tx'>, page: Page): Promise<Page> {
  const values = Object.fromEntries(ROW_FIELDS.map((name) => [name, page[name]]))
  const [saved] = await updatePage(tx).execute({ ...values, of: page.page_id })
  return saved!
}

async function checkVersion(ctx: Context, page: Page, if_version: number): Promise<void> {
  const { version, content_type, canvas, updated_by, updated_at } = page
  if (if_version === version) return
  const { tx, caller } = ctx
  const editor = (await actorsOf(tx, [updated_by])).get(updated_by)!
  const current = caller.scopes.has('pages:read') && { current: await textOf(tx, page) }
  throw fault.conflict(
    `The page is at version ${version}, not ${if_version}: ${editor.name} changed it last`,
    {
      field: 'if_version',
      value: if_version,
      version,
      ...current,
      title: page.title,
      content_type,
      canvas,
      updated_by: asActor(editor),
      updated_at: updated_at.toISOString(),
    },
    'Merge your change into the current text and send its version; append and prepend need no version',
  )
}

async function resolveTitle(
  { tx }: Context,
  { page, task }: Pick<LocatedPage, 'page' | 'task'>,
  title: string | undefined,
  content: PageContent | undefined,
): Promise<string> {
  if (title === undefined) return page.title
  const { kind, content_type } = page
  if (title.trim()) return titleOf(kind, title)
  const text = content ?? { text: await textOf(tx, page), content_type }
  return titleOf(kind, defaultTitle(kind, task, text))
}

function textChangeFor(ctx: Context, page: Page, change: Change, prepared: PreparedContent) {
  const { content } = prepared
  const mode = change.mode ?? 'replace'
  if (content && mode !== 'replace')
    return extendText(ctx, page, mode, convertToPageFormat(ctx, content, page))
  return content ? replaceText(ctx, page, content) : convertText(ctx, page, change)
}

/** Replaces the text. */
export async function replaceText(
  ctx: Context,
  page: Page,
  { text, content_type, canvas, isShared }: PageContent,
): Promise<TextChange> {
  const { tx } = ctx
  const before = await textOf(tx, page)
  const set = { content_type, canvas, length: text.length }
  checkLength(text.length, page.page_id)
  const isTextChanged = text !== before
  return {
    isTextChanged,
    set,
    back: isTextChanged ? computeSteps(ctx, before, text) : unchangedSteps(page),
    async write() {
      await writeText(tx, page, text)
      if (isShared || canvas || page.canvas) return
      const stored = { text: before, type: page.content_type }
      await shareWrite(ctx, sharedTextOf(page), stored, { text, type: content_type })
    },
  }
}

/** Converts the present text to another format. */
async function convertText(ctx: Context, page: Page, { content_type }: Change) {
  if (content_type === undefined || (content_type === page.content_type && !page.canvas)) return
  const before = await textOf(ctx.tx, page)
  const converted = convertInTransaction(ctx, content_type, before, page.content_type, 'content')
  const { text } = cleanStoredText(ctx, converted, content_type, 'content')
  return replaceText(ctx, page, { text, content_type, canvas: false })
}

/** Appends or prepends a text. The result does not depend on the version the caller read. */
async function extendText(ctx: Context, page: Page, mode: 'append' | 'prepend', text: string) {
  const { tx } = ctx
  const { content_type, canvas, length: previousLength } = page
  const { content } = await endPiece(tx, page, mode)
  const isAppend = mode === 'append'
  const addition = isAppend
    ? separatorBetween(content, text, content_type) + text
    : text + separatorBetween(text, content, content_type)
  const length = previousLength + addition.length
  checkLength(length, page.page_id)
  if (content_type === 'html') checkParts((await textOf(tx, page)) + addition, page.page_id)
  const back: Step[] = [isAppend ? [0, previousLength] : [addition.length, length]]
  return {
    isTextChanged: true,
    set: { content_type, canvas, length },
    back,
    async write() {
      const ref = sharedTextOf(page)
      const before = (await lastChange(tx, ref)) ? await textOf(tx, page) : undefined
      await addText(tx, page, mode, addition)
      if (before === undefined || canvas) return
      const after = isAppend ? before + addition : addition + before
      const type = content_type
      await shareWrite(ctx, ref, { text: before, type }, { text: after, type })
    },
  }
}

/** The text of the page as people edit it together. */
const sharedTextOf = ({ team_id, page_id, task_id }: Page): TextRef & { task_id: number } => ({
  ...{ team_id, kind: 'page', text_id: page_id, task_id },
})
