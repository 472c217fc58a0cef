import { basePath } from '../kit/base-path.ts'
import { createStore } from '../kit/store.ts'
import { t } from '../messages/t.ts'
import { cache } from './cache.ts'
import { callOperation, onSignOut } from './client.ts'
import { forgetSaved, saveAgain } from './offline-end.ts'
import { sendPendingWrites } from './write-queue.ts'

const hasEnded = createStore(false)

export function endSession() {
  hasEnded.set(true)
  forgetSaved()
}
onSignOut(endSession)

/** Whether the session has ended while the app was open. */
export const useSignedOut = hasEnded.use

/** Resumes if the same user has signed in again; returns the name of any other user. */
export async function resumeSession(user_id: number | undefined): Promise<string | undefined> {
  const { profile } = await callOperation('user_context.get', {}, { allowOtherUser: true })
  if (profile.user_id !== user_id) return profile.display_name
  hasEnded.set(false)
  saveAgain()
  await sendPendingWrites()
  void cache.invalidateQueries()
  return undefined
}

/** Only a browser with a pending sign-in may see this page; others are redirected. */
const needsSecondFactor = async () =>
  (await fetch(`${basePath}/sign-in/verify`, { redirect: 'manual' })).status === 200

interface SignInResult {
  /** Why the server refuses. */
  refusal?: string
  /** The sign-in continues at /sign-in/verify. */
  needsSecondFactor?: true
}

/** Signs in without leaving the page. */
export async function signIn(email: string, password: string): Promise<SignInResult> {
  // Makes the server clear cookies that are no longer valid.
  await fetch(`${basePath}/sign-in`, { redirect: 'manual' })
  const body = new URLSearchParams({ email, password })
  const response = await fetch(`${basePath}/sign-in`, { method: 'POST', body, redirect: 'manual' })
  // The server redirects after a successful sign-in, also to the page for a second factor.
  if (response.type === 'opaqueredirect')
    return (await needsSecondFactor()) ? { needsSecondFactor: true } : {}
  return { refusal: refusalOf(response.status) }
}

const refusalOf = (status: number) =>
  status === 429
    ? t('app.too_many_failed_sign_in_attempts_try')
    : status >= 500
      ? t('app.the_server_has_a_problem_try_again')
      : t('app.the_email_or_password_is_incorrect')
