import { useState } from 'react'
import { useCache } from '../../data/cache.ts'
import { callOperation } from '../../data/client.ts'
import { Check, TextField } from '../../kit/field.tsx'
import { Form, FormFooter } from '../../kit/form.tsx'
import { showToast } from '../../kit/toasts.tsx'

const MIN_LENGTH = 10
const EMPTY = { old_password: '', new_password: '' }

/** The request is not queued, because queued requests are stored, and so would be the password. */
export function Password({ email }: { email: string }) {
  const { values, setValues, revokesOthers, setRevokesOthers, change } = usePasswordChange()
  const field = (name: keyof typeof EMPTY) => ({
    ...{ name, type: 'password', maxLength: 200, required: true, value: values[name] },
    onChange: (text: string) => setValues((now) => ({ ...now, [name]: text })),
  })
  return (
    <Form className="form password" onSubmit={change} label="Password">
      <input name="username" autoComplete="username" value={email} readOnly hidden />
      <TextField
        label="Current password"
        autoComplete="current-password"
        {...field('old_password')}
      />
      <TextField
        label="New password"
        hint={`At least ${MIN_LENGTH} characters. Three or four unrelated words work well.`}
        autoComplete="new-password"
        {...field('new_password')}
      />
      <Check checked={revokesOthers} onChange={setRevokesOthers}>
        Also revoke my API keys, access tokens and calendar addresses, and the agent tokens that I
        created
      </Check>
      <FormFooter disabled={!values.old_password || !values.new_password}>
        Change password
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
  const browsers = ended === 1 ? 'one other browser' : `${ended} other browsers`
  const signedOutText = ended ? `, and signed out ${browsers}` : ''
  return `Changed the password${signedOutText}${revoked ? `; ${revoked} credentials were revoked` : ''}`
}
