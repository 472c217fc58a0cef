import { type ReactNode, useState } from 'react'
import type { Input } from '../../data/client.ts'
import { SelectField, TextField } from '../../kit/field.tsx'
import { Form, FormFooter } from '../../kit/form.tsx'
import { locale } from '../../kit/locale.ts'
import { t } from '../../messages/t.ts'
import { ScopesChoice, ScopesField, type ScopesSelection, scopesOf } from './scopes.tsx'
import { ShowOnce } from './show-once.tsx'

type CreateInput = Pick<Input<'api_keys.create'>, 'name' | 'scopes' | 'expires_at'>

interface Props<T> {
  /** What is created, such as "token". */
  kind: 'key' | 'token'
  placeholder: string
  /** The scopes of the user. */
  ownScopes: readonly string[]
  /** Whether the lifetime can be chosen. */
  hasLifetime?: true
  createSecret(input: CreateInput): Promise<T>
  /** Shows the created secret. */
  renderSecret(created: T, onCopied: () => void): ReactNode
}

const unitText = (count: number, unit: string) =>
  new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(count)

const LIFETIMES = [
  ['', t('settings.no_expiration')],
  ['30', unitText(30, 'day')],
  ['90', unitText(90, 'day')],
  ['365', unitText(1, 'year')],
] as const
type Days = (typeof LIFETIMES)[number][0]

const DAY_MS = 24 * 60 * 60 * 1000
const expiryAfter = (days: Days) => new Date(Date.now() + Number(days) * DAY_MS).toISOString()

/** Creates a credential with a name and scopes, and shows its secret once. */
export function CreateForm<T extends { name: string }>(props: Props<T>) {
  const { kind: what, placeholder, ownScopes, hasLifetime, renderSecret } = props
  const { name, setName, days, setDays, may, setMay, ...form } = useCreate(props)
  const { secret, close } = form
  if (secret)
    return (
      <ShowOnce
        title={t('settings.your_new_what_name', { what, name: secret.name })}
        onClose={close}
      >
        {(onCopied) => renderSecret(secret, onCopied)}
      </ShowOnce>
    )
  return (
    <Form label={t('settings.new_what', { what })} onSubmit={form.create}>
      <div className="fields">
        <TextField
          label={t('settings.name_of_the_what', { what })}
          name="name"
          placeholder={placeholder}
          maxLength={200}
          required
          autoComplete="off"
          autoFocus={secret === null}
          value={name}
          onChange={setName}
        />
        {hasLifetime && (
          <SelectField
            label={t('settings.expiration')}
            value={days}
            choices={LIFETIMES}
            onPick={setDays}
          />
        )}
        <ScopesField may={may} onMay={setMay} />
      </div>
      <ScopesChoice ownScopes={ownScopes} may={may} onMay={setMay} />
      <FormFooter disabled={!form.isComplete}>{t('settings.create_what', { what })}</FormFooter>
    </Form>
  )
}

function useCreate<T>({ ownScopes, hasLifetime, createSecret }: Props<T>) {
  const [name, setName] = useState('')
  const [days, setDays] = useState<Days>('')
  const [may, setMay] = useState<ScopesSelection>({ what: 'all' })
  // Null after a secret was shown.
  const [secret, setSecret] = useState<T | null>()
  const create = async () => {
    const scopes = scopesOf(may, ownScopes)
    const input = { name: name.trim(), ...(scopes && { scopes }) }
    setSecret(
      await createSecret({
        ...input,
        ...(hasLifetime && days && { expires_at: expiryAfter(days) }),
      }),
    )
    setName('')
  }
  const isComplete = name.trim() !== '' && (may.what !== 'some' || may.scopes.length > 0)
  const fields = { name, setName, days, setDays, may, setMay }
  return { ...fields, isComplete, secret, create, close: () => setSecret(null) }
}
