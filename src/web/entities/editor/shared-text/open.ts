import type { Unconfirmed } from './restore.ts'
import type { SharedText, TextAddress, TypedText } from './session.ts'

/** The code of the editor could not be loaded: it is blocked, or of a version that is gone. */
export class MissingEditor extends Error {}

/** Loads a text to edit, with the editor for it. */
export async function openSharedText(
  address: TextAddress,
  unconfirmed?: Unconfirmed,
): Promise<SharedText> {
  const code = Promise.all([import('./session.ts'), import('../codemirror.ts')])
  const [{ SharedText }] = await code.catch((error) => {
    throw new MissingEditor(String(error))
  })
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
