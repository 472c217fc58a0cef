import { type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import type { Input } from '../data/client.ts'
import { wordsOf } from '../data/client.ts'
import './forms.css'
import { Once } from './once.tsx'
import { type May, ScopesChoice, ScopesField, scopesOf } from './scopes.tsx'

type Asked = Pick<Input<'api_keys.create'>, 'name' | 'scopes' | 'expires_at'>

interface Props<T> {
  /** Such as: token. */
  what: string
  placeholder: string
  /** What whoever makes it may do. */
  own: readonly string[]
  /** It may last as long as one likes. */
  lasts?: true
  make(asked: Asked): Promise<T>
  /** Shows the secret that was made. */
  shown(made: T, onCopied: () => void): ReactNode
}

const DAY_MS = 24 * 60 * 60 * 1000
const after = (days: string) => new Date(Date.now() + Number(days) * DAY_MS).toISOString()

/** Asks for a name and what it may do, and shows once what was made; nothing else keeps that. */
export function Make<T extends { name: string }>(props: Props<T>) {
  const { what, placeholder, own, lasts, shown } = props
  const id = useId()
  const made = useMaking(props)
  if (made.secret) {
    const { secret } = made
    return (
      <Once title={`Your new ${what}: ${secret.name}`} onClose={made.close}>
        {(onCopied) => shown(secret, onCopied)}
      </Once>
    )
  }
  return (
    <form className="make" onSubmit={made.submit} aria-label={`New ${what}`}>
      <div className="asked">
        <div className="of">
          <label htmlFor={id}>Name of the {what}</label>
          <input
            id={id}
            ref={made.field}
            className="field"
            placeholder={placeholder}
            maxLength={200}
            required
            autoComplete="off"
            aria-invalid={made.wrong ? true : undefined}
            aria-describedby={made.wrong ? `${id}-wrong` : undefined}
            value={made.name}
            onChange={({ target }) => made.setName(target.value)}
          />
        </div>
        {lasts && <Lasting days={made.days} onDays={made.setDays} />}
        <ScopesField may={made.may} onMay={made.setMay} />
      </div>
      <ScopesChoice own={own} may={made.may} onMay={made.setMay} />
      {made.wrong && (
        <p className="wrong" id={`${id}-wrong`} role="alert">
          {made.wrong}
        </p>
      )}
      <div>
        <button type="submit" className="button main" disabled={made.busy || !made.isWhole}>
          Make the {what}
        </button>
      </div>
    </form>
  )
}

function useMaking<T>({ own, lasts, make }: Props<T>) {
  const [name, setName] = useState('')
  const [days, setDays] = useState('')
  const [may, setMay] = useState<May>({ what: 'all' })
  const [wrong, setWrong] = useState('')
  const [busy, setBusy] = useState(false)
  const [secret, setSecret] = useState<T>()
  const field = useRef<HTMLInputElement>(null)
  const wasShown = useRef(false)
  useEffect(() => {
    if (!secret && wasShown.current) field.current?.focus()
    wasShown.current = secret !== undefined
  }, [secret])
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setWrong('')
    setBusy(true)
    const scopes = scopesOf(may, own)
    const asked = { name: name.trim(), ...(scopes && { scopes }) }
    try {
      setSecret(await make({ ...asked, ...(lasts && days && { expires_at: after(days) }) }))
      setName('')
    } catch (error) {
      setWrong(wordsOf(error))
    } finally {
      setBusy(false)
    }
  }
  const isWhole = name.trim() !== '' && (may.what !== 'some' || may.scopes.length > 0)
  const close = () => setSecret(undefined)
  const fields = { name, setName, days, setDays, may, setMay }
  return { ...fields, wrong, busy, isWhole, secret, field, submit, close }
}

function Lasting({ days, onDays }: { days: string; onDays(days: string): void }) {
  const id = useId()
  return (
    <div className="of">
      <label htmlFor={id}>It lasts</label>
      <select
        id={id}
        className="field"
        value={days}
        onChange={({ target }) => onDays(target.value)}
      >
        <option value="">Until it is revoked</option>
        <option value="30">30 days</option>
        <option value="90">90 days</option>
        <option value="365">A year</option>
      </select>
    </div>
  )
}
