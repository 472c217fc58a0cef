import { contentFor, convertedIn, type Format, MOST_PARTS, partsIn } from '../../content/index.ts'
import type { Sender } from '../../content/storable.ts'
import type { Context } from '../../kernel/caller.ts'
import { fault } from '../../kernel/fault.ts'
import { cleaned } from '../tasks/index.ts'
import type { Mode } from './rules.ts'
import { MOST_TEXT } from './schema.ts'
import type { Page } from './store.ts'

/** A text, and how it is written. */
export interface Piece {
  text: string
  content_type: Format
  /** A document of its own, kept as it was sent. */
  canvas: boolean
}

export interface Given {
  content?: string
  content_type?: Format
  canvas?: boolean
  mode?: Mode
}

/** What changing a text takes, got before a transaction begins. */
export interface Written {
  piece: Piece | undefined
}

/** A text as a page may keep it. */
async function kept(sender: Sender, { text, content_type, canvas }: Piece): Promise<string> {
  if (!canvas) return (await cleaned(sender, text, content_type, 'content')).text
  if (!text.trim()) throw fault.invalid('content', 'required', 'content must not be empty', text)
  // What is too deep or too much to be shown as words is refused now, and not when it is read.
  await contentFor(sender).html(text, 'html', 'content')
  return text
}

/** What was sent, cleaned. Where nothing says how it is written, it is markdown. */
export async function written(sender: Sender, given: Given): Promise<Written> {
  if (given.canvas && given.content_type === 'markdown')
    throw fault.invalid(
      'content_type',
      'conflict',
      'A canvas is a document of HTML',
      given.content_type,
      'Leave content_type out, or canvas',
    )
  if (given.content === undefined) return { piece: undefined }
  const canvas = given.canvas ?? false
  const content_type = given.content_type ?? (canvas ? 'html' : 'markdown')
  const piece = { text: given.content, content_type, canvas }
  return { piece: { ...piece, text: await kept(sender, piece) } }
}

/** A text that is to be added to a page, written as the page is. */
export function fitted(ctx: Context, piece: Piece, page: Page): string {
  const { content_type, canvas } = page
  if (piece.canvas && !canvas)
    throw fault.invalid(
      'canvas',
      'conflict',
      `Page ${page.page_id} is no canvas, so no document can be added to it`,
      true,
      'Replace its text with mode replace, or add HTML without canvas',
    )
  if (piece.content_type === content_type) return piece.text
  return convertedIn(ctx, content_type, piece.text, piece.content_type, 'content')
}

export function checkLength(length: number, page_id: number): void {
  if (length > MOST_TEXT)
    throw tooLong(page_id, `would have ${length} characters, and ${MOST_TEXT} is the most`)
}

/** What is added to HTML must leave it such that it can be shown as a whole. */
export function checkParts(html: string, page_id: number): void {
  const parts = partsIn(html)
  if (parts > MOST_PARTS)
    throw tooLong(page_id, `would be made of ${parts} elements, and ${MOST_PARTS} is the most`)
}

const tooLong = (page_id: number, why: string) =>
  fault.invalid(
    'content',
    'too_long',
    `Page ${page_id} ${why}`,
    undefined,
    `Go on in a page nested under it: svc_pages create with parent_page_id ${page_id}`,
  )
