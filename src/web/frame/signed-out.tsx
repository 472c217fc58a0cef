import { Dialog as Base } from '@base-ui/react/dialog'
import { type FormEvent, useCallback, useEffect, useState } from 'react'
import { Unanswered, wordsOf } from '../data/client.ts'
import { goOn, signIn } from '../data/session.ts'
import { useWaiting } from '../data/waiting.ts'
import './signed-out.css'

interface Props {
  user_id: number | undefined
  name: string
}

/** Stands above everything that was typed, until somebody is there again who may send it. */
export default function SignedOut({ user_id, name }: Props) {
  const { words, busy, submit } = useSigningIn(user_id, name)
  const waiting = useWaiting()
  return (
    <Base.Root open>
      <Base.Portal>
        <Base.Backdrop className="veil" />
        <Base.Popup className="dialog signed-out" role="alertdialog">
          <Base.Title>You are signed out</Base.Title>
          <Base.Description>
            Your session has ended. Nothing that you typed here is lost: sign in as {name} and go on
            where you were.{waiting > 0 && ' What waits to be saved is sent then.'}
          </Base.Description>
          <form onSubmit={submit}>
            <label>
              E-mail
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
            <footer>
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

function useSigningIn(user_id: number | undefined, name: string) {
  const [words, setWords] = useState('')
  const [busy, setBusy] = useState(false)
  const look = useCallback(async () => {
    const other = await goOn(user_id)
    if (other)
      setWords(
        `${other} is signed in now, and this page is of ${name}. Sign in as ${name}, or start over.`,
      )
  }, [user_id, name])
  useEffect(() => {
    // Signed in again in another tab: then this one can go on.
    const back = () => document.visibilityState === 'visible' && void look().catch(() => {})
    back()
    document.addEventListener('visibilitychange', back)
    return () => document.removeEventListener('visibilitychange', back)
  }, [look])
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const said = new FormData(event.currentTarget)
    setBusy(true)
    setWords('')
    try {
      const refused = await signIn(String(said.get('email')), String(said.get('password')))
      if (refused) setWords(refused)
      else await look()
    } catch (error) {
      setWords(wordsOf(error instanceof TypeError ? new Unanswered() : error))
    } finally {
      setBusy(false)
    }
  }
  return { words, busy, submit }
}
