import { type FormEvent, useId, useState } from 'react'
import { useCache } from '../data/cache.ts'
import { ask, Refused, wordsOf } from '../data/client.ts'
import { say } from '../frame/toasts.tsx'
import './forms.css'

const LEAST = 10
const NONE = { old_password: '', new_password: '' }
type Name = keyof typeof NONE

/** It is sent at once or not at all: what waits for a lost server is written down meanwhile. */
export function Password({ email }: { email: string }) {
  const { typed, type, others, revoke, wrong, busy, submit } = useChanging()
  const field = (name: Name) => ({
    value: typed[name],
    wrong: wrong?.field === name ? wrong.words : '',
    onType: (text: string) => type(name, text),
  })
  return (
    <form className="password" onSubmit={submit} aria-label="Password">
      <input name="username" autoComplete="username" value={email} readOnly hidden />
      <Secret label="Present password" autoComplete="current-password" {...field('old_password')} />
      <Secret
        label="New password"
        hint={`At least ${LEAST} characters. Three or four words that do not belong together make a good one.`}
        autoComplete="new-password"
        {...field('new_password')}
      />
      <label className="also">
        <input type="checkbox" checked={others} onChange={({ target }) => revoke(target.checked)} />
        <span>
          Also revoke my API keys, access tokens and calendar addresses, and the agent tokens that I
          created
        </span>
      </label>
      {wrong && !Object.hasOwn(NONE, String(wrong.field)) && (
        <p className="wrong" role="alert">
          {wrong.words}
        </p>
      )}
      <div>
        <button
          type="submit"
          className="button main"
          disabled={busy || !typed.old_password || !typed.new_password}
        >
          Change the password
        </button>
      </div>
    </form>
  )
}

function useChanging() {
  const [typed, setTyped] = useState(NONE)
  const [wrong, setWrong] = useState<{ field: unknown; words: string }>()
  const [busy, setBusy] = useState(false)
  const [others, revoke] = useState(false)
  const cache = useCache()
  const type = (name: Name, text: string) => setTyped((now) => ({ ...now, [name]: text }))
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    setWrong(undefined)
    try {
      const asked = { ...typed, ...(others && { revoke_others: true }) }
      const { ended, revoked } = await ask('password.change', asked)
      setTyped(NONE)
      revoke(false)
      say(wordsFor(ended, revoked))
      for (const name of ENDED) void cache.invalidateQueries({ queryKey: [name] })
    } catch (error) {
      const field = error instanceof Refused ? error.details.field : undefined
      setWrong({ field, words: wordsOf(error) })
    } finally {
      setBusy(false)
    }
  }
  return { typed, type, others, revoke, wrong, busy, submit }
}

const ENDED = [
  'browser_sessions.list',
  'api_keys.list',
  'access_tokens.list',
  'calendar_feeds.list',
]

function wordsFor(ended: number, revoked: number): string {
  const browsers = ended === 1 ? 'one other browser' : `${ended} other browsers`
  const out = ended ? `, and signed out ${browsers}` : ''
  return `Changed the password${out}${revoked ? `; ${revoked} credentials were revoked` : ''}`
}

interface SecretProps {
  label: string
  hint?: string
  autoComplete: string
  value: string
  wrong: string
  onType(text: string): void
}

function Secret({ label, hint, wrong, onType, ...input }: SecretProps) {
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
