import { type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import type { Input } from '../../data/client.ts'
import { useAction } from '../../kit/use-action.ts'
import './forms.css'
import { ScopesChoice, ScopesField, type ScopesSelection, scopesOf } from './scopes.tsx'
import { ShowOnce } from './show-once.tsx'

type CreateInput = Pick<Input<'api_keys.create'>, 'name' | 'scopes' | 'expires_at'>

interface Props<T> {
  /** What is created, such as "token". */
  what: string
  placeholder: string
  /** The scopes of the user. */
  own: readonly string[]
  /** Whether the lifetime can be chosen. */
  lasts?: true
  make(asked: CreateInput): Promise<T>
  /** Shows the created secret. */
  shown(made: T, onCopied: () => void): ReactNode
}

const DAY_MS = 24 * 60 * 60 * 1000
const expiryAfter = (days: string) => new Date(Date.now() + Number(days) * DAY_MS).toISOString()

/** Creates a credential with a name and scopes, and shows its secret once. */
export function CreateForm<T extends { name: string }>(props: Props<T>) {
  const { what, placeholder, own, lasts, shown } = props
  const id = useId()
  const form = useCreate(props)
  if (form.secret) {
    const { secret } = form
    return (
      <ShowOnce title={`Your new ${what}: ${secret.name}`} onClose={form.close}>
        {(onCopied) => shown(secret, onCopied)}
      </ShowOnce>
    )
  }
  return (
    <form className="make" onSubmit={form.submit} aria-label={`New ${what}`}>
      <div className="asked">
        <div className="of">
          <label htmlFor={id}>Name of the {what}</label>
          <input
            id={id}
            ref={form.field}
            className="field"
            placeholder={placeholder}
            maxLength={200}
            required
            autoComplete="off"
            aria-invalid={form.wrong ? true : undefined}
            aria-describedby={form.wrong ? `${id}-wrong` : undefined}
            value={form.name}
            onChange={({ target }) => form.setName(target.value)}
          />
        </div>
        {lasts && <LifetimeSelect days={form.days} onDays={form.setDays} />}
        <ScopesField may={form.may} onMay={form.setMay} />
      </div>
      <ScopesChoice own={own} may={form.may} onMay={form.setMay} />
      {form.wrong && (
        <p className="wrong" id={`${id}-wrong`} role="alert">
          {form.wrong}
        </p>
      )}
      <div>
        <button type="submit" className="button main" disabled={form.busy || !form.isComplete}>
          Create {what}
        </button>
      </div>
    </form>
  )
}

function useCreate<T>({ own, lasts, make }: Props<T>) {
  const [name, setName] = useState('')
  const [days, setDays] = useState('')
  const [may, setMay] = useState<ScopesSelection>({ what: 'all' })
  const { error: wrong, busy, run } = useAction()
  const [secret, setSecret] = useState<T>()
  const field = useRef<HTMLInputElement>(null)
  const wasSecretShown = useRef(false)
  useEffect(() => {
    if (!secret && wasSecretShown.current) field.current?.focus()
    wasSecretShown.current = secret !== undefined
  }, [secret])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void run(async () => {
      const scopes = scopesOf(may, own)
      const input = { name: name.trim(), ...(scopes && { scopes }) }
      setSecret(await make({ ...input, ...(lasts && days && { expires_at: expiryAfter(days) }) }))
      setName('')
    })
  }
  const isComplete = name.trim() !== '' && (may.what !== 'some' || may.scopes.length > 0)
  const close = () => setSecret(undefined)
  const fields = { name, setName, days, setDays, may, setMay }
  return { ...fields, wrong, busy, isComplete, secret, field, submit, close }
}

function LifetimeSelect({ days, onDays }: { days: string; onDays(days: string): void }) {
  const id = useId()
  return (
    <div className="of">
      <label htmlFor={id}>Expiration</label>
      <select
        id={id}
        className="field"
        value={days}
        onChange={({ target }) => onDays(target.value)}
      >
        <option value="">No expiration</option>
        <option value="30">30 days</option>
        <option value="90">90 days</option>
        <option value="365">1 year</option>
      </select>
    </div>
  )
}
