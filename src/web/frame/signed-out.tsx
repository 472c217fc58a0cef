import { Dialog as Base } from '@base-ui/react/dialog'
import { useCallback, useEffect, useState } from 'react'
import { wordsOf } from '../data/client.ts'
import { goOn } from '../data/session.ts'
import './signed-out.css'

interface Props {
  user_id: number | undefined
  name: string
}

/** Stands above everything that was typed, until somebody is there again who may send it. */
export default function SignedOut({ user_id, name }: Props) {
  const [words, setWords] = useState('')
  const look = useCallback(
    async (isAsked: boolean) => {
      try {
        const other = await goOn(user_id)
        if (other) setWords(`${other} is signed in now. Sign in as ${name}, or start over.`)
      } catch (error) {
        if (isAsked) setWords(wordsOf(error))
      }
    },
    [user_id, name],
  )
  useEffect(() => {
    const back = () => document.visibilityState === 'visible' && void look(false)
    document.addEventListener('visibilitychange', back)
    return () => document.removeEventListener('visibilitychange', back)
  }, [look])
  return (
    <Base.Root open>
      <Base.Portal>
        <Base.Backdrop className="veil" />
        <Base.Popup className="dialog signed-out" role="alertdialog">
          <Base.Title>You are signed out</Base.Title>
          <Base.Description>
            Your session has ended. Nothing that you typed here is lost: sign in as {name} in
            another tab, then go on in this one.
          </Base.Description>
          <p role="alert">{words}</p>
          <footer>
            <a className="button main" href="/sign-in" target="_blank" rel="noopener">
              Sign in again
            </a>
            <button type="button" className="button plain" onClick={() => void look(true)}>
              Go on
            </button>
            <button type="button" className="button quiet" onClick={() => location.reload()}>
              Start over
            </button>
          </footer>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}
