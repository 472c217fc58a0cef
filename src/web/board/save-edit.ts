import { wordsOf } from '../data/client.ts'
import { complain, record } from '../frame/toasts.tsx'

interface Edit {
  made: Promise<unknown>
  /** Shows what was there before. */
  back(): void
  /** The message about it, where one is shown. */
  words?: string | undefined
  /** What the message after its undo calls it. */
  what?: string | undefined
  undo(): Promise<boolean>
  step?: string | undefined
}

/**
 * Puts an edit on the undo stack as soon as it is on its way, so that the last one is the first to
 * be taken back. Where the server refuses it, all is shown as before.
 */
export async function saveEdit({ made, back, words, what = words ?? '', undo, step }: Edit) {
  const saved = made.then(
    () => true,
    () => false,
  )
  const forget = record({ what, step, undo: async () => (await saved) && undo() }, words)
  try {
    await made
  } catch (error) {
    forget()
    back()
    complain(wordsOf(error))
  }
}
