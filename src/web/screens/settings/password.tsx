import { useState } from 'react'
import { useCache } from '../../data/cache.ts'
import { callOperation } from '../../data/client.ts'
import { Check, TextField } from '../../kit/field.tsx'
import { Form, FormFooter } from '../../kit/form.tsx'
import { showToast } from '../../kit/toasts.tsx'
import { t } from '../../messages/t.ts'

const MIN_LENGTH = 10
const EMPTY = { old_password: '', new_password: '' }

/** The request is not queued, because queued requests are stored, and so would be the password. */
export function Password({ email }: { email: string }) {
  const { values, setValues, revokesOthers, setRevokesOthers, change } = usePasswordChange()
  const field = (name: keyof typeof EMPTY) => ({
    ...{ name, type: 'password', maxLength: 200, required: true, value: values[name] },
    onChange: (text: string) => setValues((previous) => ({ ...previous, [name]: text })),
  })
  return (
    <Form className="form password" onSubmit={change} label={t('settings.password')}>
      <input name="username" autoComplete="username" value={email} readOnly hidden />
      <TextField
        label={t('settings.current_password')}
        autoComplete="current-password"
        {...field('old_password')}
      />
      <TextField
        label={t('settings.new_password')}
        hint={t('settings.at_least_min_characters_three_or_four', { min: MIN_LENGTH })}
        autoComplete="new-password"
        {...field('new_password')}
      />
      <Check checked={revokesOthers} onChange={setRevokesOthers}>
        {t('settings.also_revoke_my_api_keys_access_tokens')}
      </Check>
      <FormFooter disabled={!values.old_password || !values.new_password}>
        {t('settings.change_password')}
      </FormFooter>
    </Form>
  )
}

function usePasswordChange() {
  const [values, setValues] = useState(EMPTY)
  const [revokesOthers, setRevokesOthers] = useState(false)
  const cache = useCache()
  const change = async () => {
    const input = { ...values, ...(revokesOthers && { revoke_others: true }) }
    const { ended, revoked } = await callOperation('password.change', input)
    setValues(EMPTY)
    setRevokesOthers(false)
    showToast(successMessage(ended, revoked))
    for (const name of REVOKED_QUERIES) void cache.invalidateQueries({ queryKey: [name] })
  }
  return { values, setValues, revokesOthers, setRevokesOthers, change }
}

const REVOKED_QUERIES = [
  'browser_sessions.list',
  'api_keys.list',
  'access_tokens.list',
  'calendar_feeds.list',
]

function successMessage(ended: number, revoked: number): string {
  const changed = t('settings.also_signed_out', { count: ended })
  return revoked
    ? t('settings.credentials_were_revoked', { text: changed, count: revoked })
    : changed
}
