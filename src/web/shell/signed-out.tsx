import { Dialog as Base } from '@base-ui/react/dialog'
import { useCallback, useEffect, useState } from 'react'
import { resumeSession, signIn } from '../data/session.ts'
import { usePendingCount } from '../data/write-queue.ts'
import { NoResponseError } from '../kit/errors.ts'
import { TextField } from '../kit/field.tsx'
import { Form, FormFooter } from '../kit/form.tsx'
import { t } from '../messages/t.ts'
import './signed-out.css'
import { basePath, withoutBase } from '../kit/base-path.ts'

interface Props {
  user_id: number | undefined
  name: string
}

/**
 * Covers the page when the session has ended, until the user signs in again. Nothing typed is lost.
 */
export default function SignedOut({ user_id, name }: Props) {
  const { otherName, signInAgain } = useSignIn(user_id)
  const pendingCount = usePendingCount()
  return (
    <Base.Root open>
      <Base.Portal>
        <Base.Backdrop className="backdrop" />
        <Base.Popup className="dialog signed-out" role="alertdialog">
          <Base.Title>{t('shell.you_are_signed_out')}</Base.Title>
          <Base.Description className="soft">
            {t('shell.your_session_has_ended', { name })}{' '}
            {pendingCount > 0 && t('shell.unsaved_changes_are_saved_after_you_sign')}
          </Base.Description>
          {otherName && (
            <p className="form-error" role="alert">
              {t('shell.othername_is_signed_in_now_sign_in', { otherName, name })}
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
        {...{ label: t('shell.email'), type: 'email', autoComplete: 'username', required: true }}
        value={email}
        onChange={setEmail}
      />
      <TextField
        {...{ label: t('shell.password'), type: 'password', autoComplete: 'current-password' }}
        required
        value={password}
        onChange={setPassword}
      />
      <FormFooter
        start={
          <button type="button" className="button quiet" onClick={() => location.reload()}>
            {t('shell.start_over')}
          </button>
        }
      >
        {t('shell.sign_in')}
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
    const { refusal, needsSecondFactor } = await signIn(email, password).catch((error) => {
      throw error instanceof TypeError ? new NoResponseError() : error
    })
    if (refusal) throw new Error(refusal)
    if (needsSecondFactor) return leaveForSecondFactor()
    await resume()
  }
  return { otherName, signInAgain }
}

/** Waiting writes and drafts are stored in the browser, and continue when this page opens again. */
function leaveForSecondFactor() {
  const next = withoutBase(location.pathname) + location.search
  location.assign(`${basePath}/sign-in/verify?next=${encodeURIComponent(next)}`)
}
