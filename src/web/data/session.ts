import { cache } from './cache.ts'
import { cell } from './cell.ts'
import { ask, whenSignedOut } from './client.ts'
import { sendWaiting } from './waiting.ts'

const isOver = cell(false)

export const signedOut = () => isOver.put(true)
whenSignedOut(signedOut)

/** Whether the session has ended while the app was open. */
export const useSignedOut = isOver.use

/** Goes on where the same person has signed in again; answers who it is where it is another. */
export async function goOn(user_id: number | undefined): Promise<string | undefined> {
  const { profile } = await ask('user_context.get', {}, { asAnybody: true })
  if (profile.user_id !== user_id) return profile.display_name
  isOver.put(false)
  await sendWaiting()
  void cache.invalidateQueries()
  return undefined
}

/** Signs in without leaving the page; answers why the server did not let them in. */
export async function signIn(email: string, password: string): Promise<string | undefined> {
  // Where cookies are no good any more, this has them taken away.
  await fetch('/sign-in', { redirect: 'manual' })
  const body = new URLSearchParams({ email, password })
  const response = await fetch('/sign-in', { method: 'POST', body, redirect: 'manual' })
  // Whoever is let in is sent on to the app.
  if (response.type === 'opaqueredirect') return undefined
  return response.status === 429
    ? 'That was the wrong password too often. Try again in a quarter of an hour'
    : response.status >= 500
      ? 'The server is not well. Try again in a while'
      : 'This e-mail and this password do not fit'
}
