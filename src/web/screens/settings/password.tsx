import { type FormEvent, useId, useState } from 'react'
import { useCache } from '../../data/cache.ts'
import { callOperation } from '../../data/client.ts'
import { ApiError, errorText } from '../../kit/errors.ts'
import { showToast } from '../../kit/toasts.tsx'
import './forms.css'

const MIN_LENGTH = 10
const EMPTY = { old_password: '', new_password: '' }
type Name = keyof typeof EMPTY

/** The request is not queued, because queued requests are stored, and so would be the password. */
export function Password({ email }: { email: string }) {
  const { values, type, revokesOthers, setRevokesOthers, error, busy, submit } = usePasswordChange()
  const field = (name: Name) => ({
    value: values[name],
    wrong: error?.field === name ? error.words : '',
    onType: (text: string) => type(name, text),
  })
  return (
    <form className="password" onSubmit={submit} aria-label="Password">
      <input name="username" autoComplete="username" value={email} readOnly hidden />
      <PasswordField
        label="Current password"
        autoComplete="current-password"
        {...field('old_password')}
      />
      <PasswordField
        label="New password"
        hint={`At least ${MIN_LENGTH} characters. Three or four unrelated words work well.`}
        autoComplete="new-password"
        {...field('new_password')}
      />
      <label className="also">
        <input
          type="checkbox"
          checked={revokesOthers}
          onChange={({ target }) => setRevokesOthers(target.checked)}
        />
        <span>
          Also revoke my API keys, access tokens and calendar addresses, and the agent tokens that I
          created
        </span>
      </label>
      {error && !Object.hasOwn(EMPTY, String(error.field)) && (
        <p className="wrong" role="alert">
          {error.words}
        </p>
      )}
      <div>
        <button
          type="submit"
          className="button main"
          disabled={busy || !values.old_password || !values.new_password}
        >
          Change password
        </button>
      </div>
    </form>
  )
}

function usePasswordChange() {
  const [values, setValues] = useState(EMPTY)
  const [error, setError] = useState<{ field: unknown; words: string }>()
  const [busy, setBusy] = useState(false)
  const [revokesOthers, setRevokesOthers] = useState(false)
  const cache = useCache()
  const type = (name: Name, text: string) => setValues((now) => ({ ...now, [name]: text }))
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    setError(undefined)
    try {
      const input = { ...values, ...(revokesOthers && { revoke_others: true }) }
      const { ended, revoked } = await callOperation('password.change', input)
      setValues(EMPTY)
      setRevokesOthers(false)
      showToast(successMessage(ended, revoked))
      for (const name of REVOKED_QUERIES) void cache.invalidateQueries({ queryKey: [name] })
    } catch (failure) {
      const field = failure instanceof ApiError ? failure.details.field : undefined
      setError({ field, words: errorText(failure) })
    } finally {
      setBusy(false)
    }
  }
  return { values, type, revokesOthers, setRevokesOthers, error, busy, submit }
}

const REVOKED_QUERIES = [
  'browser_sessions.list',
  'api_keys.list',
  'access_tokens.list',
  'calendar_feeds.list',
]

function successMessage(ended: number, revoked: number): string {
  const browsers = ended === 1 ? 'one other browser' : `${ended} other browsers`
  const signedOutText = ended ? `, and signed out ${browsers}` : ''
  return `Changed the password${signedOutText}${revoked ? `; ${revoked} credentials were revoked` : ''}`
}

interface SecretProps {
  label: string
  hint?: string
  autoComplete: string
  value: string
  wrong: string
  onType(text: string): void
}

function PasswordField({ label, hint, wrong, onType, ...input }: SecretProps) {
  const id = useId()
  return (
    <div className="of">
      <label htmlFor={id}>{label}</label>
      <input
        {...input}
        id={id}
        className="field"
        type="password"
        maxLength={200}
        required
        aria-describedby={[hint && `${id}-hint`, wrong && `${id}-wrong`].filter(Boolean).join(' ')}
        aria-invalid={wrong ? true : undefined}
        onChange={({ target }) => onType(target.value)}
      />
      {hint && (
        <p className="soft" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {wrong && (
        <p className="wrong" id={`${id}-wrong`} role="alert">
          {wrong}
        </p>
      )}
    </div>
  )
}
