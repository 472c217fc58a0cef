import type { Context } from '../kernel/caller.ts'
import { fault } from '../kernel/fault.ts'
import type { Cleaned, Format } from './content.ts'
import { contentFor, type Owner } from './index.ts'

/** The owner of a text, and the response that warns of what was removed from it. */
export type WarningOwner = Owner & Pick<Context, 'warn'>

/**
 * Cleans a text for storage, detecting its format if the caller names none. Refuses a text without
 * visible content, and warns of what was removed.
 */
export const storable = async (
  sender: WarningOwner,
  input: string,
  format: Format | undefined,
  field: string,
): Promise<Cleaned> => {
  const cleaned = await contentFor(sender).clean(input, format, field)
  checkVisible(cleaned, input, field)
  warnOfRemoved(sender, cleaned, field)
  return cleaned
}

/** The same for a field that is always stored as HTML. */
export async function storableHtml(
  sender: WarningOwner,
  input: string,
  format: Format | undefined,
  field: string,
): Promise<string> {
  const { text, format: actualFormat } = await storable(sender, input, format, field)
  if (actualFormat === 'html') return text
  return (await contentFor(sender).html(text, actualFormat, field)).trim()
}

export function checkVisible({ text, removed }: Cleaned, input: string, field: string): void {
  if (text) return
  const names = removed.length ? `Removed: ${removed.join(', ')}. ` : ''
  const hint = input.trim() ? `${names}Nothing else in it is visible` : undefined
  throw fault.invalid(field, 'required', `${field} must not be empty`, input, hint)
}

export function warnOfRemoved({ warn }: WarningOwner, { removed }: Cleaned, field: string): void {
  if (removed.length) warn(field, 'content_changed', `Removed from ${field}: ${removed.join(', ')}`)
}
