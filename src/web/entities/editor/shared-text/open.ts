import type { SharedText, TextAddress, TypedText, Unconfirmed } from './session.ts'

/** Loads a text to edit, with the editor for it. */
export async function openSharedText(
  address: TextAddress,
  unconfirmed?: Unconfirmed,
): Promise<SharedText> {
  const [{ SharedText }] = await Promise.all([import('./session.ts'), import('../codemirror.ts')])
  return SharedText.open(address, unconfirmed)
}

/** Takes back what was typed in one session, but not what others typed. */
export async function undoTyping(
  address: TextAddress,
  typed: TypedText,
  what: string,
): Promise<boolean> {
  const { SharedText } = await import('./session.ts')
  return SharedText.undo(address, typed, what)
}
