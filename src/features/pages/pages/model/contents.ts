import {
  contentFor,
  convertInTransaction,
  type Format,
  MAX_PARTS,
  partCountOf,
} from '../../../../content/index.ts'
import type { WarningOwner } from '../../../../content/storable.ts'
import type { Context } from '../../../../kernel/caller.ts'
import { fault } from '../../../../kernel/fault.ts'
import { cleanText } from '../../../tasks/descriptions/model/index.ts'
import type { Mode } from './rules.ts'
import { MAX_TEXT_LENGTH } from './schema.ts'
import type { Page } from './store.ts'

/** A text with its format. */
export interface PageContent {
  text: string
  content_type: Format
  /** The text is a whole HTML document, stored as it was sent. */
  canvas: boolean
  /** The text is what people have typed into the shared text, which has it already. */
  isShared?: true
}

export interface ContentInput {
  content?: string
  content_type?: Format
  canvas?: boolean
  mode?: Mode
}

/** The cleaned content, prepared before the transaction begins. */
export interface PreparedContent {
  content: PageContent | undefined
}

/** Cleans a text for storage. The text of a canvas stays as it is. */
async function cleanContent(
  sender: WarningOwner,
  { text, content_type, canvas }: PageContent,
): Promise<string> {
  if (!canvas) return (await cleanText(sender, text, content_type, 'content')).text
  if (!text.trim()) throw fault.invalid('content', 'required', 'content must not be empty', text)
  // Refuses documents that are nested too deeply or have too many parts to be converted later.
  await contentFor(sender).html(text, 'html', 'content')
  return text
}

/** Cleans the content of a request. Without content_type it is markdown, or HTML for a canvas. */
export async function prepareContent(
  sender: WarningOwner,
  input: ContentInput,
): Promise<PreparedContent> {
  if (input.canvas && input.content_type === 'markdown')
    throw fault.invalid(
      'content_type',
      'conflict',
      'A canvas must be HTML',
      input.content_type,
      'Leave out content_type or canvas',
    )
  if (input.content === undefined) return { content: undefined }
  const canvas = input.canvas ?? false
  const content_type = input.content_type ?? (canvas ? 'html' : 'markdown')
  const content = { text: input.content, content_type, canvas }
  return { content: { ...content, text: await cleanContent(sender, content) } }
}

/** Converts a text that is added to a page to the format of the page. */
export function convertToPageFormat(ctx: Context, content: PageContent, page: Page): string {
  const { content_type, canvas } = page
  if (content.canvas && !canvas)
    throw fault.invalid(
      'canvas',
      'conflict',
      `Page ${page.page_id} is not a canvas, so a document cannot be added to it`,
      true,
      'Use mode replace, or add HTML without canvas',
    )
  if (content.content_type === content_type) return content.text
  return convertInTransaction(ctx, content_type, content.text, content.content_type, 'content')
}

export function checkLength(length: number, page_id: number): void {
  if (length > MAX_TEXT_LENGTH)
    throw tooLong(page_id, `would have ${length} characters; the limit is ${MAX_TEXT_LENGTH}`)
}

/** Refuses an addition after which the HTML has too many elements to be shown. */
export function checkParts(html: string, page_id: number): void {
  const parts = partCountOf(html)
  if (parts > MAX_PARTS)
    throw tooLong(page_id, `would have ${parts} HTML elements; the limit is ${MAX_PARTS}`)
}

const tooLong = (page_id: number, reason: string) =>
  fault.invalid(
    'content',
    'too_long',
    `Page ${page_id} ${reason}`,
    undefined,
    `Continue on a nested page: svc_pages create with parent_page_id ${page_id}`,
  )
