import { Dialog as Base } from '@base-ui/react/dialog'
import { type FormEvent, useCallback, useEffect, useState } from 'react'
import { resumeSession, signIn } from '../data/session.ts'
import { usePendingCount } from '../data/write-queue.ts'
import { errorText, NoResponseError } from '../kit/errors.ts'
import './signed-out.css'

interface Props {
  user_id: number | undefined
  name: string
}

/**
 * Covers the page when the session has ended, until the user signs in again. Nothing typed is lost.
 */
export default function SignedOut({ user_id, name }: Props) {
  const { words, busy, submit } = useSignIn(user_id, name)
  const waiting = usePendingCount()
  return (
    <Base.Root open>
      <Base.Portal>
        <Base.Backdrop className="veil" />
        <Base.Popup className="dialog signed-out" role="alertdialog">
          <Base.Title>You are signed out</Base.Title>
          <Base.Description>
            Your session has ended. Nothing you typed is lost. Sign in as {name} to continue.
            {waiting > 0 && ' Unsaved changes are saved after you sign in.'}
          </Base.Description>
          <form onSubmit={submit}>
            <label>
              Email
              <input className="field" name="email" type="email" autoComplete="username" required />
            </label>
            <label>
              Password
              <input
                className="field"
                name="password"
                type="password"
                autoComplete="current-password"
                required
              />
            </label>
            <p role="alert">{words}</p>
            <footer className="flex-wrap">
              <button type="submit" className="button main" disabled={busy}>
                Sign in
              </button>
              <button type="button" className="button quiet" onClick={() => location.reload()}>
                Start over
              </button>
            </footer>
          </form>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}

function useSignIn(user_id: number | undefined, name: string) {
  const [words, setWords] = useState('')
  const [busy, setBusy] = useState(false)
  const resume = useCallback(async () => {
    const otherName = await resumeSession(user_id)
    if (otherName)
      setWords(`${otherName} is signed in now. Sign in as ${name} to continue here, or start over.`)
  }, [user_id, name])
  useEffect(() => {
    // The user may have signed in again in another tab.
    const onVisible = () => document.visibilityState === 'visible' && void resume().catch(() => {})
    onVisible()
    document.addEventListener('visibilitychange', onVisible)
    return () => document.removeEventListener('visibilitychange', onVisible)
  }, [resume])
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    setBusy(true)
    setWords('')
    try {
      const refusal = await signIn(String(form.get('email')), String(form.get('password')))
      if (refusal) setWords(refusal)
      else await resume()
    } catch (error) {
      setWords(errorText(error instanceof TypeError ? new NoResponseError() : error))
    } finally {
      setBusy(false)
    }
  }
  return { words, busy, submit }
}
