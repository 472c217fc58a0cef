import type { Context } from '../kernel/caller.ts'
import { fault } from '../kernel/fault.ts'
import type { Cleaned, Format } from './content.ts'
import { contentFor, type Owner } from './index.ts'

/** Whose text it is, with the answer that says what was removed from it. */
export type Sender = Owner & Pick<Context, 'warn'>

/**
 * A text as it may be stored; the format is detected where the caller names none. Refuses a text that
 * shows nothing, and warns of what was removed.
 */
export const storable = async (
  sender: Sender,
  given: string,
  format: Format | undefined,
  field: string,
): Promise<Cleaned> => {
  const cleaned = await contentFor(sender).clean(given, format, field)
  checkVisible(cleaned, given, field)
  warnOfRemoved(sender, cleaned, field)
  return cleaned
}

/** The same for a field that is always stored as HTML. */
export async function storableHtml(
  sender: Sender,
  given: string,
  format: Format | undefined,
  field: string,
): Promise<string> {
  const { text, format: used } = await storable(sender, given, format, field)
  if (used === 'html') return text
  return (await contentFor(sender).html(text, used, field)).trim()
}

export function checkVisible({ text, removed }: Cleaned, given: string, field: string): void {
  if (text) return
  const names = removed.length ? `Removed: ${removed.join(', ')}. ` : ''
  const hint = given.trim() ? `${names}Nothing else in it is visible` : undefined
  throw fault.invalid(field, 'required', `${field} must not be empty`, given, hint)
}

export function warnOfRemoved({ warn }: Sender, { removed }: Cleaned, field: string): void {
  if (removed.length) warn(field, 'content_changed', `Removed from ${field}: ${removed.join(', ')}`)
}
