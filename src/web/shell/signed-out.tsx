import { Dialog as Base } from '@base-ui/react/dialog'
import { useCallback, useEffect, useState } from 'react'
import { resumeSession, signIn } from '../data/session.ts'
import { usePendingCount } from '../data/write-queue.ts'
import { NoResponseError } from '../kit/errors.ts'
import { TextField } from '../kit/field.tsx'
import { Form, FormFooter } from '../kit/form.tsx'
import './signed-out.css'

interface Props {
  user_id: number | undefined
  name: string
}

/**
 * Covers the page when the session has ended, until the user signs in again. Nothing typed is lost.
 */
export default function SignedOut({ user_id, name }: Props) {
  const { otherName, signInAgain } = useSignIn(user_id)
  const waiting = usePendingCount()
  return (
    <Base.Root open>
      <Base.Portal>
        <Base.Backdrop className="veil" />
        <Base.Popup className="dialog signed-out" role="alertdialog">
          <Base.Title>You are signed out</Base.Title>
          <Base.Description className="soft">
            Your session has ended. Nothing you typed is lost. Sign in as {name} to continue.
            {waiting > 0 && ' Unsaved changes are saved after you sign in.'}
          </Base.Description>
          {otherName && (
            <p className="form-error" role="alert">
              {otherName} is signed in now. Sign in as {name} to continue here, or start over.
            </p>
          )}
          <SignInForm onSubmit={signInAgain} />
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}

function SignInForm({ onSubmit }: { onSubmit(email: string, password: string): Promise<void> }) {
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  return (
    <Form onSubmit={() => onSubmit(email, password)}>
      <TextField
        {...{ label: 'Email', type: 'email', autoComplete: 'username', required: true }}
        value={email}
        onChange={setEmail}
      />
      <TextField
        {...{ label: 'Password', type: 'password', autoComplete: 'current-password' }}
        required
        value={password}
        onChange={setPassword}
      />
      <FormFooter
        start={
          <button type="button" className="button quiet" onClick={() => location.reload()}>
            Start over
          </button>
        }
      >
        Sign in
      </FormFooter>
    </Form>
  )
}

function useSignIn(user_id: number | undefined) {
  /** Another user, who has signed in meanwhile. */
  const [otherName, setOtherName] = useState<string>()
  const resume = useCallback(async () => setOtherName(await resumeSession(user_id)), [user_id])
  useEffect(() => {
    // The user may have signed in again in another tab.
    const onVisible = () => document.visibilityState === 'visible' && void resume().catch(() => {})
    onVisible()
    document.addEventListener('visibilitychange', onVisible)
    return () => document.removeEventListener('visibilitychange', onVisible)
  }, [resume])
  const signInAgain = async (email: string, password: string) => {
    setOtherName(undefined)
    const refusal = await signIn(email, password).catch((error) => {
      throw error instanceof TypeError ? new NoResponseError() : error
    })
    if (refusal) throw new Error(refusal)
    await resume()
  }
  return { otherName, signInAgain }
}
