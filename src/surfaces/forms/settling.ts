import type { Caller } from '../../kernel/caller.ts'
import { fault } from '../../kernel/fault.ts'
import type { Visit } from '../door.ts'
import { redirect } from './layout.ts'
import { attempt, type On, type Parts, take } from './parts.ts'
import { type Fresh, type Row, type Settings, settingsPage } from './settings.ts'
import { readForm } from './wire.ts'

const DAY_MS = 24 * 60 * 60 * 1000

/** The settings: making and ending one's own credentials, and the password. */
export function settingsForms(parts: Parts, on: On) {
  const { accounts, act, clock } = parts
  on('GET', '/settings', async ({ caller }) =>
    caller ? settingsPage(await settingsOf(parts, caller)) : redirect('/sign-in?next=/settings'),
  )
  const takes = formTaker(parts, on)
  takes('password', async (caller, values, visit) => {
    const passwords = take(values, 'old_password', 'new_password')
    visit.cookies = await accounts.changePassword(caller, passwords)
    return undefined
  })
  takes('tokens', async (caller, values) => {
    const made = await act(caller, 'access_tokens.create', take(values, 'name'))
    const { token: secret, client_configuration: client } = made as NewToken
    return { kind: 'token', secret, url: client.url }
  })
  takes('keys', async (caller, values) => {
    const asked = { ...take(values, 'name'), expires_at: after(values.get('days'), clock()) }
    const { key: secret } = (await act(caller, 'api_keys.create', asked)) as { key: string }
    return { kind: 'key', secret }
  })
  on('POST', '/settings/tokens/:id/revoke', async (visit, { params }) => {
    await act(signedIn(visit), 'access_tokens.revoke', { access_token_id: Number(params!.id) })
    return redirect('/settings#tokens')
  })
  on('POST', '/settings/keys/:id/revoke', async (visit, { params }) => {
    await act(signedIn(visit), 'api_keys.revoke', { api_key_id: Number(params!.id) })
    return redirect('/settings#keys')
  })
}

type Job = (caller: Caller, values: URLSearchParams, visit: Visit) => Promise<Fresh | undefined>

/** A form of the settings, which are shown again with the secret it made or with what is wrong. */
const formTaker = (parts: Parts, on: On) => (form: string, job: Job) =>
  on('POST', `/settings/${form}`, async (visit, { request }) => {
    const caller = signedIn(visit)
    const values = await readForm(request)
    const shown = async (more: Parameters<typeof settingsPage>[1]) =>
      settingsPage(await settingsOf(parts, caller), more)
    return attempt(
      form,
      values,
      async () => {
        const fresh = await job(caller, values, visit)
        return fresh ? shown({ fresh }) : redirect(`/settings#${form}`)
      },
      (entered, status) => shown({ entered, status }),
    )
  })

type TokenRow = Omit<Row, 'id'> & { access_token_id: number }
type KeyRow = Omit<Row, 'id'> & { api_key_id: number }
interface NewToken {
  token: string
  client_configuration: { url: string }
}

async function settingsOf({ accounts, act }: Parts, caller: Caller): Promise<Settings> {
  const tokens = (await act(caller, 'access_tokens.list', { limit: 50 })) as TokenRow[]
  const keys = (await act(caller, 'api_keys.list', { limit: 50 })) as KeyRow[]
  return {
    name: caller.name,
    email: await accounts.emailOf(caller),
    time_zone: caller.time_zone,
    tokens: tokens.map((row) => ({ ...row, id: row.access_token_id })),
    keys: keys.map((row) => ({ ...row, id: row.api_key_id })),
  }
}

function signedIn({ caller }: Visit): Caller {
  if (caller) return caller
  throw fault.forbidden('You are not signed in', 'Sign in at /sign-in and try again')
}

const after = (days: string | null, now: Date): string | null =>
  days && /^\d{1,3}$/.test(days)
    ? new Date(now.getTime() + Number(days) * DAY_MS).toISOString()
    : null
